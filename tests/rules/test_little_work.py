"""A check costs little, counted in calls: seconds tell more of the machine (see ``bench/``)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

import rules
from rules.engine.cards import StarterDeck
from rules.engine.game import Game

MOST_CALLS = 240
"""Half as much again as the longest check needs; a walk through a catalog alone takes more."""

DECKS = [
    pytest.param(game, mode, deck, id=f"{game.slug}-{mode}-{slug}")
    for game in rules.games().values()
    for slug, deck in game.starter_decks.items()
    for mode in deck.modes
]


def calls(work: Callable[[], object]) -> int:
    """How many functions, Python's or C's, the work calls."""
    made = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return made


@pytest.mark.parametrize(("game", "mode", "deck"), DECKS)
def test_a_check_keeps_what_it_knows_of_the_cards(game: Game, mode: str, deck: StarterDeck) -> None:
    game.check_deck(mode, deck.cards)  # the first check may make tables for all others
    assert calls(lambda: game.check_deck(mode, deck.cards)) < MOST_CALLS
