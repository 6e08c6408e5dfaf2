"""The moves of Battle Krabz, each with the words on its button (specification, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.battle_krabz.rulebook import BOOK
from rules.engine.events import count
from rules.engine.moves import Move, Number, Word

DOMAIN_NAMES: Final[Mapping[str, str]] = {
    "shore": "Shining Shore",
    "sky": "Open Sky",
    "ember": "Ember Deep",
    "grove": "Tangle Grove",
    "frost": "Frost Shelf",
}

CATEGORY_NAMES: Final[Mapping[str, str]] = {
    "attack": "Attack",
    "defence": "Defence",
    "hp": "HP",
    "special": "Special",
}


def _domain(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Word)
    return DOMAIN_NAMES[move.target.word]


def _category(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Word)
    return CATEGORY_NAMES[move.target.word]


def _warriors(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Number)
    number = move.target.number
    return "No Warriors" if number == 0 else count(number, "Warrior")


def _without(s: Any, move: Move, names: Sequence[str]) -> str:
    return "No Booster" if s.phase == "boosters" else "No Power Card"


PICK: Final = BOOK.card_move("pick")
DEPLOY: Final = BOOK.card_move("deploy", "Deploy {card}")
BOOST: Final = BOOK.card_move("boost")
PLAY: Final = BOOK.card_move("play")
TARGET: Final = BOOK.card_move("target")
DOMAIN: Final = BOOK.target_move("domain", Word, _domain)
COLOUR: Final = BOOK.target_move("colour", Word)
TAKE: Final = BOOK.target_move("take", Number, _warriors)
CALL: Final = BOOK.target_move("call", Word, _category)

DONE: Final = BOOK.move("done", "Done")
PASS: Final = BOOK.move("pass", _without)
PROPOSE: Final = BOOK.move("propose-cut-short", "Offer to end the match here")
ACCEPT: Final = BOOK.move("accept", "End the match here")
DECLINE: Final = BOOK.move("decline", "Decline")
KEEP: Final = BOOK.move("keep", "Keep")
RECYCLE: Final = BOOK.move("recycle", "Recycle")
SORT: Final = (KEEP, RECYCLE)
