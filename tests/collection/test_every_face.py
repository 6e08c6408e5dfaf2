"""Rules for the face of every game."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from PIL import Image

import rules
from collection.drawing import pictures
from collection.drawing.faces import face_of
from collection.drawing.layout import PLANS, Face, Size
from collection.drawing.printed import printed_card
from tests.collection.faces import pixels

GAMES = [game.slug for game in rules.games().values() if game.package.startswith(rules.SHELF)]
"""Those of the shelf: an installed game may be content with the plain face."""
DRAWN = [
    (game.slug, next(slug for slug, card in game.catalog.items() if card.kind == kind))
    for game in rules.games().values()
    for kind in dict.fromkeys(card.kind for card in game.catalog.values())
]
"""The first card of each kind."""


@pytest.mark.parametrize("game", GAMES)
def test_the_game_has_a_face_of_its_own(game: str) -> None:
    face = type(face_of(game))
    assert face is not Face
    assert face.__module__.startswith(f"{rules.game(game).package}.face")


@pytest.mark.slow
@pytest.mark.parametrize("size", PLANS)
@pytest.mark.parametrize(("game", "slug"), DRAWN)
def test_a_face_fills_its_size_and_is_always_the_same(game: str, slug: str, size: Size) -> None:
    card, face = printed_card(game, slug), face_of(game)
    once = face.draw(card, size)
    assert once.size == pictures.SIZES[size]
    assert once.mode == "RGBA"
    assert pixels(once) == pixels(face.draw(card, size))


@cache
def back_of(game: str, size: Size) -> Image.Image:
    return face_of(game).back(size)


@pytest.mark.parametrize(("game", "size"), product(GAMES, PLANS))
def test_the_back_is_this_game_s(game: str, size: Size) -> None:
    back = back_of(game, size)
    assert back.size == pictures.SIZES[size]
    for other in {*GAMES, "no-such-game"} - {game}:
        assert pixels(back) != pixels(back_of(other, size))
