"""Vacation days and people's own hours; all their deadlines follow every change of these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import TypedDict

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.zones import zones
from matches.clock import hours, seat_clocks
from matches.clock.hours import Hours
from matches.clock.seat_clocks import SeatClock
from matches.errors import NoDaysLeft, NotPossible
from matches.models import Match, OwnHours, Seat, Status
from matches.queries.access import seats_of
from matches.services import store_ply
from matches.services.writing import StaleWrite, retried

VACATION_DAYS_PER_YEAR = 20
"""Vacation days that each person has per calendar year, at tables that allow vacation."""

MAX_DAYS_AHEAD = timedelta(days=366)
"""How far ahead vacation can be planned."""

_INSTANT = timedelta(microseconds=1)


def days_used(own: Hours, year: int) -> int:
    """How many vacation days of a year are used."""
    return sum(day.year == year for day in own.away)


def _locked(user_id: int) -> OwnHours:
    """Lock the person's row for the rest of the transaction; create it if it is missing.

    The account's row is locked first, as wherever the time zone is changed.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    OwnHours.objects.get_or_create(pk=user_id)
    row = OwnHours.objects.select_for_update(of=("self",)).get(pk=user_id)
    row.user = user
    return row


class HoursChange(TypedDict, total=False):
    """Changed fields of a person's hours; omitted fields stay as they are."""

    zone: str
    opens: time | None
    closes: time | None
    weekend: bool


def set_hours(
    *,
    user: User,
    zone: str,
    opens: time | None = None,
    closes: time | None = None,
    weekend: bool = False,
) -> OwnHours:
    """Set when the person's clocks run from now on. Raises ``NotPossible``."""
    change = HoursChange(zone=zone, opens=opens, closes=closes, weekend=weekend)
    return change_hours(user=user, change=change)


@retried
def change_hours(*, user: User, change: HoursChange) -> OwnHours:
    """Change when the person's clocks run. Raises ``NotPossible`` without changing anything."""
    with transaction.atomic():
        row = _locked(user.pk)
        old = row.hours
        new = replace(old, **change)
        if new.zone not in {*zones(), old.zone}:
            raise NotPossible(f"“{new.zone[:64]}” is not a known time zone.")
        if (new.opens is None) != (new.closes is None):
            raise NotPossible("Enter both times, or neither.")
        if new.opens is None or new.closes is None or new.opens == new.closes:
            new = replace(new, opens=None, closes=None)
        elif hours.length(new.opens, new.closes) < hours.MIN_WINDOW:
            raise NotPossible("Your clock must run for at least 8 hours a day.")
        row.opens, row.closes, row.weekend = _minutes(new.opens), _minutes(new.closes), new.weekend
        row.save()
        if "zone" in change:
            row.user.time_zone = new.zone
            row.user.save(update_fields=("time_zone",))
        _follow(user.pk, old, new, since=timezone.now())
    return row


@retried
def follow_time_zone(*, user: User, before: str) -> None:
    """Move a person's deadlines after their time zone changed from ``before``."""
    with transaction.atomic():
        row = _locked(user.pk)
        new = row.hours
        _follow(user.pk, replace(new, zone=before or "UTC"), new, since=timezone.now())


def _minutes(at: time | None) -> int | None:
    return None if at is None else at.hour * 60 + at.minute


@retried
def go_away(*, user: User, first: date, last: date, now: datetime | None = None) -> OwnHours:
    """Book vacation, ``last`` included. Raises ``NotPossible`` and ``NoDaysLeft``."""
    now = now or timezone.now()
    with transaction.atomic():
        row = _locked(user.pk)
        today = row.hours.day_of(now)
        if first < today:
            raise NotPossible("Vacation starts today or later.")
        if last < first:
            raise NotPossible("The last day is before the first day.")
        if last - today > MAX_DAYS_AHEAD:
            raise NotPossible("Vacation can be booked up to a year ahead.")
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        _take(row, days)
    return row


