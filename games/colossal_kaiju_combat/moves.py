"""The moves of Colossal Kaiju Combat, each with the words on its button (section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.colossal_kaiju_combat.rulebook import BOOK
from rules.engine.events import count
from rules.engine.moves import Move, Number, Seat


def _whose(words: str) -> Any:
    """“Attack Pelagor of Ada”: two players may have the same kaiju (CKC-R-61)."""

    def label(s: Any, move: Move, names: Sequence[str]) -> str:
        assert move.card is not None
        title = s.cards.title[move.card]
        return words.format(card=title, owner=names[s.owner(move.card)])

    return label


def _steps(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Number)
    number = move.target.number
    return "Leave the city as it is" if not number else f"Move the city {count(number, 'step')}"


def _nothing(s: Any, move: Move, names: Sequence[str]) -> str:
    """What it means to lay nothing, or nothing more."""
    combat = s.combat
    if combat is None or combat.stage != "sword" or combat.swords:
        return "Done"
    return "Break off" if combat.is_rampage else "Pass"


def _no_card(s: Any, move: Move, names: Sequence[str]) -> str:
    return "Play none" if s.combat is not None and s.combat.stage == "end" else "Lay nothing"


# the turn
DISCARD: Final = BOOK.card_move("discard", "Discard {card}")
PLAY: Final = BOOK.card_move("play", "Play {card}")
SELECT: Final = BOOK.card_move("select", "Send {card} into the city")
ATTACK: Final = BOOK.card_move("attack", _whose("Attack {card} of {owner}"))
CHALLENGE: Final = BOOK.card_move("challenge", _whose("Challenge {card} of {owner}"))
RAMPAGE: Final = BOOK.move("rampage", "Rampage")
ROAR: Final = BOOK.move("roar", "Roar")
PASS: Final = BOOK.move("pass", "Pass")
DONE: Final = BOOK.move("done", _nothing)
DRAW_TWO: Final = BOOK.move("draw-two", "Draw 2 combat cards")
REDRAW: Final = BOOK.move("redraw", "Discard and fill the hand up to 5")
ACCEPT: Final = BOOK.move("accept", "Accept the challenge")
DECLINE: Final = BOOK.move("decline", "Decline the challenge")

# a combat
FIGHTER: Final = BOOK.card_move("fighter", "Lay a card with {card}")
PAY: Final = BOOK.card_move("pay", "Lay {card} and pay")
BLUFF_WITH: Final = BOOK.card_move("bluff", "Bluff with {card}")
LAY: Final = BOOK.card_move("lay", "Lay {card} without effect")
TARGET: Final = BOOK.card_move("target", _whose("At {card} of {owner}"))
ANSWER: Final = BOOK.card_move("answer", _whose("Answer the card of {card}"))
NONE: Final = BOOK.move("none", _no_card)
RAGE: Final = BOOK.move("rage", "Activate the Rage Attack")
NO: Final = BOOK.move("no", "No")
YES: Final = BOOK.move("yes", "Yes")
CLAIM: Final = BOOK.move("claim-fury", "Claim your Fury")
STEAL: Final = BOOK.move("steal", "Steal the Fury")
LEAVE: Final = BOOK.move("leave", "Leave it")
MOVE: Final = BOOK.target_move("move", Number, _steps)

# texts
JOIN: Final = BOOK.card_move("join", "{card} joins the fight")
SCAR: Final = BOOK.card_move("scar", "Play {card}")
BEARER: Final = BOOK.card_move("bearer", _whose("On {card} of {owner}"))
CITY_CARD: Final = BOOK.card_move("city", "{card}")
CHARACTER: Final = BOOK.card_move("character", _whose("{card} of {owner}"))
SEAT: Final = BOOK.target_move("seat", Seat)
