"""What is said around a table of Battle Krabz."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, TableText, WhyNot

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "boost": WhyNot("Now is the moment for Boosters alone.", "BKZ-B-22"),
    "boost-target": WhyNot(
        "Now a Warrior of yours in the battle line is chosen that is not boosted yet.", "BKZ-R-14"
    ),
    "call": WhyNot("Now you call one of the four numbers of your front card.", "BKZ-M-08"),
    "choose-hand": WhyNot(
        "Seven cards are your first hand, and one of them is a Warrior.", "BKZ-P-10"
    ),
    "cut-short-reply": WhyNot(
        "Now you answer whether the match ends here. No card is played before.", "BKZ-R-32"
    ),
    "deploy": WhyNot(
        "Now Warriors are deployed. Boosters and Power Cards come later in the Battle.", "BKZ-B-10"
    ),
    "power": WhyNot("Now a Power Card may be played, if it would do something.", "BKZ-R-18"),
    "power-target": WhyNot(
        "Now it is chosen on whom your Power Card works: Warriors of this Battle.", "BKZ-R-17"
    ),
    "replenish": WhyNot("Now you say how many Warriors you draw.", "BKZ-B-58"),
    "sort": WhyNot("Now you sort what survived the Battle. Your hand stays as it is.", "BKZ-B-57"),
}


class KrabzText(TableText):
    """Battles in Battle Mode, rounds in Multi-Player Mode."""

    not_now = NOT_NOW

    reasons = {
        "target": "the target was reached",
        "tied_match": "both reached the target",
        "decider": "the decider was won",
        "no_warriors": "there were no Warriors left",
        "stalemate": "five tied Battles in a row",
        "battle_limit": "the last Battle was fought",
        "cut_short": "cut short by agreement",
        "concession": "the opponent conceded or ran out of time",
        "last_standing": "everyone else was out",
        "all_out": "no one had a card left",
        "first_out": "a player ran out of cards",
        "round_limit": "the last round was played",
    }

    turn_words = {"battle_started": "Battle", "round_started": "round"}
    turning_points = frozenset({"battle_won", "seat_out"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        player = view["players"][seat]
        if "pile" in player:
            cards = player["pile"]["count"]
            return f"{cards} card{'s' * (cards != 1)}"
        return f"{player['score']} of {player['target']} eliminated"

    def progress(self, view: Mapping[str, Any]) -> Progress:
        if "round" in view:
            step = f"Round {view['round']} of {view['round_limit']}"
            return Progress(step, view["leader"], "you lead", " leads")
        if not view["battle"]:
            return Progress("Before the first Battle")
        return Progress(f"Battle {view['battle']}", view["attacker"], "you attack", " attacks")
