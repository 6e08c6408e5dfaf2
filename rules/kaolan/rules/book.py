"""The rulebook that all of Kaolan's rules register with, and what a mode may decide."""

from __future__ import annotations

from typing import Protocol

from rules.engine.state import Rulebook
from rules.kaolan.state import Kaolan

BOOK: Rulebook[Kaolan] = Rulebook(always_asked=("turn_action",))


class ModeRules(Protocol):
    """The points at which the modes' chapters differ."""

    own_piles: bool
    """True if every seat has a Draw and Discard Pile of its own (R-09)."""

    opportunity_draws: bool
    """True if the option Opportunity begins with drawing a card (R-40)."""

    def positions(self, s: Kaolan, seat: int, *, reinforcements: bool = False) -> list[int]:
        """The positions of the own board that a Character from hand may take."""
        ...

    def may_challenge(self, s: Kaolan, seat: int, *, truce_breaker: bool = False) -> list[int]:
        """The seats that this one can challenge now, clockwise."""
        ...

    def parties(self, s: Kaolan, announcer: int, challenged: int) -> tuple[list[int], list[int]]:
        """Who attacks and who defends, in order."""
        ...


MODES: dict[str, ModeRules] = {}
