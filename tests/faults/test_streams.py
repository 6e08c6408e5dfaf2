"""Streams in a real server: they cost little while they last, and end when the server does."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from matches.models import Match
from tests.conftest import free_port
from tests.matches.conftest import play_on
from tests.support.services import Services, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

Server = tuple[subprocess.Popen[bytes], int]
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def server(match: Match, services: Services) -> Iterator[Server]:
    """The web server as it is started for the site, and its port."""
    if not services.has_redis:
        pytest.skip("Needs a Redis or Valkey server.")
    port = free_port()
    name = settings.DATABASES["default"]["NAME"]  # the test's, not the site's
    url = f"sqlite:///{name}"
    if services.postgres:
        url = f"{services.database_url.removesuffix('/riffle')}/{name}"
    environment = os.environ | {
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "granian", "--interface", "asgi", "--http", "1", "--no-ws"]
        + ["--port", str(port), "config.asgi:application"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    yield process, port
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_they_end_with_the_server(server: Server, match: Match) -> None:
    process, port = server
    with listen(port, match) as stream:
        hear_the_ply(stream)
        process.send_signal(signal.SIGTERM)
        while stream.recv(4096):
            pass
        process.wait(60)  # without the hub's end it would wait for ever


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Needs Linux’s /proc.")
def test_they_need_no_thread_each(server: Server, match: Match) -> None:
    process, port = server
    with contextlib.ExitStack() as stack:
        for _ in range(40):
            hear_the_ply(stack.enter_context(listen(port, match)))
        task = Path(f"/proc/{process.pid}/task/{process.pid}")
        (worker,) = [n for n in task.joinpath("children").read_text().split() if works(n)]
        assert len(list(Path(f"/proc/{worker}/task").iterdir())) < 20


def test_they_outlive_redis(server: Server, match: Match, services: Services) -> None:
    """A move is taken while Redis is away, and told when Redis is back."""
    _, port = server
    with listen(port, match) as stream:
        hear_the_ply(stream)
        redis_server = services.running[0]
        redis_server.kill()
        redis_server.wait()
        try:
            play_on(match, 1)
        finally:
            services.running[0] = services.start_redis()
            services.running.pop()
        hear_the_ply(stream, 1)
        play_on(match, 1)
        hear_the_ply(stream, 2)


def works(number: str) -> bool:
    """True for granian's worker, False for multiprocessing's helper beside it."""
    return b"resource_tracker" not in Path(f"/proc/{number}/cmdline").read_bytes()


def hear_the_ply(stream: socket.socket, ply: int = 0) -> None:
    heard = b""
    while f'"ply": {ply}'.encode() not in heard:
        heard += stream.recv(4096)


def listen(port: int, match: Match) -> socket.socket:
    """A plain HTTP request for the stream, as soon as the server takes it."""
    opened: list[socket.socket] = []

    def connected() -> bool:
        opened.append(socket.create_connection(("127.0.0.1", port), timeout=60))
        return True

    wait_until(connected, (OSError,), "The server", seconds=60)
    request = f"GET /events/matches/{match.slug}/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    opened[0].sendall(request.encode())
    return opened[0]
