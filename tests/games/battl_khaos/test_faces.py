"""The pieces of Batt'l Kha'os: all of them drawn, all told apart, all put into words."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from PIL import Image

from collection.drawing import art
from collection.drawing.canvas import rgb
from collection.drawing.faces import face_of
from collection.drawing.pictures import alt_text
from collection.drawing.printed import PrintedCard, printed_card
from games.battl_khaos.face import (
    SHORT,
    terrain,
    tokens,
    towers,
    warriors,
    wonders,
)
from tests.collection.faces import WINDOW, assert_told_apart, cards_of, difference, pixels

GAME = "battl-khaos"
CARDS = cards_of(GAME)
FACE = face_of(GAME)


def by_kind(kind: str) -> list[PrintedCard]:
    return [card for card in CARDS if card.kind == kind]


@pytest.mark.slow
def test_no_piece_looks_like_another(thumbs: dict[str, Image.Image]) -> None:
    assert len({pixels(thumb) for thumb in thumbs.values()}) == 101


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "bound"), [("field", 9), ("special", 14), ("tower", 9)])
def test_pieces_are_told_apart_on_a_thumb(
    kind: str, bound: float, thumbs: dict[str, Image.Image]
) -> None:
    assert_told_apart({card.slug: thumbs[card.slug].crop(WINDOW) for card in by_kind(kind)}, bound)


@pytest.mark.slow
def test_tokens_are_told_apart_by_their_emblems(thumbs: dict[str, Image.Image]) -> None:
    emblem = (38, 44, 88, 104)
    assert_told_apart({card.slug: thumbs[card.slug].crop(emblem) for card in by_kind("token")}, 9)


# -- colour is never the only sign -----------------------------------------------------------------


def drawn_unit(side: str, number: int) -> Image.Image:
    """A unit on plain ground, in grey, as large as on a table."""
    canvas = art.scene((220, 220), 3)
    canvas.fill([(-330, -250), (330, -250), (330, 250), (-330, 250)], rgb("#7d9350"))
    warriors.unit(canvas, side, number, (0, 0))
    return canvas.finish().convert("L")


def test_units_are_told_apart_without_colour() -> None:
    units = {(side, number): drawn_unit(side, number) for side in "OK" for number in (1, 2, 3)}
    for (unit, picture), (other, rival) in combinations(units.items(), 2):
        assert difference(picture, rival) > (14 if unit[0] != other[0] else 5), (unit, other)


@pytest.mark.slow
def test_a_tile_and_its_mirror_are_told_apart_without_colour(
    thumbs: dict[str, Image.Image],
) -> None:
    for card in by_kind("field"):
        if card.slug.endswith("o"):
            mirror = thumbs[f"{card.slug[:-1]}k"].convert("L")
            assert difference(thumbs[card.slug].convert("L"), mirror) > 14, card.slug


def test_an_empty_corner_shows_no_unit() -> None:
    """Scout Fire has nobody in its south-east corner, two orcs in the north."""
    card = printed_card(GAME, "bkh-f34o")
    canvas = art.scene((480, 480), 1)
    FACE.window(canvas, card, FACE.layout(card))
    picture = canvas.finish()
    grounds = [warriors.SIDES[side].ground for side in "OK"]
    corners = {"NW": (20, 20), "NE": (250, 20), "SE": (250, 250), "SW": (20, 250)}
    sides = {}
    for corner, (x, y) in corners.items():
        part = picture.crop((x, y, x + 210, y + 210))
        counts = [0, 0]
        for count, colour in part.getcolors(maxcolors=210 * 210) or []:
            for which, ground in enumerate(grounds):
                near = all(abs(a - b) < 34 for a, b in zip(colour, ground, strict=True))
                counts[which] += count if near else 0
        sides[corner] = "".join(
            side for side, count in zip("OK", counts, strict=True) if count > 4_000
        )
    assert sides == {"NW": "O", "NE": "O", "SE": "", "SW": "K"}


# -- everything is drawn and said ------------------------------------------------------------------


def test_every_piece_has_a_drawing() -> None:
    assert {terrain.number_of(card.slug) for card in by_kind("field")} == set(terrain.MOTIFS)
    assert {card.slug.removeprefix("bkh-x-") for card in by_kind("special")} == set(wonders.WONDERS)
    assert {card.slug.removeprefix("bkh-") for card in by_kind("tower")} == set(towers.TOWERS)
    assert {card.slug.removeprefix("bkh-p-") for card in by_kind("token")} == set(tokens.NAMES)


def test_tokens_and_special_tiles_say_on_a_thumb_what_they_do() -> None:
    texts = {
        card.slug.split("-", 2)[2]: FACE.layout(card).short
        for card in (*by_kind("token"), *by_kind("special"))
    }
    assert texts == SHORT | {
        "drums": "+1 own units",
        "drums2": "+2 own units",
        "leader": "×2 own units",
        "archer": "−1 enemy units",
        "archer2": "−2 enemy units",
        "giant": "=1 enemy units",
    }


def test_the_numbers_on_a_face() -> None:
    def numbers(slug: str) -> tuple[str, ...]:
        return FACE.layout(printed_card(GAME, slug)).numbers

    assert numbers("bkh-f25k") == ("4", "5")
    assert numbers("bkh-t4o") == ("IV",)
    assert numbers("bkh-p-catapult") == ("3",)


def test_the_mage_is_told_by_both_its_names() -> None:
    details = dict(FACE.layout(printed_card(GAME, "bkh-p-mage")).details)
    assert (details["With orcs"], details["With knights"]) == ("Shaman", "Wizard")


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        (
            "bkh-f05o",
            "Bone Cairn. Field tile with 2 orcs and 1 knight. "
            "Corners: NW 2 orcs, NE empty, SE 1 knight, SW empty. Common card.",
        ),
        (
            "bkh-t1k",
            "Lantern Keep. Tower of value I. Flag of the knights. Worth 1 point. "
            "With equally many corners on both sides it belongs to the knights. Common card.",
        ),
        (
            "bkh-p-mage",
            "Wizard / Shaman. Advanced power token. Muster 1. Lies on the ground. "
            "Reserve an empty space near this tile for the rest of the match. "
            "Shaman for the orcs, Wizard for the knights. Uncommon card.",
        ),
    ],
)
def test_alternative_text_says_what_the_picture_shows(slug: str, words: str) -> None:
    assert alt_text(printed_card(GAME, slug)) == words


def test_every_piece_has_alternative_text() -> None:
    for card in CARDS:
        words = alt_text(card)
        assert card.name in words
        assert not re.search(r"[{}\[\]]|None", words), words
