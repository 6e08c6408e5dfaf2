"""The moves of Kaolan, each with the words on its button (specification, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.kaolan.rulebook import BOOK
from rules.engine.events import place
from rules.engine.moves import Card, Move, Seat, Slot


def _with_leader(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Seat)
    seat = move.target.seat
    leader = s.leader(seat)
    return f"{names[seat]}: {s.cards.title[leader]}" if leader >= 0 else names[seat]


def _with_owner(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Card)
    host = move.target.card
    return f"{names[s.owner_of(host)]}’s {s.cards.title[host]}"


# A turn
PLACE: Final = BOOK.move("place", "Place")
REPLACE_LINK: Final = BOOK.move("replace_link", "Replace Link")
ADD_POWER: Final = BOOK.move("add_power", "Add Power")
ADD_ABILITY: Final = BOOK.move("add_ability", "Add Ability")
PLAY_OPPORTUNITY: Final = BOOK.move("opportunity", "Opportunity")
CHALLENGE: Final = BOOK.move("challenge", "Challenge")
PASS: Final = BOOK.move("pass", "Pass")
PLEDGE: Final = BOOK.move("pledge", "Pledge alliance")
WITHDRAW: Final = BOOK.move("withdraw", "Withdraw pledge")

TO_HAND: Final = BOOK.move("hand", "To your hand")
TO_DISCARD: Final = BOOK.move("discard", "To the Discard Pile")
NO: Final = BOOK.move("no", "No")
NONE_OF_THEM: Final = BOOK.move("none", "Discard none")
DONE: Final = BOOK.move("done", "Done")

CHARACTER_CARD: Final = BOOK.card_move("character")
POWER_CARD: Final = BOOK.card_move("power")
ABILITY_CARD: Final = BOOK.card_move("ability")
PLAY_CARD: Final = BOOK.card_move("play", "Play {card}")
DISCARD_CARD: Final = BOOK.card_move("discard", "Discard {card}")
SPEND: Final = BOOK.card_move("spend", "Discard {card} and roll again")
STEP_UP: Final = BOOK.card_move("step_up", "{card} steps up")
TAKE: Final = BOOK.card_move("take", "Take {card}")

UNDER: Final = BOOK.target_move("under", Card, "Attach to {target}")
HOST: Final = BOOK.target_move("host", Card, _with_owner)
POSITION: Final = BOOK.target_move("position", Slot)
NAME_SEAT: Final = BOOK.target_move("seat", Seat, _with_leader)


# Single Play
def _with_foe(words: str) -> Any:
    def label(s: Any, move: Move, names: Sequence[str]) -> str:
        assert isinstance(move.target, Slot)
        slot = move.target.slot
        return f"{words} {s.cards.title[s.top_at(slot)]} on {place(slot)}"

    return label


MATCH: Final = BOOK.target_move("match", Slot, _with_foe("Match with"))
TARGET: Final = BOOK.target_move("target", Slot, _with_foe("Fight"))
ATTACH: Final = BOOK.move("attach", "Attach card")
ATTACK: Final = BOOK.move("attack", "Attack")
DEAL: Final = BOOK.move("deal", "Deal")
RECYCLE: Final = BOOK.move("recycle", "Turn over the pile")
FIRST: Final = BOOK.move("first", "The card dealt first")
LAST: Final = BOOK.move("last", "The card dealt last")
