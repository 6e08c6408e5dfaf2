"""What is seen of Twelve."""

from __future__ import annotations

from typing import Any

from riffle_twelve.play import BOOK, Twelve
from rules.engine.chance import Chance


def view(s: Twelve, seat: int | None) -> dict[str, Any]:
    def show(card: int) -> dict[str, Any]:
        return {"id": card, "slug": s.cards.slugs[card]}

    return {
        "trick": s.trick,
        "leader": s.leader,
        "laid": [show(card) for card in s.laid],
        "players": [
            {
                "seat": other,
                "won": s.won[other],
                "hand": {
                    "count": len(hand),
                    "cards": [show(card) for card in hand if other == seat],
                },
            }
            for other, hand in enumerate(s.hands)
        ],
    }


def redeal(s: Twelve, seat: int | None, chance: Chance) -> None:
    hidden = [hand for other, hand in enumerate(s.hands) if other != seat]
    cards = sorted([card for hand in [*hidden, s.rest] for card in hand])
    chance.shuffle(cards)
    for hand in hidden:
        hand[:] = sorted(cards.pop() for _ in hand)
    s.rest = cards
    s.chance = chance
    for other, prompt in s.prompts.items():
        if other != seat:
            s.prompts[other] = prompt._replace(options=BOOK.options(s, prompt))
