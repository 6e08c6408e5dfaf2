"""What is said around a table of Batt'l Kha'os."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.table_text import Progress, TableText


class KhaosText(TableText):
    """Turns, and how far each side is from the target."""

    reasons = {
        "target": "enough towers were won",
        "passes": "neither side could place anything",
        "resign": "one side resigned",
    }

    def progress(self, view: Mapping[str, Any]) -> Progress:
        scores = {player["side"]: player["score"] for player in view["players"]}
        step = (
            f"Turn {view['turn']} · orcs {scores['O']}, knights {scores['K']} of {view['target']}"
        )
        return Progress(step, view["active"])
