"""What an attack would do, worked out beforehand for whoever is about to choose it (section 8).

Everything that goes into it lies open on the table.
"""

from __future__ import annotations

from typing import Any

from games.knd_ocg.rules import attack
from games.knd_ocg.state import Duel
from rules.engine.moves import Card, Move, Prompt


def preview(s: Duel, prompt: Prompt, move: Move) -> dict[str, Any] | None:
    """“35 − 5 = 30”, as ``attack.foreseen`` says; None for what is no attack with damage."""
    number = attack.NUMBERS.get(move.verb)
    if number is None or move.card is None or not isinstance(move.target, Card):
        return None
    if number >= 0 and s.cards.attacks[move.card][number].form == "trick":
        return None
    return attack.foreseen(s, move.card, number, move.target.card)
