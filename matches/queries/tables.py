"""Lists of matches: mine, running, waiting for me."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User, Viewer
from core.db import CompiledQuery, filled_up
from matches.models import SECRETS, Match, Seat, Status
from matches.queries.access import NAMES, give_seats


def later_than(at: datetime, key: int, *, names: tuple[str, str] = ("finished_at", "pk")) -> Q:
    """Rows after a place in the order of a moment and a key.

    The moment is said once more by itself: an index goes straight to it.
    """
    moment, row = names
    later = Q(**{f"{moment}__gt": at}) | Q(**{moment: at, f"{row}__gt": key})
    return Q(**{f"{moment}__gte": at}) & later


def listed() -> QuerySet[Match]:
    """Matches with their seats and without what is secret, as lists need them."""
    seats = Seat.objects.select_related("user", "invited").defer("deck").order_by("number")
    matches = Match.objects.defer(*SECRETS, "opening_events")
    return matches.prefetch_related(Prefetch("seats", seats))


def visible_matches(user: Viewer) -> QuerySet[Match]:
    """The matches that may be listed for somebody, newest first.

    Those that were cancelled, and open ones outside of the lobby, are listed for oneself alone.
    """
    public = Q(private=False) & ~Q(status=Status.CANCELLED) & ~Q(status=Status.OPEN, listed=False)
    if user.pk is None:
        return listed().filter(public)
    own = Q(pk__in=Seat.objects.filter(user_id=user.pk).values("match")) | Q(host_id=user.pk)
    return listed().filter(public | own)


def matches_of(user: User) -> QuerySet[Match]:
    """The matches in which somebody sits or is invited, newest first."""
    seats = Seat.objects.filter(Q(user=user) | Q(invited=user))
    return listed().filter(Q(pk__in=seats.values("match")) | Q(host=user, status=Status.OPEN))


def awaiting(user: User) -> QuerySet[Match]:
    """The matches that wait for a move of this person, the most urgent first."""
    seats = Seat.objects.filter(user=user, prompt__isnull=False)
    matches = listed().filter(status=Status.RUNNING, pk__in=seats.values("match"))
    return matches.order_by(F("deadline_at").asc(nulls_last=True), "moved_at", "pk")


def _mine(user_id: int, **seats: Any) -> Exists:
    return Exists(Seat.objects.filter(match=OuterRef("pk"), user=user_id, **seats))


BATCH_SIZE = 4
"""So many tables the start page shows."""


_running = CompiledQuery(
    lambda user_id: (
        Match.objects.filter(_mine(user_id), status=Status.RUNNING)
        .annotate(asks=_mine(user_id, prompt__isnull=False))
        .order_by("-asks", F("deadline_at").asc(nulls_last=True), "-moved_at", "pk")
        .defer(*SECRETS, "opening_events")[:BATCH_SIZE]
    )
)


_seats_of_running = CompiledQuery(
    lambda *matches: (
        Seat.objects.filter(match__in=matches)
        .annotate(**{name: F(f"user__{name}") for name in NAMES})
        .defer("deck")
        .order_by("number")
    ),
    many=BATCH_SIZE,
)


def running_matches(user: User) -> list[Match]:
    """Running matches of somebody; those that wait for them first, the most urgent on top."""
    matches: list[Match] = [*_running.rows(user.pk)]
    if matches:
        keys = filled_up([match.pk for match in matches], BATCH_SIZE)
        seats = _seats_of_running.rows(*keys)
        for match in matches:
            give_seats(match, [seat for seat in seats if seat.match_id == match.pk])
    return matches


def rematch_of(match: Match) -> Match | None:
    """The match that the same people have set up, or begun, after this one."""
    return Match.objects.filter(rematch_of=match).exclude(status=Status.CANCELLED).first()
