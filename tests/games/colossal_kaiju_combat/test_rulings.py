"""Which rules of the rulebook name a card."""

from __future__ import annotations

from tests.collection.test_rulings import named


def test_the_open_alliance_is_named() -> None:
    assert list(named("colossal-kaiju-combat")) == ["Open Alliance"]
