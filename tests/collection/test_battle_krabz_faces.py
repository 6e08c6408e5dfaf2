"""The cards of Battle Krabz: all of them drawn, all told apart, all put into words."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict

import pytest
from PIL import Image, ImageChops, ImageStat

import rules
from collection import pictures
from collection.face import PLANS, Size
from collection.faces import face_of
from collection.faces.battle_krabz import (
    CONDITIONS,
    BattleKrabzFace,
    deeds,
    domains,
    emblems,
    enemigos,
    finishes,
    krabz,
    spells,
)
from collection.pictures import alt_text
from collection.printed import PrintedCard, printed_card

GAME = "battle-krabz"
CARDS = [printed_card(GAME, slug) for slug in rules.game(GAME).catalog]
FACE = face_of(GAME)
SAMPLES = ["kite-krab-holo", "fallen-emerald", "solara-gold", "turncoat-tide-silver"]


def by_kind(kind: str) -> list[PrintedCard]:
    return [card for card in CARDS if card.kind == kind]


def pixels(picture: Image.Image) -> str:
    return hashlib.sha256(picture.tobytes()).hexdigest()


def difference(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ, from 0 to 255."""
    gap = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    return sum(ImageStat.Stat(gap).mean) / 3


@pytest.fixture(scope="module")
def thumbs() -> dict[str, Image.Image]:
    return {card.slug: FACE.draw(card, "thumb") for card in CARDS}


def test_the_game_has_a_face_of_its_own() -> None:
    assert isinstance(FACE, BattleKrabzFace)
    assert len(CARDS) == 246


@pytest.mark.parametrize("size", PLANS)
@pytest.mark.parametrize("slug", SAMPLES)
def test_a_face_fills_its_size_and_is_always_the_same(slug: str, size: Size) -> None:
    card = printed_card(GAME, slug)
    once = FACE.draw(card, size)
    assert once.size == pictures.SIZES[size]
    assert pixels(once) == pixels(FACE.draw(card, size))


def test_no_card_looks_like_another(thumbs: dict[str, Image.Image]) -> None:
    assert len({pixels(thumb) for thumb in thumbs.values()}) == 246


def test_characters_are_told_apart_on_a_thumb(thumbs: dict[str, Image.Image]) -> None:
    """Within one finish, every character's picture differs clearly from all the others."""
    window = (10, 30, 116, 116)
    for kind in ("warrior", "booster", "power"):
        shown = [
            (card.slug, thumbs[card.slug].crop(window))
            for card in by_kind(kind)
            if card.colour == "silver"
        ]
        for number, (slug, picture) in enumerate(shown):
            for other, rival in shown[number + 1 :]:
                assert difference(picture, rival) > 9, (slug, other)


def test_finishes_are_told_apart_without_colour(thumbs: dict[str, Image.Image]) -> None:
    """Also in grey: by the sign, the disc behind the figure and the weave of the frame."""
    versions: dict[str, list[PrintedCard]] = defaultdict(list)
    for card in CARDS:
        versions[str(card.attributes["character"])].append(card)
    for cards in versions.values():
        for number, card in enumerate(cards):
            grey = thumbs[card.slug].convert("L")
            for other in cards[number + 1 :]:
                gap = difference(grey, thumbs[other.slug].convert("L"))
                assert gap > 2.5, (card.slug, other.slug)


def test_every_finish_has_a_sign_and_a_shape_of_its_own() -> None:
    colours = {card.colour for card in CARDS}
    assert colours == set(finishes.FINISHES) == set(finishes.SIGNS)
    outlines = {
        tuple((round(x), round(y)) for x, y in finishes.outline(colour, (0, 0), 100))
        for colour in colours
    }
    assert len(outlines) == 6
    for card in CARDS:
        sign = FACE.layout(card).sign
        assert sign is not None
        assert (sign.shape, sign.word) == (card.colour, card.colour)


def test_every_character_helper_and_charm_is_drawn() -> None:
    names = {
        kind: {str(card.attributes["character"]) for card in by_kind(kind)}
        for kind in ("warrior", "booster", "power")
    }
    assert names["warrior"] == set(krabz.FIGURES) | set(enemigos.FIGURES)
    assert names["booster"] == set(spells.LOOKS)
    assert names["power"] == set(emblems.EMBLEMS)


def test_every_domain_has_a_mark() -> None:
    used = {str(card.attributes["domain"]) for card in by_kind("warrior")}
    assert used == set(domains.DOMAINS)
    assert len({domain.mark for domain in domains.DOMAINS.values()}) == 5


def test_every_condition_has_a_sentence() -> None:
    assert {str(card.attributes["condition"]) for card in by_kind("warrior")} == set(CONDITIONS)


def test_power_cards_show_what_they_do_and_for_whom() -> None:
    def shown(slug: str) -> object:
        return deeds(printed_card(GAME, slug).attributes)

    assert shown("unicorn-silver") == (("", (("revive", "all"),)),)
    assert shown("dawn-bell-gold") == (
        ("Krabz", (("revive", "2"),)),
        ("Enemigos", (("down", "1"),)),
    )
    assert shown("turncoat-tide-holo") == (
        ("Loser", (("revive", "1"), ("down", "1"))),
        ("Winner", (("reverse", "flip"),)),
    )
    assert shown("cursed-compass-silver") == (("", (("down", "top HP"),)),)


def test_alternative_text_says_what_the_picture_shows() -> None:
    assert alt_text(printed_card(GAME, "krabbi-long-legs-holo")) == (
        "Krabbi Long Legs (Holo). Holo Krab of the Shining Shore. "
        "Attack 130, defence 80, HP 180. Special Bonus +50 alone. Legendary card."
    )
    assert alt_text(printed_card(GAME, "nocturna-gold")) == (
        "Nocturna (Gold). Gold Witch. Booster Value 2Ex3. "
        "Multiplies the strength of up to two Enemigos by 3. Uncommon card."
    )
    assert "Downs one standing Warrior" in alt_text(printed_card(GAME, "malapple-silver"))
    for card in CARDS:
        words = alt_text(card)
        assert card.name in words
        assert not re.search(r"[{}\[\]]|None", words), words


@pytest.mark.parametrize("size", PLANS)
def test_the_back_is_this_game_s(size: Size) -> None:
    back = FACE.back(size)
    assert back.size == pictures.SIZES[size]
    assert pixels(back) != pixels(face_of("kaolan").back(size))
