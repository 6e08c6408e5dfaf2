"""Time at a table in words, and each seat's clock as a page shows it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Viewer
from core.local_time import local_text
from matches.clock import hours, seat_clocks
from matches.clock.hours import Hours
from matches.models import Match, Seat, SeatKind, Status, Timeout
from matches.services import store_ply

ONE_DAY = timedelta(days=1)
A_WEEK = timedelta(days=6)


def until(moment: datetime, now: datetime | None = None) -> str:
    """“until Tue 14:05”, in the zone that the page is written in."""
    near = abs(moment - (now or timezone.now())) < A_WEEK
    return f"until {local_text(moment, 'D H:i' if near else 'j M H:i')}"


def span(time: timedelta) -> str:
    """“2 d 21 h”, “5 h 10 min”, “12 min”, “9:05 min”."""
    seconds = max(int(time.total_seconds()), 0)
    minutes, seconds = divmod(seconds, 60)
    in_all, minutes = divmod(minutes, 60)
    days, left = divmod(in_all, 24)
    if days:
        return f"{days} d {left} h" if left else f"{days} d"
    if in_all:
        return f"{in_all} h {minutes:02} min" if minutes else f"{in_all} h"
    return f"{minutes} min" if minutes >= 10 and not seconds else f"{minutes}:{seconds:02} min"


@dataclass(frozen=True, slots=True)
class ClockLine:
    """One seat's clock for a page; what changes with time is left to the page's script.

    ``state``: running, late, standing, kept (a bot plays there). ``pauses`` are the stretches up to
    the deadline in which it stands. ``may_give``: the reader may add a gain to it now.
    """

    seat: int
    name: str
    mine: bool
    state: str
    time_bank: timedelta | None
    deadline: datetime | None
    pauses: Sequence[tuple[str, str]]
    until: str
    away_until: date | None
    ends_at: datetime | None
    ends: str
    may_give: bool


def away_until(own: Hours, now: datetime) -> date | None:
    """The last of the days away that somebody is in the middle of."""
    day = last = own.day_of(now)
    if day not in own.away:
        return None
    while day in own.away:
        last, day = day, day + ONE_DAY
    return last


def lines(
    match: Match, viewer: Viewer, infos: Sequence[Any], *, out: Collection[int] = frozenset()
) -> list[ClockLine]:
    """The clocks of a running match; none where no clock runs.

    ``out`` are the seats that have been eliminated.
    """
    if match.preset is None or match.status != Status.RUNNING:
        return []
    seats = list(match.seats.all())
    if sum(seat.kind == SeatKind.PERSON for seat in seats) < 2:
        return []
    now = timezone.now()
    sits = any(info.mine for info in infos)
    abandoned_at = seat_clocks.abandoned_at(store_ply.clocks_of(match, seats, out=out))
    return [
        _line(match, seat, info, now=now, sits=sits, abandoned_at=abandoned_at)
        for seat, info in zip(seats, infos, strict=True)
        if seat.kind == SeatKind.PERSON and not (seat.prompt is None and seat.time_bank is None)
    ]


def _line(
    match: Match,
    seat: Seat,
    info: Any,
    *,
    now: datetime,
    sits: bool,
    abandoned_at: datetime | None,
) -> ClockLine:
    preset, own = match.preset, store_ply.hours_of(match, seat)
    assert preset is not None
    deadline = seat.deadline_at
    state = "standing"
    if seat.substitute_bot:
        state = "kept"
    elif deadline is not None:
        state = "late" if seat.flag_fallen or deadline <= now else "running"
    ends = None
    if state == "late" and match.timeout == Timeout.FORFEIT and deadline is not None:
        # Where everybody is late nobody loses by it: all can answer until the match is cancelled.
        ends = abandoned_at or deadline + preset.grace
    short = deadline is not None and deadline - preset.running_out <= now
    stood = (
        hours.pauses(seat.asked_at, deadline, own)
        if deadline is not None and seat.asked_at is not None
        else []
    )
    return ClockLine(
        seat=seat.number,
        name=info.name,
        mine=info.mine,
        state=state,
        time_bank=preset.time_bank if seat.time_bank is None else seat.time_bank,
        deadline=deadline,
        pauses=[(since.isoformat(), to.isoformat()) for since, to in stood],
        until="" if deadline is None else until(deadline, now),
        away_until=away_until(own, now) if match.pauses_when_away else None,
        ends_at=ends,
        ends="" if ends is None else until(ends, now),
        may_give=sits and not info.mine and short,
    )
