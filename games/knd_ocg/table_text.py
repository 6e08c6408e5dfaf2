"""The words around a table of KND: OCG: progress, reasons, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, TableText, WhyNot

TEXT: Final = "KND-R-58"
"""A card's text is carried out part by part; nothing else comes between."""

NOT_NOW: Final[Mapping[str, WhyNot]] = {
    "again": WhyNot("Attack a second time, or end the turn.", "KND-R-23"),
    "discard-own": WhyNot("Choose a card from your hand to discard.", "KND-R-59"),
    "pay": WhyNot("Choose Energy to pay with.", "KND-R-18"),
    "pick-deck": WhyNot("Choose a card from your deck, or none.", "KND-R-44"),
    "pick-discard": WhyNot("Choose a card from your discard pile.", TEXT),
    "pick-energy": WhyNot("Choose an Energy card attached to a Character.", TEXT),
    "pick-hand": WhyNot("Choose a card from your hand to pay with.", TEXT),
    "pick-opposing": WhyNot("Choose an opposing Character.", TEXT),
    "pick-own": WhyNot("Choose one of your Characters.", TEXT),
    "pick-reserve": WhyNot("Choose one of your Reserve Characters.", TEXT),
    "pick-seen": WhyNot("Choose a card from the hand you are looking at.", "KND-R-43"),
    "pick-standing": WhyNot("Choose an opposing Gear or a card that stays in play.", TEXT),
    "play": WhyNot("Play cards, attack, or end your turn.", "KND-T-09"),
    "promote": WhyNot("Choose a Reserve Character to move up.", "KND-R-07"),
    "setup-active": WhyNot("Choose a Character to be your Active Character.", "KND-S-08"),
    "setup-reserve": WhyNot("You can place only Characters before the first turn.", "KND-S-10"),
}

NOT_THERE: Final[Mapping[str, WhyNot]] = {
    "attach": WhyNot("Attach Energy to one of your Characters.", "KND-E-07"),
    "place": WhyNot(
        "A Character goes into your Reserve, "
        "or straight to the front if you have no Characters in play.",
        "KND-F-07",
    ),
    "special": WhyNot("This card isn’t placed anywhere: use its Play button.", "KND-X-06"),
}


class KndText(TableText):
    """Turns, and how a duel ends."""

    not_now = NOT_NOW
    not_there = NOT_THERE

    reasons = {
        "fallen": "the loser’s fifth Character was defeated",
        "no-active": "the loser had no Active Character at the end of their turn",
        "deck": "the loser had no card left to draw",
        "quiet": "decided by deck size at the quiet limit",
        "turn-cap": "decided by Fallen tally and deck size at the turn limit",
        "both-fallen": "both players lost their fifth Character at the same time",
        "resign": "the loser conceded",
        "agreed": "both players agreed on a draw",
    }

    turning_points = frozenset({"fallen"})

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        return f"{view['players'][seat]['fallen']} of 5 Characters lost"

    def progress(self, view: Mapping[str, Any]) -> Progress:
        turn = view["turn"]
        if not turn["number"]:
            return Progress("Setting up")
        return Progress(f"Turn {turn['number']}", turn["seat"])
