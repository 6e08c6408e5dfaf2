"""Playing for seats whose time has run out."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from matches import clock, engine
from matches.models import Match, Source, Status
from matches.services import play, record
from matches.services.writing import StaleWrite, retried

CLOCK_MOVES_A_TASK = 50


def run_clock(*, match_id: int, now: datetime | None = None) -> int:
    """Play for the seats of a match whose time has run out; returns how many moves that took.

    Once a seat's time is up, its further questions in the same turn are answered as well. A move
    that came in meanwhile wins: the version read here is then no longer the match's.
    """
    played = 0
    while played < CLOCK_MOVES_A_TASK and _play_for_late_seat(match_id, now or timezone.now()):
        played += 1
    return played


@retried
def _play_for_late_seat(match_id: int, now: datetime) -> bool:
    late = Match.objects.filter(status=Status.RUNNING, deadline_at__lte=clock.late_before(now))
    match = late.filter(pk=match_id).first()
    if match is None:
        return False
    seats = list(match.seats.select_related("user"))
    table = engine.load(match)
    seat = clock.first_late(record.clocks_of(seats), now)
    if seat is None or seat.seat not in table.prompts:
        raise StaleWrite  # a move came in between reading the match and reading its seats
    move = table.default_move(seat.seat)
    play.answer(match, seats, table, table.prompts[seat.seat], move, Source.CLOCK)
    return True


def overdue(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Running matches in which somebody's time has run out."""
    late = clock.late_before(now or timezone.now())
    due = Match.objects.filter(status=Status.RUNNING, deadline_at__lte=late)
    return list(due.order_by("deadline_at").values_list("pk", flat=True)[:limit])
