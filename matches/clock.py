"""The clock of a match: from the seats, who is asked and who moved, when whose time runs out.

Nothing here ticks, reads or writes: the services give the seats as they were and the moment, and
store what comes back. A seat has time for a whole turn from the moment it is asked; while it
answers question after question its deadline stays, but each further question has a least time.

Where several seats are asked together, and answer unseen, nobody may learn from a clock how far
another has come. So whom a move leaves asked together with others gets the time of a whole turn
for all that it will be asked until they are ready, and an answer that is hidden from anybody then
changes no clock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

GRACE = timedelta(seconds=5)
"""A move that arrives as the time runs out still counts."""


class Times(NamedTuple):
    """How long a pace gives: for a turn, and at least for each further question in it."""

    turn: timedelta
    further: timedelta


PACES: Mapping[str, Times] = {
    "live": Times(timedelta(minutes=5), timedelta(seconds=30)),
    "1d": Times(timedelta(days=1), timedelta(minutes=10)),
    "3d": Times(timedelta(days=3), timedelta(minutes=10)),
    "7d": Times(timedelta(days=7), timedelta(minutes=10)),
}


@dataclass(frozen=True, slots=True)
class SeatClock:
    """One seat's clock at some moment; without a deadline it stands."""

    seat: int
    person: bool
    asked: bool = False
    deadline: datetime | None = None

    def is_late(self, now: datetime) -> bool:
        """Whether its time is up, and the grace too."""
        return self.deadline is not None and self.deadline <= late_before(now)


@dataclass(frozen=True, slots=True)
class Mover:
    """Who made the last move: the seat itself or the clock for it, seen by everybody or not."""

    seat: int
    by_clock: bool = False
    hidden: bool = False


def after_move(
    seats: Sequence[SeatClock],
    asked: Collection[int],
    mover: Mover | None,
    *,
    times: Times,
    now: datetime,
) -> list[SeatClock]:
    """All clocks after a move (None: at the start); ``asked`` are the seats that are asked then.

    No clock runs for bots, nor where nobody but bots would wait for a person.
    """
    timed = sum(seat.person for seat in seats) >= 2
    together = len(asked) > 1 and not any(
        seat.asked for seat in seats if mover is None or seat.seat != mover.seat
    )

    def deadline(seat: SeatClock) -> datetime | None:
        if not timed or not seat.person or seat.seat not in asked:
            return None
        if seat.deadline is None:
            return now + times.turn
        if mover is None or mover.seat != seat.seat or mover.by_clock:
            return seat.deadline
        if together:
            return max(seat.deadline, now + times.turn)
        return seat.deadline if mover.hidden else max(seat.deadline, now + times.further)

    return [replace(seat, asked=seat.seat in asked, deadline=deadline(seat)) for seat in seats]


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
