"""How much a run tries: enough for every change, or with ``SIZE=large`` as much as a night allows.

``make nightly`` runs the large sizes. They change how many examples, matches and requests a test
makes, and never what it asserts.
"""

from __future__ import annotations

import os

import rules
from rules.engine.game import Game, Mode
from rules.testing import playable_modes

LARGE = os.environ.get("SIZE") == "large"


def sized(usual: int, *, large: int) -> int:
    """How many of something a test tries in this run."""
    return large if LARGE else usual


def shared(usual: int, *, least: int, large: int) -> int:
    """How many of something each mode tries: in an ordinary run all modes share one budget.

    So another game costs a run little; each mode gets ``least`` all the same.
    """
    modes = sum(mode.playable for game in rules.games().values() for mode in game.modes.values())
    return sized(max(least, usual // modes), large=large)


def modes_on_the_site() -> list[tuple[Game, Mode]]:
    """The modes that tests of the whole site go through: at night all, else one of each game.

    What the site does is the same for the modes of a game, and the rules' own tests ask every mode
    in every run.
    """
    if LARGE:
        return playable_modes()
    return [*{game.slug: (game, mode) for game, mode in reversed(playable_modes())}.values()]
