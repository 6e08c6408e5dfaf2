"""Rematches: another match with the same people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from secrets import SystemRandom

from django.db import IntegrityError, models

from accounts.models import User
from matches import engine
from matches.errors import NotFinished, NotOpen, NotPossible
from matches.models import Match, Seat, SeatKind, SeriesTerms, Status
from matches.queries import lobby
from matches.queries.seat_decks import SeatDeck
from matches.services import ante, series, setup
from matches.services.setup import SeatPlan
from matches.services.writing import StaleWrite, read_match, retried, seat_of


class NewSeats(models.TextChoices):
    """Seating of a rematch."""

    SWAP = "swap", "Rotate seats"
    KEEP = "keep", "Same seats"
    RANDOM = "random", "Random seats"


@retried
def rematch(
    *,
    slug: str,
    user: User,
    seats: str = NewSeats.SWAP,
    agrees: bool = False,
    terms: SeriesTerms | None = None,
) -> Match:
    """Create, or join, a rematch with the same people and their decks; ``terms`` make it a series.

    The first request creates the table with a reserved seat for everyone else and decides the
    seating; later ones join it. A cancelled rematch can be requested again. After a match for keeps
    the first player must agree to the stakes again (``agrees``). Within a series its next match is
    given.
    """
    if seats not in NewSeats.values:
        raise NotPossible(
            f"Unknown seating “{seats}”. Choose one of: {', '.join(NewSeats.values)}."
        )
    match = read_match(slug)
    sat = list(match.seats.select_related("user"))
    seat_of(sat, user)
    if match.lesson:
        raise NotPossible("A tutorial has no rematch. Restart it, or play a match against a bot.")
    if match.status != Status.FINISHED:
        raise NotFinished("You can ask for a rematch when the match is over.")
    if match.series_id is not None:
        series.go_on(series_id=match.series_id)
    next_match = Match.objects.filter(rematch_of=match).first()
    if next_match is None:
        if ante.for_keeps(match) and not agrees:
            raise NotPossible(ante.MUST_AGREE_AGAIN)
        return _set_up(match, sat, user, seats, terms)
    if next_match.status == Status.OPEN and not ante.for_keeps(next_match):
        try:
            setup.join_match(match=next_match, user=user)
        except NotOpen:
            next_match.refresh_from_db()
            if next_match.status == Status.CANCELLED:
                raise StaleWrite from None  # it was cancelled just now: create another one
            raise
    return next_match


def _set_up(
    match: Match, sat: Sequence[Seat], user: User, seats: str, terms: SeriesTerms | None
) -> Match:
    apart = lobby.people_kept_apart(user)
    if any(seat.user_id in apart for seat in sat):
        raise NotPossible("You can’t ask these players for a rematch.")
    try:
        order = _in_new_order(sat, seats)
        plan = setup.setup_like(match, [_plan(seat, user) for seat in order])
        options = engine.load(match).next_options([seat.number for seat in order])
        return setup.create_from_plans(
            host=user,
            setup=replace(plan, options=options, series=terms),
            decks=match.decks,
            rematch_of=match,
        )
    except IntegrityError as error:  # another player has just created it
        raise StaleWrite from error


def _in_new_order(seats: Sequence[Seat], how: str) -> list[Seat]:
    if how == NewSeats.KEEP:
        return [*seats]
    if how == NewSeats.SWAP:
        return [*seats[1:], *seats[:1]]
    return SystemRandom().sample(seats, len(seats))


def _plan(seat: Seat, user: User) -> SeatPlan:
    deck = None if seat.deck is None else SeatDeck(seat.deck_name, seat.deck)
    if seat.kind == SeatKind.BOT:
        return SeatPlan(SeatKind.BOT, bot=seat.bot, deck=deck)
    if seat.user_id is None:  # a deleted user: anyone with the link may take the seat
        return SeatPlan(SeatKind.OPEN)
    mine = seat.user_id == user.pk
    return SeatPlan(SeatKind.PERSON if mine else SeatKind.OPEN, seat.user, deck=deck)
