"""What is said around a table of Colossal Kaiju Combat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, TableText, WhyNot

AT_ITS_MOMENT: Final = "Now only a planning card may be played that names this moment."

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "action": WhyNot(
        "Now you choose one action. Combat cards are laid in the combat itself.", "CKC-A-01"
    ),
    "ambush": WhyNot("Now an Ambush may be played, and nothing else.", "CKC-R-43"),
    "ambush_fighter": WhyNot(
        "Now the character is chosen that attacks: one of yours that did not fight.", "CKC-R-43"
    ),
    "ambush_victim": WhyNot(
        "Now the victim is chosen: somebody else’s character that fought.", "CKC-R-43"
    ),
    "answer": WhyNot("Now you choose the Sword card that your card answers.", "CKC-F-06"),
    "assault_target": WhyNot("Now an active character of another player is chosen.", "CKC-Y-06"),
    "bearer": WhyNot("Now the character is chosen that bears the scar.", "CKC-P-06"),
    "challenge_reply": WhyNot("Now you accept the challenge or decline it.", "CKC-A-05"),
    "cost_discard": WhyNot("Now a combat card of your hand is discarded as a price.", "CKC-R-23"),
    "demolish_which": WhyNot("Now a card of the city is chosen.", "CKC-P-03"),
    "evacuate_which": WhyNot(
        "Now a Location of the city is chosen that has no damage.", "CKC-P-03"
    ),
    "evolve": WhyNot("Now you say whether your kaiju changes its form.", "CKC-K-02"),
    "feed_whom": WhyNot("Now one of your damaged kaiju is chosen.", "CKC-P-03"),
    "fighter": WhyNot("Now the character is chosen that lays a card.", "CKC-F-03"),
    "how_far": WhyNot("Now you say how far the city moves.", "CKC-Y-03"),
    "join": WhyNot("Now the character is chosen that joins: an inactive one of yours.", "CKC-F-01"),
    "move": WhyNot("Now you say how far the city moves.", "CKC-M-05"),
    "pick_number": WhyNot("Now you say how far the city moves.", "CKC-Y-04"),
    "plan_discard": WhyNot("Now planning cards of your hand may be thrown away.", "CKC-T-02"),
    "plan_play": WhyNot(
        "Now planning cards are played. Combat cards wait for a combat.", "CKC-T-05"
    ),
    "rage": WhyNot("Now you say whether you activate your Rage Attack.", "CKC-X-01"),
    "react_challenge": WhyNot(AT_ITS_MOMENT, "CKC-P-02"),
    "react_declined": WhyNot(AT_ITS_MOMENT, "CKC-P-02"),
    "react_end": WhyNot(AT_ITS_MOMENT, "CKC-R-43"),
    "react_rage": WhyNot(AT_ITS_MOMENT, "CKC-P-02"),
    "react_start": WhyNot(AT_ITS_MOMENT, "CKC-R-42"),
    "roar_discard": WhyNot("Now combat cards of your hand may be discarded.", "CKC-A-08"),
    "roar_mode": WhyNot("Now you choose one of the two things that a Roar gives.", "CKC-A-08"),
    "sabotage_whom": WhyNot("Now the player is chosen who loses a card.", "CKC-P-03"),
    "scar": WhyNot("Now scars alone are played, onto a character that fought.", "CKC-P-04"),
    "select_active": WhyNot(
        "Now one of your own characters is chosen that goes into the city.", "CKC-T-06"
    ),
    "shield": WhyNot("Now a Shield card of your combat hand may answer.", "CKC-C-03"),
    "spoils_of_whom": WhyNot("Now the player is chosen whose card you take.", "CKC-P-03"),
    "steal_fury": WhyNot("Now you steal the Fury, or leave it.", "CKC-R-28"),
    "strike_whom": WhyNot("Now a character of another player is chosen.", "CKC-P-03"),
    "sword": WhyNot("Now a Sword card of your combat hand may be laid.", "CKC-C-02"),
    "target": WhyNot("Now you choose at whom your card is aimed.", "CKC-F-03"),
}


class KaijuText(TableText):
    """Turns of several phases; whose part of a phase it is."""

    not_now = NOT_NOW

    reasons = {
        "glory": "enough glory was won",
        "last_standing": "nobody else had a character left",
        "all_fallen": "the last characters fell together",
        "turn_cap": "decided by glory after the last turn",
        "quiet": "decided by glory, as nothing had happened for several turns",
    }

    turning_points = frozenset({"knocked_out", "seat_out"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        return f"{view['players'][seat]['glory']} glory"

    def progress(self, view: Mapping[str, Any]) -> Progress:
        turn = f"Turn {view['turn']} of {view['turn_cap']}"
        combat = view["combat"]
        if combat:
            return Progress(f"{turn} · {'rampage' if combat['rampage'] else 'combat'}")
        return Progress(turn, view["acting"])
