"""The hour of a person's day at which a message a day is sent. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def zone_of(name: str | None) -> ZoneInfo:
    """The time zone of that name; UTC for none, and for one that this machine does not know."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def next_hour(hour: int, zone: ZoneInfo, after: datetime) -> datetime:
    """When the clock on somebody's wall next shows this full hour, in UTC.

    On a day that has the hour twice it is the first time; on a day that leaves it out, the moment
    at which the clock jumps over it.
    """
    day = after.astimezone(zone).date() - timedelta(days=1)
    while True:
        # What the wall skips is read with the offset of before: that is the moment of the jump.
        moment = datetime(day.year, day.month, day.day, hour, tzinfo=zone).astimezone(UTC)
        if moment > after:
            return moment
        day += timedelta(days=1)
