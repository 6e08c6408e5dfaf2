"""Heads: what other cards of a deck its rules hang on, like a team card or the side of Warriors.

A head has a value where the deck has exactly one: ``of = "team"`` is the one card of a section,
``of = { kind = "warrior" }`` the one value that such cards have in a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Head:
    """``values``: what each card that counts stands for; ``order``: all values, the first first.

    ``names_card``: it is the one card of its section, which stands for itself.
    """

    name: str
    section: str
    column: str
    values: Mapping[str, str]
    order: tuple[str, ...]
    names_card: bool

    def value(self, cards: Iterable[str]) -> str:
        """What these cards stand for; "" where that is nothing, or several things."""
        held = {self.values[slug] for slug in cards if slug in self.values}
        return held.pop() if len(held) == 1 else ""


Heads: TypeAlias = Mapping[str, str]
"""Head → its value, "" for none."""
