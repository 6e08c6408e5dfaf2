"""What a stranger may send without logging in: half a body, an endless one, one byte at a time.

Against the README's web server and against the site as ``make run`` starts it.
"""

from __future__ import annotations

import contextlib
import http.client
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import free_port
from tests.support import real_site
from tests.support.real_site import ROOT, SITE, Server, answers_requests, collect_static

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db,  # so that there is one; the site is asked nothing that it would keep
    pytest.mark.skipif(sys.platform != "linux", reason="Looks into /proc."),
]

HALF = "Content-Length: 100\r\n\r\n{half"
ENDLESS = "Transfer-Encoding: chunked\r\n\r\n"
CHUNK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
BODY_SECONDS = 4
"""Short enough for a test; a whole body is there within it on a busy machine, too."""


@dataclass
class Attacked:
    """A running site and what can be seen of it from outside."""

    port: int
    spool: Path
    processes: Callable[[], list[int]]

    @contextlib.contextmanager
    def begun(self, method: str, path: str, rest: str) -> Iterator[socket.socket]:
        """A connection with a request whose end has not been sent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as opened:
            head = f"{method} {path} HTTP/1.1\r\nHost: {SITE}\r\nX-Forwarded-Proto: https\r\n"
            opened.sendall((head + rest).encode())
            yield opened

    def ask(self, method: str, path: str, body: str | None = None) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Host": SITE, "X-Forwarded-Proto": "https"}
        connection.request(method, path, body, headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def works(self) -> None:
        """Health, a page and a request with a body are answered."""
        assert self.ask("GET", "/healthz") == 200
        assert self.ask("GET", "/account/login/") == 200
        assert self.ask("POST", "/account/login/", "login=ada") == 403  # Django's: no token

    def spooled(self) -> int:
        """Bytes in temporary files, which have no name any more."""
        count = 0
        for process in self.processes():
            for file in Path(f"/proc/{process}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if str(file.readlink()).startswith(str(self.spool)):
                        count += file.stat().st_size
        return count

    def memory(self) -> int:
        """The most that one of the processes has ever held."""
        peaks = [
            Path(f"/proc/{process}/status").read_text().partition("VmHWM:")[2].split()[0]
            for process in self.processes()
        ]
        return max(map(int, peaks)) * 1024


def short_limits(spool: Path) -> dict[str, str]:
    spool.mkdir()
    return {
        "BODY_SECONDS": str(BODY_SECONDS),
        "BODIES_AT_ONCE": "100",
        "BODIES_MEMORY": str(32 * 1024 * 1024),
        "SEND_SECONDS": "5",
        "TMPDIR": str(spool),
    }


@pytest.fixture(scope="module")
def real(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    var = tmp_path_factory.mktemp("real")
    collect_static(var)
    (var / "static" / "large.bin").write_bytes(bytes(40_000_000))
    spool = var / "spool"
    server = Server(var, **short_limits(spool))
    try:
        server.wait()
        yield Attacked(server.port, spool, server.workers)
    finally:
        server.stop()


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    var = tmp_path_factory.mktemp("embedded")
    spool, port = var / "spool", free_port()
    environment = real_site.embedded(var, **short_limits(spool), PORT=str(port), ALLOWED_HOSTS=SITE)
    process = subprocess.Popen(
        [sys.executable, "-m", "config.supervisor"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )

    def processes() -> list[int]:
        return [int(n) for n in _family(process.pid) if answers_requests(n) and _is_web(n)]

    try:
        assert process.stdout
        assert any("Riffle is open at" in line for line in process.stdout)
        yield Attacked(port, spool, processes)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)


def _family(process: int | str) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            yield child
            yield from _family(child)


def _is_web(number: str) -> bool:
    """By its command, or by the name that the supervisor gives a fork."""
    process = Path("/proc") / number
    return (
        b"config.asgi" in (process / "cmdline").read_bytes()
        or (process / "comm").read_text() == "web\n"
    )


@pytest.fixture(
    scope="module",
    params=[pytest.param("real", marks=pytest.mark.services), pytest.param("embedded")],
)
def site(request: pytest.FixtureRequest) -> Attacked:
    getfixturevalue: Attacked = request.getfixturevalue(request.param)
    return getfixturevalue


def status_of(opened: socket.socket) -> int:
    """The status of the answer on a connection; 0 when it was closed without one."""
    line = b""
    with contextlib.suppress(ConnectionError):
        while b"\r\n" not in line and (more := opened.recv(4096)):
            line += more
    return int(line.split()[1]) if line else 0


WITH_BODIES = ("/account/login/", "/api/guests/", "/theme/", "/collection/import/", "/api/imports/")


def test_half_sent_bodies_stop_nothing(site: Attacked) -> None:
    with contextlib.ExitStack() as stack:
        halves = [
            stack.enter_context(site.begun("POST", WITH_BODIES[n % len(WITH_BODIES)], HALF))
            for n in range(40)
        ]
        site.works()
        assert [status_of(half) for half in halves] == [408] * 40
    site.works()


def test_more_half_sent_bodies_than_there_is_room_for_stop_nothing(site: Attacked) -> None:
    """The oldest give way, so that there is always room for a whole one."""
    with contextlib.ExitStack() as stack:
        halves = [stack.enter_context(site.begun("POST", "/api/guests/", HALF)) for _ in range(240)]
        site.works()
        assert {status_of(half) for half in halves} == {503, 408}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/events/matches/nosuchmatch0/"),
        ("GET", "/events/me/"),
        ("POST", "/account/login/"),
        ("GET", "/account/login/"),
        ("POST", "/api/guests/"),
        ("POST", "/collection/import/"),
    ],
)
def test_an_endless_body_is_refused_and_kept_nowhere(
    site: Attacked, method: str, path: str
) -> None:
    site.works()
    before = site.memory()
    with site.begun(method, path, ENDLESS) as endless:
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 300_000_000:
                endless.sendall(CHUNK)
                sent += len(CHUNK)
                assert site.spooled() == 0
        assert sent < 60_000_000
        assert status_of(endless) == 413
    assert site.memory() - before < 60_000_000
    site.works()


def test_a_body_that_comes_byte_by_byte_has_an_end(site: Attacked) -> None:
    with site.begun("POST", "/api/guests/", "Content-Length: 100000\r\n\r\n") as slow:
        sent = 0
        while sent < 100_000 and not select.select([slow], [], [], 0.02)[0]:
            slow.sendall(b"x")
            sent += 1
        assert 1 < sent < 100_000
        assert status_of(slow) == 408


def test_large_bodies_that_stop_before_their_end_leave_room_for_others(site: Attacked) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(12):
            large = stack.enter_context(
                site.begun("POST", "/collection/import/", "Content-Length: 9000000\r\n\r\n")
            )
            with contextlib.suppress(ConnectionError):
                large.sendall(b"x" * 8_000_000)
        site.works()
        assert site.memory() < 400_000_000


@pytest.mark.services
def test_readers_that_do_not_read_hold_no_thread(real: Attacked) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(real.begun("GET", "/static/large.bin", "\r\n"))
        real.works()


def test_who_leaves_in_the_middle_leaves_nothing_behind(site: Attacked) -> None:
    for _ in range(5):
        with contextlib.ExitStack() as stack:
            for _ in range(40):
                stack.enter_context(site.begun("POST", "/api/guests/", HALF))
    site.works()
    threads = [len(list(Path(f"/proc/{n}/task").iterdir())) for n in site.processes()]
    assert max(threads) < 30
    assert site.ask("GET", "/readyz") == 200
