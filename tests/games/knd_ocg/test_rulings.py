"""Which rules of the rulebook name a card."""

from __future__ import annotations

from tests.collection.test_rulings import named


def test_cards_that_rules_name_are_found() -> None:
    rulings = named("knd-ocg")
    assert rulings["Normal Energy"] == ["KND-R-10", "KND-E-02", "KND-E-03", "KND-E-04"]
    assert rulings["Leader Energy"] == ["KND-X-02"]
    assert rulings["Second Wind"] == ["KND-R-23"]
    assert rulings["Power of the KND"] == ["KND-X-08", "KND-R-32"]
    assert rulings["Recycling Bin"] == ["KND-R-48"]
    assert "Commander Jigsaw" not in rulings
