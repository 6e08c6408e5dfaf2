"""When a person's clock runs: the hours of a day, the weekend and the days away, in their own zone.

Nothing here reads or writes. A clock that does not run all the time is asked two things: when a
span of its time will have passed (:func:`after`), and how much of it lies between two moments
(:func:`between`). The daily hours are those of the wall clock, so they are an hour longer or
shorter on the two days of the year on which that is set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Self

from core.zones import zone_of

MIN_WINDOW = timedelta(hours=8)
"""The daily hours of a person are at least so many."""

SATURDAY = 5
_DAY = timedelta(days=1)
_MIDNIGHT = time()


@dataclass(frozen=True, slots=True)
class Hours:
    """When somebody's clock runs. Without more said it runs all the time.

    Where ``opens`` and ``closes`` are the same, or None, it runs day and night; where ``closes``
    is the earlier one, it runs past midnight. ``weekend``: Saturdays and Sundays are left out.
    """

    zone: str = "UTC"
    opens: time | None = None
    closes: time | None = None
    weekend: bool = False
    away: frozenset[date] = frozenset()

    @classmethod
    def stored(
        cls,
        zone: str | None,
        opens: int | None,
        closes: int | None,
        weekend: bool | int | None,
        away: str | None,
    ) -> Self:
        """From what is stored: minutes after midnight, and days with commas; None: not said."""
        days = frozenset(date.fromisoformat(day) for day in (away or "").split(",") if day)
        return cls(zone or "UTC", _clock_time(opens), _clock_time(closes), bool(weekend), days)

    @property
    def always(self) -> bool:
        """Its time is everybody's time."""
        return not (self.bounded or self.weekend or self.away)

    @property
    def bounded(self) -> bool:
        """It has daily hours."""
        return None not in (self.opens, self.closes) and self.opens != self.closes

    def day_of(self, moment: datetime) -> date:
        """The day that a moment falls on there."""
        return moment.astimezone(zone_of(self.zone)).date()

    def start_of(self, day: date) -> datetime:
        """When a day begins there."""
        return self._moment(day, _MIDNIGHT)

    def runs_on(self, day: date) -> bool:
        """True if the clock runs on this day at all."""
        return day not in self.away and not (self.weekend and day.weekday() >= SATURDAY)

    def spans(self, first: date) -> Iterator[tuple[datetime, datetime]]:
        """The stretches in which it runs, from a day on, for ever."""
        day = first
        while True:
            if self.runs_on(day):
                yield from self._spans_of(day)
            day += _DAY

    def _spans_of(self, day: date) -> Iterator[tuple[datetime, datetime]]:
        start, end = self.start_of(day), self.start_of(day + _DAY)
        if not self.bounded or self.opens is None or self.closes is None:
            yield start, end
            return
        opens, closes = self._moment(day, self.opens), self._moment(day, self.closes)
        if self.opens < self.closes:
            yield opens, closes
        else:
            if closes > start:
                yield start, closes
            yield opens, end

    def _moment(self, day: date, at: time) -> datetime:
        """A wall clock's time; where it is skipped, as late after the change as it would be."""
        return datetime.combine(day, at, tzinfo=zone_of(self.zone)).astimezone(UTC)


def _clock_time(minutes: int | None) -> time | None:
    return None if minutes is None else time(*divmod(minutes, 60))


ALWAYS = Hours()


def length(opens: time, closes: time) -> timedelta:
    """How long the daily hours are on the wall clock; the same twice is the whole day."""
    start, end = (timedelta(hours=at.hour, minutes=at.minute) for at in (opens, closes))
    return (end - start) % _DAY or _DAY


def after(start: datetime, span: timedelta, hours: Hours = ALWAYS) -> datetime:
    """When ``span`` of somebody's time will have passed from ``start`` on."""
    start = start.astimezone(UTC)  # in other zones Python counts the hours of the wall clock
    if hours.always or span <= timedelta():
        return start + max(span, timedelta())
    left = span
    for opens, closes in hours.spans(hours.day_of(start)):
        begin = max(opens, start)
        if closes - begin >= left:
            return begin + left
        left -= max(closes - begin, timedelta())
    raise AssertionError("the days do not end")


def between(start: datetime, end: datetime, hours: Hours = ALWAYS) -> timedelta:
    """How much of somebody's time lies between two moments; none where the second is earlier."""
    start, end = start.astimezone(UTC), end.astimezone(UTC)
    if end <= start:
        return timedelta()
    if hours.always:
        return end - start
    return end - start - sum((to - since for since, to in pauses(start, end, hours)), timedelta())


def pauses(start: datetime, end: datetime, hours: Hours) -> list[tuple[datetime, datetime]]:
    """The stretches between two moments in which somebody's clock stands."""
    pauses_so_far: list[tuple[datetime, datetime]] = []
    if hours.always:
        return pauses_so_far
    ran_until = start
    for opens, closes in hours.spans(hours.day_of(start)):
        if opens >= end:
            break
        if opens > ran_until:
            pauses_so_far.append((ran_until, opens))
        ran_until = max(ran_until, closes)
    if ran_until < end:
        pauses_so_far.append((ran_until, end))
    return pauses_so_far


def moved(deadline: datetime, since: datetime, old: Hours, new: Hours) -> datetime:
    """A deadline when the hours change: the time between ``since`` and it is given anew."""
    return after(since, between(since, deadline, old), new) if deadline > since else deadline
