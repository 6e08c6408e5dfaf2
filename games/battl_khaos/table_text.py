"""What is said around a table of Batt'l Kha'os."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, TableText, WhyNot

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "catapult-target": WhyNot(
        "Now the tile is chosen that the Catapult hits. Towers are safe from it.", "BKH-P-26"
    ),
    "circle-target": WhyNot(
        "Now the tile in play is chosen that the Magic Circle removes.", "BKH-X-06"
    ),
    "circle-tile": WhyNot("Now a tile of your hand takes the emptied place.", "BKH-X-07"),
    "crystal-token": WhyNot("Now the token is chosen that the Crystal Field discards.", "BKH-X-09"),
    "draw-tile": WhyNot("Now you draw, from the stack or from the row.", "BKH-T-09"),
    "grave-token": WhyNot("Now the token of yours is chosen that comes back.", "BKH-X-13"),
    "place-cell": WhyNot("Now a place is chosen for the tile that you picked.", "BKH-T-03"),
    "place-rotation": WhyNot("Now the tile is turned that you picked.", "BKH-T-06"),
    "place-tile": WhyNot("Now a tile of your hand or a tower is placed.", "BKH-T-02"),
    "play-token": WhyNot("The tile lies. Now a token may go with it, or none.", "BKH-P-01"),
    "reserve-cell": WhyNot("Now the empty place is chosen that your side keeps.", "BKH-P-17"),
}


class KhaosText(TableText):
    """Turns, and how far each side is from the target."""

    not_now = NOT_NOW

    reasons = {
        "target": "the points to win were reached",
        "passes": "neither side could place anything",
        "resign": "one side conceded",
    }

    turning_points = frozenset({"tower_gained", "tower_lost", "tower_taken"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        player = view["players"][seat]
        points, towers = player["score"], player["towers"]
        return f"{points} point{'s' * (points != 1)}, {towers} tower{'s' * (towers != 1)}"

    def progress(self, view: Mapping[str, Any]) -> Progress:
        scores = {player["side"]: player["score"] for player in view["players"]}
        step = (
            f"Turn {view['turn']} · orcs {scores['O']}, knights {scores['K']} of {view['target']}"
        )
        return Progress(step, view["active"])
