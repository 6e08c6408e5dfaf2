"""The lab on several Celery workers: each task plays a share of the matches.

A share is a few matches of a plan. Its results lie in the cache until they are fetched, under a key
of their own, so a share that is played twice gives the same answer once.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django.core.cache import cache

from core.background import enqueue
from rules.engine import lab
from rules.engine.errors import BadSetup

SHARE = 10
"""Matches per task: a few seconds of work."""

RESULT_SECONDS = 3600
"""Seconds for which results are kept."""

TIMEOUT = 60
"""Seconds to wait for a result before giving up."""

NO_WORKER = "No worker is running. Start one: celery -A config worker"


def plan_from_json(data: Mapping[str, Any]) -> lab.Plan:
    """A plan from the JSON form of ``dataclasses.asdict``."""
    return lab.Plan(**{**data, "bots": tuple(data["bots"]), "decks": tuple(data["decks"])})


def play_share(key: str, plan: Mapping[str, Any], first: int, count: int) -> None:
    """Play ``count`` matches of a plan from number ``first`` on; their results go to the cache."""
    parsed = plan_from_json(plan)
    results = [lab.play(parsed, number) for number in range(first, first + count)]
    cache.set(f"{key}:{first}", [lab.result_to_json(result) for result in results], RESULT_SECONDS)


def spread(plan: lab.Plan, matches: int, _jobs: int = 1) -> Iterator[lab.Result]:
    """Yield the matches 0, 1, 2 … in order, played by all available workers.

    Raises ``BadSetup`` if no result arrives for ``TIMEOUT`` seconds.
    """
    key = f"lab:{uuid.uuid4()}"
    shares = [(first, min(SHARE, matches - first)) for first in range(0, matches, SHARE)]
    for first, count in shares:
        if not enqueue("matches.tasks.play_lab_share", key, asdict(plan), first, count):
            raise BadSetup(NO_WORKER)
    for first, _ in shares:
        yield from (lab.result_from_json(row) for row in _fetch(f"{key}:{first}"))


def _fetch(key: str) -> list[dict[str, Any]]:
    until = time.monotonic() + TIMEOUT
    while (results := cache.get(key)) is None:
        if time.monotonic() > until:
            raise BadSetup(NO_WORKER)
        time.sleep(0.05)
    cache.delete(key)
    rows: list[dict[str, Any]] = results
    return rows
