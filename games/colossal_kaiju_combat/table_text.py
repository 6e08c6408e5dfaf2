"""What is said around a table of Colossal Kaiju Combat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.table_text import Progress, TableText


class KaijuText(TableText):
    """Turns of several phases; whose part of a phase it is."""

    reasons = {
        "glory": "enough glory was won",
        "last_standing": "nobody else had a character left",
        "all_fallen": "the last characters fell together",
        "turn_cap": "decided by glory after the last turn",
        "quiet": "decided by glory, as nothing had happened for several turns",
    }

    def progress(self, view: Mapping[str, Any]) -> Progress:
        turn = f"Turn {view['turn']} of {view['turn_cap']}"
        combat = view["combat"]
        if combat:
            return Progress(f"{turn} · {'rampage' if combat['rampage'] else 'combat'}")
        return Progress(turn, view["acting"])
