"""Bells of people and pages: after a commit they say, over Redis, that there is news to fetch."""

from __future__ import annotations

from collections.abc import Iterable

import structlog

from core.redis_client import RedisUnavailable, link

logger = structlog.get_logger(__name__)

PREFIX = "riffle:bell:"


def person_channel(user_id: int) -> str:
    """Where the bell of a person rings."""
    return f"{PREFIX}person:{user_id}"


def page_channel(page: str) -> str:
    """Where the bell of a page rings that anyone may open who knows its name."""
    return f"{PREFIX}page:{page}"


def ring_page(page: str) -> None:
    """Say that a page may have changed, and nothing else."""
    try:
        with link().guarded() as client:
            client.publish(page_channel(page), "")
    except RedisUnavailable as error:
        logger.warning("bell_not_rung", page=page, error=str(error))


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
