"""Whose time runs out when: the clock as a function, with made-up times and no database."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.zones import zone_of, zones
from matches.clock import hours, seat_clocks
from matches.clock.hours import Hours
from matches.clock.seat_clocks import PRESETS, Clock, SeatClock, Timeout
from matches.models import TimeControl
from tests.support.sizes import sized

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
CLOCK = Clock(time_bank=8 * HOUR, gain=HOUR, cap=10 * HOUR)
SOON, LATER = NOW + timedelta(minutes=1), NOW + 3 * HOUR


def people(*deadlines: datetime | None) -> list[SeatClock]:
    """People in all seats; who has a deadline was asked an hour ago."""
    return [
        SeatClock(n, True, at is not None, at, 8 * HOUR, NOW - HOUR if at else None)
        for n, at in enumerate(deadlines)
    ]


def after(
    seats: list[SeatClock], asked: set[int], mover: int | None = None
) -> list[datetime | None]:
    """The deadlines after a move."""
    clocks = seat_clocks.after_move(seats, asked, mover, clock=CLOCK, now=NOW)
    assert [(clock.seat, clock.asked) for clock in clocks] == [
        (seat.seat, seat.seat in asked) for seat in seats
    ]
    return [clock.deadline for clock in clocks]


def test_who_is_asked_has_the_whole_bank() -> None:
    assert after(people(None, None), {0}) == [NOW + 8 * HOUR, None]


def test_the_turn_passes_on_and_the_gain_is_added() -> None:
    seats = seat_clocks.after_move(people(LATER, None), {1}, 0, clock=CLOCK, now=NOW)
    assert [seat.deadline for seat in seats] == [None, NOW + 8 * HOUR]
    assert [seat.time_bank for seat in seats] == [4 * HOUR, 8 * HOUR]


def test_more_than_the_cap_is_never_kept() -> None:
    quick = seat_clocks.after_move(people(NOW + 9.5 * HOUR, None), {1}, 0, clock=CLOCK, now=NOW)
    assert quick[0].time_bank == CLOCK.cap


def test_a_further_question_changes_nothing() -> None:
    assert after(people(LATER, None), {0}, 0) == [LATER, None]
    assert after(people(SOON, None), {0}, 0) == [SOON, None]
    assert after(people(SOON, LATER), {0, 1}, 0) == [SOON, LATER]


def test_another_s_move_leaves_a_clock_alone() -> None:
    assert after(people(SOON, LATER), {0}, 1) == [SOON, None]
    assert after(people(SOON, LATER), {0, 1}, 1) == [SOON, LATER]


def test_a_move_that_ends_a_turn_and_asks_all_begins_a_turn_for_its_seat_too() -> None:
    """Nobody else was asked, so nobody learns from the clock."""
    both = after(people(LATER, None, None), {0, 1, 2}, 0)
    assert both == [NOW + 4 * HOUR, NOW + 8 * HOUR, NOW + 8 * HOUR]


def test_a_late_move_leaves_the_gain_alone() -> None:
    late = [replace(people(NOW - HOUR, None)[0], flag_fallen=True), people(None, None)[1]]
    (was_late, _) = seat_clocks.after_move(late, {1}, 0, clock=CLOCK, now=NOW)
    assert (was_late.time_bank, was_late.flag_fallen) == (CLOCK.gain, False)


def test_no_clock_runs_for_bots_or_where_only_bots_wait_or_among_friends() -> None:
    two = [SeatClock(0, True), SeatClock(1, False), SeatClock(2, True)]
    assert after(two, {0, 1}) == [NOW + 8 * HOUR, None, None]
    rows = [SeatClock(0, True), SeatClock(1, False)]
    assert after(rows, {0}) == [None, None]
    kept = [SeatClock(0, True, kept=True), SeatClock(1, True)]
    assert after(kept, {0, 1}) == [None, NOW + 8 * HOUR]
    friends = seat_clocks.after_move(people(None, None), {0}, None, clock=None, now=NOW)
    assert seat_clocks.next_deadline(friends) is None
    assert seat_clocks.clock_check_at(friends, None, Timeout.FORFEIT) is None


@pytest.mark.parametrize("mover", [None, 0, 1])
def test_at_the_end_all_clocks_stand(mover: int | None) -> None:
    clocks = seat_clocks.after_move(people(SOON, LATER), set(), mover, clock=CLOCK, now=NOW)
    assert (
        seat_clocks.next_deadline(clocks) is None and seat_clocks.first_late(clocks, LATER) is None
    )


def test_late_is_after_the_grace_and_the_longest_late_comes_first() -> None:
    seats = people(LATER, SOON, SOON)
    assert (
        seat_clocks.first_late(seats, SOON + seat_clocks.GRACE - timedelta(microseconds=1)) is None
    )
    assert seat_clocks.first_late(seats, SOON + seat_clocks.GRACE) == seats[1]
    assert seat_clocks.first_late(seats[::-1], LATER + seat_clocks.GRACE) == seats[1]
    assert [seat.is_late(LATER) for seat in seats] == [False, True, True]
    assert seat_clocks.next_deadline(people(LATER, None, SOON)) == SOON


def test_a_gift_adds_a_gain_from_now_on_where_time_is_up() -> None:
    (running, _) = people(LATER, None)
    assert seat_clocks.with_gift(running, CLOCK, NOW).deadline == LATER + HOUR
    late = replace(running, deadline=NOW - 2 * HOUR, flag_fallen=True)
    given_to = seat_clocks.with_gift(late, CLOCK, NOW)
    assert (given_to.deadline, given_to.flag_fallen) == (NOW + HOUR, False)
    full = replace(running, deadline=NOW + 9.5 * HOUR)
    assert seat_clocks.with_gift(full, CLOCK, NOW).deadline == NOW + CLOCK.cap


def test_when_something_is_to_be_done_next() -> None:
    running = people(LATER, None)
    late = [replace(item, flag_fallen=item.asked) for item in running]
    for timeout in Timeout:
        assert seat_clocks.clock_check_at(running, CLOCK, timeout) == LATER, "to note it"
    assert seat_clocks.clock_check_at(late, CLOCK, Timeout.FORFEIT) == LATER + CLOCK.grace
    assert seat_clocks.clock_check_at(late, CLOCK, Timeout.BOT) == LATER
    both = [replace(person, flag_fallen=True) for person in people(SOON, LATER)]
    for timeout in (Timeout.FORFEIT, Timeout.BOT):
        assert seat_clocks.clock_check_at(both, CLOCK, timeout) == LATER + seat_clocks.ABANDONED, (
            "nobody wins"
        )
    out = [both[0], replace(both[1], out=True, deadline=None)]
    assert seat_clocks.clock_check_at(out, CLOCK, Timeout.BOT) == SOON + seat_clocks.ABANDONED
    kept = [both[0], replace(both[1], kept=True, deadline=None)]
    assert seat_clocks.clock_check_at(kept, CLOCK, Timeout.BOT) == SOON + seat_clocks.ABANDONED


def test_every_time_control_has_its_clock() -> None:
    assert set(PRESETS) == set(TimeControl.values)
    times = [preset for preset in PRESETS.values() if preset is not None]
    assert all(timedelta() < time.gain < time.time_bank <= time.cap for time in times)


def test_it_knows_neither_django_nor_the_database() -> None:
    text = (
        "import sys, matches.clock.seat_clocks; "
        "print(any(m.startswith('django') for m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# -- people's own hours ---------------------------------------------------------------------------

BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"
NINE_TO_FIVE = Hours(BERLIN, time(9), time(17))
"""Eight hours, the shortest that there are."""
HOLIDAY = Hours(BERLIN, away=frozenset({date(2027, 3, 2)}))


def local(zone: str, *at: int) -> datetime:
    return datetime(*at, tzinfo=ZoneInfo(zone))  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("own", "start", "span", "end"),
    [
        # Within the day, over the night, and from the night.
        (NINE_TO_FIVE, (2027, 3, 1, 10), 2 * HOUR, (2027, 3, 1, 12)),
        (NINE_TO_FIVE, (2027, 3, 1, 16), 2 * HOUR, (2027, 3, 2, 10)),
        (NINE_TO_FIVE, (2027, 3, 1, 3), HOUR, (2027, 3, 1, 10)),
        (NINE_TO_FIVE, (2027, 3, 1, 9), 8 * HOUR, (2027, 3, 1, 17)),
        (NINE_TO_FIVE, (2027, 3, 1, 9), 16 * HOUR, (2027, 3, 2, 17)),
        # Past midnight.
        (Hours(BERLIN, time(22), time(6)), (2027, 3, 1, 23), 4 * HOUR, (2027, 3, 2, 3)),
        (Hours(BERLIN, time(22), time(6)), (2027, 3, 1, 5), 2 * HOUR, (2027, 3, 1, 23)),
        # The weekend: 5 March 2027 is a Friday.
        (Hours(BERLIN, weekend=True), (2027, 3, 5, 23), 2 * HOUR, (2027, 3, 8, 1)),
        # Days away.
        (HOLIDAY, (2027, 3, 1, 12), DAY, (2027, 3, 3, 12)),
        # Clocks are set forward on 28 March and back on 31 October: the wall clock's hours count.
        (NINE_TO_FIVE, (2027, 3, 27, 16), 2 * HOUR, (2027, 3, 28, 10)),
        (NINE_TO_FIVE, (2027, 10, 30, 16), 2 * HOUR, (2027, 10, 31, 10)),
        (Hours(BERLIN, time(1), time(9)), (2027, 3, 28, 1), 7 * HOUR, (2027, 3, 28, 9)),
        (Hours(BERLIN, time(1), time(9)), (2027, 10, 31, 1), 9 * HOUR, (2027, 10, 31, 9)),
        # A bound that is skipped there, and one that there is twice.
        (Hours(BERLIN, time(2, 30), time(12)), (2027, 3, 28, 0), HOUR, (2027, 3, 28, 4, 30)),
        (Hours(BERLIN, time(2, 30), time(12)), (2027, 10, 31, 0), HOUR, (2027, 10, 31, 2, 30)),
        # Day and night a day is a day, whatever the clock on the wall says.
        (Hours(NEW_YORK), (2027, 3, 13, 12), DAY, (2027, 3, 14, 13)),
    ],
)  # fmt: skip
def test_a_clock_that_runs_by_somebody_s_hours(
    own: Hours, start: tuple[int, ...], span: timedelta, end: tuple[int, ...]
) -> None:
    begin, until = local(own.zone, *start), local(own.zone, *end)
    reached = hours.after(begin, span, own)
    if own.zone == BERLIN and end == (2027, 10, 31, 2, 30):
        until = until.replace(fold=1)  # an hour after the first half past two
    assert reached.astimezone(UTC) == until.astimezone(UTC)
    assert hours.between(begin, reached, own) == span


ANY_HOURS = st.builds(
    Hours,
    st.sampled_from(["UTC", BERLIN, NEW_YORK, "Pacific/Apia", "Asia/Kathmandu", "Africa/Cairo"]),
    opens=st.none() | st.times().map(lambda at: at.replace(second=0, microsecond=0, fold=0)),
    closes=st.just(time(23, 30)) | st.just(time(8)),
    weekend=st.booleans(),
    away=st.frozensets(st.dates(date(2027, 3, 1), date(2027, 4, 20)), max_size=20),
).filter(
    lambda own: (
        own.opens is None or hours.length(own.opens, own.closes or own.opens) >= hours.MIN_WINDOW
    )
)
MOMENTS = st.timedeltas(timedelta(days=-4), timedelta(days=250)).map(lambda past: NOW + past)
SPANS = st.timedeltas(timedelta(), timedelta(days=10))


@settings(deadline=None, max_examples=sized(150, large=3000))
@given(ANY_HOURS, MOMENTS, SPANS, SPANS)
def test_time_that_was_given_is_time_that_passes(
    own: Hours, start: datetime, span: timedelta, more: timedelta
) -> None:
    end = hours.after(start, span, own)
    assert end >= start + span
    assert hours.between(start, end, own) == span
    assert hours.after(end, more, own) == hours.after(start, span + more, own) or not more
    stood = sum((to - since for since, to in hours.pauses(start, end, own)), timedelta())
    assert end - start - stood == span
    assert hours.moved(end, start, own, own) == end or not span
    # A day away gives back what of it had passed.
    day = own.day_of(end - timedelta(microseconds=1)) if span else own.day_of(end)
    away = replace(own, away=own.away | {day})
    since = max(start, own.start_of(day))
    if span and end > since:
        moved = hours.moved(end, since, own, away)
        assert moved > end and hours.between(start, moved, away) == span


def test_hours_of_eight_are_the_shortest() -> None:
    assert hours.length(time(9), time(17)) == hours.MIN_WINDOW
    assert hours.length(time(22), time(6)) == hours.MIN_WINDOW
    assert hours.length(time(9), time(16, 59)) < hours.MIN_WINDOW
    assert hours.length(time(9), time(9)) == DAY


def test_zones_that_can_be_chosen() -> None:
    assert {BERLIN, NEW_YORK, "UTC"} <= zones()
    assert zone_of("../../etc/passwd") == zone_of("Nowhere/At-All") == ZoneInfo("UTC")
    assert all(zone_of(name).key == name for name in zones())


# -- a whole life of clocks -----------------------------------------------------------------------


class Table(RuleBasedStateMachine):
    """Turns, stages, pauses, gifts: whatever happens, each clock keeps its few promises."""

    seats: list[SeatClock]

    @initialize(
        count=st.integers(2, 4),
        time_control=st.sampled_from([name for name, value in PRESETS.items() if value]),
        own=st.lists(ANY_HOURS, min_size=4, max_size=4),
    )
    def sit_down(self, count: int, time_control: str, own: list[Hours]) -> None:
        self.clock = PRESETS[time_control]
        assert self.clock is not None
        self.now = NOW
        seats = [SeatClock(n, True, hours=own[n]) for n in range(count)]
        self.seats = seat_clocks.after_move(seats, {0}, None, clock=self.clock, now=NOW)

    def asked(self) -> set[int]:
        return {seat.seat for seat in self.seats if seat.asked}

    def move(self, mover: int, asked: set[int]) -> None:
        before = self.seats
        self.seats = seat_clocks.after_move(before, asked, mover, clock=self.clock, now=self.now)
        stage = len(asked) > 1 and self_alone(before, mover)
        for was, item in zip(before, self.seats, strict=True):
            if was.asked and item.asked and not (stage and item.seat == mover):
                assert item == was, "an answer in a turn changes no clock"

    @rule(data=st.data())
    def another_is_asked(self, data: st.DataObject) -> None:
        mover = data.draw(st.sampled_from(sorted(self.asked())))
        others = [seat.seat for seat in self.seats if seat.seat != mover]
        self.move(mover, (self.asked() - {mover}) | {data.draw(st.sampled_from(others))})

    @rule(data=st.data())
    def goes_on(self, data: st.DataObject) -> None:
        self.move(data.draw(st.sampled_from(sorted(self.asked()))), self.asked())

    @precondition(lambda self: len(self.asked()) == 1)
    @rule()
    def all_are_asked(self) -> None:
        (mover,) = self.asked()
        self.move(mover, {seat.seat for seat in self.seats})

    @rule(pause=st.timedeltas(timedelta(), timedelta(days=3)))
    def time_passes(self, pause: timedelta) -> None:
        self.now += pause

    @rule(data=st.data())
    def somebody_gives_time(self, data: st.DataObject) -> None:
        assert self.clock is not None
        number = data.draw(st.sampled_from(sorted(self.asked())))
        seats = self.seats[number]
        given_to = seat_clocks.with_gift(seats, self.clock, self.now)
        assert given_to.left(self.now) >= min(seats.left(self.now), self.clock.cap)
        self.seats[number] = given_to

    @invariant()
    def promises(self) -> None:
        assert self.clock is not None
        for seat in self.seats:
            assert (seat.deadline is not None) == seat.asked
            assert seat.time_bank is None or timedelta() <= seat.time_bank <= self.clock.cap
            assert seat.left(self.now) <= self.clock.cap
            assert not seat.asked or seat.left(NOW) >= timedelta()
        assert seat_clocks.next_deadline(self.seats) is not None


def self_alone(seats: list[SeatClock], mover: int) -> bool:
    """Nobody but the mover was asked."""
    return not any(seat.asked for seat in seats if seat.seat != mover)


TestTable = Table.TestCase
TestTable.settings = settings(
    deadline=None, max_examples=sized(20, large=400), stateful_step_count=25
)


@pytest.mark.parametrize(
    ("pause", "turns"),
    [
        # A turn is twenty hours, so each gains four of them: for a year, up to the cap.
        (timedelta(hours=20), 365 * 24 // 20),
        # Each loses six hours a turn: after eight turns of both there are not thirty left.
        (timedelta(hours=30), 2 * 8),
    ],
)
def test_a_year_of_play(pause: timedelta, turns: int) -> None:
    """Who answers within the gain is never late; who takes longer runs out in the end."""
    steady = PRESETS["steady"]
    assert steady is not None
    seats = [SeatClock(0, True), SeatClock(1, True)]
    seats = seat_clocks.after_move(seats, {0}, None, clock=steady, now=NOW)
    now, mover, played = NOW, 0, 0
    while now < NOW + timedelta(days=365) and not seat_clocks.first_late(seats, now + pause):
        now += pause
        seats = seat_clocks.after_move(seats, {1 - mover}, mover, clock=steady, now=now)
        mover, played = 1 - mover, played + 1
    assert played == turns
    assert (max(seat.time_bank or DAY for seat in seats) == steady.cap) == (pause < steady.gain)
