"""Days away, and people's own hours: whenever these change, all their deadlines follow."""

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

DAYS_A_YEAR = 20
"""So many days a year the clocks of a person stand, at tables that wait."""

FARTHEST = timedelta(days=366)
"""Nobody plans their holidays farther ahead than that."""

_INSTANT = timedelta(microseconds=1)


def days_used(own: Hours, year: int) -> int:
    """How many of a year's days away are taken."""
    return sum(day.year == year for day in own.away)


def _locked(user_id: int) -> OwnHours:
    """The person's row, for the rest of the transaction; made if there is none.

    The account's row comes first, as for whoever changes the time zone elsewhere.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    OwnHours.objects.get_or_create(pk=user_id)
    row = OwnHours.objects.select_for_update(of=("self",)).get(pk=user_id)
    row.user = user
    return row


class HoursChange(TypedDict, total=False):
    """What is to be different about somebody's hours; what is left out stays."""

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
    """When the person's clocks run from now on. Raises ``NotPossible``."""
    change = HoursChange(zone=zone, opens=opens, closes=closes, weekend=weekend)
    return change_hours(user=user, change=change)


@retried
def change_hours(*, user: User, change: HoursChange) -> OwnHours:
    """Change when the person's clocks run. Raises ``NotPossible``, and then nothing has changed."""
    with transaction.atomic():
        row = _locked(user.pk)
        old = row.hours
        new = replace(old, **change)
        if new.zone not in {*zones(), old.zone}:
            raise NotPossible(f"“{new.zone[:64]}” is not a time zone that is known here.")
        if (new.opens is None) != (new.closes is None):
            raise NotPossible("Give both times, or neither.")
        if new.opens is None or new.closes is None or new.opens == new.closes:
            new = replace(new, opens=None, closes=None)
        elif hours.length(new.opens, new.closes) < hours.SHORTEST:
            raise NotPossible("Your clock has to run for at least 8 hours of the day.")
        row.opens, row.closes, row.weekend = _minutes(new.opens), _minutes(new.closes), new.weekend
        row.save()
        if "zone" in change:
            row.user.time_zone = new.zone
            row.user.save(update_fields=("time_zone",))
        _follow(user.pk, old, new, since=timezone.now())
    return row


def guess_zone(*, user: User, zone: str) -> bool:
    """The browser says where it is: that is where its person is, who has said nothing yet."""
    if zone not in zones():
        return False
    with transaction.atomic():
        if not User.objects.filter(pk=user.pk, time_zone="").update(time_zone=zone):
            return False
        follow_time_zone(user=user, before="")
    return True


@retried
def follow_time_zone(*, user: User, before: str) -> None:
    """Somebody is in another zone than before: their days and hours are those of that one."""
    with transaction.atomic():
        row = _locked(user.pk)
        new = row.hours
        _follow(user.pk, replace(new, zone=before or "UTC"), new, since=timezone.now())


def _minutes(at: time | None) -> int | None:
    return None if at is None else at.hour * 60 + at.minute


@retried
def go_away(*, user: User, first: date, last: date, now: datetime | None = None) -> OwnHours:
    """Be away on these days, both included. Raises ``NotPossible`` and ``NoDaysLeft``."""
    now = now or timezone.now()
    with transaction.atomic():
        row = _locked(user.pk)
        today = row.hours.day_of(now)
        if first < today:
            raise NotPossible("Days away begin today or later.")
        if last < first:
            raise NotPossible("The last day is before the first one.")
        if last - today > FARTHEST:
            raise NotPossible("That is more than a year ahead. Choose days that are nearer.")
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        _take(row, days)
    return row


@retried
def come_back(*, user: User, now: datetime | None = None) -> OwnHours:
    """Take back all days away that have not begun; today stays one if it is one."""
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
    """A deadline has passed: the day on which it did is one away, if its person has one left.

    Further days follow as each would pass. False where no day is left.
    """
    if seat.user_id is None or passed.deadline is None:
        return False
    with transaction.atomic():
        row = _locked(seat.user_id)
        deadline = _deadline_now(seat)
        if deadline != passed.deadline:
            raise StaleWrite  # another sweep, or a person, was faster
        while deadline <= seat_clocks.late_before(now):
            day = row.hours.day_of(deadline - _INSTANT)
            try:
                _take(row, [day])
            except NoDaysLeft:
                return False
            moved = _deadline_now(seat)
            if moved is None or moved <= deadline:
                return False  # it is a day away already, and was not when the deadline was set
            deadline = moved
    return True


def _deadline_now(seat: Seat) -> datetime | None:
    return Seat.objects.values_list("deadline_at", flat=True).get(pk=seat.pk)


def _take(row: OwnHours, days: Sequence[date]) -> None:
    """Add days away to a locked row, and let the deadlines follow. Raises ``NoDaysLeft``."""
    old = row.hours
    new = sorted(set(days) - old.away)
    for year in {day.year for day in new}:
        wanted = sum(day.year == year for day in new)
        free = DAYS_A_YEAR - days_used(old, year)
        if wanted > free:
            raise NoDaysLeft(
                f"You have {free} of {DAYS_A_YEAR} days away left in {year}, and this takes "
                f"{wanted}.",
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
    """All deadlines of a person, by the new hours: the time after ``since`` is given anew.

    Each running match gets a new version, so that a move which was reckoned by the old hours is
    reckoned once more.
    """
    if old == new:
        return
    now = timezone.now()
    running = Match.objects.filter(status=Status.RUNNING, seats__user=user_id)
    rows = (
        running.select_for_update(of=("self",), no_key=True)
        .defer("state", "opening")
        .order_by("pk")
    )
    for match in rows:
        seats = seats_of(match)
        seat = next(one for one in seats if one.user_id == user_id)
        seat.own_hours = new
        here = store_ply.hours_of(match, seat)
        seat.own_hours = old
        before = store_ply.hours_of(match, seat)
        seat.own_hours = new
        clocks = store_ply.clocks_of(match, seats)
        its = clocks[seat.number]
        if its.deadline is not None and here != before:
            begin = max(since, its.asked_at or since)
            deadline = hours.moved(its.deadline, begin, before, here)
            late = its.late and deadline <= now
            clocks[seat.number] = replace(its, deadline=deadline, late=late)
        store_ply.store_clocks(match, seats, clocks, now)
