"""One match with its seats, for those who may look at it (:func:`access_match`)."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Prefetch, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce

from accounts.models import User, Viewer
from core.db import CompiledQuery
from matches.clock.hours import Hours
from matches.errors import NotAllowed, NotFinished, UnknownMatch
from matches.models import Match, Seat, Status
from matches.queries.waiting import asked_seats, subquery_count


def access_match(user: Viewer, slug: str) -> Match:
    """The match, with its seats, if ``user`` may look at it.

    Raises ``UnknownMatch`` (404), or ``NotAllowed`` (403) for strangers at a private match. An
    open private match may be looked at by whoever has its link: that is how friends come in.
    """
    rows = _match_of_slug.rows(slug)
    if not rows:
        raise UnknownMatch("Match not found. Check that the link is complete.")
    (match,) = rows
    if match.status in (Status.RUNNING, Status.FINISHED):
        set_seats(match, user)  # nobody is invited to it any more
    else:
        seats = Seat.objects.select_related("user", "invited").order_by("number")
        prefetch_related_objects([match], Prefetch("seats", seats))
    if match.private and match.status != Status.OPEN:
        people = {seat.user_id for seat in match.seats.all()} | {match.host_id}
        if user.pk is None or (user.pk not in people and not user.is_staff):
            raise NotAllowed("This match is private: only the people who play it may watch.")
    return match


NAMES = ("username", "is_active", "display_name", "is_guest", "is_bot")
"""The shown fields of people at a table, in the order of the model's fields."""


LEFT_NAMES = ("username", "display_name")
"""The shown fields of a person who has left a seat, likewise."""


OWN_HOURS = {"zone": "user__time_zone"} | {
    name: f"user__own_hours__{name}" for name in ("opens", "closes", "weekend", "away")
}


_match_of_slug = CompiledQuery(
    lambda slug: Match.objects.filter(slug=slug).defer("server_seed", "bot_secret").order_by()
)


_seats_of_match = CompiledQuery(
    lambda match_id, user_id: (
        Seat.objects.filter(match=match_id)
        .annotate(**{name: F(f"user__{name}") for name in NAMES})
        .annotate(**{f"own_{name}": F(path) for name, path in OWN_HOURS.items()})
        .annotate(**{f"left_{name}": F(f"resigned_by__{name}") for name in LEFT_NAMES})
        .annotate(asked_elsewhere=Coalesce(_asked_elsewhere(match_id, user_id), 0))
        .order_by("number")
    )
)


def _asked_elsewhere(match_id: int, user_id: int) -> Subquery:
    """At how many other tables this person is asked."""
    return subquery_count(asked_seats(user_id).exclude(match=match_id), "user")


def set_seats(match: Match, user: Viewer) -> None:
    """Give a running or finished match its seats, and each seat the hours of its person.

    Each also says at how many other tables ``user`` is asked: see :func:`awaiting_count_at`.
    """
    seats = _seats_of_match.rows(match.pk, user.pk)
    for seat in seats:
        if seat.user_id is not None:
            own = [getattr(seat, f"own_{name}") for name in OWN_HOURS]
            seat.own_hours = Hours.stored(*own)
    give_seats(match, seats)


def give_seats(match: Match, seats: Sequence[Seat]) -> None:
    """The seats with the names of their people, as a prefetch does."""
    for seat in seats:
        seat.match = match
        if seat.user_id is not None:
            names = [getattr(seat, name) for name in NAMES]
            seat.user = User.from_db(match._state.db, ("id", *NAMES), (seat.user_id, *names))
        elif seat.resigned_by_id is not None:
            names = [getattr(seat, f"left_{name}") for name in LEFT_NAMES]
            row = (seat.resigned_by_id, *names)
            seat.resigned_by = User.from_db(match._state.db, ("id", *LEFT_NAMES), row)
    prefetched = Seat.objects.filter(match=match)
    prefetched._result_cache = [*seats]
    match._prefetched_objects_cache = {"seats": prefetched}  # type: ignore[attr-defined]


def seats_of(match: Match) -> list[Seat]:
    """The seats of a match as they are now, with their people's names and hours; one query."""
    set_seats(match, AnonymousUser())
    return list(match.seats.all())


def hours_of(user_id: int) -> Hours:
    """When a person's clocks run."""
    rows = User.objects.filter(pk=user_id)
    return Hours.stored(*rows.values_list(*(path[6:] for path in OWN_HOURS.values())).get())


def seat_of(match: Match, user: Viewer) -> int | None:
    """The number of the seat in which somebody sits, or None."""
    if user.pk is None:
        return None
    return next((s.number for s in match.seats.all() if s.user_id == user.pk), None)


def require_finished(match: Match, detail: str = "The match is not over yet.") -> None:
    """Refuse what only a finished match shows."""
    if match.status == Status.CANCELLED:
        raise NotFinished("This match was cancelled, so it has no winner.")
    if not match.finished:
        raise NotFinished(detail)
