"""What is said around a table of KND: OCG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, TableText, WhyNot

TEXT: Final = "KND-R-58"
"""A card's text is carried out part by part; nothing else comes between."""

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "again": WhyNot("Now you attack a second time, or end the turn.", "KND-R-23"),
    "discard-own": WhyNot("Now a card of your hand is discarded.", "KND-R-59"),
    "pay": WhyNot("Now the Energy is chosen with which you pay.", "KND-R-18"),
    "pick-deck": WhyNot("Now a card of your deck is chosen, or none.", "KND-R-44"),
    "pick-discard": WhyNot("Now a card of your discard pile is chosen.", TEXT),
    "pick-energy": WhyNot("Now an Energy card under a Character is chosen.", TEXT),
    "pick-hand": WhyNot("Now the card of your hand is chosen that pays for it.", TEXT),
    "pick-opposing": WhyNot("Now one of the opposing Characters is chosen.", TEXT),
    "pick-own": WhyNot("Now one of your Characters is chosen.", TEXT),
    "pick-reserve": WhyNot("Now one of your Reserve Characters is chosen.", TEXT),
    "pick-seen": WhyNot("Now a card of the hand that you look at is chosen.", "KND-R-43"),
    "pick-standing": WhyNot("Now an opposing Gear or a card that stays is chosen.", TEXT),
    "play": WhyNot("Now you play cards of your hand, attack, or end the turn.", "KND-T-09"),
    "promote": WhyNot("Now somebody of your Reserve moves up.", "KND-R-07"),
    "setup-active": WhyNot("Now your Active Character is chosen: a Character.", "KND-S-08"),
    "setup-reserve": WhyNot("Only Characters are placed before the first turn.", "KND-S-10"),
}

NOT_THERE: Final[Mapping[str, WhyNot]] = {
    "attach": WhyNot("An Energy card goes under one of your Characters.", "KND-E-07"),
    "place": WhyNot(
        "A Character goes into your Reserve; straight to the front only while nobody is there.",
        "KND-F-07",
    ),
    "special": WhyNot("It is not laid on a place: press the button to play it.", "KND-X-06"),
}


class KndText(TableText):
    """Turns, and how a duel ends."""

    not_now = NOT_NOW
    not_there = NOT_THERE

    reasons = {
        "fallen": "five Characters had fallen",
        "no-active": "a turn ended without an Active Character",
        "deck": "there was no card left to draw",
        "quiet": "nothing happened for so long that the decks decided",
        "turn-cap": "decided by tallies and decks after the last turn",
        "both-fallen": "the fifth Character fell on both sides at once",
        "resign": "the opponent conceded",
        "agreed": "both agreed on a draw",
    }

    turning_points = frozenset({"fallen"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        return f"{view['players'][seat]['fallen']} of 5 Characters lost"

    def progress(self, view: Mapping[str, Any]) -> Progress:
        turn = view["turn"]
        if not turn["number"]:
            return Progress("Setting up")
        return Progress(f"Turn {turn['number']}", turn["seat"])
