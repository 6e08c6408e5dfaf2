"""Time zones: which ones people can choose, and which one a page is written in.

A page is written in its reader's zone (``accounts.middleware.local_time`` activates it), a mail in
its recipient's. Where neither is known times are in UTC and say so.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, cached_property, lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

COOKIE = "riffle_zone"
"""The browser's own zone, written by ``static/js/site.js``."""


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


class ReaderZone(tzinfo):
    """The zone of a page's reader, looked up when the first time is shown.

    Most requests are for pictures and show none; they must not cost the query for a person.
    ``chosen`` looks up the one that they have chosen; without one it is the browser's. Both are
    names, empty where there is none.
    """

    def __init__(self, chosen: Callable[[], str], browsers: str) -> None:
        self._chosen = chosen
        self._browsers = browsers

    @cached_property
    def zone(self) -> ZoneInfo:
        return zone_of(self._chosen() or self._browsers)

    def differs_from_browser(self, moment: datetime) -> bool:
        """True if the browser's own clock, where it is known, shows another time then."""
        if not self._browsers:
            return False
        here = moment.astimezone(zone_of(self._browsers))
        return here.utcoffset() != moment.astimezone(self.zone).utcoffset()

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return self.zone.utcoffset(moment)

    def dst(self, moment: datetime | None) -> timedelta | None:
        return self.zone.dst(moment)

    def tzname(self, moment: datetime | None) -> str | None:
        return self.zone.tzname(moment)

    def fromutc(self, moment: datetime) -> datetime:
        return self.zone.fromutc(moment.replace(tzinfo=self.zone))

    def __str__(self) -> str:
        return self.zone.key

    def __reduce__(self) -> tuple[Any, ...]:
        return zone_of, (self.zone.key,)
