"""The packs of Battle Krabz."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import pytest

import rules
from rules.engine import packs

GAME = rules.game("battle-krabz")


@pytest.mark.parametrize("slug", ["fd-pack", "fd-pack-k", "fd-pack-e"])
def test_odds_are_those_of_the_rules(slug: str) -> None:
    """Section 6.8: a holo Warrior in 5 % of packs, a gem in 20 %, any holo card in 21.1 %."""
    slots = packs.slot_odds(packs.contents_of(GAME.slug, GAME.products[slug]))

    def share(slot: packs.SlotOdds, *ends: str) -> Fraction:
        return sum((p for card, p in slot.cards.items() if card.endswith(ends)), Fraction(0))

    assert share(slots[4], "-holo") == Fraction(5, 100)
    assert share(slots[4], "-saphire", "-emerald") == Fraction(20, 100)
    assert round(float(1 - prod(1 - share(slot, "-holo") for slot in slots)), 3) == 0.211
