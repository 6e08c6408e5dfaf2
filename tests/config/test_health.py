"""Health, readiness and metrics."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from config import health
from config.celery import app
from config.compiled_engine import engine_build
from config.queues import QUEUES
from core import outbox
from core.background import enqueue


def test_healthz_asks_nobody() -> None:
    # No database mark: a query would fail the test. That it needs no thread, tests the door.
    response = health.healthz()
    assert response.status_code == 200
    assert response.content == b"ok\n"


@pytest.mark.django_db
def test_probes_may_come_by_any_name_over_plain_http(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["cards.example.org"]
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/metrics", headers={"Host": "10.0.0.7:8000"}).status_code == 200


@pytest.mark.django_db
def test_readyz_asks_database_redis_and_disk(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {
        "ready": True,
        "database": "ok",
        "redis": "ok",
        "disk": "ok",
        "engine": engine_build(),
    }


@pytest.mark.django_db
@pytest.mark.parametrize(("broken", "status"), [("database", 503), ("redis", 200)])
def test_readyz_names_what_does_not_answer(
    client: Client, monkeypatch: pytest.MonkeyPatch, broken: str, status: int
) -> None:
    """Without Redis a process serves pages; who sends traffic must not take it for dead."""

    def fail() -> None:
        raise ConnectionError("secret-host:6379 refused")

    checks: dict[str, Callable[[], None]] = health.CHECKS | {broken: fail}
    monkeypatch.setattr(health, "CHECKS", checks)
    response = client.get("/readyz")
    assert response.status_code == status
    assert response.json()[broken] == "unreachable"
    assert response.json()["ready"] == (status == 200)
    assert b"secret-host" not in response.content


@pytest.mark.django_db
def test_readyz_says_when_the_disk_is_full(
    client: Client, full_disk: list[Path], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(health, "_disk_checked", (0.0, ""))
    for _ in range(3):
        response = client.get("/readyz")
        assert response.status_code == 503
        assert response.json() == {
            "ready": False,
            "database": "ok",
            "redis": "ok",
            "disk": "not writable",
            "engine": engine_build(),
        }
    assert full_disk == [settings.VAR_DIR], "written once in a few seconds"


@pytest.mark.django_db
def test_metrics_tell_how_long_a_finished_match_waits_to_be_read(client: Client) -> None:
    name = "riffle_outbox_oldest_seconds"
    assert f"{name} 0.0" in client.get("/metrics").content.decode()
    at = timezone.now() - timedelta(minutes=5)
    outbox.match_finished(match="m1", game="g", mode="m", seats=[], at=at)
    (line,) = [
        line
        for line in client.get("/metrics").content.decode().splitlines()
        if line.startswith(f"{name} ")
    ]
    assert 300 <= float(line.split()[1]) < 400


@pytest.mark.django_db
def test_metrics_count_requests_and_waiting_tasks(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tasks are sent as a web process sends them, so that the name of the queue is the real one."""
    monkeypatch.setitem(app.conf, "task_always_eager", False)
    assert enqueue("matches.tasks.play_bots", 0)
    assert enqueue("matches.tasks.play_bots", 0)
    assert enqueue("collection.tasks.make_print", 0)
    client.get("/api/problems/invalid/")
    text = client.get("/metrics").content.decode()
    wanted = 'riffle_http_requests_total{method="GET",route="problem",status="200"}'
    assert any(line.startswith(wanted) for line in text.splitlines())
    waiting = {"play": 2, "files": 1}
    for queue in QUEUES:
        assert f'riffle_tasks_waiting{{queue="{queue}"}} {waiting.get(queue, 0)}.0' in text
    assert "riffle_redis_up 1.0" in text


@pytest.mark.django_db
def test_metrics_without_redis_leave_out_what_nobody_knows(
    client: Client, settings: Settings
) -> None:
    settings.REDIS_URL = settings.TASKS_REDIS_URL = "unix:///nowhere/redis.sock"
    response = client.get("/metrics")
    assert response.status_code == 200
    text = response.content.decode()
    assert "riffle_redis_up 0.0" in text
    assert "riffle_tasks_waiting{" not in text


@pytest.mark.django_db
def test_methods_that_somebody_invents_are_counted_together(client: Client) -> None:
    client.generic("BREW", "/no-such-page/")
    text = client.get("/metrics").content.decode()
    assert 'method="other"' in text and "BREW" not in text


@pytest.mark.django_db
def test_metrics_of_a_real_site_need_the_token(client: Client, settings: Settings) -> None:
    settings.EMBEDDED = False
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "s3cret"
    assert client.get("/metrics").status_code == 404
    wrong = client.get("/metrics", headers={"Authorization": "Bearer other"})
    assert wrong.status_code == 404
    right = client.get("/metrics", headers={"Authorization": "Bearer s3cret"})
    assert right.status_code == 200
