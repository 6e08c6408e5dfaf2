"""Each game's cards, decks and products are those of section 6 of its rules specification.

The facts stand in ``tests/games/<game>/catalog.txt``, written from the specification.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rules
from rules.engine.game import Game
from tests.games.catalogs import (
    FOLDER,
    NOTHING,
    Section,
    chosen,
    counted,
    pairs,
    rows,
    sections,
    shown,
    slots_of,
    value_of,
)
from tests.rules.pack_odds import odds

GAMES = {path.parent.name: path for path in sorted(FOLDER.glob("*/catalog.txt"))}
by_game = pytest.mark.parametrize("folder", GAMES)


def game_of(folder: str) -> Game:
    return rules.game(folder.replace("_", "-"))


def of_kind(kind: str) -> Any:
    """A test for each section of a kind."""
    entries = [(folder, section) for folder in GAMES for section in sections(folder, kind)]
    return pytest.mark.parametrize(
        ("folder", "section"),
        entries,
        ids=[f"{folder} {value.common}" for folder, value in entries],
    )


def test_every_section_is_tested() -> None:
    assert len(GAMES) >= 5
    kinds = {section.kind for folder in GAMES for section in sections(folder)}
    assert kinds == {
        *("cards", "versions", "sets", "counts", "decks", "products", "odds", "modes", "options")
    }


# -- cards -----------------------------------------------------------------------------------------


@of_kind("cards")
def test_cards_are_printed_as_the_tables_say(folder: str, section: Section) -> None:
    """A column with ``~`` is a part of the value, one in brackets a note."""
    catalog = game_of(folder).catalog
    for row in section.rows:
        card = catalog[row["slug"]]
        for column, expected in row.items():
            if column.endswith("~"):
                assert expected in value_of(card, column[:-1]), (card.slug, column)
            elif column[0] != "(":
                assert value_of(card, column) == expected, (card.slug, column)


@of_kind("versions")
def test_further_versions_of_a_card_differ_as_the_tables_say(folder: str, section: Section) -> None:
    """For each card of a kind that is in the tables: the same in other colours, with more."""
    catalog = game_of(folder).catalog
    for slug in listed(folder, section):
        printed = catalog[slug]
        assert printed.title == f"{printed.name} ({printed.colour.capitalize()})"
        for row in section.rows:
            if row["side"] not in (NOTHING, printed.attributes.get("side")):
                continue
            card = catalog[slug.replace(printed.colour, row["colour"])]
            assert (card.colour, card.rarity) == (row["colour"], row["rarity"])
            assert card.title == f"{card.name} ({row['colour'].capitalize()})"
            more = {name[1:]: int(add) for name, add in row.items() if name[0] == "+"}
            fixed = printed.attributes.keys() - more.keys()
            assert (card.name, card.kind) == (printed.name, printed.kind)
            assert [card[name] for name in fixed] == [printed[name] for name in fixed], card.slug
            for name, add in more.items():
                if name in printed.attributes:
                    assert card[name] == printed[name] + add, (card.slug, name)


def listed(folder: str, section: Section) -> list[str]:
    """The cards of the tables that a section of versions is about."""
    kinds = dict(pairs(section.common))["kind"]
    return [row["slug"] for row in rows(folder, "cards") if row["kind"] in kinds.split(",")]


@by_game
def test_the_catalog_has_the_cards_of_the_tables_and_no_others(folder: str) -> None:
    game = game_of(folder)
    slugs = [row["slug"] for row in rows(folder, "cards")]
    versions = [
        slug.replace(game.catalog[slug].colour, row["colour"])
        for section in sections(folder, "versions")
        for slug in listed(folder, section)
        for row in section.rows
        if row["side"] in (NOTHING, game.catalog[slug].attributes.get("side"))
    ]
    if versions:
        assert len(set(slugs + versions)) == len(slugs + versions)
        assert set(game.catalog) == set(slugs + versions)
    else:
        assert list(game.catalog) == slugs, "in this order"


@of_kind("counts")
def test_so_many_cards_are_there(folder: str, section: Section) -> None:
    """A ``sum`` adds up an attribute of these cards."""
    catalog = game_of(folder).catalog
    for row in section.rows:
        cards = chosen(catalog, row["of"])
        column = row["sum"]
        values = [1 if column == NOTHING else int(value_of(catalog[s], column)) for s in cards]
        assert sum(values) == int(row["number"]), row


@of_kind("sets")
def test_sets_have_their_names(folder: str, section: Section) -> None:
    sets = [(set.slug, set.name) for set in game_of(folder).sets]
    assert sets == [(row["slug"], row["name"]) for row in section.rows]


# -- decks and products ----------------------------------------------------------------------------


@of_kind("decks")
def test_ready_made_decks_are_those_of_the_tables(folder: str, section: Section) -> None:
    """``of`` names the cards as a choice from the catalog, one of each."""
    game = game_of(folder)
    decks = {slug: deck.cards for slug, deck in game.starter_decks.items()}
    assert {row["slug"] for row in section.rows} == set(decks)
    for row in section.rows:
        deck = game.starter_decks[row["slug"]]
        assert deck.name == row["name"]
        assert shown(deck.modes) == row["modes"]
        cards = decks[row["slug"]][row["section"]]
        assert cards == held(game, row["cards"]), row["slug"]
        assert sum(cards.values()) == int(row["number"])
    together = [(slug, part) for slug, cards in decks.items() for part in cards]
    assert together == [(row["slug"], row["section"]) for row in section.rows]


def held(game: Game, words: str) -> dict[str, int]:
    """``2 numbuh-1, …``; ``one of each kind=…``, of several choices after “and”."""
    start = "one of each "
    if not words.startswith(start):
        return counted(words)
    choices = words.removeprefix(start).split(" and ")
    return {slug: 1 for choice in choices for slug in chosen(game.catalog, choice)}


@of_kind("products")
def test_products_are_those_of_the_tables(folder: str, section: Section) -> None:
    """``cards``: what is certain; “those of its deck” is what the ready-made deck has."""
    game = game_of(folder)
    assert [row["slug"] for row in section.rows] == list(game.products)
    for row in section.rows:
        product = game.products[row["slug"]]
        assert product.name == row["name"], row["slug"]
        assert shown(product.unique) == row["unique"], row["slug"]
        assert shown(product.lent) == row["lent"], row["slug"]
        assert str(len(product.slots)) == row["slots"], row["slug"]
        if "starter" in row:
            assert shown(product.starter) == row["starter"], row["slug"]
        assert dict(product.packs) == counted(row["packs"]), row["slug"]
        assert shown(product.choice) == row["choice"], row["slug"]
        assert product.random == bool(product.slots)
        if row["cards"] == "those of its deck":
            parts = game.starter_decks[row["slug"]].cards.values()
            assert product.cards == {slug: n for part in parts for slug, n in part.items()}
        else:
            assert product.cards == held(game, row["cards"]), row["slug"]


@by_game
def test_products_and_decks_hold_cards_of_the_catalog(folder: str) -> None:
    game = game_of(folder)
    for product in game.products.values():
        sheets = [slug for sheet in product.sheets.values() for slug in sheet.cards]
        assert {*product.cards, *sheets} <= set(game.catalog), product.slug
    for deck in game.starter_decks.values():
        assert {slug for part in deck.cards.values() for slug in part} <= set(game.catalog)


@of_kind("odds")
def test_the_odds_of_packs(folder: str, section: Section) -> None:
    """Of each slot: how likely a card of that choice is; together they are certain.

    With ``each``, all such cards of the catalog can come, each as often as any other.
    """
    game = game_of(folder)
    certain: dict[tuple[str, int], Fraction] = {}
    for row in section.rows:
        cards = chosen(game.catalog, row["of"])
        for slot in slots_of(row["slots"]):
            odds_result = odds(game.products[row["product"]], slot)
            share = sum((odds_result[slug] for slug in cards if slug in odds_result), Fraction(0))
            assert share == Fraction(row["share"]) / 100, (row, slot)
            if row["each"] != NOTHING:
                assert len(cards) == int(row["each"]), row
                assert {odds_result.get(slug) for slug in cards} == {share / len(cards)}, (
                    row,
                    slot,
                )
            key = row["product"], slot
            certain[key] = certain.get(key, Fraction(0)) + share
    assert set(certain.values()) == {1}
    slots = {(slug, n) for slug, value in game.products.items() for n in range(len(value.slots))}
    assert set(certain) == slots


# -- modes -----------------------------------------------------------------------------------------


@of_kind("modes")
def test_modes_are_those_of_the_tables(folder: str, section: Section) -> None:
    game = game_of(folder)
    assert [row["slug"] for row in section.rows] == list(game.modes)
    for row in section.rows:
        mode = game.modes[row["slug"]]
        assert mode.playable
        assert f"{mode.seats[0]}-{mode.seats[-1]}" == row["seats"]
        assert shown(mode.own_decks) == row["own decks"]
        assert shown(mode.sections) == row["sections"]
        assert shown(mode.kinds) == row["kinds"]


@of_kind("options")
def test_options_and_their_values(folder: str, section: Section) -> None:
    game = game_of(folder)
    values = {
        (mode.slug, option.slug): (shown(list(map(str, option.values))), str(option.default))
        for mode in game.modes.values()
        for option in mode.options
    }
    expected = {
        (mode, row["option"]): (row["values"], row["default"])
        for row in section.rows
        for mode in row["modes"].split(", ")
    }
    assert values == expected
    assert all(option.help for mode in game.modes.values() for option in mode.options)
