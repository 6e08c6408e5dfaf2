"""The bell: after a commit it says, over Redis, that there is something new to fetch.

It never says what. A match's bell carries its ply and version, a person's bell nothing at all; who
hears it fetches a view the ordinary, permission-checked way. So no secret can be in a live stream,
and a bell that nobody hears is no loss.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = structlog.get_logger(__name__)

PREFIX = "riffle:bell:"
PATTERN = f"{PREFIX}*"
TIMEOUT = 2
"""Seconds that a bell may take; a move does not wait longer for Redis."""


def match_channel(slug: str) -> str:
    """Where the bell of a match rings."""
    return f"{PREFIX}match:{slug}"


def person_channel(user_id: int) -> str:
    """Where the bell of a person rings."""
    return f"{PREFIX}person:{user_id}"


@cache
def _connection(url: str) -> redis.Redis:
    # Trying again, with pauses, is what redis-py does by itself; here somebody waits for an answer.
    return redis.Redis.from_url(
        url,
        socket_timeout=TIMEOUT,
        socket_connect_timeout=TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )


def ring(slug: str, ply: int, version: int, people: Iterable[int] = ()) -> bool:
    """Match ``slug`` is at ``ply`` now; for ``people`` their counts may have changed.

    False if Redis did not answer.
    """
    message = json.dumps({"ply": ply, "version": version})
    try:
        pipe = _connection(settings.REDIS_URL).pipeline(transaction=False)
        pipe.publish(match_channel(slug), message)
        for user_id in people:
            pipe.publish(person_channel(user_id), "")
        pipe.execute()
    except redis.RedisError as error:
        logger.warning("bell_not_rung", match=slug, ply=ply, error=str(error))
        return False
    return True
