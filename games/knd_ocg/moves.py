"""The moves of KND: OCG, each with the words on its button (specification, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.knd_ocg.rulebook import BOOK
from rules.engine.moves import Card, Move, Slot

ACTIVE: Final = "active"
RESERVE: Final = "reserve"


def _place(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Slot)
    where = "as your Active Character" if move.target.slot == ACTIVE else "in the Reserve"
    return f"{s.cards.title[move.card]} {where}"


def _named(number: int) -> Any:
    """The words on a Special Attack: its name and, where it has one, its target."""

    def label(s: Any, move: Move, names: Sequence[str]) -> str:
        assert move.card is not None
        attack = s.cards.attacks[move.card][number].name
        if not isinstance(move.target, Card):
            return f"{s.cards.title[move.card]}: {attack}"
        return f"{s.cards.title[move.card]}: {attack} on {s.cards.title[move.target.card]}"

    return label


def _effect(s: Any, move: Move, names: Sequence[str]) -> str:
    return f"{s.cards.title[move.card]}: {s.cards.effect[move.card].name}"


# Setting up
PLACE: Final = BOOK.card_target_move("place", Slot, _place)
READY: Final = BOOK.move("ready", "Ready")

# A turn
MOVE_UP: Final = BOOK.card_move("move-up", "Move up {card}")
ATTACH: Final = BOOK.card_target_move("attach", Card, "{card} to {target}")
FLEE: Final = BOOK.card_move("flee", "Flee: {card} comes in")
SPECIAL: Final = BOOK.card_move("special", "Play {card}")
EFFECT: Final = BOOK.card_move("effect", _effect)
BASIC: Final = BOOK.card_target_move("basic", Card, "Basic Attack: {card} on {target}")
ATTACK: Final = (
    BOOK.card_target_move("attack1", Card, _named(0)),
    BOOK.card_target_move("attack2", Card, _named(1)),
)
TRICK: Final = (
    BOOK.card_move("attack1", _named(0)),
    BOOK.card_move("attack2", _named(1)),
)
END: Final = BOOK.move("end", "End the turn")

# Choices of a text or a cost
PICK: Final = BOOK.card_move("pick")
TAKE: Final = BOOK.card_move("take", "Take {card}")
TAKE_FROM: Final = BOOK.card_target_move("take", Card, "{card} from {target}")
DISCARD: Final = BOOK.card_move("discard", "Discard {card}")
NO: Final = BOOK.move("no", "No")
NONE_OF_THEM: Final = BOOK.move("none", "None")
DONE: Final = BOOK.move("done", "That is all")
