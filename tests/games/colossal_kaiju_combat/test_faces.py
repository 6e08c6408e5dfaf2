"""The cards of Colossal Kaiju Combat: all drawn, all told apart, all put into words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PIL import Image

from collection.drawing import art, pictures
from collection.drawing.faces import face_of
from collection.drawing.pictures import alt_text
from collection.drawing.printed import PrintedCard, printed_card
from games.colossal_kaiju_combat.face import (
    AFFILIATIONS,
    BOXES,
    KINDS,
    STATS,
    city,
    combat,
    emblems,
    kaiju,
)
from tests.collection.faces import WINDOW, assert_told_apart, cards_of, difference, pixels

GAME = "colossal-kaiju-combat"
CARDS = cards_of(GAME)
FACE = face_of(GAME)


def by_kind(*kinds: str) -> list[PrintedCard]:
    return [card for card in CARDS if card.kind in kinds]


def test_all_kinds_are_known() -> None:
    assert {card.kind for card in CARDS} == set(KINDS)


@pytest.mark.slow
def test_no_card_looks_like_another(thumbs: dict[str, Image.Image]) -> None:
    assert len({pixels(thumb) for thumb in thumbs.values()}) == 134


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "least"),
    [
        (("kaiju", "ally"), 9),
        (("location", "opponent"), 9),
        (("team",), 9),
        (("scar",), 4),
        (("event",), 5),
        (("combat",), 3),
    ],
)
def test_cards_are_told_apart_by_their_pictures_on_a_thumb(
    thumbs: dict[str, Image.Image], kinds: tuple[str, ...], least: float
) -> None:
    assert_told_apart(
        {card.slug: thumbs[card.slug].crop(WINDOW) for card in by_kind(*kinds)}, least
    )


def test_affiliations_and_kinds_have_signs_of_their_own() -> None:
    """Colour is never the only sign: each has a glyph and a word."""
    signs = {}
    for card in CARDS:
        sign = FACE.layout(card).sign
        assert sign is not None, card.slug
        signs[sign.word] = sign
        assert sign.shape in emblems.GLYPHS
    assert set(signs) == {
        *AFFILIATIONS,
        *("any affiliation", "Sword", "Shield", "Location", "Opponent", "Ally", "Scar", "Event"),
    }
    assert len({sign.shape for sign in signs.values()}) == len(signs)
    assert len({sign.fill for sign in signs.values()}) > len(signs) - 2


def test_boxes_and_stats_have_glyphs_of_their_own() -> None:
    assert set(BOXES) == {box for card in by_kind("combat") for box in card.attributes["cost"]}
    assert len({emblems.GLYPHS[name] for name in BOXES.values()}) == 3
    assert set(STATS) <= set(emblems.GLYPHS)


def test_a_sword_is_told_from_a_shield_without_colour() -> None:
    for slug in ("spinning-guard", "feint"):
        card = printed_card(GAME, slug)
        other = {"sword": "shield", "shield": "sword"}[card.attributes["icon"]]
        twin = replace(card, attributes={**card.attributes, "icon": other})
        box = (6, 6, 30, 26)
        thumb, two = (FACE.draw(face, "thumb").convert("L").crop(box) for face in (card, twin))
        assert difference(thumb, two) > 4


def test_everything_that_cards_name_is_drawn() -> None:
    assert set(kaiju.BUILDS) >= {card.slug for card in by_kind("kaiju")}
    assert set(city.LOCATIONS) == {card.slug for card in by_kind("location")}
    assert set(emblems.PLANS) == {card.slug for card in by_kind("scar", "event")}
    fights = [card.attributes for card in by_kind("combat")]
    assert set(emblems.STYLES) == {style for card in fights for style in card["styles"]}
    assert set(combat.FIELDS) == {card["type"] for card in fights}


@pytest.mark.parametrize("slug", [card.slug for card in by_kind("kaiju")])
def test_a_kaiju_shows_its_attributes(slug: str) -> None:
    """Its picture changes with each attribute that is taken away."""

    def portrait(attributes: list[str]) -> Image.Image:
        scene = art.scene((126, 90), 2)
        kaiju.portrait(scene, slug, card.attributes["affiliation"], attributes)
        return scene.finish()

    card = printed_card(GAME, slug)
    drawn = portrait(card.attributes["attr"])
    for attribute in card.attributes["attr"]:
        without = [other for other in card.attributes["attr"] if other != attribute]
        assert difference(drawn, portrait(without)) > 0.1, attribute


@pytest.mark.parametrize(
    ("slug", "signs"),
    [
        ("straight-jab", []),
        ("wing-buffet", ["icon:wings", "move"]),
        ("gore", ["icon:horns", "move", "more_damage"]),
        ("wrecking-tail", ["icon:tail", "icon:spikes", "city"]),
        ("finishing-blow", ["empty_hand"]),
        ("desperate-guard", ["discards"]),
        ("stand-firm", ["icon:armor", "steady"]),
        ("slip-under", ["chain"]),
        ("siphon-bite", ["icon:teeth", "energy"]),
    ],
)
def test_combat_cards_show_icons_and_keywords(slug: str, signs: list[str]) -> None:
    assert combat.signs(slug, printed_card(GAME, slug).attributes) == signs


def test_no_combat_card_has_more_signs_than_places() -> None:
    for card in by_kind("combat"):
        signs = combat.signs(card.slug, card.attributes)
        assert len(signs) <= 4, card.slug
        assert bool(signs) == bool(
            card.text
            or card.attributes["cost"].get("yellow")
            or card.attributes.get("damage_icons")
            or card.attributes.get("toughness_icons")
        ), card.slug


def test_words_of_small_cards_are_few() -> None:
    for card in CARDS:
        if card.kind not in ("team", "kaiju"):
            assert len(FACE.layout(card).short) <= 48, card.slug


def test_the_full_card_says_everything() -> None:
    for card in CARDS:
        layout = FACE.layout(card)
        assert card.text in layout.text
        assert layout.set_code == "LF1"
    assert FACE.layout(printed_card(GAME, "taunt")).text.startswith("At your challenge")
    assert "Requires a MECH member." in FACE.layout(printed_card(GAME, "drone-swarm")).text


def test_alternative_text_says_what_the_picture_shows() -> None:
    assert alt_text(printed_card(GAME, "maelgrath")) == (
        "Maelgrath. DEEP kaiju, ABYSSAL, LEADER. Ferocity 6. Agility 4. Power 4. Fortitude 13. "
        "Attributes Armor, Tail, Teeth. Its bite cards have +1 damage. Rare card."
    )
    assert alt_text(printed_card(GAME, "needle-volley")) == (
        "Needle Volley. Sword card, Quick Attack, weapon. Cost 1 red. "
        "Damage 2 +Spikes +Spikes. Red icons −Armor. Common card."
    )
    assert alt_text(printed_card(GAME, "drone-swarm")) == (
        "Drone Swarm. Ally. Requires a MECH member. Ferocity 3. Agility 5. Power 1. Fortitude 4. "
        "Glory 1. Attributes Wings. Common card."
    )
    for card in CARDS:
        words = alt_text(card)
        assert card.name in words
        assert not re.search(r"[{}\[\]]|None|_", words), words


def test_a_card_of_another_kind_still_gets_a_face() -> None:
    strange = PrintedCard(GAME, "moon-base", "Moon Base", "Moon Base", "relic", rarity="rare")
    assert FACE.draw(strange, "table").size == pictures.SIZES["table"]
