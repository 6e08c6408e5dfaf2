"""Once more with the same people."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import SystemRandom

from django.db import IntegrityError, models

from accounts.models import User
from matches.errors import NotFinished, NotOpen, NotPossible
from matches.models import Match, Seat, SeatKind, Status
from matches.queries import lobby
from matches.queries.seat_decks import SeatDeck
from matches.services import ante, setup
from matches.services.setup import SeatPlan
from matches.services.writing import StaleWrite, read_match, retried, seat_of


class NewSeats(models.TextChoices):
    """Who sits where when the same people play again."""

    SWAP = "swap", "Seats move on"
    KEEP = "keep", "Same seats"
    RANDOM = "random", "Seats by chance"


@retried
def rematch(*, slug: str, user: User, seats: str = NewSeats.SWAP, agrees: bool = False) -> Match:
    """Play again with the same people and their decks.

    Whoever asks first makes the table, with a seat kept for everybody else, and says who sits
    where; asking second means sitting down there. One that was cancelled is forgotten. Where the
    match was played for keeps, only whoever agrees anew (``agrees``) makes such a table again.
    """
    if seats not in NewSeats.values:
        raise NotPossible(f"“{seats}” is no way to sit. There are: {', '.join(NewSeats.values)}.")
    match = read_match(slug)
    sat = list(match.seats.select_related("user"))
    seat_of(sat, user)
    if match.lesson:
        raise NotPossible("A lesson has no rematch. Begin it again, or play a match against a bot.")
    if match.status != Status.FINISHED:
        raise NotFinished("A rematch can be asked for when the match is over.")
    again = Match.objects.filter(rematch_of=match).first()
    if again is None:
        if ante.for_keeps(match) and not agrees:
            raise NotPossible(ante.SAY_YES_AGAIN)
        return _set_up(match, sat, user, seats)
    if again.status == Status.OPEN and not ante.for_keeps(again):
        try:
            setup.join_match(match=again, user=user)
        except NotOpen:
            again.refresh_from_db()
            if again.status == Status.CANCELLED:
                raise StaleWrite from None  # it was cancelled this moment: make another one
            raise
    return again


def _set_up(match: Match, sat: Sequence[Seat], user: User, seats: str) -> Match:
    apart = lobby.people_kept_apart(user)
    if any(seat.user_id in apart for seat in sat):
        raise NotPossible("There can be no rematch with these people.")
    try:
        plans = [_plan(seat, user) for seat in _in_new_order(sat, seats)]
        return setup.create_from_plans(
            host=user,
            setup=setup.setup_like(match, plans),
            decks=match.decks,
            rematch_of=match,
        )
    except IntegrityError as error:  # somebody else has just asked for it
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
    if seat.user_id is None:  # somebody who left: the seat is for whoever has the link
        return SeatPlan(SeatKind.OPEN)
    mine = seat.user_id == user.pk
    return SeatPlan(SeatKind.PERSON if mine else SeatKind.OPEN, seat.user, deck=deck)
