"""Whose time runs out when: the clock as a function, with made-up times and no database."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from matches import clock
from matches.clock import Mover, SeatClock, Times
from matches.models import Pace

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
TIMES = Times(turn=timedelta(hours=8), further=timedelta(minutes=10))
SOON, LATER = NOW + timedelta(minutes=1), NOW + timedelta(hours=3)
TURN, FURTHER = NOW + TIMES.turn, NOW + TIMES.further


def people(*deadlines: datetime | None) -> list[SeatClock]:
    """People in all seats; who has a deadline was asked."""
    return [SeatClock(n, True, at is not None, at) for n, at in enumerate(deadlines)]


def after(
    seats: list[SeatClock], asked: set[int], mover: Mover | None = None, times: Times = TIMES
) -> list[datetime | None]:
    """The deadlines after a move."""
    clocks = clock.after_move(seats, asked, mover, times=times, now=NOW)
    assert [(one.seat, one.asked) for one in clocks] == [
        (seat.seat, seat.seat in asked) for seat in seats
    ]
    return [one.deadline for one in clocks]


def test_who_is_asked_first_has_a_whole_turn() -> None:
    assert after(people(None, None), {0}) == [TURN, None]


def test_the_turn_passes_on() -> None:
    assert after(people(SOON, None), {1}, Mover(0)) == [None, TURN]


def test_a_further_question_keeps_the_deadline_and_gives_a_least_time() -> None:
    assert after(people(LATER, None), {0}, Mover(0)) == [LATER, None]
    assert after(people(SOON, None), {0}, Mover(0)) == [FURTHER, None]


def test_what_the_clock_plays_gives_no_time() -> None:
    assert after(people(SOON, None), {0}, Mover(0, by_clock=True)) == [SOON, None]


def test_another_s_move_leaves_a_clock_alone() -> None:
    assert after(people(SOON, LATER), {0}, Mover(1)) == [SOON, None]
    assert after(people(SOON, LATER), {0, 1}, Mover(1)) == [SOON, LATER]


def test_who_goes_on_together_with_others_gets_a_whole_turn() -> None:
    """The move that ends one's turn asks all: nobody waited, so nobody learns from the clock."""
    assert after(people(SOON, None, None), {0, 1, 2}, Mover(0)) == [TURN, TURN, TURN]


def test_an_answer_among_several_that_is_hidden_changes_no_clock() -> None:
    seats = people(SOON, SOON)
    assert after(seats, {0, 1}, Mover(0, hidden=True)) == [SOON, SOON]
    assert after(seats, {0, 1}, Mover(0)) == [FURTHER, SOON]


def test_no_clock_runs_for_bots_or_where_only_bots_wait() -> None:
    two = [SeatClock(0, True), SeatClock(1, False), SeatClock(2, True)]
    assert after(two, {0, 1}) == [TURN, None, None]
    one = [SeatClock(0, True), SeatClock(1, False)]
    assert after(one, {0}) == [None, None]


@pytest.mark.parametrize("mover", [None, Mover(0), Mover(0, by_clock=True), Mover(1, hidden=True)])
def test_at_the_end_all_clocks_stand(mover: Mover | None) -> None:
    clocks = clock.after_move(people(SOON, LATER), set(), mover, times=TIMES, now=NOW)
    assert clock.next_deadline(clocks) is None and clock.first_late(clocks, LATER) is None


def test_the_next_deadline_is_the_earliest() -> None:
    assert clock.next_deadline(people(LATER, None, SOON)) == SOON


def test_late_is_after_the_grace_and_the_longest_late_comes_first() -> None:
    seats = people(LATER, SOON, SOON)
    assert clock.first_late(seats, SOON + clock.GRACE - timedelta(microseconds=1)) is None
    assert clock.first_late(seats, SOON + clock.GRACE) == seats[1]
    assert clock.first_late(seats[::-1], LATER + clock.GRACE) == seats[1]
    assert [seat.is_late(LATER) for seat in seats] == [False, True, True]


def test_a_year_of_play() -> None:
    """Two people who answer an hour before the end of every turn, for a year: nobody is late."""
    seats, now, mover = people(None, None), NOW, 0
    seats = clock.after_move(seats, {mover}, None, times=TIMES, now=now)
    turns = 0
    while now < NOW + timedelta(days=365):
        deadline = clock.next_deadline(seats)
        assert deadline == now + TIMES.turn
        now = deadline - timedelta(hours=1)
        assert clock.first_late(seats, now) is None
        seats = clock.after_move(seats, {1 - mover}, Mover(mover), times=TIMES, now=now)
        mover, turns = 1 - mover, turns + 1
    assert turns == 365 * 24 // 7 + 1


def test_every_pace_has_its_times() -> None:
    assert set(clock.PACES) == set(Pace.values)
    assert all(timedelta() < times.further < times.turn for times in clock.PACES.values())


def test_it_knows_neither_django_nor_the_database() -> None:
    asked = "import sys, matches.clock; print(any(m.startswith('django') for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
