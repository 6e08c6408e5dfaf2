"""The clock of a match: from the seats, who is asked and who moved, when whose time runs out.

Nothing here ticks, reads or writes: the services give the seats as they were and the moment, and
store what comes back. A seat has a bank of time. It falls while the seat is asked; when its turn is
over, so that others are to move, the clock's gain is added, and no more than its cap is ever kept.
The deadline is worked out once, when a seat is asked, and stays while it answers further questions.

Where several seats are asked together, and answer unseen, nobody may learn from a clock how far
another has come. So a clock changes only when a turn begins or ends, which everybody sees: an
answer among several changes no clock, hidden or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from matches.clock.hours import ALWAYS, Hours, after, between

GRACE = timedelta(seconds=5)
"""A move that arrives as the time runs out still counts."""

ABANDONED = timedelta(days=10)
"""A table at which everybody is late for so long is cancelled."""

LAST_DAY = timedelta(hours=24)
"""With less than that (and less than half of its bank) left, somebody's time is running out."""


NOTHING_LEFT = timedelta()


class Clock(NamedTuple):
    """How much time a seat begins with, what a turn adds, and the most that it may have.

    ``grace`` is how long after the deadline nobody has lost yet.
    """

    time_bank: timedelta
    gain: timedelta
    cap: timedelta
    grace: timedelta = timedelta(hours=12)

    @property
    def running_out(self) -> timedelta:
        """With no more than that left somebody's time is running out."""
        return min(LAST_DAY, self.time_bank / 2)


def _days(days: float) -> timedelta:
    return timedelta(days=days)


LIVE, FAST, STEADY, SLOW, FRIENDS = "live", "fast", "steady", "slow", "friends"

PRESETS: Mapping[str, Clock | None] = MappingProxyType(
    {
        LIVE: Clock(
            timedelta(minutes=10),
            timedelta(seconds=15),
            timedelta(minutes=20),
            grace=timedelta(minutes=1),
        ),
        FAST: Clock(_days(3), timedelta(hours=12), _days(5)),
        STEADY: Clock(_days(3), _days(1), _days(7)),
        SLOW: Clock(_days(7), timedelta(hours=36), _days(10)),
        FRIENDS: None,
    }
)
"""The time controls that a host may choose; among friends no clock runs."""


class Timeout(StrEnum):
    """Rules for a seat that is out of time.

    It loses the match after the grace; a bot keeps it until its person comes back; or its turn is
    played for it, and it plays on.
    """

    FORFEIT = "forfeit"
    BOT = "bot"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class SeatClock:
    """One seat's clock at some moment; without a deadline it stands.

    ``bank`` is what it had when its turn began, or has while others are asked; None before its
    first turn. ``kept``: a bot plays for its person. ``out``: it plays no more.
    ``late``: that its time is up has been noted.
    """

    seat: int
    person: bool
    asked: bool = False
    deadline: datetime | None = None
    time_bank: timedelta | None = None
    asked_at: datetime | None = None
    hours: Hours = ALWAYS
    kept: bool = False
    flag_fallen: bool = False
    out: bool = False

    def is_late(self, now: datetime) -> bool:
        """True if its deadline, and the few seconds of tolerance, have passed."""
        return self.deadline is not None and self.deadline <= late_before(now)

    def left(self, now: datetime) -> timedelta:
        """The time left on its clock, if it is its turn."""
        return timedelta() if self.deadline is None else between(now, self.deadline, self.hours)


def after_move(
    seats: Sequence[SeatClock],
    asked: Collection[int],
    mover: int | None,
    *,
    clock: Clock | None,
    now: datetime,
) -> list[SeatClock]:
    """All clocks after a move (None: at the start); ``asked`` are the seats that are asked then.

    No clock runs for bots, nor where nobody but bots would wait for a person.
    """
    timed = sum(seat.person for seat in seats) >= 2
    # Its answer was the last that was waited for, and now all are asked: a new turn for it, too.
    together = len(asked) > 1 and not any(seat.asked for seat in seats if seat.seat != mover)
    return [
        replace(seat, asked=seat.seat in asked, deadline=None, asked_at=None, flag_fallen=False)
        if clock is None or not timed or not seat.person or seat.kept
        else _after_move(seat, seat.seat in asked, together and seat.seat == mover, clock, now)
        for seat in seats
    ]


