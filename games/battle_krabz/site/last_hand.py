"""The first hand that somebody chose last time, read from the moves of that match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from games.battle_krabz.state import HAND
from matches.engine import plies_taken_back
from matches.models import Match, MoveRow, Seat, Source, Status


def last_hand(match: Match, number: int) -> list[str]:
    """The slugs of what a seat's person took last time in this mode with the same deck.

    Nothing where there was no such time, or where others chose for them.
    """
    own = Seat.objects.only("user", "deck").get(match=match, number=number)
    if own.user_id is None:
        return []
    before = (
        Seat.objects.filter(user=own.user_id, deck=own.deck)
        .filter(match__game=match.game, match__mode=match.mode)
        # Both hands, an answer a card; until then it is not chosen.
        .filter(match__status__in=(Status.RUNNING, Status.FINISHED), match__ply__gte=2 * HAND)
        .exclude(match=match.pk)
        .order_by("-match__started_at", "-match")
        .values_list("match", "number")
        .first()
    )
    return _picked(*before) if before else []


def _picked(match: int, seat: int) -> list[str]:
    picks = Q(seat=seat, notation__startswith="pick ", source=Source.PERSON)
    rows = list(
        MoveRow.objects.filter(picks | Q(prompt=None), match=match)
        .order_by("ply")
        .values_list("ply", "move", "notation")
    )
    gone = plies_taken_back((ply, move) for ply, move, _ in rows)
    notations = [text for ply, _, text in rows if ply not in gone and text.startswith("pick ")]
    slugs = [text.removeprefix("pick ").partition("~")[0] for text in notations]
    return slugs if len(slugs) == HAND else []


def in_deck(slugs: Iterable[str], cards: Iterable[Mapping[str, Any]]) -> list[int]:
    """The numbers of cards with these slugs, each card once; what is not there is left out."""
    left: dict[str, list[int]] = {}
    for card in cards:
        left.setdefault(card["slug"], []).append(card["id"])
    return [left[slug].pop(0) for slug in slugs if left.get(slug)]
