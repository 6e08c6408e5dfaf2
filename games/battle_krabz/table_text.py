"""What is said around a table of Battle Krabz."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.table_text import Progress, TableText


class KrabzText(TableText):
    """Battles in Battle Mode, rounds in Multi-Player Mode."""

    reasons = {
        "target": "the target was reached",
        "tied_match": "both reached the target",
        "decider": "the decider was won",
        "no_warriors": "there were no Warriors left",
        "stalemate": "five tied Battles in a row",
        "battle_limit": "the last Battle was fought",
        "cut_short": "cut short by agreement",
        "concession": "the other side did not play on",
        "last_standing": "the last one standing",
        "all_out": "nobody had a card left",
        "first_out": "somebody ran out of cards",
        "round_limit": "the last round was played",
    }

    def progress(self, view: Mapping[str, Any]) -> Progress:
        if "round" in view:
            step = f"Round {view['round']} of {view['round_limit']}"
            return Progress(step, view["leader"], "you lead", " leads")
        if not view["battle"]:
            return Progress("Before the first Battle")
        return Progress(f"Battle {view['battle']}", view["attacker"], "you attack", " attacks")
