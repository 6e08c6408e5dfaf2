"""Matches that are played for keeps: what is at stake when one sits down, what changes hands at
the end."""

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

FOR_PEOPLE = (
    "This table is played for keeps, and a bot has no cards to lose. Keep its seats for people."
)
SAY_YES = (
    "This table is played for keeps: you may lose a card of your deck for good. Open the table's "
    "page and say that you agree."
)

SAY_YES_AGAIN = (
    "This match was played for keeps, and so would be the next one: you may lose a card of your "
    "deck for good. Say that you agree, or set up a table without it."
)


def mode_of(match: Match) -> Mode:
    """The mode that a match is played in."""
    return engine.find_mode(match.game, match.mode)[1]


def for_keeps(match: Match) -> bool:
    """Whether cards that are won there change owners for good."""
    return mode_of(match).for_keeps(match.options)


def check_seats(match: Match, seats: Sequence[Seat]) -> None:
    """Raise ``NotPossible`` where a seat is for somebody who cannot agree to lose a card."""
    if not for_keeps(match):
        return
    if match.bots_join_at is not None or any(seat.kind == SeatKind.BOT for seat in seats):
        raise NotPossible(FOR_PEOPLE)
    if any(seat.user_id not in (None, match.host_id) for seat in seats):
        raise NotPossible(
            "This table is played for keeps: invite people, so that each can agree to it."
        )


def sit_down(match: Match, seats: Sequence[Seat]) -> None:
    """Put at stake what the people of these seats have brought. Raises ``NotEnoughCards``."""
    if not for_keeps(match):
        return
    for seat in seats:
        if seat.user is not None:
            cards = dict.fromkeys(card for part in (seat.deck or {}).values() for card in part)
            stakes.put_at_stake(
                owner=seat.user, match=match.slug, game=match.game, cards=list(cards)
            )


def release(match: Match, seat: Seat | None = None) -> None:
    """Nobody, or not this seat's person, has anything at stake there any more."""
    stakes.release(match=match.slug, owner=None if seat is None else seat.user)


def settle(finished: MatchFinished) -> None:
    """Let the cards that were won change owners; for the outbox, and safe to repeat."""
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
    """What a match that is over has changed in people's collections."""
    rows = LedgerRow.objects.filter(transfer__key=stakes.key_of(match.slug))
    return rows.select_related("card__game", "giver", "taker").order_by("pk")
