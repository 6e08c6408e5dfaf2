"""The words around a table of Colossal Kaiju Combat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, TableText, WhyNot

AT_ITS_MOMENT: Final = "Only a planning card for this moment can be played now."

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "action": WhyNot("Choose one action. Combat cards are played during a combat.", "CKC-A-01"),
    "ambush": WhyNot("Only an Ambush can be played now.", "CKC-R-43"),
    "ambush_fighter": WhyNot(
        "Choose your attacker: a character of yours that did not fight.", "CKC-R-43"
    ),
    "ambush_victim": WhyNot("Choose a target: an opponent’s character that fought.", "CKC-R-43"),
    "answer": WhyNot("Choose the Sword card that your card answers.", "CKC-F-06"),
    "assault_target": WhyNot("Choose an opponent’s active character.", "CKC-Y-06"),
    "bearer": WhyNot("Choose a character for the scar.", "CKC-P-06"),
    "challenge_reply": WhyNot("Accept or decline the challenge.", "CKC-A-05"),
    "cost_discard": WhyNot("Choose a combat card from your hand to discard as a cost.", "CKC-R-23"),
    "demolish_which": WhyNot("Choose a city card.", "CKC-P-03"),
    "evacuate_which": WhyNot("Choose an undamaged Location in the city.", "CKC-P-03"),
    "evolve": WhyNot("Choose whether your kaiju changes form.", "CKC-K-02"),
    "feed_whom": WhyNot("Choose one of your damaged kaiju.", "CKC-P-03"),
    "fighter": WhyNot("Choose a character to play a card.", "CKC-F-03"),
    "how_far": WhyNot("Choose how far the city moves.", "CKC-Y-03"),
    "join": WhyNot("Choose one of your inactive characters to join the fight.", "CKC-F-01"),
    "move": WhyNot("Choose how far the city moves.", "CKC-M-05"),
    "pick_number": WhyNot("Choose how far the city moves.", "CKC-Y-04"),
    "plan_discard": WhyNot("Only planning cards can be discarded now.", "CKC-T-02"),
    "plan_play": WhyNot(
        "Only planning cards can be played now. Combat cards are for combats.", "CKC-T-05"
    ),
    "rage": WhyNot("Choose whether to use your Rage Attack.", "CKC-X-01"),
    "react_challenge": WhyNot(AT_ITS_MOMENT, "CKC-P-02"),
    "react_declined": WhyNot(AT_ITS_MOMENT, "CKC-P-02"),
    "react_end": WhyNot(AT_ITS_MOMENT, "CKC-R-43"),
    "react_rage": WhyNot(AT_ITS_MOMENT, "CKC-P-02"),
    "react_start": WhyNot(AT_ITS_MOMENT, "CKC-R-42"),
    "roar_discard": WhyNot("Only combat cards can be discarded now.", "CKC-A-08"),
    "roar_mode": WhyNot("Choose one of the two effects of a Roar.", "CKC-A-08"),
    "sabotage_whom": WhyNot("Choose a player who loses a card.", "CKC-P-03"),
    "scar": WhyNot("Only scars can be played now, on a character that fought.", "CKC-P-04"),
    "select_active": WhyNot("Choose one of your own characters to send into the city.", "CKC-T-06"),
    "shield": WhyNot("Only a Shield card from your combat hand can answer.", "CKC-C-03"),
    "spoils_of_whom": WhyNot("Choose a player to take a card from.", "CKC-P-03"),
    "steal_fury": WhyNot("Steal the Fury, or don’t.", "CKC-R-28"),
    "strike_whom": WhyNot("Choose an opponent’s character.", "CKC-P-03"),
    "sword": WhyNot("Only a Sword card from your combat hand can be played now.", "CKC-C-02"),
    "target": WhyNot("Choose a target for your card.", "CKC-F-03"),
}


class KaijuText(TableText):
    """Turns of several phases; whose part of a phase it is."""

    not_now = NOT_NOW

    reasons = {
        "glory": "the glory target was reached",
        "last_standing": "no one else had a character left",
        "all_fallen": "the last characters fell together",
        "turn_cap": "decided by glory after the last turn",
        "quiet": "decided by glory after several turns without action",
    }

    turning_points = frozenset({"knocked_out", "seat_out"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        out = ", eliminated" if self.is_out(view, seat) else ""
        return f"{view['players'][seat]['glory']} glory{out}"

    def progress(self, view: Mapping[str, Any]) -> Progress:
        turn = f"Turn {view['turn']} of {view['turn_cap']}"
        combat = view["combat"]
        if combat:
            return Progress(f"{turn} · {'rampage' if combat['rampage'] else 'combat'}")
        return Progress(turn, view["acting"])
