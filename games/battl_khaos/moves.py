"""The moves of Batt'l Kha'os, each with the words on its button (specification, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.battl_khaos.grid import cell, xy
from games.battl_khaos.rulebook import BOOK
from games.battl_khaos.state import ORCS, catalog
from rules.engine.cards import CardType
from rules.engine.moves import Cell, Move, Number

TURNS: Final = ("As printed", "Quarter turn", "Half turn", "Three-quarter turn")


def words_of(x: int, y: int) -> str:
    """A cell as people read it: “2 east, 1 south”; the first tower is the middle."""
    parts = []
    if x:
        parts.append(f"{abs(x)} {'east' if x > 0 else 'west'}")
    if y:
        parts.append(f"{abs(y)} {'south' if y > 0 else 'north'}")
    return ", ".join(parts) or "the middle"


def _cell(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Cell)
    words = words_of(move.target.x, move.target.y)
    return words[0].upper() + words[1:]


def name_for(token: CardType, side: int) -> str:
    """BKH-P-16: what a token is called; one has a name for each side."""
    name = "orc_name" if side == ORCS else "knight_name"
    return str(token.attributes.get(name, token.title))


def piece_name(s: Any, card: int) -> str:
    """The name of a piece at this table (a token's depends on its side)."""
    piece = catalog()[s.cards.slugs[card]]
    return name_for(piece, s.side(s.owner(card))) if piece.kind == "token" else piece.title


def _token(s: Any, move: Move, names: Sequence[str]) -> str:
    assert move.card is not None
    return piece_name(s, move.card)


def _in_play(s: Any, move: Move, names: Sequence[str]) -> str:
    """A piece by its name and where it lies: there may be two of them."""
    assert move.card is not None
    name = piece_name(s, move.card)
    for place, lies in s.tiles.items():
        if lies >> 2 == move.card or s.tokens.get(place) == move.card:
            return f"{name}, {words_of(*xy(place))}"
    return f"{name}, discarded"


def _turns(s: Any, move: Move, names: Sequence[str]) -> str:
    assert isinstance(move.target, Number)
    return TURNS[move.target.number]


PLACE: Final = BOOK.card_move("place", "Place {card}")
STOP: Final = BOOK.move("stop", "No second tile")
CELL: Final = BOOK.target_move("cell", cell, _cell)
TURN: Final = BOOK.target_move("turn", Number, _turns)
NO_TOKEN: Final = BOOK.move("none", "No token")
TOKEN: Final = BOOK.card_move("token", _token)
RESERVE: Final = BOOK.target_move("reserve", cell, _cell)
CATAPULT: Final = BOOK.card_move("catapult", _in_play)
CIRCLE: Final = BOOK.card_move("circle", _in_play)
LAY: Final = BOOK.card_move("lay", "Place {card}")
CRYSTAL: Final = BOOK.card_move("crystal", _in_play)
RECOVER: Final = BOOK.card_move("recover", _in_play)
STACK: Final = BOOK.move("stack", "Top of the stack")
DRAW: Final = BOOK.card_move("draw")
