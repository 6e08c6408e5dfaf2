"""Texts around a table of Batt'l Kha'os."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, TableText, WhyNot

SIDES: Final[Mapping[str, str]] = {"O": "orcs", "K": "knights"}
"""By their codes in a view."""
NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "catapult-target": WhyNot(
        "Choose the tile that the Catapult hits. Towers cannot be hit.", "BKH-P-26"
    ),
    "circle-target": WhyNot("Choose the tile in play that the Magic Circle removes.", "BKH-X-06"),
    "circle-tile": WhyNot("Choose a tile in your hand for the empty space.", "BKH-X-07"),
    "crystal-token": WhyNot("Choose the token that the Crystal Field discards.", "BKH-X-09"),
    "draw-tile": WhyNot("Draw from the stack or the row.", "BKH-T-09"),
    "grave-token": WhyNot("Choose which of your tokens to take back.", "BKH-X-13"),
    "place-cell": WhyNot("Choose a space for the tile that you picked.", "BKH-T-03"),
    "place-rotation": WhyNot("Turn the tile that you picked.", "BKH-T-06"),
    "place-tile": WhyNot("Place a tile from your hand, or a tower.", "BKH-T-02"),
    "play-token": WhyNot("The tile is placed. Play a token with it, or none.", "BKH-P-01"),
    "reserve-cell": WhyNot("Choose the empty space to reserve for your side.", "BKH-P-17"),
}


class KhaosText(TableText):
    """Turns, and how far each side is from the target."""

    not_now = NOT_NOW

    reasons = {
        "passes": "nobody could place anything; decided by points, then towers, then corners",
        "resign": "one side conceded",
    }

    def reason(self, outcome: Mapping[str, Any], view: Mapping[str, Any]) -> str:
        if outcome["reason"] != "target":
            return super().reason(outcome, view)
        side = view["players"][outcome["winners"][0]]["side"]
        return f"the {SIDES[side]} reached the target of {view['target']} points"

    turning_points = frozenset({"tower_gained", "tower_lost", "tower_taken"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        player = view["players"][seat]
        points, towers = player["score"], player["towers"]
        return f"{points} of {view['target']} points, {towers} tower{'s' * (towers != 1)}"

    def progress(self, view: Mapping[str, Any]) -> Progress:
        return Progress(f"Turn {view['turn']}", view["active"])
