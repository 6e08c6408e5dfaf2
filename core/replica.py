"""Lists that may be read from a replica of the database (``DATABASE_REPLICA_URL``).

A replica follows the primary by milliseconds, under load by seconds. So it is asked only for lists
of everybody's matches (leaderboards, records of games, the export), only while it keeps up, and not
for people who have just written something: they find it. Whatever it cannot answer is read from the
primary instead; everything else is read there anyway.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

import structlog
from django.core.cache import cache
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

logger = structlog.get_logger(__name__)

ALIAS = "replica"
APPS = {"matches"}
"""Models of these apps are read there; sessions and accounts never are."""
MAX_LAG = 10.0
"""Seconds that a replica may be behind. The clock writes every three seconds."""
CHECK_SECONDS = 5.0
"""Seconds for which a check of a replica holds, in a process."""
AWAY_SECONDS = 15.0
"""Seconds for which a replica that failed is left alone."""
OWN_WRITES_SECONDS = 30
"""Seconds for which a writer reads from the primary: longer than ``MAX_LAG`` and a check."""
_LAG = "SELECT extract(epoch FROM now() - pg_last_xact_replay_timestamp())"

_T = TypeVar("_T")
_Response = TypeVar("_Response", bound=HttpResponseBase)
_reading: ContextVar[bool] = ContextVar("reads_from_the_replica", default=False)


class Router:
    """Django's database router: the replica within :func:`read`, the primary elsewhere."""

    def db_for_read(self, model: type[Any], **hints: Any) -> str | None:
        return ALIAS if _reading.get() and model._meta.app_label in APPS else None

    def db_for_write(self, model: type[Any], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, obj1: Any, obj2: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, database: str, app_label: str, **hints: Any) -> bool | None:
        return False if database == ALIAS else None


class _Check:
    """The last check of the replica, of which a process makes one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0
        self._fresh = False

    def fresh(self) -> bool:
        """True if the replica answered and kept up at the last check."""
        if time.monotonic() >= self._until and self._lock.acquire(blocking=False):
            try:
                self._note(self._keeps_up())
            finally:
                self._lock.release()
        return self._fresh

    def failed(self, error: Exception) -> None:
        """Leave the replica alone for a while."""
        if self._fresh:
            logger.warning("replica_failed", error=str(error))
        self._fresh, self._until = False, time.monotonic() + AWAY_SECONDS

    def _keeps_up(self) -> bool:
        try:
            seconds = lag()
        except DatabaseError as error:
            if self._fresh or not self._until:
                logger.warning("replica_away", error=str(error))
            return False
        if seconds > MAX_LAG and (self._fresh or not self._until):
            logger.warning("replica_behind", seconds=round(seconds, 1))
        return seconds <= MAX_LAG

    def _note(self, fresh: bool) -> None:
        if fresh and self._until and not self._fresh:
            logger.info("replica_back")
        self._fresh = fresh
        self._until = time.monotonic() + (CHECK_SECONDS if fresh else AWAY_SECONDS)


_check = _Check()


def _forget() -> None:
    """A forked child checks for itself; no lock is held by a thread that it does not have."""
    global _check
    _check = _Check()


os.register_at_fork(after_in_child=_forget)


def is_configured() -> bool:
    """True if the site has a replica."""
    return ALIAS in connections.databases


def lag() -> float:
    """Seconds since the last transaction that the replica has replayed; raises ``DatabaseError``.

    Zero if it is a server that replays none.
    """
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(_LAG)
        ((seconds,),) = cursor.fetchall()
    return float(seconds or 0)


def read(action: Callable[[], _T], viewer: Any = None) -> _T:
    """Do what reads only, on the replica where that is right for ``viewer``, else on the primary.

    It is done a second time, on the primary, where the replica fails in the middle of it. Querysets
    have to be evaluated in it.
    """
    if not is_configured() or connections[DEFAULT_DB_ALIAS].in_atomic_block:
        return action()
    if not _check.fresh() or wrote_lately(viewer):
        return action()
    token = _reading.set(True)
    try:
        return action()
    except (DatabaseError, InterfaceError) as error:
        _check.failed(error)
    finally:
        _reading.reset(token)
    return action()


def reads_replica(view: Callable[..., _Response]) -> Callable[..., _Response]:
    """A page that may be read from the replica; it has to be drawn when the view returns."""

    @functools.wraps(view)
    def call(request: HttpRequest, *args: Any, **kwargs: Any) -> _Response:
        return read(lambda: view(request, *args, **kwargs), request.user)

    return call


def note_write(user: Any) -> None:
    """From now on, for :data:`OWN_WRITES_SECONDS`, this person reads from the primary."""
    if user.pk is not None:
        cache.set(_key(user), 1, OWN_WRITES_SECONDS)


def wrote_lately(viewer: Any) -> bool:
    """True if this person has sent something so lately that a replica may lack it."""
    return viewer is not None and viewer.pk is not None and cache.get(_key(viewer)) is not None


def _key(user: Any) -> str:
    return f"wrote:{user.pk}"
