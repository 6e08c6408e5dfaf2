"""What is said around a table of Kaolan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, Score, TableText, WhyNot

BOOSTER_CARDS: Final = 60
"""So many cards of the six Booster Decks are to be removed in Single Play (KAO-R-85)."""


CHOOSE_OWN: Final = "Now one of your own Characters is chosen."
DISCARD_POWER: Final = "Now one of the Power Cards under your Character is discarded."

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "choose_ability": WhyNot("Now a Special Ability from your hand is chosen.", "KAO-M-27"),
    "choose_ability_host": WhyNot(
        "A Special Ability goes under one of your Characters that has none.", "KAO-M-27"
    ),
    "choose_character": WhyNot("Now a Character from your hand is chosen.", "KAO-M-18"),
    "choose_defender": WhyNot("Now the Leader is chosen whom you challenge.", "KAO-R-11"),
    "choose_link": WhyNot("Now the link is chosen that goes.", "KAO-P-16"),
    "choose_opportunity": WhyNot("Now an Opportunity from your hand is chosen.", "KAO-R-06"),
    "choose_position": WhyNot(
        "Now the position is chosen; the Leader’s must be filled first.", "KAO-M-19"
    ),
    "choose_power": WhyNot(
        "Now a Power Card from your hand is chosen for which a Character has room.", "KAO-M-24"
    ),
    "choose_power_host": WhyNot(
        "A Power Card goes under one of your Characters that takes its colour and has room.",
        "KAO-M-24",
    ),
    "discard_down": WhyNot(
        "Now a card from your hand is discarded; a Character stays while you must place one.",
        "KAO-M-12",
    ),
    "horn_again": WhyNot("Now the next Leader is chosen, or you stop.", "KAO-R-11"),
    "pass_discard": WhyNot(
        "Now a card from your hand is discarded; a Character stays while you must place one.",
        "KAO-M-30",
    ),
    "raid_seat": WhyNot("Now the player is chosen whose hand you raid.", "KAO-M-29"),
    "regroup_card": WhyNot("Now a card under one of your Characters is chosen.", "KAO-M-29"),
    "replaced_card": WhyNot(
        "Now you say where the replaced card goes: to your hand or to the Discard Pile.",
        "KAO-M-22",
    ),
    "sabotage_host": WhyNot(
        "Now a Character of an opponent with Power Cards is chosen.", "KAO-M-29"
    ),
    "sabotage_power": WhyNot("Now one of the Power Cards under it is chosen.", "KAO-M-29"),
    "salvage_card": WhyNot(
        "Now one of the newest cards of the Discard Pile is chosen.", "KAO-M-29"
    ),
    "second_wind": WhyNot(DISCARD_POWER, "KAO-R-20"),
    "silence_host": WhyNot(
        "Now a Character of an opponent with a Special Ability is chosen.", "KAO-M-29"
    ),
    "solo_play": WhyNot("Now your face-up card is used, or you deal on.", "KAO-S-14"),
    "solo_recycle": WhyNot(
        "Now the card dealt first or the one dealt last is discarded.", "KAO-S-15"
    ),
    "solo_second_wind": WhyNot(DISCARD_POWER, "KAO-R-77"),
    "solo_target": WhyNot("Now a Character on a pile is chosen to fight.", "KAO-S-24"),
    "solo_thorn": WhyNot(DISCARD_POWER, "KAO-R-77"),
    "spy_card": WhyNot("Now a card of the hand that you look at is chosen.", "KAO-M-29"),
    "spy_seat": WhyNot("Now the player is chosen at whose hand you look.", "KAO-M-29"),
    "step_up": WhyNot("Only a Guard Character can step up as Leader.", "KAO-R-14"),
    "surge_power": WhyNot(
        "Now a Power Card from your hand is chosen for which a Character has room.", "KAO-M-24"
    ),
    "swap_guard": WhyNot("Only a Guard Character can take the Leader’s place.", "KAO-R-14"),
    "teach_host": WhyNot(CHOOSE_OWN, "KAO-R-07"),
    "thorn_discard": WhyNot(DISCARD_POWER, "KAO-R-20"),
    "trim_power": WhyNot(DISCARD_POWER, "KAO-R-17"),
    "turn_action": WhyNot("Now you choose what to do in your turn: one thing.", "KAO-M-16"),
    "volley_target": WhyNot("Now the player is chosen whom you strike.", "KAO-R-11"),
}

NOT_THERE: Final[Mapping[str, WhyNot]] = {
    "add_ability": NOT_NOW["choose_ability_host"],
    "add_power": NOT_NOW["choose_power_host"],
    "attack": WhyNot("You fight a Character on a pile.", "KAO-S-24"),
    "challenge": WhyNot("You challenge the Leader of another player.", "KAO-R-11"),
    "opportunity": WhyNot("It is not laid on a place: press the button to play it.", "KAO-M-29"),
    "place": WhyNot(
        "A Character takes a free position of your board, the Leader’s first.", "KAO-M-18"
    ),
    "replace_link": WhyNot(
        "It takes the place of a link of its level and of another colour.", "KAO-P-16"
    ),
}


class KaolanText(TableText):
    """Turns in the modes against others; a score and passes in Single Play."""

    not_now = NOT_NOW
    not_there = NOT_THERE

    reasons = {
        "last_standing": "everyone else was out",
        "main_defeated": "the other Main Character was defeated",
        "cleared": "every booster card is gone",
        "out_of_cards": "no Master Deck card was left",
        "resigned": "the run was conceded",
        "turn_limit": "decided at the turn limit by the cards in play",
    }

    turn_words = {"dealt_on": "deal"}
    turning_points = frozenset({"defeated", "eliminated", "prize_claimed"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        players = view.get("players", ())
        return "eliminated" if players and players[seat]["out"] is not None else ""

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
