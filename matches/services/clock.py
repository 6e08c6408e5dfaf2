"""Playing for seats whose time has run out."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from matches import clock, engine
from matches.models import Match, Source, Status
from matches.services import play
from matches.services.record import StaleWrite

CLOCK_MOVES_A_TASK = 50


def run_clock(*, match_id: int, now: datetime | None = None) -> int:
    """Play for the seats of a match whose time has run out; returns how many moves that took.

    Once a seat's time is up, its further questions in the same turn are answered as well. A move
    that came in meanwhile wins: the version read here is then no longer the match's.
    """
    played = 0
    for _ in range(CLOCK_MOVES_A_TASK):
        late = (now or timezone.now()) - clock.CLOCK_GRACE
        match = Match.objects.filter(
            pk=match_id, status=Status.RUNNING, deadline_at__lte=late
        ).first()
        if match is None:
            break
        seats = list(match.seats.all())
        table = engine.load(match)
        late_seats = [s for s in seats if s.deadline_at is not None and s.deadline_at <= late]
        seat = min(late_seats, key=lambda s: (s.deadline_at, s.number), default=None)
        if seat is None or seat.number not in table.prompts:
            continue  # a move came in between reading the match and reading its seats
        prompt = table.prompts[seat.number]
        try:
            play.answer(match, seats, table, prompt, table.default_move(seat.number), Source.CLOCK)
        except StaleWrite:
            continue
        played += 1
    return played


def overdue(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Running matches in which somebody's time has run out."""
    late = (now or timezone.now()) - clock.CLOCK_GRACE
    due = Match.objects.filter(status=Status.RUNNING, deadline_at__lte=late)
    return list(due.order_by("deadline_at").values_list("pk", flat=True)[:limit])
