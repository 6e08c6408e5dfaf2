"""The outcome of an attack, worked out before it is chosen (section 8), from open cards alone."""

from __future__ import annotations

from typing import Any

from games.knd_ocg.rules import attack
from games.knd_ocg.state import FALLEN, Duel
from rules.engine.moves import Card, Move, Prompt


def preview(s: Duel, prompt: Prompt, move: Move) -> dict[str, Any] | None:
    """``attack.foreseen`` and ``match``: how the match would end by it. None without damage."""
    number = attack.NUMBERS.get(move.verb)
    if number is None or move.card is None or not isinstance(move.target, Card):
        return None
    if number >= 0 and s.cards.attacks[move.card][number].form == "trick":
        return None
    foreseen = attack.foreseen(s, move.card, number, move.target.card)
    return {**foreseen, "match": match_result(s, move.card, number, foreseen)}


def match_result(s: Duel, card: int, number: int, foreseen: dict[str, Any]) -> str:
    """ "wins", "loses" or "draw" for the attacker, "" if the match goes on (KND-W-01, KND-W-02).

    It is lost, too, if no Character is left to move up when the turn ends.
    """
    seat = s.owner(card)
    won = s.fallen[1 - seat] + foreseen["defeats"] >= FALLEN
    lost = s.fallen[seat] + foreseen["falls"] >= FALLEN
    if won:
        return "draw" if lost else "wins"
    leaves = foreseen["falls"] or attack.destroys_itself(s, card, number)
    return "loses" if lost or (leaves and s.field_of(seat) == [card]) else ""
