"""Which rules of the rulebook name a card."""

from __future__ import annotations

import pytest

from collection.queries import rulings as module
from collection.queries.rulings import Ruling
from tests.collection.test_rulings import named


def test_every_colour_of_a_card_has_the_rules_that_say_its_name() -> None:
    rulings = named("battle-krabz")
    for colour in ("Silver", "Gold", "Holo"):
        assert rulings[f"MalApple ({colour})"] == ["BKZ-R-22"]
        assert rulings[f"Cursed Compass ({colour})"] == ["BKZ-C-11"]
    assert {title.partition(" (")[0] for title in rulings} == {
        "Krabbi Long Legs", "Flaman Krab", "Elara Bad Faerie", "MalApple", "Cursed Compass",
    }  # fmt: skip


def test_a_rule_about_one_colour_is_that_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    rulings = (Ruling("X-1", "MalApple (Gold) is round."), Ruling("X-2", "A MalApples tree."))
    monkeypatch.setattr(module, "_rulebook", lambda game: rulings)
    assert named("battle-krabz") == {"MalApple (Gold)": ["X-1"]}
