"""A real site in small: the web server as the README starts it, on the run's own services."""

from __future__ import annotations

import http.client
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tests.conftest import free_port
from tests.support.services import CHOSEN, once, wait_until

ROOT = Path(__file__).resolve().parents[2]
SITE = "cards.example.org"

Answer = tuple[int, dict[str, str], bytes]


def web_command() -> list[str]:
    """The README's command for pages, API and live updates."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    (command,) = re.findall(r"\bgranian --.*?(?=\s+#)", text)
    return shlex.split(command)


def collect_static(var: Path) -> None:
    """Static files with hashes in their names, as an image has them."""
    shutil.copytree(collected(), var / "static")


def collected() -> Path:
    """Hashed and compressed once a run: that takes seconds, and the same comes out each time."""
    return once("collected", _collect) / "static"


def _collect(var: Path) -> None:
    environment = os.environ | {
        "SECRET_KEY": "only-for-collecting-static-files",
        "ALLOWED_HOSTS": SITE,
        "RIFFLE_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def embedded(var: Path, **environment: str) -> dict[str, str]:
    """The environment of a site as ``make run`` starts it on a folder, which is made ready for it.

    It has been started there before: tables from nothing are half of a first start's work, and
    those who test that one start on an empty folder.
    """
    shutil.copytree(_prepared(), var, dirs_exist_ok=True)
    return of_make_run(var) | environment


def of_make_run(var: Path) -> dict[str, str]:
    """The environment of a site as ``make run`` starts it on a folder, whatever lies there."""
    dropped = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "HOST"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    # Each site has a worker draw all cards, in whatever time there is. They are the same in all.
    return kept | {"RIFFLE_VAR": str(var), "MEDIA_ROOT": str(CHOSEN.folder / "drawn")}


def _prepared() -> Path:
    """What a first start leaves behind, once a run."""
    return once("prepared", _prepare)


def _prepare(var: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "config.prepare"],
        cwd=ROOT,
        env=of_make_run(var),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


class Server:
    """The README's web server; `stop` ends it with all of its processes."""

    def __init__(self, var: Path, **environment: str) -> None:
        self.port = free_port()
        self.environment = os.environ | {
            "SECRET_KEY": "a-key-of-a-real-site-that-is-long-enough-0123456789-ABCDEF",
            "ALLOWED_HOSTS": SITE,
            "RIFFLE_VAR": str(var),
            "DATABASE_URL": CHOSEN.database_url.removesuffix("/riffle")
            + f"/{settings.DATABASES['default']['NAME']}",
            "REDIS_URL": CHOSEN.redis_url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            **environment,
        }
        self.log = (var / "web.log").open("wb")
        program, *options = web_command()
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name(program), *options, "--port", str(self.port)],
            cwd=ROOT,
            env=self.environment,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def wait(self) -> None:
        """Until it answers."""
        wait_until(lambda: self.get("/healthz")[0] == 200, (OSError,), "The web server", 60)

    def get(self, path: str, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return response.status, headers, body

    def by_proxy(self, path: str, **headers: str) -> Answer:
        """As the proxy in front asks for a browser that came by HTTPS."""
        return self.get(path, Host=SITE, **{"X-Forwarded-Proto": "https"}, **headers)

    def workers(self) -> list[int]:
        """The processes that answer requests."""
        main = self.process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [int(n) for n in children if answers_requests(n)]

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:  # how a server of others ends is not what is tested here
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
        self.log.close()


def answers_requests(number: str) -> bool:
    """Whether a child of granian is a worker and not multiprocessing's helper beside them."""
    try:
        return b"resource_tracker" not in Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False
