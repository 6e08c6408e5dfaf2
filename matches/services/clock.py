"""The consequences of running out of time, as the host chose before anybody sat down.

A passed deadline is looked at twice: once to note it (whoever has days away left is away from then
on instead), and once, after the grace, to do what was agreed. Where everybody at a table is late
nobody wins by it; after ten days the match is cancelled.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from matches import engine
from matches.clock import seat_clocks
from matches.clock.seat_clocks import SeatClock
from matches.errors import NotLate, NotYourSeat
from matches.models import Match, Seat, Source, Status, Timeout
from matches.queries.access import seats_of
from matches.services import absence, cancelling, notices, play, store_ply
from matches.services.standing_orders import carry_out
from matches.services.writing import StaleWrite, read_table, require_running, retried

CLOCK_STEPS_PER_TASK = 50


def run_clock(*, match_id: int, now: datetime | None = None) -> int:
    """Do what is due at a match by the clock; returns how many steps that took.

    Where a turn is played for a seat, its further questions in it are answered as well. A move
    that came in meanwhile wins: the version read here is then no longer the match's.
    """
    done = 0
    while done < CLOCK_STEPS_PER_TASK and _step(match_id, now or timezone.now()):
        done += 1
    return done


def _due(now: datetime) -> QuerySet[Match]:
    """Running matches at which something is due."""
    late = seat_clocks.late_before(now)
    return Match.objects.filter(clock_check_at__lte=late, status=Status.RUNNING)


def overdue(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Running matches at which something is due by the clock."""
    due = _due(now or timezone.now()).order_by("clock_check_at")
    return list(due.values_list("pk", flat=True)[:limit])


@retried
def _step(match_id: int, now: datetime) -> bool:
    match = _due(now).filter(pk=match_id).first()
    if match is None:
        return False
    seats = seats_of(match)
    table = engine.load(match)
    clocks = store_ply.clocks_of(match, seats, out=store_ply.who_is_out(table))
    unnoted = [clock for clock in clocks if clock.is_late(now) and not clock.flag_fallen]
    if unnoted:
        _note(match, seats, clocks, unnoted[0], now)
        return True
    abandoned_at = seat_clocks.abandoned_at(clocks) if match.timeout != Timeout.TURN else None
    late = seat_clocks.first_late(clocks, now)
    if abandoned_at is not None:
        if abandoned_at <= seat_clocks.late_before(now):
            cancelling.cancel_running(match, seats, cancelling.ABANDONED)
            return True
    elif late is not None and _grace_is_over(match, late, now):
        if late.seat not in table.prompts:
            raise StaleWrite  # a move came in between reading the match and reading its seats
        with transaction.atomic():
            _act(match, seats, clocks, table, late, now)
            notices.tell_lost_by_time(match, seats, late.seat)
        return True
    # The stored time of the next check was computed from older clocks.
    store_ply.store_clocks(match, seats, clocks, now)
    return False


def _grace_is_over(match: Match, late: SeatClock, now: datetime) -> bool:
    """True once the grace is over, too, where the time control has one."""
    if match.timeout != Timeout.FORFEIT or match.preset is None or late.deadline is None:
        return True
    return late.deadline + match.preset.grace <= seat_clocks.late_before(now)


def _note(
    match: Match, seats: list[Seat], clocks: list[SeatClock], passed: SeatClock, now: datetime
) -> None:
    """Handle a deadline that has just passed: start a vacation day, or mark the flag as fallen."""
    with transaction.atomic():
        seat = seats[passed.seat]
        if match.pauses_when_away and absence.begin_by_itself(seat, passed, now=now):
            first = absence.vacation_start(seat.user_id, now)
            notices.tell_vacation(match, seats, passed.seat, first=first)
            return
    noted = [replace(c, flag_fallen=True) if c.seat == passed.seat else c for c in clocks]
    until = None
    if match.timeout == Timeout.FORFEIT and match.preset is not None and passed.deadline:
        until = passed.deadline + match.preset.grace
    with transaction.atomic():
        store_ply.store_clocks(match, seats, noted, now)
        abandoned_at = seat_clocks.abandoned_at(noted)
        if abandoned_at is None or match.timeout == Timeout.TURN:
            notices.tell_late(match, seats, passed.seat, until=until)
        else:
            late = [clock.seat for clock in noted if clock.flag_fallen]
            notices.tell_all_late(match, seats, late, until=abandoned_at)


