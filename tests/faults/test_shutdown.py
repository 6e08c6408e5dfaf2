"""A server that is told to stop does not wait for the streams that browsers hold open."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings

from matches.models import Match
from tests.conftest import free_port
from tests.services import Services, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).resolve().parent.parent.parent


def test_open_streams_end_with_the_server(match: Match, services: Services) -> None:
    if services.postgres or not services.has_redis:
        pytest.skip("Needs SQLite's file, which another process opens, and a Redis server.")
    port = free_port()
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{settings.DATABASES['default']['NAME']}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with listen(port, match) as stream:
            heard = b""
            while b'"ply": 0' not in heard:
                heard += stream.recv(4096)
            server.send_signal(signal.SIGTERM)
            told = time.monotonic()
            while stream.recv(4096):
                pass
            server.wait(20)  # without the hub's end it would wait for ever
            assert time.monotonic() - told < 15
    finally:
        server.kill()
        server.wait()


def listen(port: int, match: Match) -> socket.socket:
    """A plain HTTP request for the stream, as soon as the server takes it."""
    opened: list[socket.socket] = []

    def connected() -> bool:
        opened.append(socket.create_connection(("127.0.0.1", port), timeout=20))
        return True

    wait_until(connected, (OSError,), "The server", seconds=60)
    request = f"GET /events/matches/{match.slug}/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    opened[0].sendall(request.encode())
    return opened[0]
