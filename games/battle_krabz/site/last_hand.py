"""The first hand that somebody chose last time, read from the moves of that match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.battle_krabz.state import HAND
from matches.engine import plies_taken_back
from matches.models import Match, Seat, Source, Status
from matches.moves import moves_of

MAX_COMPARED = 100
"""So many of a person's latest matches are looked through for the same deck."""


def last_hand(match: Match, number: int) -> list[str]:
    """The slugs of what a seat's person took last time in this mode with the same deck.

    Nothing where there was no such time, or where others chose for them.
    """
    own = Seat.objects.only("user", "deck").get(match=match, number=number)
    if own.user_id is None:
        return []
    seats = (
        Seat.objects.filter(user=own.user_id, deck__isnull=own.deck is None)
        .filter(match__game=match.game, match__mode=match.mode)
        # Both hands, an answer a card; until then it is not chosen.
        .filter(match__status__in=(Status.RUNNING, Status.FINISHED), match__ply__gte=2 * HAND)
        .exclude(match=match.pk)
        .order_by("-match__started_at", "-match_id")
        .select_related("match")
        .only("number", "deck", "match", "match__ply", "match__archived")
    )
    # The database knows a deck by its compressed bytes alone, in which the order counts.
    before = next((seat for seat in seats[:MAX_COMPARED] if seat.deck == own.deck), None)
    return _picked(before.match, before.number) if before else []


def _picked(match: Match, seat: int) -> list[str]:
    rows = moves_of(match, events=False)
    gone = plies_taken_back(rows)
    notations = [
        row.notation
        for row in rows
        if row.seat == seat and row.source == Source.PERSON and row.ply not in gone
        if row.notation.startswith("pick ")
    ]
    slugs = [text.removeprefix("pick ").partition("~")[0] for text in notations]
    return slugs if len(slugs) == HAND else []


def in_deck(slugs: Iterable[str], cards: Iterable[Mapping[str, Any]]) -> list[int]:
    """The numbers of cards with these slugs, each card once; what is not there is left out."""
    left: dict[str, list[int]] = {}
    for card in cards:
        left.setdefault(card["slug"], []).append(card["id"])
    return [left[slug].pop(0) for slug in slugs if left.get(slug)]
