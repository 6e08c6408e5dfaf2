"""Lists of people: all players, by rating, and those that somebody has played with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import User, Viewer
from accounts.queries.people import named
from matches.models import Rating, Seat, Status
from matches.queries.lobby import people_kept_apart
from matches.queries.people import on_ladder


def rated_players(
    viewer: Viewer, *, game: str, mode: str, speed: str, name: str = ""
) -> QuerySet[Rating]:
    """The members who are rated in a mode and show it, the best first; provisional ones, too."""
    rows = on_ladder(game, mode, speed).filter(user__in=_listed(viewer, name))
    return rows.select_related("user", "ladder").order_by("-mu", "pk")


def all_players(viewer: Viewer, name: str = "") -> QuerySet[User]:
    """The members who show their record, by name."""
    return _listed(viewer, name).order_by("username")


def _listed(viewer: Viewer, name: str) -> QuerySet[User]:
    people = User.objects.filter(is_active=True, is_guest=False, shows_record=True)
    people = people.exclude(pk__in=people_kept_apart(viewer))
    return people.filter(named(name)) if name else people


@dataclass(frozen=True, slots=True)
class PlayedWith:
    """A person, and the matches that one has played with them, those that run included."""

    user: User
    matches: int
    last_at: datetime | None


def played_with(user: User, name: str = "") -> QuerySet[Any]:
    """The people at a person's tables, the latest first; for :func:`played_with_shown`."""
    tables = Seat.objects.filter(user=user).order_by().values("match")
    seats = Seat.objects.filter(
        match__in=tables,
        match__status__in=(Status.RUNNING, Status.FINISHED),
        user__is_active=True,
    ).exclude(user=user)
    if name:
        seats = seats.filter(named(name, "user__"))
    last_at = Max(Coalesce("match__finished_at", "match__moved_at", "match__started_at"))
    counted = seats.order_by().values("user").annotate(matches=Count("pk"), last_at=last_at)
    return counted.order_by(F("last_at").desc(nulls_last=True), "user")


def played_with_shown(rows: Iterable[dict[str, Any]]) -> list[PlayedWith]:
    """These people with their names."""
    counted = list(rows)
    people = User.objects.in_bulk([row["user"] for row in counted])
    return [
        PlayedWith(people[row["user"]], row["matches"], row["last_at"])
        for row in counted
        if row["user"] in people
    ]
