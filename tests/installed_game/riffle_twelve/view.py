"""What is seen of Twelve."""

from __future__ import annotations

from typing import Any

from riffle_twelve.play import Twelve


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
                    "cards": [show(card) for card in hand if s.sees(seat, "hand", other)],
                },
            }
            for other, hand in enumerate(s.hands)
        ],
    }
