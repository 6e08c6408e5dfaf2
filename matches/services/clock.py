"""What happens when somebody's time has run out, as the host chose before anybody sat down.

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

CLOCK_MOVES_A_TASK = 50


def run_clock(*, match_id: int, now: datetime | None = None) -> int:
    """Do what is due at a match by the clock; returns how many steps that took.

    Where a turn is played for a seat, its further questions in it are answered as well. A move
    that came in meanwhile wins: the version read here is then no longer the match's.
    """
    done = 0
    while done < CLOCK_MOVES_A_TASK and _step(match_id, now or timezone.now()):
        done += 1
    return done


def _due(now: datetime) -> QuerySet[Match]:
    """Running matches at which something is due."""
    late = seat_clocks.late_before(now)
    return Match.objects.filter(acts_at__lte=late, status=Status.RUNNING)


def overdue(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Running matches at which something is due by the clock."""
    due = _due(now or timezone.now()).order_by("acts_at")
    return list(due.values_list("pk", flat=True)[:limit])


@retried
def _step(match_id: int, now: datetime) -> bool:
    match = _due(now).filter(pk=match_id).first()
    if match is None:
        return False
    seats = seats_of(match)
    table = engine.load(match)
    clocks = store_ply.clocks_of(match, seats, out=store_ply.who_is_out(table))
    passed = [one for one in clocks if one.is_late(now) and not one.late]
    if passed:
        _note(match, seats, clocks, passed[0], now)
        return True
    given_up = seat_clocks.abandoned_at(clocks) if match.timeout != Timeout.TURN else None
    late = seat_clocks.first_late(clocks, now)
    if given_up is not None:
        if given_up <= seat_clocks.late_before(now):
            cancelling.call_off(match, seats, cancelling.NOBODY_THERE)
            return True
    elif late is not None and _is_done_for(match, late, now):
        if late.seat not in table.prompts:
            raise StaleWrite  # a move came in between reading the match and reading its seats
        with transaction.atomic():
            _act(match, seats, clocks, table, late, now)
            notices.tell_lost_by_time(match, seats, late.seat)
        return True
    # What was stored of the next step was reckoned without what is known here.
    store_ply.store_clocks(match, seats, clocks, now)
    return False


def _is_done_for(match: Match, late: SeatClock, now: datetime) -> bool:
    """Whether the grace is over, too, where there is one."""
    if match.timeout != Timeout.FORFEIT or match.preset is None or late.deadline is None:
        return True
    return late.deadline + match.preset.grace <= seat_clocks.late_before(now)


def _note(
    match: Match, seats: list[Seat], clocks: list[SeatClock], passed: SeatClock, now: datetime
) -> None:
    """A deadline has passed: its person is away from now on, or late."""
    if match.waits and absence.begin_by_itself(seats[passed.seat], passed, now=now):
        return
    noted = [replace(one, late=True) if one.seat == passed.seat else one for one in clocks]
    until = None
    if match.timeout == Timeout.FORFEIT and match.preset is not None and passed.deadline:
        until = passed.deadline + match.preset.grace
    with transaction.atomic():
        store_ply.store_clocks(match, seats, noted, now)
        notices.tell_late(match, seats, passed.seat, until=until)


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
    """The bot plays there until the person is back; what that seat had of time is gone."""
    seats[late.seat].stand_in = bot
    stands = seat_clocks.in_other_hands(late)
    after = [stands if one.seat == late.seat else one for one in clocks]
    store_ply.store_clocks(match, seats, after, now)
    carry_out.end_all(match, seats, seats[late.seat], carry_out.KEPT_BY_A_BOT)


@retried
def take_seat_back(*, slug: str, user: User) -> Match:
    """Sit down again where a bot has played meanwhile; whoever sits there already stays."""
    match, seats, seat, table = read_table(slug, user)
    require_running(match)
    if not seat.stand_in:
        return match
    now = timezone.now()
    clocks = store_ply.clocks_of(match, seats, out=store_ply.who_is_out(table))
    back = replace(clocks[seat.number], kept=False)
    if match.preset is not None:
        back = replace(back, bank=match.preset.gain)
        back = seat_clocks.begun(back, now) if back.asked else back
    after = [back if one.seat == seat.number else one for one in clocks]
    store_ply.store_clocks(match, seats, after, now)
    return match


@retried
def give_time(*, slug: str, user: User, seat: int | None = None) -> Match:
    """Add a gain to an opponent's clock that is running out, or has.

    The same person gives the same seat time once a turn, and once more each time that it is late;
    what is sent twice counts once. Without a ``seat`` it is the one whose time is up first.
    """
    match, seats, own, _ = read_table(slug, user)
    require_running(match)
    now = timezone.now()
    clocks = store_ply.clocks_of(match, seats)
    given = _given_to(clocks, own.number, seat)
    row = seats[given.seat]
    if match.preset is None or given.deadline is None:
        raise NotLate("No clock runs for that seat now, so it needs no time.")
    again = user.pk in row.given_by
    if given.deadline > now and (again or given.left(now) > match.preset.running_out):
        if again:
            return match
        raise NotLate("That seat has time enough. You can give it some when it runs short.")
    after = [
        seat_clocks.with_gift(one, match.preset, now) if one is given else one for one in clocks
    ]
    row.given_by = [*row.given_by, user.pk] if not again else row.given_by
    store_ply.store_clocks(match, seats, after, now)
    return match


def _given_to(clocks: list[SeatClock], own: int, seat: int | None) -> SeatClock:
    """The clock that somebody means to give time to."""
    if seat == own:
        raise NotYourSeat("That is your own seat. Time is for others to give.")
    if seat is not None:
        found = next((one for one in clocks if one.seat == seat), None)
        if found is None:
            raise NotLate(f"This match has {len(clocks)} seats; there is no seat {seat + 1}.")
        return found
    running = [one for one in clocks if one.seat != own and one.deadline is not None]
    if not running:
        raise NotLate("No other clock runs at this table, so nobody needs time.")
    return min(running, key=lambda one: (one.deadline, one.seat))
