"""Errors of the engine."""

from __future__ import annotations

from collections.abc import Sequence


class RulesError(Exception):
    """Base of everything the engine refuses; the match is unchanged after it."""


class IllegalMove(RulesError):
    """A move that is not offered to this seat now. ``offered`` lists what is."""

    def __init__(self, message: str, offered: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.offered = tuple(offered)


class UnknownGame(RulesError, KeyError):
    """No game or mode of that name is registered."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class BadSetup(RulesError, ValueError):
    """A match cannot start like this: seats, options or decks are wrong."""


class BadData(RulesError, ValueError):
    """Dumped data or move notation that cannot be read."""


class EndlessRules(RuntimeError):
    """A fault of a rulebook: it goes on without ever asking anybody, or knows no way on."""
