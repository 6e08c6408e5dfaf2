"""A pack's odds, worked out by hand from its sheets, to be held against the engine's."""

from __future__ import annotations

from fractions import Fraction

from rules.engine.cards import Product


def odds(product: Product, slot: int) -> dict[str, Fraction]:
    """The chance of each card in a slot (they count from 0), before redraws."""
    by_card: dict[str, Fraction] = {}
    sheets = product.slots[slot].sheets
    for sheet, weight in sheets:
        cards = product.sheets[sheet].cards
        for card, copies in cards.items():
            share = Fraction(weight, sum(w for _, w in sheets))
            by_card[card] = by_card.get(card, Fraction(0)) + share * copies / sum(cards.values())
    assert sum(by_card.values()) == 1
    return by_card
