"""What the tables of all games' scenarios share: laid by a test, played, and to be finished."""

from __future__ import annotations

from typing import Any, Self

from rules.engine.match import Match
from rules.testing import Position

OPEN: list[LaidTable] = []
"""The tables of the running test that are not done."""


class LaidTable:
    """A position, and all that has happened in it."""

    def __init__(self, laid: Position) -> None:
        self.laid = laid
        self.history: list[Any] = list(laid.match.opening)
        OPEN.append(self)

    @property
    def match(self) -> Match:
        return self.laid.match

    @property
    def state(self) -> Any:
        return self.laid.state

    def concede(self, who: int) -> Self:
        self.history += self.match.concede(who)
        return self

    def events(self, *kinds: str) -> list[tuple[Any, ...]]:
        """The values of all events of these kinds so far."""
        return [event[1:] for event in self.history if event[0] in kinds]
