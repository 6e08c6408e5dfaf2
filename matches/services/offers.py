"""What takes everybody's yes: a word on each seat, told to those whose word is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models

from matches import engine
from matches.models import Match, Seat, SeatKind
from matches.services import notices, store_ply
from matches.services.writing import compare_and_swap, one_write


class Word(models.TextChoices):
    """What somebody says to an offer."""

    OFFER = "offer", "Offer it"
    AGREE = "agree", "Agree"
    DECLINE = "decline", "Decline, or take the offer back"


def still_to_agree(
    seats: Sequence[Seat], table: engine.Table, agreeing: Sequence[Seat]
) -> list[Seat]:
    """Whose word is missing: people who play, and for whom no bot plays."""
    out = store_ply.who_is_out(table)
    return [
        seat
        for seat in seats
        if seat.kind == SeatKind.PERSON
        and seat.user_id is not None
        and seat.number not in out
        and not seat.substitute_bot
        and seat not in agreeing
    ]


def store_words(
    match: Match,
    seats: Sequence[Seat],
    words: Mapping[Seat, Any],
    asked: Sequence[Seat],
    *,
    by: Seat,
    offer: str,
) -> None:
    """Write what these seats say to an offer (``cancel``, ``back``, ``draw``), where it is new.

    Who only looks on is told nothing of it, and no number that they can see moves.
    """
    field = f"wants_{offer}"
    changed = [seat for seat, word in words.items() if getattr(seat, field) != word]
    for seat in changed:
        setattr(seat, field, words[seat])
    if changed:
        with one_write():
            match.hidden_writes += 1
            compare_and_swap(match, hidden_writes=match.hidden_writes)
            Seat.objects.bulk_update(changed, (field,))
            notices.tell_offer(match, seats, asked, by=by, offer=offer)
            store_ply.announce(match, seats)
