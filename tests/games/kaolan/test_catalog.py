"""The tables of the catalog (``catalog.txt``), taken together."""

from __future__ import annotations

from rules.engine.cards import load_catalog
from tests.games.catalogs import rows

CATALOG = load_catalog("games.kaolan")


def test_gold_power_cards_match_as_many_of_the_36_rolls_as_the_table_says() -> None:
    listed = [row for row in rows("kaolan", "cards") if "(ways)" in row]
    assert len(listed) == 15
    for row in listed:
        numbers = CATALOG[row["slug"]]["numbers"]
        assert sum(6 - abs(7 - number) for number in numbers) == int(row["(ways)"])


def test_gold_characters_have_one_face_less() -> None:
    for beast in ("flame", "claw", "stinger", "diamondback", "starmaster"):
        gold, red = (CATALOG[f"kao-char-{colour}-{beast}"] for colour in ("gold", "red"))
        assert len(gold["faces"]) == len(red["faces"]) - 1


def test_the_sunmane_exists_in_gold_only() -> None:
    assert [card.slug for card in CATALOG.values() if card.name == "Sunmane"] == [
        "kao-char-gold-sunmane"
    ]


def test_every_effect_and_every_side_code_is_unique() -> None:
    effects = [card.effect for card in CATALOG.values() if card.effect]
    codes = [card["code"] for card in CATALOG.values() if card.kind == "ability"]
    assert len(set(effects)) == len(effects) == 28
    assert len(set(codes)) == len(codes) == 14
