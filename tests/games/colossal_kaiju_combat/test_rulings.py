"""Which rules of the rulebook name a card."""

from __future__ import annotations

from tests.collection.test_rulings import named


def test_cards_that_rules_name_are_found() -> None:
    rules = named("colossal-kaiju-combat")
    assert rules["Finishing Blow"] == ["CKC-M-04", "CKC-R-36"]
    assert rules["Dawn Raid"] == ["CKC-R-01"]
    assert rules["Wolf Pack"] == rules["To the Rescue"] == ["CKC-R-42"]
    assert "CKC-D-02" in rules["Open Alliance"]
    assert "Straight Jab" not in rules
