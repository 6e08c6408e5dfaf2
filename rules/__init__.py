"""The rules engine of Riffle: five small card games, playable as a plain library.

>>> import rules
>>> match = rules.game("kaolan").new_match("match", seats=2, seed=bytes(32))
>>> sorted(match.prompts)
[1]
>>> match.play(1, match.prompts[1].options[-1])[0]
('action', 1, 'pass')
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module

from rules.engine.errors import BadData, BadSetup, IllegalMove, RulesError, UnknownGame
from rules.engine.game import Game, Mode
from rules.engine.match import Match
from rules.engine.moves import Move, Prompt

PACKAGES = ("kaolan", "battle_krabz", "colossal_kaiju_combat", "battl_khaos")
"""The games' packages, in the order in which they are shown."""


@lru_cache(maxsize=1)
def games() -> Mapping[str, Game]:
    """All games by slug, in a fixed order."""
    found = [import_module(f"rules.{package}").GAME for package in PACKAGES]
    return {game.slug: game for game in found}


def game(slug: str) -> Game:
    """The game of that slug; raises ``UnknownGame``."""
    try:
        return games()[slug]
    except KeyError:
        raise UnknownGame(f"There is no game “{slug}”. Known: {', '.join(games())}.") from None


__all__ = [
    "BadData",
    "BadSetup",
    "Game",
    "IllegalMove",
    "Match",
    "Mode",
    "Move",
    "Prompt",
    "RulesError",
    "UnknownGame",
    "game",
    "games",
]
