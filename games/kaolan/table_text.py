"""What is said around a table of Kaolan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.engine.table_text import Progress, Score, TableText

BOOSTER_CARDS: Final = 60
"""So many cards of the six Booster Decks are to be removed in Single Play (KAO-R-85)."""


class KaolanText(TableText):
    """Turns in the modes against others; a score and passes in Single Play."""

    reasons = {
        "last_standing": "the last one standing",
        "main_defeated": "the other Main Character was defeated",
        "cleared": "every booster card is gone",
        "out_of_cards": "no Master Deck card was left",
        "resigned": "the run was given up",
        "turn_limit": "decided at the turn limit by what lay on the table",
    }

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
