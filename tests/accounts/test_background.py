"""After the commit, and in a worker: nothing there turns what is stored into an error."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.background import after_commit, enqueue
from accounts.models import User
from config.tasks import clear_sessions


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
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    assert not enqueue(clear_sessions)
    assert sent == []
