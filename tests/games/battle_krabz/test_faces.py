"""The cards of Battle Krabz: all of them drawn, all told apart, all put into words."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from PIL import Image

from collection.drawing.faces import face_of
from collection.drawing.pictures import alt_text
from collection.drawing.printed import PrintedCard, printed_card
from games.battle_krabz.face import (
    CONDITIONS,
    deeds,
    domains,
    emblems,
    enemigos,
    finishes,
    krabz,
    spells,
)
from tests.collection.faces import WINDOW, assert_told_apart, cards_of, pixels

GAME = "battle-krabz"
CARDS = cards_of(GAME)
FACE = face_of(GAME)


def by_kind(kind: str) -> list[PrintedCard]:
    return [card for card in CARDS if card.kind == kind]


@pytest.mark.slow
def test_no_card_looks_like_another(thumbs: dict[str, Image.Image]) -> None:
    assert len({pixels(thumb) for thumb in thumbs.values()}) == 246


@pytest.mark.slow
def test_characters_are_told_apart_on_a_thumb(thumbs: dict[str, Image.Image]) -> None:
    """Within one finish, every character's picture differs clearly from all the others."""
    for kind in ("warrior", "booster", "power"):
        silver = [card.slug for card in by_kind(kind) if card.colour == "silver"]
        assert_told_apart({slug: thumbs[slug].crop(WINDOW) for slug in silver}, 9)


@pytest.mark.slow
def test_finishes_are_told_apart_without_colour(thumbs: dict[str, Image.Image]) -> None:
    """Also in grey: by the sign, the disc behind the figure and the weave of the frame."""
    versions: dict[str, dict[str, Image.Image]] = defaultdict(dict)
    for card in CARDS:
        versions[card.attributes["character"]][card.slug] = thumbs[card.slug].convert("L")
    for greys in versions.values():
        assert_told_apart(greys, 2.5)


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


@pytest.mark.parametrize("slug", ["ondine-silver", "old-mother-murk-silver"])
def test_the_heads_of_a_booster_stay_inside_the_frame(slug: str) -> None:
    """Three heads and “×2” on the small picture; its frame is that of a Booster for one."""
    other = {"ondine-silver": "paloma-silver", "old-mother-murk-silver": "sable-quill-silver"}
    frames = []
    for name in (slug, other[slug]):
        thumb = FACE.draw(printed_card(GAME, name), "thumb").convert("RGB")
        foot = range(round(thumb.height * 0.72), round(thumb.height * 0.94))
        sides = (*range(8), *range(thumb.width - 8, thumb.width))
        frames.append([thumb.getpixel((x, y)) for y in foot for x in sides])
    assert frames[0] == frames[1]
