"""Which rules of the rulebook name a card."""

from __future__ import annotations

from tests.collection.test_rulings import named


def test_a_name_within_a_longer_one_is_the_longer_ones() -> None:
    ids = named("battl-khaos")
    assert ids["Double Drums"] == ["BKH-R-04", "BKH-S-11", "BKH-P-08"]
    assert "BKH-P-08" not in ids["Drums"]
    assert ids["Double Archers"] == ["BKH-R-04", "BKH-P-20"]
    assert "BKH-P-20" not in ids["Archer"]
    assert "BKH-R-25" in ids["Magic Circle"]
