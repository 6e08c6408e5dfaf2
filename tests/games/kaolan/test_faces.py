"""The cards' faces and their words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collection.drawing import pictures
from collection.drawing.faces import face_of
from collection.drawing.layout import PLANS, Size
from collection.drawing.pictures import alt_text
from collection.drawing.printed import printed_card
from games.kaolan.face.numbers import ways
from games.kaolan.face.scenes import emblems
from games.kaolan.face.symbols import SYMBOLS
from tests.collection.faces import cards_of, pixels

CARDS = cards_of("kaolan")
CHARACTERS = [card for card in CARDS if card.kind == "character"]
SAMPLES = [
    "kao-char-red-claw",
    "kao-char-gold-sunmane",
    "kao-pow-blue-12",
    "kao-pow-gold-02-09-10",
    "kao-sa-keen-eye",
    "kao-op-spyglass",
]


@pytest.mark.rules("KAO-C-05")
def test_every_character_has_a_symbol_that_somebody_drew() -> None:
    assert {card.attributes["symbol"] for card in CHARACTERS} == SYMBOLS.keys()


@pytest.mark.rules("KAO-C-05")
@pytest.mark.parametrize("size", PLANS)
def test_the_symbol_stands_on_the_face(size: Size) -> None:
    face = face_of("kaolan")
    card = CHARACTERS[0]
    others = sorted(SYMBOLS.keys() - {card.attributes["symbol"]})
    corner = symbol_corner(size)
    words = {
        pixels(face.draw(replace(card, attributes=card.attributes | {"symbol": other}), size).crop(
            corner
        ))
        for other in [card.attributes["symbol"], *others]
    }  # fmt: skip
    assert len(words) == len(SYMBOLS)


def symbol_corner(size: Size) -> tuple[int, int, int, int]:
    """Where the symbol lies: the window's lower left corner."""
    plan = PLANS[size]
    bottom, side = plan.window[1], round(plan.size[0] * 0.14)
    return (plan.left, bottom - side, plan.left + side, bottom)


@pytest.mark.rules("KAO-C-05")
def test_who_hears_a_card_hears_its_symbol() -> None:
    for card in CHARACTERS:
        details = dict(face_of("kaolan").layout(card).details)
        assert details["Symbol"].lower() == card.attributes["symbol"]


@pytest.mark.slow
@pytest.mark.parametrize("size", PLANS)
@pytest.mark.parametrize("slug", SAMPLES)
def test_a_face_fills_its_size_and_is_always_the_same(slug: str, size: Size) -> None:
    card = printed_card("kaolan", slug)
    once = face_of("kaolan").draw(card, size)
    assert once.size == pictures.SIZES[size]
    assert once.mode == "RGBA"
    assert pixels(once) == pixels(face_of("kaolan").draw(card, size))


def test_every_ability_and_opportunity_has_a_sign_and_short_words_of_its_own() -> None:
    for card in CARDS:
        if card.kind in ("ability", "opportunity"):
            name = card.slug.split("-", 2)[2]
            assert name in emblems.EMBLEMS
            assert face_of("kaolan").layout(card).short != card.text


def test_colour_is_never_the_only_sign() -> None:
    face = face_of("kaolan")
    signs = {}
    for card in CARDS:
        if card.colour:
            sign = face.layout(card).sign
            assert sign is not None
            signs[card.colour] = (sign.letter, sign.shape)
    assert {colour: sign[0] for colour, sign in signs.items()} == {
        "red": "R", "green": "G", "blue": "B", "gold": "",
    }  # fmt: skip
    assert signs["gold"][1] == "crown"
    assert len({shape for _, shape in signs.values()}) == 4


def test_power_cards_and_abilities_say_on_their_edge_what_they_are() -> None:
    face = face_of("kaolan")
    assert face.layout(printed_card("kaolan", "kao-pow-gold-02-09-10")).tab == "2 · 9 · 10"
    assert face.layout(printed_card("kaolan", "kao-sa-keen-eye")).tab == "Q±1"
    assert face.layout(printed_card("kaolan", "kao-char-red-claw")).tab == ""


def test_alternative_text_says_what_the_picture_shows() -> None:
    alts = {slug: alt_text(printed_card("kaolan", slug)) for slug in SAMPLES}
    assert alts["kao-char-red-claw"] == (
        "Red Claw. Red Character of level 2. Attacks on 3, 4, 5 or 6. "
        "Holds up to 3 Power Cards. Uncommon card."
    )
    assert alts["kao-char-gold-sunmane"] == (
        "Gold Sunmane. Gold Character of level 3. Attacks on 1 or 6. "
        "Holds up to 5 Power Cards of every colour. Ultra rare card."
    )
    assert alts["kao-pow-blue-12"] == (
        "Blue 12. Blue Power Card. A roll of 12: 1 way of 36. Common card."
    )
    assert "A roll of 2, 9 or 10: 8 ways of 36" in alts["kao-pow-gold-02-09-10"]
    assert "Side code Q±1" in alts["kao-sa-keen-eye"]


def test_the_ways_on_power_cards_are_those_of_two_dice() -> None:
    assert [ways([n]) for n in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    for card in CARDS:
        if card.kind == "power" and len(card.attributes["numbers"]) > 1:
            count = len(card.attributes["numbers"])
            assert ways(card.attributes["numbers"]) == {2: 7, 3: 8}[count]
