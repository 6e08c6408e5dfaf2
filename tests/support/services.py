"""Throw-away servers for the tests: a Redis or Valkey, and PostgreSQL where it is asked for.

Each run (each process of a parallel run) has its own temp folder with Unix sockets in it, so runs
never meet and no port is taken. Everything stops and goes when the run ends.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import redis

from config.embedded import redis_server_binary

REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"
ROOT = Path(__file__).resolve().parents[2]
SHARED = "RIFFLE_TEST_SHARED"
"""The folder of what is the same for all processes of a run: cards once drawn, sites once made
ready. CI names one for all its sections."""


def postgres_binaries() -> Path | None:
    """The newest PostgreSQL on this machine (Debian keeps its servers out of PATH)."""
    if which := shutil.which("pg_ctl"):
        return Path(which).resolve().parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")
    newest = max(versions, key=lambda path: int(path.parent.parent.name), default=None)
    return newest.parent if newest else None


def as_postgres() -> dict[str, object]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    owner = pwd.getpwnam("postgres")
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}


@dataclass
class Services:
    """What this run uses, and the processes that it has to end."""

    folder: Path
    postgres: bool
    redis_binary: str | None
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _postgres: subprocess.Popen[bytes] | None = None

    @property
    def has_redis(self) -> bool:
        return self.redis_binary is not None

    @property
    def redis_url(self) -> str:
        return f"unix://{self.folder}/redis.sock"

    @property
    def database_url(self) -> str:
        if self.postgres:
            return f"postgres://riffle@%2F{str(self.folder)[1:].replace('/', '%2F')}/riffle"
        return f"sqlite:///{self.folder}/riffle.sqlite3"

    def start(self) -> None:
        _share_drawn_cards(self.folder)
        if self.redis_binary and not self.running:
            self._start_redis(self.redis_binary)
            if self.postgres:
                self._make_postgres()

    def _spawn(self, command: Sequence[str], **options: object) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{Path(command[0]).name}.log").open("ab")
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **options,  # type: ignore[call-overload]
        )
        self.running.append(process)
        return process

    def start_redis(self) -> subprocess.Popen[bytes]:
        """Start the server (again: a fault test may have killed it) on the same data."""
        assert self.redis_binary
        return self._start_redis(self.redis_binary)

    def _start_redis(self, binary: str) -> subprocess.Popen[bytes]:
        process = self._spawn(
            [binary, "--port", "0", "--unixsocket", f"{self.folder}/redis.sock"]
            + ["--dir", str(self.folder), "--appendonly", "yes", "--save", ""]
        )
        client = redis.Redis.from_url(self.redis_url)
        wait_until(lambda: bool(client.ping()), (redis.ConnectionError,), "Redis")
        client.close()
        return process

    def _make_postgres(self) -> None:
        """Start a server whose database has all tables and the games' cards in it."""
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        prepared = once("postgres", self._prepare_postgres)
        subprocess.run(["cp", "-a", prepared / "postgres", self.folder], check=True)
        self.start_postgres()

    def _prepare_postgres(self, draft: Path) -> None:
        """Make the data of such a server: migrations take 20 seconds of the processor."""
        binaries = postgres_binaries()
        assert binaries
        # Here and not in the draft, whose folder is not PostgreSQL's to look into.
        data = self.folder / "postgres"
        data.mkdir()
        if os.geteuid() == 0:
            shutil.chown(data, "postgres")
        subprocess.run(
            [f"{binaries}/initdb", "-D", data, "-U", "riffle", "-A", "trust", "-E", "UTF8"]
            + ["--locale", "C.UTF-8", "--no-sync"],
            check=True,
            capture_output=True,
            **as_postgres(),  # type: ignore[call-overload]
        )
        self.start_postgres()
        assert self._postgres
        subprocess.run(
            [f"{binaries}/createdb", "-h", str(self.folder), "-U", "riffle", "riffle"], check=True
        )
        environment = os.environ | {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "RIFFLE_VAR": str(self.folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        for command in ("migrate", "sync_catalog"):
            subprocess.run(
                [sys.executable, "manage.py", command, "-v", "0"],
                cwd=ROOT,
                env=environment,
                check=True,
                stdout=subprocess.DEVNULL,
            )
        self._postgres.send_signal(signal.SIGINT)
        self._postgres.wait()
        self.running.remove(self._postgres)
        shutil.move(data, draft)

    def start_postgres(self) -> None:
        """Start the server (again: a fault test may have killed it) on the same data."""
        binaries = postgres_binaries()
        data = self.folder / "postgres"
        self._postgres = self._spawn(
            [f"{binaries}/postgres", "-D", str(data), "-k", str(self.folder), "-h", ""]
            # Durability against power loss is nothing that a test run needs. A server that is
            # killed finds all that it acknowledged: what it wrote, pages as well as log, is whole
            # in the kernel's hands, and only a machine that stops tears a page in two. Pages cost
            # what compose.yaml says.
            + ["-F", "-c", "full_page_writes=off", "-c", "max_wal_senders=3"]
            + ["-c", "max_connections=60"]
            + ["-c", "random_page_cost=1.1"],
            **as_postgres(),
        )
        ready = [f"{binaries}/pg_isready", "-q", "-h", str(self.folder), "-U", "riffle"]
        wait_until(lambda: subprocess.run(ready, check=False).returncode == 0, (), "PostgreSQL")

    def kill_postgres(self) -> None:
        """kill -9 to the server and all that it does for its clients."""
        assert self._postgres
        children = Path(f"/proc/{self._postgres.pid}/task/{self._postgres.pid}/children")
        for number in (*children.read_text().split(), self._postgres.pid):
            with suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGKILL)
        self._postgres.wait()
        (self.folder / "postgres" / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        for process in reversed(self.running):
            if process.poll() is None:
                process.send_signal(signal.SIGINT)  # PostgreSQL: fast shutdown
        for process in self.running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        self.running.clear()
        shutil.rmtree(self.folder, ignore_errors=True)


def once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder that is made by whoever of all processes needs it first; others wait for it."""
    shared = Path(os.environ[SHARED])
    place, draft = shared / name, shared / f"{name}.draft"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            make(draft)
            draft.rename(place)
    return place


def _share_drawn_cards(folder: Path) -> None:
    """A picture lies under a hash of all that is on the card: whoever drew it, it is the same."""
    drawn = Path(os.environ[SHARED]) / "cards"
    drawn.mkdir(exist_ok=True)
    for media in (folder / "media", folder / "drawn"):
        media.mkdir(exist_ok=True)
        if not (media / "cards").exists():
            (media / "cards").symlink_to(drawn)


def wait_until(
    done: object, errors: tuple[type[Exception], ...], what: str, seconds: float = 60
) -> None:
    """Ask ``done()`` until it says yes; errors of the named types mean "not yet"."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if done():  # type: ignore[operator]
                return
        except errors:
            pass
        time.sleep(0.02)
    raise TimeoutError(f"{what} did not answer within {seconds:.0f} seconds.")


def choose() -> Services:
    """Look at the machine and at ``REQUIRE_SERVICES``; end the run when a demand is not met."""
    redis_binary = shutil.which("redis-server") if REQUIRED else redis_server_binary()
    missing = [
        name
        for name, value in (("PostgreSQL", postgres_binaries()), ("redis-server", redis_binary))
        if REQUIRED and not value
    ]
    if missing:
        sys.exit(f"REQUIRE_SERVICES=1, but this machine has no {' and no '.join(missing)}.")
    # mkdtemp's short path keeps the sockets below their limit of 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="riffle-test-"))
    if SHARED not in os.environ:  # the processes that this one starts find it named
        os.environ[SHARED] = tempfile.mkdtemp(prefix="riffle-test-shared-")
        atexit.register(shutil.rmtree, os.environ[SHARED], ignore_errors=True)
    chosen = Services(folder=folder, postgres=REQUIRED, redis_binary=redis_binary)
    atexit.register(chosen.stop)
    return chosen


CHOSEN = choose()
