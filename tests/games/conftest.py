"""What tests of games share: people, tables and pages, and the pictures of a game's cards."""

from __future__ import annotations

import pytest
from PIL import Image

from collection.drawing.faces import face_of
from tests.browser.conftest import sit
from tests.collection.faces import cards_of
from tests.matches.conftest import _same_seeds_every_time, ann, bob, make_match, stranger
from tests.rules.conftest import _no_table_left_open

__all__ = [
    "_no_table_left_open",
    "_same_seeds_every_time",
    "ann",
    "bob",
    "make_match",
    "sit",
    "stranger",
    "thumbs",
]


@pytest.fixture(scope="module")
def thumbs(request: pytest.FixtureRequest) -> dict[str, Image.Image]:
    """All thumbs of the game that a module is about, drawn once."""
    face, cards = face_of(request.module.GAME), cards_of(request.module.GAME)
    return {card.slug: face.draw(card, "thumb") for card in cards}
