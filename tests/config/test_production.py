"""A real site in small: the README's web server, PostgreSQL and Redis."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator

import pytest
from django.core.cache import cache

from config.compiled_engine import engine_build
from tests.support.real_site import SITE, Server, collect_static
from tests.support.services import wait_until

pytestmark = [pytest.mark.services, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def pages(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all the tests here: they ask it for nothing that it would keep."""
    var = tmp_path_factory.mktemp("real")
    collect_static(var)
    server = Server(var)
    try:
        server.wait()
        yield server
    finally:
        server.stop()


def test_pages_of_a_real_site(pages: Server) -> None:
    status, _, body = pages.get("/readyz")
    ready = {"ready": True, "database": "ok", "redis": "ok", "disk": "ok", "engine": engine_build()}
    assert (status, json.loads(body)) == (200, ready)

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


def test_it_serves_the_streams_too(pages: Server) -> None:
    status, headers, _ = pages.by_proxy("/events/matches/nosuchmatch0/")
    assert status == 404
    assert headers["content-security-policy"]


def test_it_outlives_a_worker(pages: Server) -> None:
    before = set(pages.workers())
    assert len(before) == 2
    os.kill(min(before), signal.SIGKILL)
    wait_until(lambda: len(set(pages.workers()) - before) == 1, (OSError,), "A new worker")
    assert pages.process.poll() is None
    # The other one may still be starting: the server answered as soon as one of them did.
    wait_until(
        lambda: pages.by_proxy("/account/login/")[0] == 200, (OSError,), "The web server", 60
    )


def test_a_task_reaches_a_real_worker(live_worker: object) -> None:
    from config.tasks import clear_sessions

    assert cache.get("anything") is None  # Redis answers
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    Session.objects.create(session_key="x" * 32, session_data="", expire_date=timezone.now())
    clear_sessions.delay()
    wait_until(lambda: not Session.objects.exists(), (), "The worker")