def _act(
    match: Match,
    seats: list[Seat],
    clocks: list[SeatClock],
    table: engine.Table,
    late: SeatClock,
    now: datetime,
) -> None:
    bots = list(engine.game_of(match).bots)
    if match.timeout == Timeout.FORFEIT:
        play.give_up(match, seats, table, late.seat, Source.CLOCK)
    elif match.timeout == Timeout.BOT and bots:
        _hand_to_bot(match, seats, clocks, late, bots[-1], now)
    else:
        move = table.default_move(late.seat)
        play.answer(match, seats, table, table.prompts[late.seat], move, Source.CLOCK)


def _hand_to_bot(
    match: Match,
    seats: list[Seat],
    clocks: list[SeatClock],
    late: SeatClock,
    bot: str,
    now: datetime,
) -> None:
    """Let a bot play until the person is back. The seat's remaining time is lost."""
    seats[late.seat].substitute_bot = bot
    handed_over = seat_clocks.in_other_hands(late)
    after = [handed_over if clock.seat == late.seat else clock for clock in clocks]
    store_ply.store_clocks(match, seats, after, now)
    carry_out.end_all(match, seats, seats[late.seat], carry_out.PLAYED_BY_BOT)


@retried
def take_seat_back(*, slug: str, user: User) -> Match:
    """Take a seat back from its substitute bot; does nothing where no bot plays."""
    match, seats, seat, table = read_table(slug, user)
    require_running(match)
    if not seat.substitute_bot:
        return match
    now = timezone.now()
    clocks = store_ply.clocks_of(match, seats, out=store_ply.who_is_out(table))
    back = replace(clocks[seat.number], kept=False)
    if match.preset is not None:
        back = replace(back, time_bank=match.preset.gain)
        back = seat_clocks.begun(back, now) if back.asked else back
    after = [back if clock.seat == seat.number else clock for clock in clocks]
    store_ply.store_clocks(match, seats, after, now)
    return match


@retried
def give_time(*, slug: str, user: User, seat: int | None = None) -> Match:
    """Add one increment to an opponent's clock that is running out, or has run out.

    A person may give a seat time once per turn, and once more each time its flag has fallen; a
    repeated request counts once. Without a ``seat`` it goes to the clock that runs out first.
    """
    match, seats, own, _ = read_table(slug, user)
    require_running(match)
    now = timezone.now()
    clocks = store_ply.clocks_of(match, seats)
    clock = _recipient(clocks, own.number, seat)
    row = seats[clock.seat]
    if match.preset is None or clock.deadline is None:
        raise NotLate("That player’s clock isn’t running.")
    repeated = user.pk in row.time_given_by
    if clock.deadline > now and (repeated or clock.left(now) > match.preset.running_out):
        if repeated:
            return match
        raise NotLate("That player has enough time. You can give more when it runs short.")
    after = [seat_clocks.with_gift(c, match.preset, now) if c is clock else c for c in clocks]
    row.time_given_by = [*row.time_given_by, user.pk] if not repeated else row.time_given_by
    store_ply.store_clocks(match, seats, after, now)
    return match


def _recipient(clocks: list[SeatClock], own: int, seat: int | None) -> SeatClock:
    """The clock that gets the time."""
    if seat == own:
        raise NotYourSeat("You can’t give yourself time. Choose another seat.")
    if seat is not None:
        clock = next((clock for clock in clocks if clock.seat == seat), None)
        if clock is None:
            raise NotLate(f"Seat {seat + 1} does not exist: this match has {len(clocks)} seats.")
        return clock
    running = [clock for clock in clocks if clock.seat != own and clock.deadline is not None]
    if not running:
        raise NotLate("No other clock is running at this table.")
    return min(running, key=lambda clock: (clock.deadline, clock.seat))
