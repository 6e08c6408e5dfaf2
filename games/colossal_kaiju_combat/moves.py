"""The moves of Colossal Kaiju Combat, each with the words on its button (section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.colossal_kaiju_combat.rulebook import BOOK
from rules.engine.events import count
from rules.engine.moves import Move, Number, Seat


def _whose(words: str) -> Any:
    """“Attack Ada's Pelagor”: two players may have the same kaiju (CKC-R-61).

    To the seat that is asked its own characters are “your Pelagor”.
    """

    def label(s: Any, move: Move, names: Sequence[str]) -> str:
        assert move.card is not None
        owner = s.owner(move.card)
        whose = "your" if owner in s.prompts else f"{names[owner]}'s"
        sentence = words.format(card=f"{whose} {s.cards.title[move.card]}")
        return sentence[0].upper() + sentence[1:]

    return label


def _steps(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Number)
    number = move.target.number
    return "Leave the city as it is" if not number else f"Move the city {count(number, 'step')}"


def _nothing(s: Any, move: Move, names: Sequence[str]) -> str:
    """“Pass” before a first card, “Done” after it; a rampage ends."""
    combat = s.combat
    if combat is None or combat.stage != "sword" or combat.swords:
        return "Done"
    return "End the rampage" if combat.is_rampage else "Pass"


def _no_card(s: Any, move: Move, names: Sequence[str]) -> str:
    return "Play none" if s.combat is not None and s.combat.stage == "end" else "Play no card"


# the turn
DISCARD: Final = BOOK.card_move("discard", "Discard {card}")
PLAY: Final = BOOK.card_move("play", "Play {card}")
SELECT: Final = BOOK.card_move("select", "Send {card} into the city")
ATTACK: Final = BOOK.card_move("attack", _whose("Attack {card}"))
CHALLENGE: Final = BOOK.card_move("challenge", _whose("Challenge {card}"))
RAMPAGE: Final = BOOK.move("rampage", "Rampage")
ROAR: Final = BOOK.move("roar", "Roar")
PASS: Final = BOOK.move("pass", "Pass")
DONE: Final = BOOK.move("done", _nothing)
DRAW_TWO: Final = BOOK.move("draw-two", "Draw 2 combat cards")
REDRAW: Final = BOOK.move("redraw", "Discard, then draw up to 5")
ACCEPT: Final = BOOK.move("accept", "Accept the challenge")
DECLINE: Final = BOOK.move("decline", "Decline the challenge")

# a combat
FIGHTER: Final = BOOK.card_move("fighter", "Play a card with {card}")
PAY: Final = BOOK.card_move("pay", "Play {card} and pay")
BLUFF_WITH: Final = BOOK.card_move("bluff", "Bluff with {card}")
LAY: Final = BOOK.card_move("lay", "Play {card} without effect")
TARGET: Final = BOOK.card_move("target", _whose("Target {card}"))
ANSWER: Final = BOOK.card_move("answer", _whose("Answer {card}"))
NONE: Final = BOOK.move("none", _no_card)
RAGE: Final = BOOK.move("rage", "Activate the Rage Attack")
NO: Final = BOOK.move("no", "No")
YES: Final = BOOK.move("yes", "Yes")
CLAIM: Final = BOOK.move("claim-fury", "Claim your Fury")
STEAL: Final = BOOK.move("steal", "Steal the Fury")
LEAVE: Final = BOOK.move("leave", "Don't steal")
MOVE: Final = BOOK.target_move("move", Number, _steps)

# texts
JOIN: Final = BOOK.card_move("join", "{card} joins the fight")
SCAR: Final = BOOK.card_move("scar", "Play {card}")
BEARER: Final = BOOK.card_move("bearer", _whose("Put it on {card}"))
CITY_CARD: Final = BOOK.card_move("city", "{card}")
CHARACTER: Final = BOOK.card_move("character", _whose("{card}"))
SEAT: Final = BOOK.target_move("seat", Seat)
