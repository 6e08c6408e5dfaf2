"""The rules' verdict on a list that is not stored: while somebody types, or for a program.

What was typed and is no card's name goes to the rules under the typed words, so that it is one
of the problems (for Kaolan KAO-D-01) like every other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import rules
from decks.textlist import DEFAULT_SECTIONS, Line, Reading
from rules.engine.legality import Decklist, Fix, Problem, Report

MOST_CHANGES = 500
MOST_ADDED = 500


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A card that an unread line may mean."""

    line: int
    card: str
    title: str

    @property
    def value(self) -> str:
        """What a button that accepts it sends; :func:`parse_suggestion` reads it."""
        return f"{self.line} {self.card}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with what a page can offer to do about it."""

    problem: Problem
    lines: tuple[int, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def fix_value(self) -> str:
        """What the button of the fix sends; :func:`parse_fix` reads it."""
        fix = self.problem.fix
        if fix is None:
            return ""
        return json.dumps({"section": fix.section, "changes": dict(fix.changes)})


@dataclass(frozen=True, slots=True)
class Verdict:
    """A typed list, judged."""

    reading: Reading
    report: Report
    size: int
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.problem.severity == "error")

    @property
    def notices(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.problem.severity == "warning")


def judge(
    game: str,
    mode: str,
    cards: Decklist,
    format: Mapping[str, bool] | None = None,
    *,
    name: str = "",
) -> Report:
    """The report on a deck list; raises what the game's check raises, ``BadData`` for one."""
    about = {"name": name} if name else {}
    return rules.game(game).check_deck(mode, cards, format, **about)


def judge_reading(
    game: str,
    mode: str,
    reading: Reading,
    format: Mapping[str, bool] | None = None,
    *,
    name: str = "",
) -> Verdict:
    """The verdict on a list that was typed, unread lines and all."""
    report = judge(game, mode, reading.everything, format, name=name)
    catalog = rules.game(game).catalog
    unread: dict[str, list[Line]] = {}
    for line in reading.unread:
        unread.setdefault(line.name, []).append(line)
    findings = []
    for problem in report.problems:
        lines = unread.get(problem.cards[0], []) if len(problem.cards) == 1 else []
        suggestions = tuple(
            Suggestion(line.number, card, catalog[card].title)
            for line in lines[:1]
            for card in line.suggestions
        )
        findings.append(Finding(problem, tuple(line.number for line in lines), suggestions))
    size = sum(sum(counts.values()) for counts in reading.cards.values())
    return Verdict(reading, report, size, tuple(findings))


def parse_fix(value: str) -> Fix:
    """The change that a fix's button sends; raises ``ValueError`` for anything else."""
    try:
        data = json.loads(value)
    except RecursionError as error:
        raise ValueError("This is no change to a list.") from error
    match data:
        case {"section": str(section), "changes": dict(changes)} if (
            section in DEFAULT_SECTIONS
            and len(changes) <= MOST_CHANGES
            and all(type(change) is int and change <= MOST_ADDED for change in changes.values())
        ):
            return Fix(section, changes, "")
    raise ValueError("This is no change to a list.")


def parse_suggestion(value: str) -> tuple[int, str]:
    """Line and card that a suggestion's button sends; raises ``ValueError`` for anything else."""
    number, _, card = value.partition(" ")
    return int(number), card