def _after_move(seat: SeatClock, asked: bool, anew: bool, clock: Clock, now: datetime) -> SeatClock:
    if seat.deadline is not None and asked and not anew:
        return replace(seat, asked=True)
    bank = clock.time_bank if seat.time_bank is None else seat.time_bank
    if seat.deadline is not None:
        bank = min(seat.left(now) + clock.gain, clock.cap)
    stands = replace(
        seat, asked=asked, deadline=None, time_bank=bank, asked_at=None, flag_fallen=False
    )
    return begun(stands, now) if asked else stands


def after_taking_back(
    seats: Sequence[SeatClock],
    asked: Collection[int],
    mover: int | None,
    *,
    clock: Clock | None,
    now: datetime,
) -> list[SeatClock]:
    """All clocks after an answer was taken back, by which nobody gains time.

    Whoever took it back gives back what the end of the turn had added; whoever was asked by that
    answer has what they had before.
    """
    if clock is None or sum(seat.person for seat in seats) < 2:
        return after_move(seats, asked, mover, clock=clock, now=now)
    return [
        replace(seat, asked=seat.seat in asked)
        if not seat.person or seat.kept or (seat.asked == (seat.seat in asked))
        else _after_taking_back(seat, clock, now)
        for seat in seats
    ]


def _after_taking_back(seat: SeatClock, clock: Clock, now: datetime) -> SeatClock:
    if seat.asked:
        return replace(seat, asked=False, deadline=None, asked_at=None, flag_fallen=False)
    bank = (
        clock.time_bank
        if seat.time_bank is None
        else max(seat.time_bank - clock.gain, NOTHING_LEFT)
    )
    return begun(replace(seat, time_bank=bank), now)


def begun(seat: SeatClock, now: datetime) -> SeatClock:
    """A clock that is set going with what it has in its bank."""
    deadline = after(now, seat.time_bank or timedelta(), seat.hours)
    return replace(seat, asked=True, deadline=deadline, asked_at=now, flag_fallen=False)


def in_other_hands(seat: SeatClock) -> SeatClock:
    """The clock of a seat that a bot keeps from now on: it stands, and what it had is gone."""
    return replace(
        seat, kept=True, flag_fallen=False, deadline=None, asked_at=None, time_bank=NOTHING_LEFT
    )


def with_gift(seat: SeatClock, clock: Clock, now: datetime) -> SeatClock:
    """A clock to which somebody has added a gain."""
    left = min(seat.left(now) + clock.gain, clock.cap)
    return replace(seat, deadline=after(now, left, seat.hours), flag_fallen=False)


def next_deadline(seats: Iterable[SeatClock]) -> datetime | None:
    """When the first clock runs out; None where none runs."""
    return min((seat.deadline for seat in seats if seat.deadline is not None), default=None)


def late_before(now: datetime) -> datetime:
    """Whose deadline is not after this moment is late now."""
    return now - GRACE


def first_late(seats: Iterable[SeatClock], now: datetime) -> SeatClock | None:
    """The seat whose time has been up for longest."""
    late = (seat for seat in seats if seat.is_late(now))
    return min(late, key=lambda seat: (seat.deadline, seat.seat), default=None)


def abandoned_at(seats: Iterable[SeatClock]) -> datetime | None:
    """When a table at which nobody is any more will be cancelled; None while somebody is there."""
    people = [seat for seat in seats if seat.person and not seat.out and not seat.kept]
    deadlines = [seat.deadline for seat in people if seat.flag_fallen and seat.deadline is not None]
    if not deadlines or len(deadlines) < len(people):
        return None
    return max(deadlines) + ABANDONED


def clock_check_at(
    seats: Sequence[SeatClock], clock: Clock | None, timeout: str
) -> datetime | None:
    """When something is to be done next about somebody's time; None where no clock runs.

    Lateness is noted when a deadline has passed. Then whoever lost by it loses after the grace,
    unless everybody is late: of these nobody loses, and the table is given up in the end.
    """
    if clock is None:
        return None
    moments = [s.deadline for s in seats if s.deadline is not None and not s.flag_fallen]
    given_up = abandoned_at(seats) if timeout != Timeout.TURN else None
    if given_up is not None:
        moments.append(given_up)
    else:
        wait = clock.grace if timeout == Timeout.FORFEIT else timedelta()
        moments += [s.deadline + wait for s in seats if s.deadline is not None and s.flag_fallen]
    return min(moments, default=None)
