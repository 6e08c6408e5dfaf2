"""The words around a table of Battle Krabz: progress, reasons, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, TableText, WhyNot

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "boost": WhyNot("You can play only a Booster now.", "BKZ-B-22"),
    "boost-target": WhyNot(
        "Choose a Warrior in your battle line that isn’t boosted yet.", "BKZ-R-14"
    ),
    "call": WhyNot("Call one of the four numbers on your front card.", "BKZ-M-08"),
    "choose-hand": WhyNot("Choose seven cards, including at least one Warrior.", "BKZ-P-10"),
    "cut-short-reply": WhyNot("Accept or decline the offer to end the match first.", "BKZ-R-32"),
    "deploy": WhyNot(
        "Deploy Warriors now. Boosters and Power Cards come later in the Battle.", "BKZ-B-10"
    ),
    "power": WhyNot("You can play only a Power Card that has an effect now.", "BKZ-R-18"),
    "power-target": WhyNot(
        "Choose a target for your Power Card among the Warriors in this Battle.", "BKZ-R-17"
    ),
    "replenish": WhyNot("Choose how many Warriors to draw.", "BKZ-B-58"),
    "sort": WhyNot("Keep or recycle your survivors. Your hand stays as it is.", "BKZ-B-57"),
}


def eliminated_words(player: Mapping[str, Any]) -> str:
    """The elimination score against its target, which the last Battle may exceed."""
    score, target = player["score"], player["target"]
    return f"{score} of {target}" if score <= target else f"{score} (target {target})"


class KrabzText(TableText):
    """Battles in Battle Mode, rounds in Multi-Player Mode."""

    not_now = NOT_NOW

    reasons = {
        "target": "the target number of Warriors was eliminated",
        "tied_match": "both reached the target",
        "decider": "the decider was won",
        "no_warriors": "no Warriors were left",
        "stalemate": "five tied Battles in a row",
        "battle_limit": "the Battle limit was reached",
        "cut_short": "ended early by agreement",
        "concession": "the other player conceded",
        "last_standing": "all other players were out",
        "all_out": "no player had a card left",
        "first_out": "a player ran out of cards",
        "round_limit": "the round limit was reached",
    }

    turn_words = {"battle_started": "Battle", "round_started": "round"}
    turning_points = frozenset({"battle_won", "seat_out"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        player = view["players"][seat]
        if self.is_out(view, seat):
            return "out"
        if "pile" in player:
            cards = player["pile"]["count"]
            return f"{cards} card{'s' * (cards != 1)}"
        return f"{eliminated_words(player)} eliminated"

    def progress(self, view: Mapping[str, Any]) -> Progress:
        if "round" in view:
            step = f"Round {view['round']} of {view['round_limit']}"
            return Progress(step, view["leader"], "you lead", " leads")
        if not view["battle"]:
            return Progress("Before the first Battle")
        return Progress(f"Battle {view['battle']}", view["attacker"], "you attack", " attacks")
