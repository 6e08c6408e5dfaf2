"""KND: OCG thought ahead: what speaks for a seat, and who thinks how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.knd_ocg.bot import MIND, play_quickly, worth
from games.knd_ocg.state import Duel
from rules.engine.bots import Foresight, Thinker
from rules.search import thinking

PACKAGE: Final = "games.knd_ocg"

NAMES: Final = ("table",)

LEAD: Final = 100.0
MOST: Final = 4.0
"""More than four such leads are no surer to win."""

PLAYOUTS: Final = 40
"""More of them would take longer than a second: its turns have many parts."""


def features(s: Duel, seat: int) -> Sequence[float]:
    """The table to whoever has just moved, as the greedy bot reckons it; 0 to whoever moves."""
    if s.player == seat:
        return (0.0,)
    return (max(-MOST, min(MOST, worth(s, seat) / LEAD)),)


def turns(s: Duel) -> int:
    return s.turn


FORESIGHTS: Final = {
    "duel": Foresight(
        PACKAGE,
        "duel",
        MIND,
        turns,
        2,
        NAMES,
        features,
        margin=0.0,
        player=lambda: play_quickly,
        tells_chances=False,
    ),
}

THINKERS: Final = {
    "thinker-1": Thinker(
        "thinker-1",
        "Numbuh Plan B",
        "Plays its turn and its opponent's answer out forty times in its head.",
        thinking(FORESIGHTS, PLAYOUTS),
        ("Blueprint", "Periscope", "Chalkboard", "Checkmate", "Compass", "Lookout"),
        {"duel": 60},
    ),
}
