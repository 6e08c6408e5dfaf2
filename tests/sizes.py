"""How much a run tries: enough for every change, or with ``SIZE=large`` as much as a night allows.

``make nightly`` runs the large sizes. They change how many examples, matches and requests a test
makes, and never what it asserts.
"""

from __future__ import annotations

import os

import rules

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
