"""Which rules of the rulebook name a card."""

from __future__ import annotations

from tests.collection.test_rulings import named


def test_normal_energy_is_named() -> None:
    assert named("knd-ocg") == {"Normal Energy": ["KND-E-02"]}
