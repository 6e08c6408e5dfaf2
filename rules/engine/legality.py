"""Deck lists, and the verdict on them.

A deck list is plain data: ``{section: {card slug: count}}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Decklist: TypeAlias = Mapping[str, Mapping[str, int]]
Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A change to the list that mends a problem: how many of which card to add (or, negative, remove)."""

    section: str
    changes: Mapping[str, int]
    label: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a list: the rule, the cards concerned, what was found and what is allowed."""

    rule: str
    severity: Severity
    message: str
    cards: tuple[str, ...] = ()
    found: int | None = None
    allowed: int | None = None
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on a deck. Errors block; warnings don't."""

    problems: tuple[Problem, ...] = field(default=())

    @property
    def legal(self) -> bool:
        """True when no problem is an error."""
        return all(problem.severity != "error" for problem in self.problems)

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "warning")
