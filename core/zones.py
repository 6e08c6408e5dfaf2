"""Time zones: which ones people can choose, and when it is which hour there. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones


@lru_cache(maxsize=256)
def zone_of(name: str | None) -> ZoneInfo:
    """The zone of a name; UTC for none, and for one that is not known (any more)."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):  # also a folder of zones, or a path
        return ZoneInfo("UTC")


@cache
def zones() -> frozenset[str]:
    """The names of zones that can be chosen: places, and UTC."""
    listed = available_timezones()
    left_out = ("Etc/", "SystemV/", "posix/", "right/")
    return frozenset(name for name in listed if "/" in name and not name.startswith(left_out)) | {
        "UTC"
    }


def choices(chosen: str = "") -> list[tuple[str, str]]:
    """For a form. What somebody has chosen stays among them, whatever is offered by now."""
    names = sorted(zones() | ({chosen} if chosen else set()))
    return [(name, name.replace("_", " ")) for name in names]


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
