"""A real site in small: granian for the pages, uvicorn for the streams, PostgreSQL and Redis."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache

from tests.conftest import free_port
from tests.services import CHOSEN, wait_until

ROOT = Path(__file__).resolve().parents[2]
SITE = "cards.example.org"
pytestmark = [pytest.mark.services, pytest.mark.slow]

Answer = tuple[int, dict[str, str], bytes]


class Server:
    def __init__(self, var: Path, command: list[str]) -> None:
        self.port = free_port()
        self.environment = os.environ | {
            "SECRET_KEY": "a-key-of-a-real-site-that-is-long-enough-0123456789-ABCDEF",
            "ALLOWED_HOSTS": SITE,
            "RIFFLE_VAR": str(var),
            "DATABASE_URL": CHOSEN.database_url.removesuffix("/riffle")
            + f"/{settings.DATABASES['default']['NAME']}",
            "REDIS_URL": CHOSEN.redis_url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        self.log = (var / f"{command[0]}.log").open("wb")
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name(command[0]), *command[1:], "--port", str(self.port)],
            cwd=ROOT,
            env=self.environment,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def get(self, path: str, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return response.status, headers, body

    def by_proxy(self, path: str) -> Answer:
        """As the proxy in front asks for a browser that came by HTTPS."""
        return self.get(path, Host=SITE, **{"X-Forwarded-Proto": "https"})

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:  # how a server of others ends is not what is tested here
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
        self.log.close()


@pytest.fixture
def var(tmp_path: Path) -> Path:
    environment = os.environ | {
        "SECRET_KEY": "only-for-collecting-static-files",
        "ALLOWED_HOSTS": SITE,
        "RIFFLE_VAR": str(tmp_path),
    }
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"]
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return tmp_path


@pytest.fixture
def pages(transactional_db: None, var: Path) -> Iterator[Server]:
    server = Server(
        var,
        ["granian", "--interface", "wsgi", "--workers", "2", "--workers-kill-timeout", "5"]
        + ["--no-ws", "config.wsgi:application"],
    )
    wait_until(lambda: server.get("/healthz")[0] == 200, (OSError,), "granian", 40)
    yield server
    server.stop()


@pytest.fixture
def events(transactional_db: None, var: Path) -> Iterator[Server]:
    server = Server(var, ["uvicorn", "config.asgi:application", "--timeout-graceful-shutdown", "3"])
    wait_until(lambda: server.get("/healthz")[0] == 200, (OSError,), "uvicorn", 40)
    yield server
    server.stop()


def test_pages_of_a_real_site(pages: Server) -> None:
    status, _, body = pages.get("/readyz")
    assert (status, body) == (200, b'{"ready": true, "database": "ok", "redis": "ok"}')

    status, headers, _ = pages.get("/account/login/", Host=SITE)
    assert status == 301
    assert headers["location"] == f"https://{SITE}/account/login/"

    status, headers, body = pages.by_proxy("/account/login/")
    assert status == 200
    assert "max-age=31536000" in headers["strict-transport-security"]

    assets = re.findall(rb'(?:href|src)="(/static/[^"]+)"', body)
    assert assets
    for asset in assets:
        status, headers, _ = pages.by_proxy(asset.decode())
        assert status == 200, asset
        assert re.search(rb"\.[0-9a-f]{12}\.", asset), asset
        assert "immutable" in headers["cache-control"]


def test_another_name_is_refused(pages: Server) -> None:
    assert pages.get("/account/login/", Host="evil.example.net")[0] == 400


def test_the_process_for_streams_serves_the_rest_too(events: Server) -> None:
    assert events.by_proxy("/account/login/")[0] == 200
    status, headers, _ = events.by_proxy("/events/matches/nosuchmatch0/")
    assert status == 404
    assert headers["content-security-policy"]


def test_a_task_reaches_a_real_worker(live_worker: object) -> None:
    from config.tasks import clear_sessions

    assert cache.get("anything") is None  # Redis answers
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    Session.objects.create(session_key="x" * 32, session_data="", expire_date=timezone.now())
    clear_sessions.delay()
    wait_until(lambda: not Session.objects.exists(), (), "The worker")
