"""What may be seen in Multi-Player Mode, and the re-deal of what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.battle_krabz.state import NONE, Trumps, catalog
from rules.engine.chance import Chance

FACES: Final = tuple(slug for slug, card in catalog().items() if card.kind == "warrior")


def view(s: Trumps, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` (None: a spectator) sees it."""
    slugs = s.cards.slugs
    moments = dict(s.out)

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


def redeal(s: Trumps, seat: int | None, chance: Chance) -> None:
    """Deal anew what the seat does not know: all piles together, or each among its own cards.

    With own decks another seat's cards that nobody has seen may be any Warriors.
    """
    places = [
        (pile, index)
        for pile in s.piles
        for index, card in enumerate(pile)
        if not s.knows(seat, card)
    ]
    owners: Sequence[int] = range(s.seats) if s.starts else (NONE,)
    for owner in owners:
        own = [
            (pile, index) for pile, index in places if _brought_by(s, pile[index]) in (owner, NONE)
        ]
        cards = [pile[index] for pile, index in own]
        # what somebody else knows belongs to the place: the front card of a pile
        masks = [s.known.pop(card, 0) for card in cards]
        chance.shuffle(cards)
        for (pile, index), card, mask in zip(own, cards, masks, strict=True):
            pile[index] = card
            if mask:
                s.known[card] = mask
        if s.starts and owner != seat:
            s.cards = s.cards.with_slugs(_other_faces(s, owner, cards, chance))
    s.chance = chance


def _brought_by(s: Trumps, card: int) -> int:
    """The seat whose deck the card is from, or ``NONE`` with the common pack."""
    return max((seat for seat, first in enumerate(s.starts) if first <= card), default=NONE)


def _other_faces(s: Trumps, owner: int, hidden: Sequence[int], chance: Chance) -> dict[int, str]:
    unseen = set(hidden)
    seen = {
        s.cards.slugs[card]
        for card in range(len(s.cards))
        if _brought_by(s, card) == owner and card not in unseen
    }
    pool = [slug for slug in FACES if slug not in seen]
    chance.shuffle(pool)
    return dict(zip(sorted(unseen), pool, strict=False))
