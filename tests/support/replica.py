"""A PostgreSQL that follows the run's own one, as a read replica of a real site does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import suppress

from tests.support.services import CHOSEN, as_postgres, postgres_binaries, wait_until

PORT = 5433
"""Part of the socket's name; no port is taken."""


class Replica:
    """A streaming replica; it stands beside the run's PostgreSQL until ``stop``."""

    def __init__(self) -> None:
        self.binaries = postgres_binaries()
        self.data = CHOSEN.folder / "replica"
        subprocess.run(
            [f"{self.binaries}/pg_basebackup", "-D", str(self.data), "-h", str(CHOSEN.folder)]
            + ["-U", "riffle", "-R", "--checkpoint", "fast", "--no-sync"],
            check=True,
            capture_output=True,
            **as_postgres(),  # type: ignore[call-overload]
        )
        self.start()

    def start(self) -> None:
        """Start it (again) on the same data."""
        with (CHOSEN.folder / "replica.log").open("ab") as log:
            self.process = subprocess.Popen(
                [f"{self.binaries}/postgres", "-D", str(self.data), "-k", str(CHOSEN.folder)]
                + ["-h", "", "-p", str(PORT), "-F", "-c", "max_connections=60"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **as_postgres(),  # type: ignore[call-overload]
            )
        ready = [f"{self.binaries}/pg_isready", "-q", "-h", str(CHOSEN.folder), "-p", str(PORT)]
        wait_until(
            lambda: subprocess.run([*ready, "-U", "riffle"], check=False).returncode == 0,
            (),
            "The replica",
        )

    def url(self, database: str) -> str:
        """The address of a database of the run on this server."""
        return CHOSEN.database_url.removesuffix("/riffle") + f":{PORT}/{database}"

    def kill(self) -> None:
        """kill -9 to the server and all that it does for its clients."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGSTOP)  # so that none of them starts another
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        for number in (self.process.pid, *map(int, children.stdout.split())):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self.process.wait()
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        """End it and throw its data away."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(20)
        shutil.rmtree(self.data, ignore_errors=True)
