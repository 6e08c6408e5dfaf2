"""Which rules of a rulebook name a card."""

from __future__ import annotations

import pytest
from django.test import Client

import rules
from collection import rulings as module
from collection.rulings import Ruling, rulings
from collection.services.catalog import Synced


def named(game: str) -> dict[str, list[str]]:
    """The cards that have rulings: the rules' IDs by title."""
    found = {}
    for card in rules.game(game).catalog.values():
        if said := [ruling.rule for ruling in rulings(game, card.title, card.name)]:
            found[card.title] = said
    return found


def test_every_colour_of_a_card_has_the_rules_that_say_its_name() -> None:
    found = named("battle-krabz")
    for colour in ("Silver", "Gold", "Holo"):
        assert found[f"MalApple ({colour})"] == ["BKZ-R-22"]
        assert found[f"Cursed Compass ({colour})"] == ["BKZ-C-11"]
    assert {title.partition(" (")[0] for title in found} == {
        "Krabbi Long Legs", "Flaman Krab", "Elara Bad Faerie", "MalApple", "Cursed Compass",
    }  # fmt: skip


def test_a_name_that_is_also_a_word_says_nothing_of_cards_with_longer_titles() -> None:
    # KAO-C-04 tells what a symbol is, and "claw" is one; KAO-R-63 speaks of Stingers in general.
    found = named("kaolan")
    assert found["Salvage"] == ["KAO-T-13", "KAO-R-06", "KAO-R-49"]
    assert not [title for title in found if title.endswith((" Claw", " Stinger", " Sunmane"))]


def test_a_name_within_a_longer_one_is_the_longer_ones() -> None:
    # BKH-R-04 speaks of Double Drums; Drums are a token as well.
    assert named("battl-khaos") == {"Double Drums": ["BKH-R-04"], "Double Archers": ["BKH-R-04"]}


def test_the_other_games_cards_have_what_names_them() -> None:
    assert named("knd-ocg") == {"Normal Energy": ["KND-E-02"]}
    assert list(named("colossal-kaiju-combat")) == ["Open Alliance"]
    assert rulings("nowhere", "Open Alliance") == []


def test_a_rule_about_one_colour_is_that_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (Ruling("X-1", "MalApple (Gold) is round."), Ruling("X-2", "A MalApples tree."))
    monkeypatch.setattr(module, "_rulebook", lambda game: said)
    assert named("battle-krabz") == {"MalApple (Gold)": ["X-1"]}


@pytest.mark.django_db
def test_the_cards_page_tells_them(client: Client, catalog: Synced) -> None:
    page = client.get("/cards/battle-krabz/malapple-gold/")
    assert "BKZ-R-22" in page.content.decode()
