"""Matches played for keeps: cards are put at stake on joining and change owners at the end."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from collection.models import LedgerRow
from collection.services import stakes
from core.models import MatchFinished
from matches import engine
from matches.errors import NotPossible
from matches.models import Match, Seat, SeatKind
from rules.engine.game import Mode

NO_BOTS = (
    "This table is played for keeps, and bots have no cards to lose. Leave its seats to people."
)
MUST_AGREE = (
    "This table is played for keeps: you may lose a card from your deck for good. Open the "
    "table’s page and agree first."
)

MUST_AGREE_AGAIN = (
    "This match was played for keeps, and the rematch would be, too: you may lose a card from your "
    "deck for good. Agree to that first, or create a table that is not played for keeps."
)


def mode_of(match: Match) -> Mode:
    """The mode in which a match is played."""
    return engine.find_mode(match.game, match.mode)[1]


def for_keeps(match: Match) -> bool:
    """True if cards won in the match change owners for good."""
    return mode_of(match).for_keeps(match.options)


def check_seats(match: Match, seats: Sequence[Seat]) -> None:
    """Raise ``NotPossible`` where a seat's player could not agree to lose a card."""
    if not for_keeps(match):
        return
    if match.bots_join_at is not None or any(seat.kind == SeatKind.BOT for seat in seats):
        raise NotPossible(NO_BOTS)
    if any(seat.user_id not in (None, match.host_id) for seat in seats):
        raise NotPossible(
            "This table is played for keeps: invite the players, so that each can agree to it."
        )


def sit_down(match: Match, seats: Sequence[Seat]) -> None:
    """Put the decks of these seats' people at stake. Raises ``NotEnoughCards``."""
    if not for_keeps(match):
        return
    for seat in seats:
        if seat.user is not None:
            cards = dict.fromkeys(card for part in (seat.deck or {}).values() for card in part)
            stakes.put_at_stake(
                owner=seat.user, match=match.slug, game=match.game, cards=list(cards)
            )


def release(match: Match, seat: Seat | None = None) -> None:
    """Release the stakes of one seat's person, or of the whole table."""
    stakes.release(match=match.slug, owner=None if seat is None else seat.user)


def settle(finished: MatchFinished) -> None:
    """Transfer the cards that were won; a subscriber of the outbox, safe to repeat."""
    match = Match.objects.filter(slug=finished.match).first()
    if match is None or not for_keeps(match):
        return
    people = {seat.number: seat.user_id for seat in match.seats.all()}
    prizes = [
        stakes.Prize(prize["card"], giver, taker)
        for prize in (match.outcome or {}).get("prizes", ())
        if (giver := people.get(prize["from"])) and (taker := people.get(prize["to"]))
    ]
    stakes.settle(match=match.slug, game=match.game, prizes=prizes, note=mode_of(match).name)


def changes(match: Match) -> QuerySet[LedgerRow]:
    """The ledger's rows of the cards that changed owners in a finished match."""
    rows = LedgerRow.objects.filter(transfer__key=stakes.key_of(match.slug))
    return rows.select_related("card__game", "giver", "taker").order_by("pk")
