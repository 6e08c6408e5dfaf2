"""Real cards and modes that forms and the API's document show as examples."""

from __future__ import annotations

from typing import Any

import rules
from rules.engine.game import Game, Mode


def _of_decks() -> tuple[Game, Mode]:
    """The first game with ready-made decks for a mode to which people bring their own."""
    shelf = [(game, mode) for game in rules.games().values() for mode in game.modes.values()]
    for game, mode in shelf:
        if mode.own_decks and game.ready_made(mode.slug):
            return game, mode
    return shelf[0]


GAME, MODE = _of_decks()
DECKS = GAME.ready_made(MODE.slug)
_LISTED = list(DECKS[0].cards[MODE.sections[0]]) if DECKS else []
FIRST, SECOND, *_ = [*_LISTED, *GAME.catalog]
LIST = f"2 {GAME.catalog[FIRST].title}\n1 {GAME.catalog[SECOND].title}\n"
CODE = f"{GAME.slug}1:CnRvdXJuYW1lbnQ…"
PLAY = {"game": GAME.slug, "mode": MODE.slug}


def to_play(*, alone: bool = False, own_decks: bool = False) -> dict[str, Any] | None:
    """Game and mode of a match of that sort, for the API; None where there is none."""
    for game in rules.games().values():
        for mode in game.modes.values():
            fits = (1 in mode.seats) == alone and mode.own_decks == own_decks
            if mode.playable and fits:
                return {"game": game.slug, "mode": mode.slug}
    return None
