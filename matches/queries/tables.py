"""Lists of matches: mine, running, waiting for me."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from accounts.models import User, Viewer
from core.db import CompiledQuery, filled_up
from matches.models import SECRETS, Match, Seat, Status
from matches.queries.access import LEFT_NAMES, NAMES, give_seats


def later_than(at: datetime, key: int, *, names: tuple[str, str] = ("finished_at", "pk")) -> Q:
    """Rows after a place in the order of a moment and a key.

    The moment is said once more by itself: an index goes straight to it.
    """
    moment, row = names
    later = Q(**{f"{moment}__gt": at}) | Q(**{moment: at, f"{row}__gt": key})
    return Q(**{f"{moment}__gte": at}) & later


def listed() -> QuerySet[Match]:
    """Matches with their seats and without what is secret, as lists need them."""
    return Match.objects.defer(*SECRETS, "opening_events").prefetch_related(_listed_seats())


def _listed_seats() -> Prefetch[Any]:
    seats = Seat.objects.select_related("user", "invited", "resigned_by").defer("deck")
    return Prefetch("seats", seats.order_by("number"))


def with_seats(*lists: QuerySet[Match]) -> list[list[Match]]:
    """Lists of matches whose seats are read in one query for all of them."""
    rows = [list(matches.prefetch_related(None)) for matches in lists]
    prefetch_related_objects([match for matches in rows for match in matches], _listed_seats())
    return rows


def visible_matches(user: Viewer) -> QuerySet[Match]:
    """The matches that may be listed for somebody, newest first.

    Those that were cancelled, and open ones outside of the lobby, are listed for oneself alone.
    """
    public = Q(private=False) & ~Q(status=Status.CANCELLED) & ~Q(status=Status.OPEN, listed=False)
    if user.pk is None:
        return listed().filter(public).order_by("-pk")
    # The lists are joined by key: a condition with OR would read the whole table.
    hidden = Match.objects.exclude(public).order_by().values("pk")
    own = hidden.filter(seats__user=user.pk).union(hidden.filter(host=user.pk))
    return listed().filter(public | Q(pk__in=own)).order_by("-pk")


def matches_of(user: User) -> QuerySet[Match]:
    """The matches in which somebody sits or is invited, newest first."""
    return _of(user, Seat.objects.filter(user=user))


def unfinished_of(user: User) -> QuerySet[Match]:
    """The matches of :func:`matches_of` that have no result: reads none of those that ended."""
    return _of(user, Seat.objects.filter(user=user, rank__isnull=True))


def _of(user: User, seats: QuerySet[Seat]) -> QuerySet[Match]:
    return listed().filter(pk__in=_keys(user, seats)).order_by("-pk")


def _keys(user: User, seats: QuerySet[Seat], **match: Any) -> QuerySet[Any, Any]:
    """The keys of the matches of these seats, and of those that somebody is invited to or hosts."""
    # Three lists, each from an index: with OR the whole table would be read.
    at = {f"match__{name}": value for name, value in match.items()}
    hosted = Match.objects.filter(host=user, status=Status.OPEN).filter(**match)
    invited = Seat.objects.filter(invited=user, **at).order_by().values("match")
    return (
        seats.filter(**at).order_by().values("match").union(invited, hosted.order_by().values("pk"))
    )


def keys_of(user: User, **match: Any) -> QuerySet[Any, Any]:
    """The keys of :func:`matches_of`, newest first, for a page of :func:`with_keys`.

    As matches they would be looked for among the newer ones of all others. ``match``: fields that
    they have.
    """
    keys = _keys(user, Seat.objects.filter(user=user), **match)
    return keys.values_list("match", flat=True).order_by("-match")


def with_keys(keys: Collection[int]) -> list[Match]:
    """The matches with these keys, newest first."""
    return list(listed().filter(pk__in=keys).order_by("-pk"))


def ended_of(user: User, *, after: Match | None = None) -> QuerySet[Match]:
    """Somebody's finished matches, the latest first; after a finished one in this order.

    In the order of an index of the seats: a page reads no more matches than it shows.
    """
    place = Q(seats__user=user, seats__finished_at__isnull=False)
    if after is not None:
        at = after.finished_at
        earlier = Q(seats__finished_at__lt=at) | Q(seats__finished_at=at, pk__lt=after.pk)
        place &= Q(seats__finished_at__lte=at) & earlier
    ended = listed().filter(place, status=Status.FINISHED)
    return ended.order_by("-seats__finished_at", "-seats__match_id")


def awaiting(user: User) -> QuerySet[Match]:
    """The matches that wait for a move of this person, the most urgent first."""
    seats = Seat.objects.filter(user=user, prompt__isnull=False, rank__isnull=True)
    matches = listed().filter(status=Status.RUNNING, pk__in=seats.values("match"))
    return matches.order_by(F("deadline_at").asc(nulls_last=True), "moved_at", "pk")


def _mine(user_id: int, **seats: Any) -> Exists:
    return Exists(Seat.objects.filter(match=OuterRef("pk"), user=user_id, **seats))


BATCH_SIZE = 4
"""So many tables the start page shows."""


_running = CompiledQuery(
    lambda user_id: (
        Match.objects.filter(_mine(user_id, rank__isnull=True), status=Status.RUNNING)
        .annotate(asks=_mine(user_id, prompt__isnull=False, rank__isnull=True))
        .order_by("-asks", F("deadline_at").asc(nulls_last=True), "-moved_at", "pk")
        .defer(*SECRETS, "opening_events")[:BATCH_SIZE]
    )
)


_seats_of_running = CompiledQuery(
    lambda *matches: (
        Seat.objects.filter(match__in=matches)
        .annotate(**{name: F(f"user__{name}") for name in NAMES})
        .annotate(**{f"left_{name}": F(f"resigned_by__{name}") for name in LEFT_NAMES})
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
