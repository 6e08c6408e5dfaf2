"""Which rules of the rulebook name a card."""

from __future__ import annotations

from tests.collection.test_rulings import named


def test_a_name_that_is_also_a_word_says_nothing_of_cards_with_longer_titles() -> None:
    # KAO-C-04 tells what a symbol is, and "claw" is one; KAO-R-63 speaks of Stingers in general.
    rulings = named("kaolan")
    assert rulings["Salvage"] == ["KAO-T-13", "KAO-R-06", "KAO-R-49"]
    assert not [title for title in rulings if title.endswith((" Claw", " Stinger", " Sunmane"))]
