"""Asking the rules for their verdict: on a deck, on what somebody types, on what a program sends.

Everybody asks with a :class:`Ruling`: pages, the API, the builder, deck checks, tables.

What was typed and is no card's name goes to the rules under the typed words, so that it is one
of the problems, under the game’s rule for unknown cards, like every other.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import rules
from accounts.models import User
from decks.lists.textlist import Line, Reading
from decks.models import CardPool, Deck
from decks.queries.formats import asks_owner, house_of, owned_cards, rules_format
from rules.engine.legality import Decklist, Fix, Problem, Report, counted

MAX_CHANGES = 500
MAX_ADDED = 500


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A card that an unread line may mean."""

    line: int
    card: str
    title: str

    @property
    def value(self) -> str:
        """The value of the button that accepts it; :func:`parse_suggestion` reads it."""
        return f"{self.line} {self.card}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with what a page can offer to do about it."""

    problem: Problem
    lines: tuple[int, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def fix_value(self) -> str:
        """The value of the button of the fix."""
        return fix_value(self.problem.fix) if self.problem.fix else ""


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one rule. A page shows the first and folds the others away."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        return self.findings[0]

    @property
    def others(self) -> tuple[Finding, ...]:
        return self.findings[1:]

    @property
    def fix(self) -> Fix | None:
        """All their fixes at once; a fix that mends several of them is done once."""
        fixes = {
            value: finding.problem.fix for finding in self.findings if (value := finding.fix_value)
        }
        different = [fix for fix in fixes.values() if fix]
        if len({(fix.section, fix.to) for fix in different}) != 1 or len(different) < 2:
            return None
        changes: dict[str, int] = {}
        for fix in different:
            for card, change in fix.changes.items():
                changes[card] = changes.get(card, 0) + change
        more = sum(change for change in changes.values() if change > 0)
        fewer = -sum(change for change in changes.values() if change < 0)
        if more and fewer:
            label = f"Add {counted(more, 'card')}, take out {fewer}"
        else:
            label = f"{'Add' if more else 'Take out'} all {counted(more or fewer, 'card')}"
        return Fix(different[0].section, changes, label, different[0].to)

    @property
    def fix_value(self) -> str:
        return fix_value(self.fix) if self.fix else ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A typed list, judged."""

    reading: Reading
    report: Report
    size: int
    findings: tuple[Finding, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        return group(self.findings)

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.problem.severity == "error")

    @property
    def notices(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.problem.severity == "warning")


_NEGATIVE = re.compile(r"([-−–]\d{1,6})\s*[x×]?\s+(\S.*)")
"""A count below zero before a name."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The rules and format that lists are checked by; :func:`ruling` puts it together.

    With ``owned`` (copies by card) the player must have what a list holds.
    """

    game: str
    mode: str
    format: Mapping[str, Any] | None = None
    name: str = ""
    owned: Mapping[str, int] | None = None

    def report(self, cards: Decklist) -> Report:
        """Report on a list; raises what the game's check raises, ``BadData`` for example."""
        about: dict[str, Any] = {"name": self.name} if self.name else {}
        if self.owned is not None:
            about["owned"] = self.owned
        return rules.game(self.game).check_deck(self.mode, cards, self.format, **about)

    def verdict(self, reading: Reading) -> Verdict:
        """Return the verdict on a typed list, unread lines included."""
        report = self.report(reading.everything)
        catalog = rules.game(self.game).catalog
        unread: dict[str, list[Line]] = {}
        for line in reading.unread:
            unread.setdefault(line.name, []).append(line)
        findings = []
        for problem in report.problems:
            lines = unread.get(problem.cards[0], []) if len(problem.cards) == 1 else []
            if lines and (below := _NEGATIVE.match(lines[0].name)):
                problem = replace(
                    problem,
                    message=f"“{below[1]}” is a negative count. Write how many copies of "
                    f"{below[2]} the deck has, from 1 up.",
                )
            suggestions = tuple(
                Suggestion(line.number, card, catalog[card].title)
                for line in lines[:1]
                for card in line.suggestions
            )
            findings.append(Finding(problem, tuple(line.number for line in lines), suggestions))
        size = sum(sum(counts.values()) for counts in reading.cards.values())
        return Verdict(reading, report, size, tuple(findings))


@dataclass(frozen=True, slots=True)
class PoolRuling(Ruling):
    """The rules and the pool that a list is checked by; ``owned`` is the pool."""

    def report(self, cards: Decklist) -> Report:
        """The game's report, and HOUSE-04 for a card beyond the pool that its own rules let pass,
        as some do with ready-made decks."""
        report = Ruling.report(self, cards)
        named = {card for problem in report.errors for card in problem.cards}
        rest = {
            card: surplus
            for card, surplus in outside(self.owned or {}, cards).items()
            if card not in named
        }
        if not rest:
            return report
        problems = (self._beyond(card, surplus, cards) for card, surplus in rest.items())
        return Report((*report.problems, *problems))

    def _beyond(self, card: str, surplus: int, cards: Decklist) -> Problem:
        catalog = rules.game(self.game).catalog
        title = catalog[card].title if card in catalog else card
        section = next(slug for slug, counts in cards.items() if counts.get(card, 0))
        allowed = (self.owned or {}).get(card, 0)
        return Problem(
            "HOUSE-04",
            "error",
            f"{title}: {allowed + surplus} in the deck, {allowed} in the pool. Take out {surplus}.",
            (card,),
            allowed + surplus,
            allowed,
            Fix(section, {card: -min(surplus, cards[section][card])}, f"Take out {title}"),
        )


def outside(pool: Mapping[str, int], cards: Decklist) -> dict[str, int]:
    """Copies by card that a list has beyond a pool, all sections together."""
    held = Counter[str]()
    for counts in cards.values():
        held.update(counts)
    return {card: count - pool.get(card, 0) for card, count in held.items()
            if count > pool.get(card, 0)}  # fmt: skip


def pool_ruling(
    game: str, mode: str, format: Mapping[str, Any], cards: Mapping[str, int], name: str = ""
) -> PoolRuling:
    """The ruling for decks out of a pool."""
    return PoolRuling(game, mode, dict(format) or None, name, dict(cards))


def ruling(
    game: str,
    mode: str,
    format: Mapping[str, Any] | None = None,
    *,
    name: str = "",
    player: User | None = None,
    owned: Mapping[str, int] | None = None,
) -> Ruling:
    """The ruling for lists of a mode, under a format as ``rules_format`` gives it.

    Where that asks for own cards, they are the ``player``'s, or what is known already to be
    ``owned``; without either, the verdict says that it leaves this out.
    """
    if not asks_owner(format):
        owned = None
    elif owned is None and player is not None:
        owned = owned_cards(player, game)
    return Ruling(game, mode, format, name, owned)


def pool_of(deck: Deck) -> CardPool | None:
    """The pool that a deck is built from; None once it is a deck of another mode."""
    pool = deck.pool
    return pool if pool is not None and (pool.game, pool.mode) == (deck.game, deck.mode) else None


def ruling_of(deck: Deck, owned: Mapping[str, int] | None = None) -> Ruling:
    """The ruling for a deck's cards, or others in their place, as its house format asks now.

    The copies that the format may ask for come from ``owned`` alone, those of a deck that is built
    from a pool from there.
    """
    pool = pool_of(deck)
    if pool is not None:
        return pool_ruling(deck.game, deck.mode, pool.format, pool.cards, deck.name)
    format = rules_format(house_of(deck))
    return ruling(deck.game, deck.mode, format, name=deck.name, owned=owned)


def group(findings: Iterable[Finding]) -> tuple[Group, ...]:
    """Findings by rule, for a page. Unread lines stay single: each has suggestions of its own."""
    groups: dict[object, list[Finding]] = {}
    for number, finding in enumerate(findings):
        groups.setdefault(number if finding.lines else finding.problem.rule, []).append(finding)
    return tuple(Group(tuple(members)) for members in groups.values())


def without_early_advice(report: Report) -> Report:
    """The report without its advice while the deck is still too small for it to be right.

    What is said of the hands of a deck with 10 of 60 cards is true of no deck that is played.
    """
    unfinished = any(
        problem.found is not None
        and problem.allowed is not None
        and problem.found < problem.allowed
        for problem in report.errors
    )
    return Report(report.errors) if unfinished else report


def report_groups(report: Report) -> tuple[Group, ...]:
    """The problems of a stored deck, by rule."""
    return group(Finding(problem) for problem in report.problems)


def fix_value(fix: Fix) -> str:
    """The value of a fix's button; :func:`parse_fix` reads it."""
    return json.dumps({"section": fix.section, "changes": dict(fix.changes), "to": fix.to})


def parse_fix(value: str) -> Fix:
    """The change that a fix's button sends; raises ``ValueError`` for anything else."""
    try:
        data = json.loads(value)
    except RecursionError as error:
        raise ValueError("This is not a change to a list.") from error
    match data:
        case {"section": str(section), "changes": dict(changes), **rest} if (
            section
            and isinstance(rest.get("to", ""), str)
            and len(changes) <= MAX_CHANGES
            and all(type(change) is int and change <= MAX_ADDED for change in changes.values())
        ):
            return Fix(section, changes, "", str(rest.get("to", "")))
    raise ValueError("This is not a change to a list.")


def parse_suggestion(value: str) -> tuple[int, str]:
    """Line and card that a suggestion's button sends; raises ``ValueError`` for anything else."""
    number, _, card = value.partition(" ")
    return int(number), card
