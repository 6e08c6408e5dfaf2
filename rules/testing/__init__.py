"""Tools for tests of rules: positions laid out by hand, dice that fall as scripted.

From the command line (``python -m rules.testing --help``) it checks all that the suite will ask of
a game, lays out positions, lists a game's notation and writes the golden playthroughs anew.
"""

from rules.testing.lessons import play_lesson
from rules.testing.playouts import playable_modes
from rules.testing.positions import Position, ScriptedChance, ScriptRanOut, position

__all__ = [
    "Position",
    "ScriptRanOut",
    "ScriptedChance",
    "play_lesson",
    "playable_modes",
    "position",
]
