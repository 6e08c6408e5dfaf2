"""What is said around a table of KND: OCG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.table_text import Progress, TableText


class KndText(TableText):
    """Turns, and how a duel ends."""

    reasons = {
        "fallen": "five Characters had fallen",
        "no-active": "a turn ended without an Active Character",
        "deck": "there was no card left to draw",
        "quiet": "nothing happened for so long that the decks decided",
        "turn-cap": "decided by tallies and decks after the last turn",
        "both-fallen": "the fifth Character fell on both sides at once",
        "resign": "the other side gave up",
    }

    def progress(self, view: Mapping[str, Any]) -> Progress:
        turn = view["turn"]
        if not turn["number"]:
            return Progress("Setting up")
        return Progress(f"Turn {turn['number']}", turn["seat"])
