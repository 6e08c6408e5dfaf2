"""The lab, spread over the Celery workers: shares of the matches go out, results come back.

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
"""Matches a task plays; a few seconds of work."""

KEPT = 3600
"""Seconds that results wait to be fetched."""

PATIENCE = 60
"""Seconds without any result after which nobody seems to be working."""

NO_WORKER = "No worker plays. Start one: celery -A config worker"


def plan_from_json(data: Mapping[str, Any]) -> lab.Plan:
    """The opposite of ``dataclasses.asdict`` for a plan, after a journey as JSON."""
    return lab.Plan(**{**data, "bots": tuple(data["bots"]), "decks": tuple(data["decks"])})


def play_share(key: str, plan: Mapping[str, Any], first: int, count: int) -> None:
    """Play ``count`` matches of a plan from number ``first`` on; their results go to the cache."""
    found = plan_from_json(plan)
    results = [lab.play(found, number) for number in range(first, first + count)]
    cache.set(f"{key}:{first}", [lab.result_to_json(result) for result in results], KEPT)


def spread(plan: lab.Plan, matches: int, _jobs: int = 1) -> Iterator[lab.Result]:
    """The matches 0, 1, 2 … in order, played by whatever workers there are.

    Raises ``BadSetup`` when no worker has answered for ``PATIENCE`` seconds.
    """
    key = f"lab:{uuid.uuid4()}"
    shares = [(first, min(SHARE, matches - first)) for first in range(0, matches, SHARE)]
    for first, count in shares:
        if not enqueue("matches.tasks.play_lab_share", key, asdict(plan), first, count):
            raise BadSetup(NO_WORKER)
    for first, _ in shares:
        yield from (lab.result_from_json(row) for row in _fetch(f"{key}:{first}"))


def _fetch(key: str) -> list[dict[str, Any]]:
    until = time.monotonic() + PATIENCE
    while (found := cache.get(key)) is None:
        if time.monotonic() > until:
            raise BadSetup(NO_WORKER)
        time.sleep(0.05)
    cache.delete(key)
    rows: list[dict[str, Any]] = found
    return rows
