"""Moves, the places they point at, and the prompts that offer them.

A move is one verb, at most one card and at most one target. Everything bigger is a sequence of
small prompts, so that people click a card and then where it goes, bots get short option lists and
a replay is one line a move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from rules.engine.errors import BadData


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at the table, counted from 0."""

    seat: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A named place in front of the seat that moves, e.g. ``left-1``."""

    slot: str


@dataclass(frozen=True, slots=True)
class Card:
    """A card in the match, by its number."""

    card: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of an unbounded grid: x grows to the east, y to the south."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Number:
    """A plain number: how many, or which quarter turn."""

    number: int


@dataclass(frozen=True, slots=True)
class Word:
    """A named choice that is not a place: a domain, a colour, a category."""

    word: str


Target: TypeAlias = Seat | Slot | Card | Cell | Number | Word

TARGETS: Final[Mapping[str, tuple[Any, type]]] = {
    "seat": (Seat, int),
    "slot": (Slot, str),
    "card": (Card, int),
    "number": (Number, int),
    "word": (Word, str),
}
"""The targets of one value, by the name that it has in the class and where it is stored."""

NAMES: Final[Mapping[type, str]] = {kind: name for name, (kind, _value) in TARGETS.items()}


class Move(NamedTuple):
    """An answer to a prompt: a verb, at most one card (its number), at most one target."""

    verb: str
    card: int | None = None
    target: Target | None = None


def stands(move: Move) -> bool:
    """True if a move means the same whenever it is offered: it names no card and no place."""
    return move.card is None and not isinstance(move.target, (Card, Cell, Slot))


def chosen(move: Move) -> int:
    """The pick of a move: its card, or the card, seat or number that it points at."""
    if move.card is not None:
        return move.card
    target = move.target
    if isinstance(target, Card):
        return target.card
    if isinstance(target, Seat):
        return target.seat
    if isinstance(target, Number):
        return target.number
    raise ValueError(f"{move} picks nothing")


class ByCard(dict[int, Move]):
    """Interned moves ``verb card``: built once, looked up ever after."""

    def __init__(self, verb: str) -> None:
        super().__init__()
        self.verb = verb

    def __missing__(self, card: int) -> Move:
        move = self[card] = Move(self.verb, card)
        return move


class ByTarget(dict[Any, Move]):
    """Interned moves ``verb target``, or those of one card that goes somewhere; keys are what
    ``place`` (a target class) is made from."""

    def __init__(self, verb: str, place: Any, card: int | None = None) -> None:
        super().__init__()
        self.verb = verb
        self.place = place
        self.card = card

    def __missing__(self, key: Any) -> Move:
        move = self[key] = Move(self.verb, self.card, self.place(key))
        return move


class ByCardAndTarget(dict[int, ByTarget]):
    """Interned moves ``verb card target``: by the card's number its moves by their target."""

    def __init__(self, verb: str, place: Any) -> None:
        super().__init__()
        self.verb = verb
        self.place = place

    def __missing__(self, card: int) -> ByTarget:
        moves = self[card] = ByTarget(self.verb, self.place, card)
        return moves


class Prompt(NamedTuple):
    """A question to one seat. ``id`` counts the questions to that seat, from 1.

    ``context`` is what the question is about (card numbers and the like), as plain data: with it
    the options can be worked out anew at any time.
    """

    id: int
    seat: int
    kind: str
    options: tuple[Move, ...]
    context: tuple[int, ...] = ()


def target_to_json(target: Target) -> dict[str, Any]:
    """Plain data for a target: ``{"seat": 1}``, ``{"slot": "leader"}``, ``{"x": 0, "y": -1}`` …"""
    if isinstance(target, Cell):
        return {"x": target.x, "y": target.y}
    name = NAMES[type(target)]
    return {name: getattr(target, name)}


def target_from_json(data: object) -> Target:
    """The opposite of :func:`target_to_json`; raises ``BadData``."""
    if isinstance(data, dict) and len(data) == 1:
        [(name, value)] = data.items()
        kind, allowed = TARGETS.get(name, (None, object))
        if kind is not None and isinstance(value, allowed):
            target: Target = kind(value)
            return target
    match data:
        case {"x": int(x), "y": int(y), **rest} if not rest:
            return Cell(x, y)
    raise BadData(f"Not a target: {data!r}.")


def move_to_json(move: Move) -> dict[str, Any]:
    """Plain data for a move: ``{"verb": …}`` and, where it has them, ``card`` and ``target``."""
    data: dict[str, Any] = {"verb": move.verb}
    if move.card is not None:
        data["card"] = move.card
    if move.target is not None:
        data["target"] = target_to_json(move.target)
    return data


PARTS: Final = frozenset(("verb", "card", "target"))


def move_from_json(data: object) -> Move:
    """The opposite of :func:`move_to_json`; raises ``BadData`` on anything else."""
    if not isinstance(data, dict):
        raise BadData(f"A move is an object with a verb, not {data!r}.")
    verb, card, target = data.get("verb"), data.get("card"), data.get("target")
    if not isinstance(verb, str) or not data.keys() <= PARTS:
        raise BadData("A move has a verb and may have a card and a target; nothing else.")
    if card is not None and (not isinstance(card, int) or isinstance(card, bool)):
        raise BadData(f"The card of a move is a number, not {card!r}.")
    return Move(verb, card, None if target is None else target_from_json(target))
