"""When somebody whose time runs is reminded: half of it gone, and a day left. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

DAY_LEFT = timedelta(hours=24)
SHORTEST = timedelta(hours=6)
"""Who has less time than this sits at a live table and is not reminded."""


def next_reminder(
    asked_at: datetime, deadline: datetime | None, after: datetime
) -> datetime | None:
    """The first reminder after a moment, of a question and its deadline; None for no more."""
    if deadline is None or deadline - asked_at < SHORTEST:
        return None
    moments = (asked_at + (deadline - asked_at) / 2, deadline - DAY_LEFT)
    return min((moment for moment in moments if moment > max(asked_at, after)), default=None)
