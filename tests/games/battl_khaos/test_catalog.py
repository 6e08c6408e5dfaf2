"""The tables of the pieces (``catalog.txt``) agree."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

import rules
from rules.engine.cards import CardType
from tests.rules.pack_odds import odds

GAME = rules.game("battl-khaos")
CATALOG = GAME.catalog
PRODUCTS = GAME.products
DECKS = GAME.starter_decks


def of_kind(kind: str, card_set: str = "") -> list[CardType]:
    return [
        card
        for card in CATALOG.values()
        if card.kind == kind and (not card_set or card_set in card.sets)
    ]


@pytest.mark.rules("BKH-R-04", "BKH-R-23", "BKH-S-14", "BKH-S-15")
def test_a_corner_is_empty_or_holds_one_to_three_warriors_of_one_side() -> None:
    for card in of_kind("field"):
        assert len(card["corners"]) == 4
        assert set(card["corners"]) <= {"-", "O1", "O2", "O3", "K1", "K2", "K3"}


def looks(corners: tuple[str, ...]) -> set[tuple[str, ...]]:
    """The four rotations."""
    return {corners[turn:] + corners[:turn] for turn in range(4)}


def in_other_colours(corners: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(unit.translate(str.maketrans("OK", "KO")) for unit in corners)


def test_both_sides_stand_on_every_tile() -> None:
    assert all(card["orcs"] and card["knights"] for card in of_kind("field"))


def test_no_two_designs_are_equal_even_when_turned() -> None:
    designs = [min(looks(card["corners"])) for card in of_kind("field")]
    assert len(set(designs)) == 74


def test_every_design_has_its_mirror_in_colours() -> None:
    for card in of_kind("field"):
        mirror = in_other_colours(card["corners"])
        if card.slug.endswith(("o", "k")):
            other = CATALOG[card.slug[:-1] + ("k" if card.slug.endswith("o") else "o")]
            assert other["corners"] == mirror
            assert (other.rarity, other.sets) == (card.rarity, card.sets)
        else:
            assert mirror in looks(card["corners"])


@pytest.mark.rules("BKH-P-16")
def test_the_mage_has_a_name_for_each_side() -> None:
    mage = CATALOG["bkh-p-mage"]
    assert (mage["orc_name"], mage["knight_name"]) == ("Shaman", "Wizard")


def test_tokens_say_how_they_change_strengths() -> None:
    assert {
        card.slug: (card["whose"], card["change"], card["number"])
        for card in of_kind("token")
        if card.effect == "strength"
    } == {
        "bkh-p-drums": ("own", "add", 1),
        "bkh-p-drums2": ("own", "add", 2),
        "bkh-p-leader": ("own", "times", 2),
        "bkh-p-archer": ("enemy", "add", -1),
        "bkh-p-archer2": ("enemy", "add", -2),
        "bkh-p-giant": ("enemy", "set", 1),
    }
    others = [card.effect for card in of_kind("token") if card.effect != "strength"]
    assert others == ["banner", "halberd", "mage", "catapult"]


# -- ready-made armies and products ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "towers", "orcs", "knights"),
    [
        ("bkh-starter-marsh", "t1o t4o t2k t3k", 77, 78),
        ("bkh-starter-hill", "t2o t3o t1k t4k", 78, 77),
    ],
)
def test_a_starter_army_has_38_pieces(slug: str, towers: str, orcs: int, knights: int) -> None:
    army = DECKS[slug].cards
    assert list(army) == ["tokens", "towers", "field"]
    basic = ("drums", "drums2", "leader", "banner", "halberd")
    assert list(army["tokens"]) == [f"bkh-p-{token}" for token in basic]
    assert list(army["towers"]) == [f"bkh-{tower}" for tower in towers.split()]
    assert len(army["field"]) == 29
    assert {CATALOG[tile].kind for tile in army["field"]} == {"field"}
    assert sum(CATALOG[tile]["orcs"] for tile in army["field"]) == orcs
    assert sum(CATALOG[tile]["knights"] for tile in army["field"]) == knights
    counts = list(chain.from_iterable(cards.values() for cards in army.values()))
    assert counts == [1] * 38
    assert set(DECKS[slug].modes) == {"warband", "army"}


def test_the_starter_armies_split_the_core_towers_and_tiles_in_halves() -> None:
    marsh, hill = (DECKS[f"bkh-starter-{name}"].cards for name in ("marsh", "hill"))
    for section, kind in (("towers", "tower"), ("field", "field")):
        both = Counter(marsh[section]) + Counter(hill[section])
        assert both == {card.slug: 1 for card in of_kind(kind, "core")}


def test_every_piece_can_be_got() -> None:
    got = set(PRODUCTS["bkh-core-box"].cards)
    for slot in range(6):
        got |= odds(PRODUCTS["bkh-booster-border"], slot).keys()
    assert got == set(CATALOG)
