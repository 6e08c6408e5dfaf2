"""The words around a table of Kaolan: progress, reasons, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.events import count
from rules.engine.table_text import Progress, Score, TableText, WhyNot

BOOSTER_CARDS: Final = 60
"""Cards of the six Booster Decks to remove in Single Play (KAO-R-85)."""


CHOOSE_OWN: Final = "Choose one of your Characters."
DISCARD_POWER: Final = "Choose a Power Card attached to your Character to discard."

KEEP_CHARACTER: Final = (
    "Choose a card from your hand to discard, not a Character while you must place one."
)

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "choose_ability": WhyNot("Choose a Special Ability from your hand.", "KAO-M-27"),
    "choose_ability_host": WhyNot(
        "Attach a Special Ability to one of your Characters that has none.", "KAO-M-27"
    ),
    "choose_character": WhyNot("Choose a Character from your hand.", "KAO-M-18"),
    "choose_defender": WhyNot("Choose a Leader to challenge.", "KAO-R-11"),
    "choose_link": WhyNot("Choose the link to replace.", "KAO-P-16"),
    "choose_opportunity": WhyNot("Choose an Opportunity from your hand.", "KAO-R-06"),
    "choose_position": WhyNot("Choose a position; the Leader’s must be filled first.", "KAO-M-19"),
    "choose_power": WhyNot(
        "Choose a Power Card from your hand that a Character has room for.", "KAO-M-24"
    ),
    "choose_power_host": WhyNot(
        "Attach a Power Card to one of your Characters that takes its colour and has room.",
        "KAO-M-24",
    ),
    "discard_down": WhyNot(
        KEEP_CHARACTER,
        "KAO-M-12",
    ),
    "horn_again": WhyNot("Choose the next Leader, or stop.", "KAO-R-11"),
    "pass_discard": WhyNot(
        KEEP_CHARACTER,
        "KAO-M-30",
    ),
    "raid_seat": WhyNot("Choose a player whose hand to raid.", "KAO-M-29"),
    "regroup_card": WhyNot("Choose a card attached to one of your Characters.", "KAO-M-29"),
    "replaced_card": WhyNot(
        "Choose where the replaced card goes: your hand or the Discard Pile.",
        "KAO-M-22",
    ),
    "sabotage_host": WhyNot("Choose an opponent’s Character with Power Cards.", "KAO-M-29"),
    "sabotage_power": WhyNot("Choose a Power Card attached to it.", "KAO-M-29"),
    "salvage_card": WhyNot("Choose one of the newest cards in the Discard Pile.", "KAO-M-29"),
    "second_wind": WhyNot(DISCARD_POWER, "KAO-R-20"),
    "silence_host": WhyNot("Choose an opponent’s Character with a Special Ability.", "KAO-M-29"),
    "solo_play": WhyNot("Use your face-up card, or deal on.", "KAO-S-14"),
    "solo_recycle": WhyNot("Discard the card dealt first or the one dealt last.", "KAO-S-15"),
    "solo_second_wind": WhyNot(DISCARD_POWER, "KAO-R-77"),
    "solo_target": WhyNot("Choose a Character on a pile to fight.", "KAO-S-24"),
    "solo_thorn": WhyNot(DISCARD_POWER, "KAO-R-77"),
    "spy_card": WhyNot("Choose a card from the hand you are looking at.", "KAO-M-29"),
    "spy_seat": WhyNot("Choose a player whose hand to look at.", "KAO-M-29"),
    "step_up": WhyNot("Only a Guard Character can step up as Leader.", "KAO-R-14"),
    "surge_power": WhyNot(
        "Choose a Power Card from your hand that a Character has room for.", "KAO-M-24"
    ),
    "swap_guard": WhyNot("Only a Guard Character can take the Leader’s place.", "KAO-R-14"),
    "teach_host": WhyNot(CHOOSE_OWN, "KAO-R-07"),
    "thorn_discard": WhyNot(DISCARD_POWER, "KAO-R-20"),
    "trim_power": WhyNot(DISCARD_POWER, "KAO-R-17"),
    "turn_action": WhyNot("Choose one action for your turn.", "KAO-M-16"),
    "volley_target": WhyNot("Choose a player to strike.", "KAO-R-11"),
}

NOT_THERE: Final[Mapping[str, WhyNot]] = {
    "add_ability": NOT_NOW["choose_ability_host"],
    "add_power": NOT_NOW["choose_power_host"],
    "attack": WhyNot("Attack a Character on a pile.", "KAO-S-24"),
    "challenge": WhyNot("Challenge another player’s Leader.", "KAO-R-11"),
    "opportunity": WhyNot("This card isn’t placed anywhere: use its Play button.", "KAO-M-29"),
    "place": WhyNot(
        "Place a Character on a free position of your board, the Leader’s first.", "KAO-M-18"
    ),
    "replace_link": WhyNot("It replaces a link of its level and of another colour.", "KAO-P-16"),
}


class KaolanText(TableText):
    """Turns in the modes against others; a score and passes in Single Play."""

    not_now = NOT_NOW
    not_there = NOT_THERE

    reasons = {
        "last_standing": "all other players were out",
        "main_defeated": "the opponent’s Main Character was defeated",
        "cleared": "all booster cards removed",
        "out_of_cards": "no Master Deck cards left",
        "resigned": "the run was conceded",
        "turn_limit": "decided at the turn limit by what was on the table",
    }

    turn_words = {"dealt_on": "deal"}
    turning_points = frozenset({"defeated", "eliminated", "prize_claimed"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        if "score" in view:
            return ""
        if self.is_out(view, seat):
            return "eliminated"
        board = view["players"][seat]["board"]
        return count(sum(position["character"] for position in board), "Character")

    def progress(self, view: Mapping[str, Any]) -> Progress:
        if "score" in view:
            return Progress(
                f"{view['score']} of {view['goal']} removed · pass {view['passes'] + 1}"
            )
        turn = view["turn"]
        return Progress(f"Turn {turn['number']} of {turn['limit']}", turn["seat"])

    def over(self, view: Mapping[str, Any]) -> str:
        return "The run is over" if "score" in view else super().over(view)

    def headline(self, outcome: Mapping[str, Any], *, mine: bool) -> str:
        score = self.score(outcome)
        if score is None:
            return ""
        if outcome["winners"]:
            return f"{'You removed' if mine else 'Removed'} all {score.most}"
        if mine:
            return f"You removed {score.reached} of {score.most}"
        return f"{score.reached} of {score.most} removed"

    def note(self, outcome: Mapping[str, Any]) -> str:
        score = self.score(outcome)
        if score is None:
            return ""
        return f"Cleared: all {score.most}" if outcome["winners"] else f"{score.reached} removed"

    def score(self, outcome: Mapping[str, Any]) -> Score | None:
        if "score" not in outcome:
            return None
        return Score(outcome["score"], BOOSTER_CARDS, "Booster cards removed")
