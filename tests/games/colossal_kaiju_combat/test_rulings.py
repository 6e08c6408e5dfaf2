"""Which rules of the rulebook name a card."""

from __future__ import annotations

from tests.collection.test_rulings import named


def test_cards_that_rules_name_are_found() -> None:
    found = named("colossal-kaiju-combat")
    assert found["Finishing Blow"] == ["CKC-M-04", "CKC-R-36"]
    assert found["Dawn Raid"] == ["CKC-R-01"]
    assert found["Wolf Pack"] == found["To the Rescue"] == ["CKC-R-42"]
    assert "CKC-D-02" in found["Open Alliance"]
    assert "Straight Jab" not in found
