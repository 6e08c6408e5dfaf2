"""Deck lists, and the verdict on them.

A deck list is plain data: ``{section: {card slug: count}}``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from rules.engine.errors import BadData, BadSetup

Decklist: TypeAlias = Mapping[str, Mapping[str, int]]
Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A change to the list that mends a problem, which a page can offer as a button.

    ``changes`` says how many of which card to add or, where negative, to take out. With ``to``,
    what is taken out goes into that other section.
    """

    section: str
    changes: Mapping[str, int] = field(hash=False)
    label: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a list: the rule, the cards concerned, found and allowed, and a fix.

    ``found`` and ``allowed`` are the two numbers that don't agree (``allowed`` is the nearest
    number that would do, so for "at least 40" it is 40); None where no number is concerned.
    ``fix`` is None where no change to the list is needed or known.
    """

    rule: str
    severity: Severity
    message: str
    cards: tuple[str, ...] = ()
    found: int | None = None
    allowed: int | None = None
    fix: Fix | None = None


class SearchedProblem(Problem):
    """A problem whose fix is searched for when it is first read: most verdicts ask for none."""

    __slots__ = ("_fix",)
    _fix: Fix | Callable[[], Fix | None] | None

    def __init__(
        self,
        rule: str,
        severity: Severity,
        message: str,
        cards: tuple[str, ...] = (),
        found: int | None = None,
        allowed: int | None = None,
        fix: Fix | Callable[[], Fix | None] | None = None,
    ) -> None:
        object.__setattr__(self, "_fix", fix)
        for name, value in (
            ("rule", rule),
            ("severity", severity),
            ("message", message),
            ("cards", cards),
            ("found", found),
            ("allowed", allowed),
        ):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and stored as a plain problem, with its fix."""
        parts = (self.rule, self.severity, self.message, self.cards, self.found, self.allowed)
        return Problem, (*parts, self.fix)

    @property
    def fix(self) -> Fix | None:
        fix = self._fix
        if callable(fix):
            fix = fix()
            object.__setattr__(self, "_fix", fix)
        return fix


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


def distance_from_legal(report: Report) -> int:
    """Count what is wrong with a list: 0 if it is legal, else each error and by how much."""
    return sum(1 + abs((problem.found or 0) - (problem.allowed or 0)) for problem in report.errors)


def any_deck(mode: str, decklist: Decklist, format: Mapping[str, Any], **about: Any) -> Report:
    """The verdict of a game that judges no decks: none is brought to its tables."""
    return Report()


def read_decklist(decklist: object, sections: Collection[str]) -> dict[str, dict[str, int]]:
    """A list that came from outside as a copy of its own, without the entries that count 0.

    Raises ``BadData`` when it is not a mapping of sections to cards and counts, when it has a
    section that is not among ``sections``, or when a count is not a whole number of at least 0.
    """
    if not isinstance(decklist, Mapping):
        raise BadData("A deck list is an object of sections, each with cards and their counts.")
    copy: dict[str, dict[str, int]] = {}
    for section, cards in decklist.items():
        if section not in sections:
            names = ", ".join(f"“{name}”" for name in sections)
            raise BadData(f"There is no section “{section}” in this deck; there is {names}.")
        if not isinstance(cards, Mapping):
            raise BadData(f"The section “{section}” is an object of cards and their counts.")
        # Most lists are as they should be.
        counts = cards.values()
        if {*map(type, cards)} == {str} and {*map(type, counts)} == {int} and min(counts) > 0:
            copy[section] = dict(cards)
            continue
        read = copy[section] = {}
        for card, count in cards.items():
            # type(), not isinstance(): True is not a number of cards.
            if type(count) is not int or count < 0:
                raise BadData(
                    f"The count of “{card}” is a whole number of at least 0, not {count!r}."
                )
            if not isinstance(card, str):
                raise BadData(f"A card is named by its slug, not by {card!r}.")
            if count:
                read[card] = count
    return copy


def read_format(
    format: object, options: Collection[str], switches: Collection[str]
) -> dict[str, Any]:
    """A format that came from outside as a copy of its own; None is one that asks nothing.

    Raises ``BadData`` when it is not a mapping, when it has an option that is not among
    ``options``, or when one of ``switches`` is neither true nor false.
    """
    if format is None:
        return {}
    if not isinstance(format, Mapping):
        each = ", each true or false" if len(switches) == len(options) else ""
        raise BadData(f"A format is an object of options{each}.")
    for option, value in format.items():
        if option not in options:
            raise BadData(f"There is no format option “{option}”; there are {', '.join(options)}.")
        if option in switches and not isinstance(value, bool):
            raise BadData(f"The format option “{option}” is true or false, not {value!r}.")
    return dict(format)


def no_card(rule: str, message: str, section: str, entry: str, count: int) -> Problem:
    """An entry of a list that is not a card of the game; the fix takes it out."""
    fix = Fix(section, {entry: -count}, f"Take out “{entry}”")
    return Problem(rule, "error", message, (entry,), count, 0, fix)


def apply_fix(decklist: Decklist, fix: Fix) -> dict[str, dict[str, int]]:
    """The list with the change made; a card whose count falls to 0 or below leaves it."""
    changed = {section: dict(cards) for section, cards in decklist.items()}
    cards = changed.setdefault(fix.section, {})
    for card, change in fix.changes.items():
        before = cards.get(card, 0)
        cards[card] = before + change
        if cards[card] <= 0:
            del cards[card]
        if fix.to and change < 0 and before:
            target = changed.setdefault(fix.to, {})
            target[card] = target.get(card, 0) + min(before, -change)
    return changed


def deck_digest(game: str, mode: str, decklist: Decklist) -> str:
    """SHA-256, in hexadecimal digits, of a list in its one form.

    The form is UTF-8 text of lines that end with a line feed: the game's and the mode's slug with
    a space between, then ``section card count`` for each entry that counts something, sorted. So
    two lists have the same digest if and only if they hold the same cards in the same sections.
    """
    lines = [
        f"{section} {card} {count}\n"
        for section, cards in decklist.items()
        for card, count in cards.items()
        if count
    ]
    text = f"{game} {mode}\n" + "".join(sorted(lines))
    return hashlib.sha256(text.encode()).hexdigest()


def counted(number: int, noun: str) -> str:
    """``1 card``, ``2 cards``: a number with its noun (``noun`` in the singular, plural in -s)."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def report_to_json(report: Report) -> dict[str, Any]:
    """Plain data for a report: ``{"legal": …, "problems": [{"rule": …, …, "fix": … or None}]}``."""
    return {
        "legal": report.legal,
        "problems": [
            {
                "rule": problem.rule,
                "severity": problem.severity,
                "message": problem.message,
                "cards": list(problem.cards),
                "found": problem.found,
                "allowed": problem.allowed,
                "fix": None
                if problem.fix is None
                else {
                    "section": problem.fix.section,
                    "changes": dict(problem.fix.changes),
                    "label": problem.fix.label,
                    **({"to": problem.fix.to} if problem.fix.to else {}),
                },
            }
            for problem in report.problems
        ],
    }


def must_be_legal(report: Report) -> None:
    """Raises ``BadSetup`` with all that is wrong with decks that are to be played."""
    if not report.legal:
        raise BadSetup(" ".join(problem.message for problem in report.errors))
