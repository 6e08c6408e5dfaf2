"""How much waits for somebody: moves, kept seats, trades."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Count, QuerySet, Subquery

from accounts.models import Viewer
from matches.models import Match, Seat, SeatKind, Status
from notices.queries import Bell, count_in_header


def awaiting_count_at(match: Match, user: Viewer) -> int:
    """How many matches wait for a move of this person, with one that was read for them.

    That one counts as its seats stand now, also after a move.
    """
    seats = match.seats.all()
    here = any(s.prompt is not None and s.user_id == user.pk is not None for s in seats)
    elsewhere: int = seats[0].asked_elsewhere  # type: ignore[attr-defined]
    return elsewhere + here


def asked_seats(user_id: Any) -> QuerySet[Seat]:
    """The seats of somebody, or of each person of an outer query, that are to move."""
    seats = Seat.objects.filter(user=user_id, prompt__isnull=False, rank__isnull=True)
    return seats.filter(match__status=Status.RUNNING).order_by()


class WaitsForYou(NamedTuple):
    """How many matches wait for somebody's move, at how many tables a seat is kept for them, and
    how many trades they are offered."""

    matches: int
    invitations: int
    trades: int


def what_waits(bell: Bell) -> WaitsForYou:
    """The numbers of every page's header, which the bell's query counts."""
    names = ("asked", "kept", "trades")
    return WaitsForYou(*(bell.counts.get(name, 0) for name in names))


def subquery_count(seats: QuerySet[Seat], whose: str) -> Subquery:
    counted = seats.order_by().values(whose).annotate(count=Count("pk"))
    return Subquery(counted.values("count"))


def _kept_for(user_id: int) -> QuerySet[Seat]:
    """The seats at open tables that are kept for somebody."""
    return Seat.objects.filter(invited=user_id, kind=SeatKind.OPEN, match__status=Status.OPEN)


count_in_header("asked", lambda user_id: subquery_count(asked_seats(user_id), "user"))


count_in_header("kept", lambda user_id: subquery_count(_kept_for(user_id), "invited"))
