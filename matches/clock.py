"""How long a person may take."""

from __future__ import annotations

from datetime import timedelta

from matches.models import Pace

TURN_TIMES: dict[str, tuple[timedelta, timedelta]] = {
    Pace.LIVE: (timedelta(minutes=5), timedelta(seconds=30)),
    Pace.DAY: (timedelta(days=1), timedelta(minutes=10)),
    Pace.THREE_DAYS: (timedelta(days=3), timedelta(minutes=10)),
    Pace.WEEK: (timedelta(days=7), timedelta(minutes=10)),
}
"""For each pace: the time for a turn, and the least time for each further question in it."""

CLOCK_GRACE = timedelta(seconds=5)
"""A move that arrives as the time runs out still counts."""
