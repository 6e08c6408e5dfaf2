"""Catalog files are read as they are meant, and a wrong row is named."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rules.engine.cards import (
    CardSet,
    CardType,
    load_catalog,
    load_decks,
    load_products,
    load_sets,
)

CARD = """
[[set]]
slug = "first"
name = "First Set"

[[set]]
slug = "second"
name = "Second Set"

[[card]]
slug = "toy-red-fox"
name = "Fox"
title = "Red Fox"
kind = "beast"
colour = "red"
sets = ["first", "second"]
rarity = "rare"
text = "Jumps."
effect = "jump"
strength = 3
faces = [1, 2]
"""

Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Write:
    """Writes a file of a toy game and answers the game's package."""
    package = f"toy_{abs(hash(request.node.nodeid))}"
    folder = tmp_path / package
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))

    def write_file(name: str, text: str) -> str:
        (folder / name).write_text(text, encoding="utf-8")
        sys.modules.pop(package, None)
        return package

    return write_file


def test_a_field_that_is_asked_for_as_an_attribute_says_how(write: Write) -> None:
    card = load_catalog(write("cards.toml", CARD))["toy-red-fox"]
    with pytest.raises(KeyError, match=r"“colour” is a field of every card: write card\.colour"):
        card["colour"]
    with pytest.raises(KeyError, match="toy-red-fox has no attribute “wit”; it has strength, face"):
        card["wit"]


def test_a_card_keeps_its_fields_and_the_rest_becomes_attributes(write: Write) -> None:
    catalog = load_catalog(write("cards.toml", CARD))
    card = catalog["toy-red-fox"]
    assert (card.name, card.title, card.kind, card.colour) == ("Fox", "Red Fox", "beast", "red")
    assert (card.sets, card.rarity, card.text) == (("first", "second"), "rare", "Jumps.")
    assert card.effect == "jump"
    assert card.attributes == {"strength": 3, "faces": (1, 2)}
    assert card["faces"] == (1, 2)


def test_sets_are_numbered_in_their_order(write: Write) -> None:
    assert load_sets(write("cards.toml", CARD)) == (
        CardSet("first", "First Set", 1),
        CardSet("second", "Second Set", 2),
    )


def test_without_a_title_the_name_is_the_title() -> None:
    assert CardType("x", "Fox", "beast", ("first",), "rare").title == "Fox"


def test_cards_can_be_members_of_sets() -> None:
    card = CardType("x", "Fox", "beast", ("first",), "rare", attributes={"strength": 3})
    assert card in {card}


@pytest.mark.parametrize("field", ["slug", "name", "kind", "sets", "rarity"])
def test_a_card_without_a_needed_field_is_refused(write: Write, field: str) -> None:
    before, card = CARD.split("[[card]]")
    lines = [line for line in card.splitlines() if not line.startswith(f"{field} =")]
    package = write("cards.toml", before + "[[card]]" + "\n".join(lines))
    with pytest.raises(ValueError, match=rf"cards\.toml has no {field}\."):
        load_catalog(package)


def test_two_cards_of_one_slug_are_refused(write: Write) -> None:
    package = write("cards.toml", CARD + "[[card]]" + CARD.split("[[card]]")[1])
    with pytest.raises(ValueError, match="toy-red-fox in cards.toml stands there twice"):
        load_catalog(package)


def test_two_cards_of_one_title_are_refused(write: Write) -> None:
    twin = CARD.split("[[card]]")[1].replace("toy-red-fox", "toy-fox").replace("Red Fox", "RED FOX")
    package = write("cards.toml", CARD + "[[card]]" + twin)
    with pytest.raises(ValueError, match="toy-fox in cards.toml has the title of another card"):
        load_catalog(package)


def test_a_card_of_an_unknown_set_is_refused(write: Write) -> None:
    package = write("cards.toml", CARD.replace('"second"]', '"third"]'))
    with pytest.raises(ValueError, match="is in an unknown set: third"):
        load_catalog(package)


def test_products_are_fixed_or_random(write: Write) -> None:
    package = write(
        "products.toml",
        """
        [[product]]
        slug = "box"
        name = "Box"
        cards = ["a", "b", "a"]

        [[product]]
        slug = "pack"
        name = "Pack"
        unique = true
        slots = [{ name = "one", sheets = { good = 60, bad = 40 } }]
        [product.sheets]
        good = ["a", "b"]
        bad = { c = 3 }
        """,
    )
    products = load_products(package)
    box, pack = products["box"], products["pack"]
    assert not box.random
    assert box.cards == {"a": 2, "b": 1}
    assert pack.random and pack.unique
    assert pack.slots[0].sheets == (("good", 60), ("bad", 40))
    assert pack.sheets["good"].cards == {"a": 1, "b": 1}
    assert pack.sheets["bad"].cards == {"c": 3}


KIT = """
[[product]]
slug = "kit"
name = "Kit"
packs = { pack = 3 }
choice = ["red", "blue"]

[[product]]
slug = "pack"
name = "Pack"
cards = ["a"]
"""


def test_products_hold_packs_and_a_choice(write: Write) -> None:
    decks = "".join(
        f'\n[[product]]\nslug = "{slug}"\nname = "{slug}"\n' for slug in ("red", "blue")
    )
    kit = load_products(write("products.toml", KIT + decks))["kit"]
    assert kit.packs == {"pack": 3}
    assert kit.choice == ("red", "blue")


def test_a_product_that_holds_an_unknown_one_is_refused(write: Write) -> None:
    with pytest.raises(
        ValueError, match=r"kit in products\.toml holds an unknown one: blue, red\."
    ):
        load_products(write("products.toml", KIT))


def test_ready_made_decks_have_modes_and_sections(write: Write) -> None:
    package = write(
        "decks.toml",
        """
        [[deck]]
        slug = "swift"
        name = "Swift"
        modes = ["duel"]
        [deck.cards]
        main = { a = 2 }
        side = ["b", "b"]
        """,
    )
    deck = load_decks(package)["swift"]
    assert deck.modes == ("duel",)
    assert deck.cards == {"main": {"a": 2}, "side": {"b": 2}}
