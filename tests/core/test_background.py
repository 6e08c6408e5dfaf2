"""After the commit, and in a worker: nothing there turns what is stored into an error."""

from __future__ import annotations

import re
import signal
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis
from django.db import transaction
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from config.queues import UPKEEP
from config.tasks import clear_sessions
from core.background import after_commit, enqueue
from core.redis_client import Link, link
from tests.support.services import Services

pytestmark = pytest.mark.embedded


class Broken:
    """Something to call that raises and, like a partial, has no name."""

    def __call__(self) -> None:
        raise RuntimeError("Redis is away")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("broken", [Broken(), partial(Broken())])
def test_what_fails_after_the_commit_fails_alone(broken: Any) -> None:
    done: list[str] = []
    with transaction.atomic():
        User.objects.create_user(username="ann")
        after_commit(done.append, "before")
        after_commit(broken)
        after_commit(done.append, "after")
    assert done == ["before", "after"]
    assert User.objects.filter(username="ann").exists()


@pytest.mark.django_db(transaction=True)
def test_what_is_taken_back_is_followed_by_nothing() -> None:
    done: list[str] = []
    with transaction.atomic():
        after_commit(done.append, "told")
        transaction.set_rollback(True)
    assert done == []


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_it_is_done_at_once() -> None:
    done: list[str] = []
    after_commit(done.append, "now")
    after_commit(Broken())
    assert done == ["now"]


@pytest.mark.django_db
def test_arguments_are_passed_on(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    heard: dict[str, int] = {}
    with django_capture_on_commit_callbacks(execute=True):
        after_commit(heard.update, ann=1, ben=2)
    assert heard == {"ann": 1, "ben": 2}


@pytest.mark.parametrize("error", [OperationalError("refused"), ConnectionError("reset")])
def test_a_task_that_cannot_be_sent_is_not_an_error(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise error

    monkeypatch.setattr(clear_sessions, "apply_async", fail)
    assert not enqueue(clear_sessions)


def test_nothing_is_sent_to_a_redis_that_is_away(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    sent: list[Any] = []
    monkeypatch.setitem(clear_sessions.app.conf, "task_always_eager", False)
    monkeypatch.setattr(clear_sessions, "apply_async", lambda *args, **_: sent.append(args))
    settings.TASKS_REDIS_URL = "unix:///nowhere/redis.sock"
    assert not enqueue(clear_sessions)
    assert sent == []


@pytest.fixture
def queue(services: Services, monkeypatch: pytest.MonkeyPatch) -> redis.Redis:
    """Where tasks wait, since here they are not run where they are sent."""
    if not services.has_redis:
        pytest.skip("Needs a Redis or Valkey server.")
    monkeypatch.setitem(clear_sessions.app.conf, "task_always_eager", False)
    return link().client


def test_tasks_do_not_need_the_redis_of_the_bells(queue: redis.Redis, settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    assert enqueue(clear_sessions)
    assert queue.llen(UPKEEP) == 1


def test_a_task_is_sent_through_connections_that_redis_has_closed(queue: redis.Redis) -> None:
    """As after a restart: those that the process has kept are dead, and nobody notices."""
    for number in (1, 2):
        assert enqueue(clear_sessions)
        assert queue.llen(UPKEEP) == number
        for client in queue.client_list():
            queue.client_kill_filter(_id=client["id"], skipme=True)


def test_a_redis_that_falls_silent_costs_little(
    queue: redis.Redis, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fell silent between the question whether it is there and the task."""
    assert enqueue(clear_sessions)
    monkeypatch.setattr(Link, "answers", lambda self: True)
    server = services.running[0]
    server.send_signal(signal.SIGSTOP)
    begun = time.monotonic()
    try:
        assert not enqueue(clear_sessions)
        took = time.monotonic() - begun
    finally:
        server.send_signal(signal.SIGCONT)
    assert took < 30  # for ever, without a limit


class Enough(Exception):
    """The test has seen what it wants to see."""


def test_workers_try_again_every_second(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    def fail(error: Exception, interval: float) -> None:
        pauses.append(interval)
        if len(pauses) == 12:
            raise Enough

    monkeypatch.setattr("kombu.utils.functional.sleep", lambda seconds: None)
    connection = clear_sessions.app.connection_for_read("redis+socket:///nowhere/redis.sock")
    with pytest.raises(Enough):
        connection.ensure_connection(fail, clear_sessions.app.conf.broker_connection_max_retries)
    assert pauses == [1] * 12


def named_tasks() -> list[str]:
    """The paths by which modules name the tasks that they send."""
    root = Path(__file__).resolve().parents[2]
    names = set()
    for app in ("accounts", "collection", "decks", "matches"):
        for path in (root / app).rglob("*.py"):
            names |= set(re.findall(r'enqueue\(\s*"([\w.]+)"', path.read_text("utf-8")))
    return sorted(names)


def test_tasks_are_named_somewhere() -> None:
    assert "matches.tasks.play_bots" in named_tasks()


@pytest.mark.parametrize("name", named_tasks())
def test_a_task_that_is_named_by_its_path_is_that_task(name: str) -> None:
    assert import_string(name).name == name
