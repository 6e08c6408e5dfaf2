"""The packs of Kaolan."""

from __future__ import annotations

from fractions import Fraction

import rules
from rules.engine import packs

GAME = rules.game("kaolan")


def test_odds_are_those_of_the_rules() -> None:
    """Section 6.5: 33 common, 27 uncommon, 25 rare, 12 ultra rare."""
    slots = packs.slot_odds(packs.contents_of(GAME.slug, GAME.products["kaolan-pack"]))
    assert [dict(slot.sheets) for slot in slots] == [
        {"common": 1},
        {"common": 1},
        {"uncommon": 1},
        {"uncommon": Fraction(3, 5), "rare": Fraction(2, 5)},
        {"rare": Fraction(4, 5), "ultra": Fraction(1, 5)},
    ]
    assert slots[0].cards["kao-pow-red-06"] == Fraction(1, 33)
    assert slots[3].cards["kao-char-red-claw"] == Fraction(3, 5) / 27
    assert slots[4].cards["kao-char-gold-claw"] == Fraction(1, 5) / 12
    # A second common is any of the 33 in the end, since the first was, too.
    assert slots[1].settled["kao-pow-red-06"] == Fraction(1, 33)