@retried
def come_back(*, user: User, now: datetime | None = None) -> OwnHours:
    """Cancel all vacation days after today."""
    now = now or timezone.now()
    with transaction.atomic():
        row = _locked(user.pk)
        old = row.hours
        today = old.day_of(now)
        _write_days(row, {day for day in old.away if day <= today})
        row.save(update_fields=("away",))
        _follow(user.pk, old, row.hours, since=now)
    return row


def begin_by_itself(seat: Seat, passed: SeatClock, *, now: datetime) -> bool:
    """Turn the day on which a deadline passed into a vacation day, if the person has one left.

    Further days are taken for as long as the moved deadline has passed, too. False if none is left.
    """
    if seat.user_id is None or passed.deadline is None:
        return False
    with transaction.atomic():
        row = _locked(seat.user_id)
        deadline = _deadline_now(seat)
        if deadline != passed.deadline:
            raise StaleWrite  # another sweep or a person wrote first
        while deadline <= seat_clocks.late_before(now):
            day = row.hours.day_of(deadline - _INSTANT)
            try:
                _take(row, [day])
            except NoDaysLeft:
                return False
            moved = _deadline_now(seat)
            if moved is None or moved <= deadline:
                return False  # it became a vacation day after the deadline was set
            deadline = moved
    return True


def vacation_start(user_id: int | None, now: datetime) -> date:
    """The first day of the vacation that a person is on."""
    own = OwnHours.objects.select_related("user").get(pk=user_id).hours
    first = own.day_of(now)
    while first - timedelta(days=1) in own.away:
        first -= timedelta(days=1)
    return first


def _deadline_now(seat: Seat) -> datetime | None:
    return Seat.objects.values_list("deadline_at", flat=True).get(pk=seat.pk)


def _take(row: OwnHours, days: Sequence[date]) -> None:
    """Add vacation days to a locked row and move the deadlines. Raises ``NoDaysLeft``."""
    old = row.hours
    new = sorted(set(days) - old.away)
    for year in {day.year for day in new}:
        wanted = sum(day.year == year for day in new)
        free = VACATION_DAYS_PER_YEAR - days_used(old, year)
        if wanted > free:
            raise NoDaysLeft(
                f"You have {free} of {VACATION_DAYS_PER_YEAR} vacation days left in {year}; "
                f"this needs {wanted}.",
                left=free,
            )
    if not new:
        return
    _write_days(row, old.away | set(new))
    row.save(update_fields=("away",))
    _follow(row.pk, old, row.hours, since=old.start_of(new[0]))


def _write_days(row: OwnHours, days: Iterable[date]) -> None:
    row.away = ",".join(sorted(day.isoformat() for day in days))


def _follow(user_id: int, old: Hours, new: Hours, *, since: datetime) -> None:
    """Move all deadlines of a person: the time left after ``since`` counts by the new hours.

    Each running match gets a new version, so that a move computed with the old hours is retried.
    """
    if old == new:
        return
    now = timezone.now()
    running = Match.objects.filter(status=Status.RUNNING, seats__user=user_id)
    rows = (
        running.select_for_update(of=("self",), no_key=True)
        .defer("state", "opening_events")
        .order_by("pk")
    )
    for match in rows:
        seats = seats_of(match)
        seat = next(seat for seat in seats if seat.user_id == user_id)
        seat.own_hours = new
        hours_here = store_ply.hours_of(match, seat)
        seat.own_hours = old
        hours_before = store_ply.hours_of(match, seat)
        seat.own_hours = new
        clocks = store_ply.clocks_of(match, seats)
        clock = clocks[seat.number]
        if clock.deadline is not None and hours_here != hours_before:
            begin = max(since, clock.asked_at or since)
            deadline = hours.moved(clock.deadline, begin, hours_before, hours_here)
            late = clock.flag_fallen and deadline <= now
            clocks[seat.number] = replace(clock, deadline=deadline, flag_fallen=late)
        store_ply.store_clocks(match, seats, clocks, now)
