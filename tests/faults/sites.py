"""Whole sites for the tests of faults: as the Procfile starts them, and as ``make run`` does.

Each has a Redis of its own, which a test may kill, freeze and bring back.
"""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import redis

from tests.conftest import free_port
from tests.games.examples import GAME
from tests.support.real_site import collect_static, embedded
from tests.support.services import CHOSEN, wait_until
from tests.support.sizes import LARGE

ROOT = Path(__file__).resolve().parents[2]
CLIENT_PATIENCE = 10.0
"""So many seconds a browser or a program waits for an answer in these tests."""
WIDE = LARGE or os.environ.get("WIDE") == "1"
"""Real sites have all that a site beyond one machine has: at night, or where it is asked for."""
PATIENCE = 400 if WIDE else 120
"""Seconds until all is back; ten processes that start at once take a while on two cores."""
BYTECODE = CHOSEN.folder / "pycache"
RESTART_PAUSE = 1.0
"""So long whatever restarts a site's programs waits, as systemd or a container engine does."""


class Program:
    """One program of a site, with all that it starts."""

    def __init__(self, name: str, command: str, environment: Mapping[str, str], log: Path) -> None:
        self.name, self.command, self.environment, self.log = name, command, environment, log
        self.process: subprocess.Popen[bytes] | None = None
        self.log_start = 0

    def start(self) -> None:
        with self.log.open("ab") as output:
            self.log_start = output.tell()
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", f"exec {self.command}"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the program and its children."""
        assert self.process
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def kill(self) -> None:
        assert self.process
        self.send(signal.SIGKILL)
        self.process.wait()

    def says(self, words: bytes) -> bool:
        """True if it runs and has written these words since its last start."""
        running = self.process is not None and self.process.poll() is None
        return running and words in self.log.read_bytes()[self.log_start :]


def redis_client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=5)


@dataclass
class Site:
    """What both kinds of site have in common: an address, and a Redis."""

    address: str = ""
    events: str = ""
    redis_urls: Sequence[str] = ()
    """The servers: one for all that Redis does, or one for each of its roles."""
    frozen: list[int] = field(default_factory=list)

    def redis_processes(self) -> list[int]:
        numbers = []
        for url in self.redis_urls:
            with redis_client(url) as client:
                numbers.append(int(client.info("server")["process_id"]))  # type: ignore[index]
        return numbers

    def empty_redis(self) -> None:
        for url in self.redis_urls:
            with redis_client(url) as client:
                client.flushall()

    def freeze_redis(self) -> None:
        """Let Redis take connections and answer nothing."""
        for number in self.redis_processes():
            os.kill(number, signal.SIGSTOP)
            self.frozen.append(number)

    def thaw_redis(self) -> None:
        while self.frozen:
            try:
                os.kill(self.frozen.pop(), signal.SIGCONT)
            except ProcessLookupError:
                pass

    def wait_for_redis(self, seconds: float = 60) -> None:
        def answers(url: str) -> bool:
            with redis_client(url) as client:
                return bool(client.ping())

        for url in self.redis_urls:
            wait_until(partial(answers, url), (redis.RedisError,), "Redis", seconds)

    def wait_for_web(self, seconds: float = PATIENCE) -> None:
        def answers() -> bool:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)

        wait_until(answers, (OSError,), "The web server", seconds)


