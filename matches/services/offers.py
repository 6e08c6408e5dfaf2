"""Offers that need everyone's consent: a word per seat, and whose word is still missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models

from matches import engine
from matches.models import Match, Seat, SeatKind
from matches.services import notices, store_ply
from matches.services.writing import compare_and_swap, one_write


class Word(models.TextChoices):
    """An answer to an offer, or the offer itself."""

    OFFER = "offer", "Offer it"
    AGREE = "agree", "Agree"
    DECLINE = "decline", "Decline, or withdraw the offer"


def still_to_agree(
    seats: Sequence[Seat], table: engine.Table, agreeing: Sequence[Seat]
) -> list[Seat]:
    """The seats that have yet to agree: people who still play without a substitute bot."""
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
    missing: Sequence[Seat],
    *,
    by: Seat,
    offer: str,
) -> None:
    """Store what these seats say to an offer (``cancel``, ``takeback``, ``draw``), where it is new.

    Spectators are not told, and no number that they can see changes.
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
            notices.tell_offer(match, seats, missing, by=by, offer=offer)
            store_ply.announce(match, seats)
