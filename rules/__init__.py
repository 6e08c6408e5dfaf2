"""The rules engine of Riffle: small card games, playable as a plain library.

A game is a package with a ``GAME``: each folder in ``games/``, and whatever an installed
distribution names under the entry point ``riffle.games``.

>>> import rules
>>> some = next(game for game in rules.games().values() if game.table)
>>> mode = next(mode for mode in some.modes.values() if mode.playable)
>>> match = some.new_match(mode.slug, seats=mode.seats[0], seed=bytes(32))
>>> seat, prompt = next(iter(match.prompts.items()))
>>> events = match.play(seat, prompt.options[-1])
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module, metadata
from pkgutil import iter_modules

from rules.engine.errors import BadData, BadSetup, IllegalMove, RulesError, UnknownGame
from rules.engine.game import Game, Mode
from rules.engine.match import Match
from rules.engine.moves import Move, Prompt

SHELF = "games"
"""The package whose folders are games."""

ENTRY_POINTS = "riffle.games"
"""Under this name an installed distribution says which of its packages are games."""


def packages() -> list[str]:
    """The packages of all games, those of the shelf first."""
    shelf = import_module(SHELF)
    own = [f"{SHELF}.{module.name}" for module in iter_modules(shelf.__path__) if module.ispkg]
    others = (entry.value for entry in metadata.entry_points(group=ENTRY_POINTS))
    return list(dict.fromkeys([*own, *sorted(others)]))


@lru_cache(maxsize=1)
def games() -> Mapping[str, Game]:
    """All games by slug, in the order in which they are shown: by ``Game.place``, then by slug."""
    shelf = [import_module(package).GAME for package in packages()]
    shelf.sort(key=lambda game: (game.place, game.slug))
    return {game.slug: game for game in shelf}


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
    "packages",
]
