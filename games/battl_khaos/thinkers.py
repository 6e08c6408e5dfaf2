"""Batt'l Kha'os thought ahead: what speaks for a seat, and who thinks how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.battl_khaos.bot import MIND
from games.battl_khaos.bot.quick import Quick
from games.battl_khaos.bot.sight import Sight
from games.battl_khaos.state import Khaos
from rules.engine.bots import Foresight, Thinker
from rules.search import LEVELS, thinking

PACKAGE: Final = "games.battl_khaos"

NAMES: Final = ("board",)

LEAD: Final = 100.0
MOST: Final = 3.0
"""More than three such leads are no surer to win."""


def features(s: Khaos, seat: int) -> Sequence[float]:
    """The board to whoever has just moved, as the greedy bot reckons it; 0 to whoever moves."""
    if s.turn == seat:
        return (0.0,)
    return (max(-MOST, min(MOST, Sight(s.copy(), seat).worth / LEAD)),)


def turns(s: Khaos) -> int:
    return s.turns


FORESIGHTS: Final = {
    mode: Foresight(
        PACKAGE,
        mode,
        MIND,
        turns,
        2,
        NAMES,
        features,
        margin=0.01,
        greedily=frozenset({"draw-tile"}),
        player=lambda: Quick().play,
    )
    for mode in ("classic", "warband", "army")
}

THINKERS: Final = {
    "thinker-1": Thinker(
        "thinker-1",
        "Strategist",
        "Plays its own and the enemy's next placement out a hundred times in its head.",
        thinking(FORESIGHTS, LEVELS[0]),
        ("Nerith", "Sir Corvin", "Ugra", "Owl-Eye", "Dame Maude", "Old Sgrith"),
        {"classic": 82, "warband": 70, "army": 75},
    ),
}
