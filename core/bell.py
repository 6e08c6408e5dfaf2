"""A person's bell: after a commit it says, over Redis, that there is something new to fetch."""

from __future__ import annotations

from collections.abc import Iterable

import structlog

from core.redis_client import RedisUnavailable, link

logger = structlog.get_logger(__name__)

PREFIX = "riffle:bell:"


def person_channel(user_id: int) -> str:
    """Where the bell of a person rings."""
    return f"{PREFIX}person:{user_id}"


def ring_for(people: Iterable[int]) -> None:
    """For these people something may have changed. Without Redis they see it on the next page."""
    try:
        with link().guarded() as client:
            pipe = client.pipeline(transaction=False)
            for user_id in people:
                pipe.publish(person_channel(user_id), "")
            pipe.execute()
    except RedisUnavailable as error:
        logger.warning("bell_not_rung", error=str(error))
