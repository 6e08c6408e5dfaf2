"""The view of Multi-Player Mode for each seat, and the re-deal of hidden cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from games.battle_krabz.state import Trumps, catalog
from rules.engine.chance import Chance
from rules.engine.redeal import Redeal, other_faces

FACES: Final = tuple(slug for slug, card in catalog().items() if card.kind == "warrior")


def view(s: Trumps, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` (None: a spectator) sees it."""
    slugs = s.cards.slugs
    moments = dict(zip(s.out, s.moments, strict=True))

    def show(card: int) -> dict[str, Any]:
        return {"id": card, "slug": slugs[card]}

    return {
        "round": s.round,
        "round_limit": s.round_limit,
        "ending": s.ending,
        "pack": "own" if s.starts else "common",
        "leader": s.leader,
        "category": s.category,
        "reveal": [
            {"seat": other, "card": show(card)} for other, card in enumerate(s.last) if card >= 0
        ],
        "pot": {"count": len(s.pot), "cards": [show(card) for card in s.pot]},
        "players": [
            {
                "seat": other,
                "out": moments.get(other),
                "pile": {
                    "count": len(pile),
                    "known": [
                        {"place": place, "card": show(card)}
                        for place, card in enumerate(reversed(pile))
                        if s.knows(seat, card)
                    ],
                },
                "front": show(pile[-1]) if pile and s.knows(seat, pile[-1]) else None,
            }
            for other, pile in enumerate(s.piles)
        ],
    }


def imagine(s: Trumps, others: Iterable[int], hidden: Collection[int], chance: Chance) -> None:
    """With own decks another seat's cards that nobody has seen may be any Warriors."""
    for other in others if s.starts else ():
        deck = [card for card in range(len(s.cards)) if s.brought_by(card) == other]
        own = [card for card in deck if card in hidden]
        s.cards = s.cards.with_slugs(other_faces(s.cards, own, deck, FACES, chance))


# All piles together, or each seat's own cards among themselves.
REDEAL: Final = Redeal(lambda s, owner, card: s.brought_by(card), imagine)