class Production(Site):
    """The programs of the Procfile, each started again when it ends, and a Redis beside them.

    ``servers`` are the commands of others that start before them, and ``more`` goes into the
    environment. With a Redis for each role, tests that say "redis" mean both.
    """

    def __init__(
        self,
        var: Path,
        database_url: str,
        *,
        two_redis: bool = False,
        servers: Mapping[str, str] | None = None,
        **more: str,
    ) -> None:
        port, events_port = free_port(), free_port()
        ports = {"redis": free_port()} | ({"redis-tasks": free_port()} if two_redis else {})
        super().__init__(
            f"http://127.0.0.1:{port}",
            f"http://127.0.0.1:{events_port}",
            [f"redis://127.0.0.1:{number}/0" for number in ports.values()],
        )
        environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "SECRET_KEY": "a-key-of-a-real-site-that-is-long-enough-0123456789-ABCDEF",
            "ALLOWED_HOSTS": "127.0.0.1",
            "SITE_URL": self.address,
            "RIFFLE_VAR": str(var),
            "DATABASE_URL": database_url,
            "DATABASE_POOL": "3",
            "REDIS_URL": self.redis_urls[0],
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PORT": str(port),
            "EVENTS_PORT": str(events_port),
            "PROXIES": "0",
            **more,
        }
        if two_redis:
            environment["TASKS_REDIS_URL"] = self.redis_urls[1]
        collect_static(var)
        if environment.pop("PYTHONDONTWRITEBYTECODE", None):  # a real site has its bytecode
            environment["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
        assert CHOSEN.redis_binary
        lines = {}
        for name, number in ports.items():
            (folder := var / name).mkdir()
            server = [CHOSEN.redis_binary, "--port", str(number), "--dir", str(folder)]
            lines[name] = shlex.join([*server, "--appendonly", "yes", "--save", ""])
        self.redis_programs = [*lines]
        lines |= servers or {}
        self._first = [*lines]
        for line in (ROOT / "Procfile").read_text(encoding="utf-8").splitlines():
            name, _, command = line.partition(": ")
            if name != "release":
                lines[name] = command
        self.programs = {
            name: Program(name, command, environment, var / f"{name}.log")
            for name, command in lines.items()
        }
        self.kept_down: set[str] = set()
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        for name in self._first:
            self.programs[name].start()
        self.wait_for_redis()
        for name, program in self.programs.items():
            if name not in self._first:
                program.start()
        self._watcher.start()
        self.wait_for_web()
        worker = self.programs["worker"]
        wait_until(lambda: worker.says(b" ready."), (), "The worker", PATIENCE)

    def _watch(self) -> None:
        while not self._over.wait(0.1):
            for name, program in self.programs.items():
                if name in self.kept_down or not program.process:
                    continue
                if program.process.poll() is not None:
                    program.send(signal.SIGKILL)  # what it has left behind
                    if self._over.wait(RESTART_PAUSE):
                        return
                    program.start()

    def kill(self, *names: str, again: bool = True) -> None:
        """kill -9 to programs and all their children; without ``again`` they stay down."""
        if "redis" in names:
            names = (*(name for name in names if name != "redis"), *self.redis_programs)
        for name in dict.fromkeys(names):
            if not again:
                self.kept_down.add(name)
            self.programs[name].kill()

    def kill_redis(self) -> None:
        self.kill("redis", again=False)

    def start_redis(self) -> None:
        for name in self.redis_programs:
            self.programs[name].start()
            self.kept_down.discard(name)
        self.wait_for_redis()

    def stop(self) -> None:
        self._over.set()
        self.thaw_redis()
        if self._watcher.ident:
            self._watcher.join()
        for program in self.programs.values():
            if program.process:
                program.kill()


class Embedded(Site):
    """The site of ``make run`` in a folder of its own."""

    def __init__(self, var: Path) -> None:
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        super().__init__(address, address, [f"unix://{var}/redis.sock"])
        environment = embedded(var, PORT=str(port))
        command = f"{shlex.quote(sys.executable)} -m config.supervisor"
        self.supervisor = Program("supervisor", command, environment, var / "supervisor.log")

    def start(self) -> None:
        self.supervisor.start()
        self.wait_for_web()
        self.wait_for_redis()

    def kill_redis(self) -> None:
        for number in self.redis_processes():
            os.kill(number, signal.SIGKILL)

    def stop(self) -> None:
        self.thaw_redis()
        process = self.supervisor.process
        if process:
            process.terminate()
            process.wait(60)


@dataclass
class Answer:
    """A response and its address, after redirects."""

    status: int
    body: str
    url: str
    seconds: float

    def json(self) -> Any:
        return json.loads(self.body)


class Person:
    """Somebody with a browser, or with a program and its token."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.token = ""
        self.jar = http.cookiejar.CookieJar()
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar)).open

    def ask(self, path: str, data: bytes | None = None, **headers: str) -> Answer:
        request = urllib.request.Request(self.site.address + path, data, headers)
        started = time.monotonic()
        try:
            answer = self._open(request, timeout=CLIENT_PATIENCE)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            body = answer.read().decode()
        return Answer(answer.status, body, answer.url, time.monotonic() - started)

    def get(self, path: str) -> Answer:
        """A page."""
        return self.ask(path)

    def post(self, path: str, page: Answer, **fields: str) -> Answer:
        """A form of a page."""
        hit = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.body)
        assert hit, page.body[:2000]
        return self.ask(
            path, urllib.parse.urlencode({"csrfmiddlewaretoken": hit[1]} | fields).encode()
        )

    def api(self, path: str, body: Any = None, **headers: str) -> Answer:
        """A call of the API, with this person's token if there is one."""
        if self.token:
            headers["Authorization"] = f"Token {self.token}"
        if body is None:
            return self.ask(path, **headers)
        return self.ask(path, json.dumps(body).encode(), **headers, **{"Content-Type": JSON})

    def become_guest(self) -> None:
        """A guest with a token, by the API."""
        answer = self.api("/api/guests/", {})
        assert answer.status == 201, answer.body
        self.token = answer.json()["token"]

    def sit_down(self, bots: int = 1, game: str = GAME, mode: str = "match") -> str:
        """A new table against bots; its slug."""
        seats = [{"kind": "person"}, *[{"kind": "bot"}] * bots]
        answer = self.api("/api/matches/", {"game": game, "mode": mode, "seats": seats})
        assert answer.status == 201, answer.body
        slug: str = answer.json()["slug"]
        return slug


JSON = "application/json"
