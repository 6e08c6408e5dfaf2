"""A process's connections to Redis, and what it knows of Redis being away.

Redis has two roles, which may be two servers: bells and cache, and waiting tasks.

Nobody waits long for Redis. The first call that gets no answer pays for all: for a few seconds
after it this process asks no more and goes on without. Whoever calls has something to fall back on,
since Redis holds nothing that cannot be found again in the database.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = structlog.get_logger(__name__)

TIMEOUT = 1.0
"""Seconds that a call may wait for Redis."""
AWAY_FOR = 3.0
"""Seconds after which a Redis that did not answer is asked again, by one call at a time."""


class RedisUnavailable(Exception):
    """Redis does not answer, or did not a moment ago."""


class Link:
    """A process's way to one Redis. Safe for threads: redis-py's pool is, and all share one."""

    def __init__(self, url: str) -> None:
        self.client = redis.Redis.from_url(
            url,
            socket_timeout=TIMEOUT,
            socket_connect_timeout=TIMEOUT,
            # Redis was restarted: a connection kept from before fails at once, a new one works.
            # Who got no answer in time does not ask a second time.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        )
        self._lock = threading.Lock()
        self._asked_again_at: float | None = None

    @contextmanager
    def guarded(self) -> Iterator[redis.Redis]:
        """The client, for one question; raises ``RedisUnavailable``, at once if that is known."""
        self._may_ask()
        try:
            yield self.client
        except (redis.ConnectionError, redis.TimeoutError, OSError) as error:
            self._note_away(error)
            raise RedisUnavailable(str(error)) from error
        except redis.RedisError as error:  # it is there but can't: no memory, a full disk
            logger.warning("redis_refused", error=str(error))
            raise RedisUnavailable(str(error)) from error
        self._note_back()

    def answers(self) -> bool:
        """True if Redis answers now; while it is known to be away, it is not asked."""
        try:
            with self.guarded() as client:
                return bool(client.ping())
        except RedisUnavailable:
            return False

    def _may_ask(self) -> None:
        if self._asked_again_at is None:
            return
        with self._lock:
            now = time.monotonic()
            if self._asked_again_at is not None:
                if now < self._asked_again_at:
                    raise RedisUnavailable("Redis did not answer a moment ago.")
                self._asked_again_at = (
                    now + AWAY_FOR
                )  # this call asks; the others don't wait for it

    def _note_away(self, error: Exception) -> None:
        with self._lock:
            known = self._asked_again_at is not None
            self._asked_again_at = time.monotonic() + AWAY_FOR
        if not known:
            logger.warning("redis_away", error=str(error))

    def _note_back(self) -> None:
        if self._asked_again_at is None:
            return
        with self._lock:
            self._asked_again_at = None
        logger.info("redis_back")


_links: dict[str, Link] = {}
_making = threading.Lock()


def link() -> Link:
    """The link to the Redis of bells and cache, made once in a process."""
    return _link_to(settings.REDIS_URL)


def tasks_link() -> Link:
    """The link to the Redis where tasks wait: the same one, unless ``TASKS_REDIS_URL`` is set."""
    return _link_to(settings.TASKS_REDIS_URL)


def _link_to(url: str) -> Link:
    client = _links.get(url)
    if client is None:
        with _making:
            client = _links.get(url)
            if client is None:
                client = _links[url] = Link(url)
    return client


def _forget() -> None:
    """In a forked child: its connections are its own, and no lock is held by a lost thread."""
    global _making
    _making = threading.Lock()
    _links.clear()


os.register_at_fork(after_in_child=_forget)
