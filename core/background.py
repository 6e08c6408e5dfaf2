"""Work after a response is decided: after the commit, and in a worker.

Neither may turn what is stored into an error. What is lost here is found again by the sweeps, from
what is stored alone; so nothing may be left to these two that no sweep can find.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, ParamSpec, cast

import structlog
from celery import Task
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from core.redis_client import tasks_link

logger = structlog.get_logger(__name__)

Params = ParamSpec("Params")

LONGEST_PAUSE = timedelta(hours=1)
RESENT_AT_ONCE = 100


def pause_after(earlier_failures: int) -> timedelta:
    """How long what has failed waits: a minute, doubled by each earlier failure, to an hour."""
    return min(timedelta(minutes=2 ** min(earlier_failures, 6)), LONGEST_PAUSE)


def after_commit(do: Callable[Params, object], *args: Params.args, **kwargs: Params.kwargs) -> None:
    """Do something when what is being written is stored; at once outside a transaction.

    A failure is logged and goes no further: what is stored stays stored, and what else is to be
    done after the commit is done.
    """
    transaction.on_commit(partial(_try, do, *args, **kwargs))


def _try(do: Callable[..., object], *args: object, **kwargs: object) -> None:
    try:
        do(*args, **kwargs)
    except Exception:
        name = getattr(do, "__qualname__", repr(do))
        logger.exception("after_commit_failed", what=name)


def enqueue(task: Task[Any, Any] | str, *args: Any, countdown: float = 0) -> bool:
    """Send a task to the workers; False where Redis is away, and a sweep has to send it later.

    It is carried out after ``countdown`` seconds at the earliest. Tasks call services; so a service
    names a task by its path instead of importing it.
    """
    if isinstance(task, str):
        task = cast("Task[Any, Any]", import_string(task))
    # The queue itself would wait for seconds.
    if not task.app.conf.task_always_eager and not tasks_link().answers():
        return False
    try:
        try:
            task.apply_async(args, retry=False, countdown=countdown)
        except RedisConnectionError:  # kept from before Redis was restarted; a new one works
            task.apply_async(args, retry=False, countdown=countdown)
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("task_not_sent", task=task.name, error=str(error))
        return False
    return True


def resend_silent(
    working: QuerySet[Any], dead_after: timedelta, send: Callable[[int], object]
) -> list[int]:
    """Send rows again that no worker has touched (``touched_at``) for so long; gives their keys.

    They are touched first, so that no other sweep sends them as well.
    """
    now = timezone.now()
    silent = working.filter(touched_at__lt=now - dead_after)
    keys = list(silent.order_by("touched_at").values_list("pk", flat=True)[:RESENT_AT_ONCE])
    for key in keys:
        if silent.filter(pk=key).update(touched_at=now):
            send(key)
    return keys
