"""What a Character Card's face shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collection.face import PLANS, Size
from collection.faces import face_of
from games.kaolan.face.symbols import SYMBOLS
from tests.collection.faces import cards_of, pixels

CHARACTERS = [card for card in cards_of("kaolan") if card.kind == "character"]


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
    shown = {
        pixels(face.draw(replace(card, attributes=card.attributes | {"symbol": other}), size).crop(
            corner
        ))
        for other in [card.attributes["symbol"], *others]
    }  # fmt: skip
    assert len(shown) == len(SYMBOLS)


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
