"""The words of ``deck_rules.toml``, and the rules that they make.

Whatever cannot be is refused when the file is read, with the rule and the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from rules.engine.cards import load_sets, load_toml
from rules.engine.deck_checks import CatalogIndex
from rules.engine.deck_rules.filters import column_of, known_column, selected
from rules.engine.deck_rules.sentences import Sentence
from rules.engine.legality import Severity
from rules.engine.modes import FormatOption

FILE: Final = "deck_rules.toml"
UNLIMITED: Final = 1 << 62
MEASURES: Final = (
    "known",
    "placed",
    "owned",
    "cards",
    "copies",
    "sum",
    "apart",
    "required",
    "code",
)
_FLAGS: Final = ("known", "placed", "owned")
_SCOPE: Final = ("id", "modes", "with", "without", "in", "where", "severity", "says")
_BOUNDS: Final = ("least", "most", "exactly")
_MANNERS: Final = ("by", "names", "swap", "silent", "except")
_SEVERITIES: Final[Mapping[str, Severity]] = {"error": "error", "notice": "warning"}


class BadDeckRules(ValueError):
    """A ``deck_rules.toml`` that cannot be read; says where and why."""


@dataclass(frozen=True)
class Counter:
    """Something that is counted over a deck: what each card adds, and between which numbers the
    total must be (``-UNLIMITED`` and ``UNLIMITED`` where there is no bound)."""

    weights: Mapping[str, int]
    least: int = -UNLIMITED
    most: int = UNLIMITED

    def total(self, cards: Mapping[str, int]) -> int:
        weights = self.weights
        return sum([weights[slug] * count for slug, count in cards.items()])

    @cached_property
    def ones(self) -> frozenset[str] | None:
        """The cards that are counted, if it counts each of them as one."""
        if not set(self.weights.values()) <= {0, 1}:
            return None
        return frozenset(slug for slug, weight in self.weights.items() if weight)

    def gap(self, total: int) -> int:
        """By how much a total is too high or, below 0, too low."""
        return min(0, total - self.least) or max(0, total - self.most)


@dataclass(frozen=True)
class Rule:
    """A rule as the file says it.

    ``cards`` are those that it concerns, all of one ``section`` if it names one; ``counters`` has
    what it counts, by value where it counts ``by`` a column. ``names``: its problem lists the cards
    that are counted. ``swap``: the cure is another card in a card's place. ``silent``: nothing is
    to be done about it, so that no number and no fix goes with it. ``ready_made``: ready-made
    decks are exempt.
    """

    id: str
    measure: str
    modes: frozenset[str]
    with_: frozenset[str]
    without: frozenset[str]
    severity: Severity
    says: Sentence | None
    section: str = ""
    cards: frozenset[str] = frozenset()
    most: int = UNLIMITED
    counters: Mapping[str, Counter] = field(default_factory=dict)
    sums: tuple[Counter, Counter] | None = None
    names: bool = False
    swap: bool = False
    silent: bool = False
    ready_made: bool = False
    code: str = ""

    @property
    def forbids(self) -> bool:
        """True if none of its cards may be in a deck: one problem a card."""
        return self.measure == "cards" and self.most == 0

    @property
    def limits_cards(self) -> bool:
        """True if it limits the copies of each of its cards."""
        return self.measure == "copies" or self.forbids


@dataclass(frozen=True)
class Section:
    """A part of a list: the cards that belong there, and the noun that one of them is called.

    ``together``: its rules hang on each other so much that a fix mends all of them at once.
    """

    slug: str
    noun: str
    cards: tuple[str, ...]
    together: bool


@dataclass(frozen=True)
class Conflict:
    """Options that no deck can meet together, and why."""

    id: str
    options: frozenset[str]
    modes: frozenset[str]
    found: int | None
    allowed: int | None
    says: str


@dataclass(frozen=True)
class Vocabulary:
    """All that a game's file says."""

    game: str
    modes: Mapping[str, tuple[str, ...]]
    """The sections that each mode reads; none where no deck is judged."""
    sections: Mapping[str, Section]
    options: tuple[str, ...]
    usual: frozenset[str]
    """Options that are on where a format does not say."""
    format_options: tuple[FormatOption, ...]
    prefer: tuple[frozenset[str], ...]
    alike: str
    rules: tuple[Rule, ...]
    conflicts: tuple[Conflict, ...]


def load(package: str, index: CatalogIndex) -> Vocabulary:
    """The rules of the game in this package; raises ``BadDeckRules``."""
    data = load_toml(package, FILE)
    try:
        return _Reader(package, index, data).read()
    except (KeyError, TypeError, ValueError) as error:
        reason = f"“{error.args[0]}” is missing" if isinstance(error, KeyError) else str(error)
        raise BadDeckRules(f"{package}, {FILE}: {reason}.") from error


class _Reader:
    def __init__(self, package: str, index: CatalogIndex, data: Mapping[str, Any]) -> None:
        self.index, self.data = index, data
        sets = {card_set.slug: card_set.name for card_set in load_sets(package)}
        self.words: dict[str, Mapping[str, str]] = {"set": sets, **data.get("words", {})}
        self.sections: dict[str, Section] = {}
        self.options: list[Mapping[str, Any]] = data.get("option", [])
        self.slugs = frozenset(option["slug"] for option in self.options)

    def read(self) -> Vocabulary:
        data = self.data
        self._sections()
        rules = []
        for number, row in enumerate(data["rule"], start=1):
            try:
                rules.append(self._rule(row))
            except (KeyError, TypeError, ValueError) as error:
                name = row.get("id", f"number {number}")
                reason = f"“{error.args[0]}” is missing" if type(error) is KeyError else error
                raise ValueError(f"rule {name}: {reason}") from error
        if alike := data.get("alike", ""):
            known_column(self.index, alike)
        return Vocabulary(
            game=data["game"],
            modes={mode: tuple(names) for mode, names in data["modes"].items()},
            sections=self.sections,
            options=tuple(option["slug"] for option in self.options),
            usual=frozenset(row["slug"] for row in self.options if row.get("usual")),
            format_options=tuple(
                FormatOption(
                    row["slug"],
                    row["name"],
                    row["rule"],
                    row.get("help", ""),
                    tuple(row.get("modes", ())),
                )
                for row in self.options
                if "name" in row
            ),
            prefer=tuple(frozenset(selected(self.index, row)) for row in data.get("prefer", [])),
            alike=alike,
            rules=tuple(rules),
            conflicts=tuple(self._conflict(row) for row in data.get("conflict", [])),
        )

    def _sections(self) -> None:
        homeless = set(self.index)
        for row in self.data["section"]:
            cards = [
                slug for slug in selected(self.index, row.get("where", {})) if slug in homeless
            ]
            homeless.difference_update(cards)
            self.sections[row["slug"]] = Section(
                row["slug"], row.get("noun", "card"), tuple(cards), row.get("together", False)
            )
        if homeless:
            raise ValueError(f"no section takes the card “{min(homeless)}”")
        for mode, names in self.data["modes"].items():
            for name in names:
                if name not in self.sections:
                    raise ValueError(f"mode {mode} reads a section “{name}” that does not exist")

    def _modes(self, row: Mapping[str, Any]) -> frozenset[str]:
        modes = frozenset(row.get("modes", self.data["modes"]))
        for mode in modes - self.data["modes"].keys():
            raise ValueError(f"there is no mode “{mode}”")
        return modes

    def _switches(self, row: Mapping[str, Any], key: str) -> frozenset[str]:
        switches = frozenset(row.get(key, ()))
        for option in switches - self.slugs:
            raise ValueError(f"there is no option “{option}”")
        return switches

    def _rule(self, row: Mapping[str, Any]) -> Rule:
        measures = [word for word in MEASURES if word in row]
        if len(measures) != 1:
            words = ", ".join(measures) or "none"
            raise ValueError(f"a rule has one of {', '.join(MEASURES)}; this has {words}")
        (measure,) = measures
        for key in row.keys() - {*_SCOPE, *_BOUNDS, *_MANNERS, measure}:
            raise ValueError(f"there is no word “{key}”")
        severity = row.get("severity", "error")
        if severity not in _SEVERITIES:
            raise ValueError(f"severity is error or notice, not {severity!r}")
        if row.get("except", "ready-made") != "ready-made":
            raise ValueError("only ready-made decks can be exempt")
        least, most = self._bounds(row, measure)
        pool = self._pool(row, measure)
        counters, sums = self._counters(row, measure, pool, least, most)
        if severity == "notice" and (measure == "copies" or (measure == "cards" and most == 0)):
            raise ValueError("a limit of copies blocks: it cannot be a notice")
        return Rule(
            id=row["id"],
            measure=measure,
            modes=self._modes(row),
            with_=self._switches(row, "with"),
            without=self._switches(row, "without"),
            severity=_SEVERITIES[severity],
            says=None if measure == "code" else Sentence(row["says"], self.index, self.words),
            section=row.get("in", ""),
            cards=frozenset(pool),
            most=most,
            counters=counters,
            sums=sums,
            names=row.get("names", False),
            swap=row.get("swap", False),
            silent=row.get("silent", False),
            ready_made="except" in row,
            code=row[measure] if measure == "code" else "",
        )

    def _bounds(self, row: Mapping[str, Any], measure: str) -> tuple[int, int]:
        bounds = {key: row[key] for key in _BOUNDS if key in row}
        counts = measure in ("cards", "copies", "sum", "apart")
        if counts != bool(bounds):
            raise ValueError("it has no least, most or exactly" if counts else "no bound fits here")
        for key, number in bounds.items():
            if type(number) is not int:
                raise ValueError(f"{key} is a whole number, not {number!r}")
        if measure in ("copies", "apart") and set(bounds) != {"most"}:
            raise ValueError(f"{measure} has most and no other bound")
        if "exactly" in bounds:
            return bounds["exactly"], bounds["exactly"]
        least, most = bounds.get("least", -UNLIMITED), bounds.get("most", UNLIMITED)
        if least > most:
            raise ValueError(f"at least {least} and at most {most} cannot both be")
        return least, most

    def _pool(self, row: Mapping[str, Any], measure: str) -> tuple[str, ...]:
        section = row.get("in")
        if section is not None and section not in self.sections:
            raise ValueError(f"there is no section “{section}”")
        where = row[measure] if measure in ("cards", "required") else row.get("where", {})
        if measure == "copies" and row[measure] != "card":
            raise ValueError("copies are counted by card")
        if measure in _FLAGS and row[measure] is not True:
            raise ValueError(f"{measure} is true or not there at all")
        cards = selected(self.index, where)
        if section is not None:
            home = frozenset(self.sections[section].cards)
            cards = tuple(slug for slug in cards if slug in home)
        return cards

    def _counters(
        self,
        row: Mapping[str, Any],
        measure: str,
        pool: tuple[str, ...],
        least: int,
        most: int,
    ) -> tuple[dict[str, Counter], tuple[Counter, Counter] | None]:
        """What a rule counts, by value, and the two sums of one that compares them."""
        if measure == "sum":
            return {"": Counter(self._column(pool, row["sum"]), least, most)}, None
        if measure == "apart":
            columns = [side["sum"] for side in row["apart"]]
            if len(columns) != 2:
                raise ValueError("apart compares two sums")
            first, second = (self._column(pool, column) for column in columns)
            lean = {slug: first[slug] - second[slug] for slug in first}
            sums = (Counter(first), Counter(second))
            return {"": Counter(lean, -most, most)}, sums
        if measure != "cards" or most == 0:
            return {}, None
        if "by" not in row:
            return {"": Counter(self._ones(pool), least, most)}, None
        known_column(self.index, row["by"])
        values: dict[str, list[str]] = {}
        for slug in pool:
            values.setdefault(str(column_of(self.index[slug], row["by"])), []).append(slug)
        return {
            value: Counter(self._ones(slugs), least, most) for value, slugs in values.items()
        }, None

    def _ones(self, slugs: list[str] | tuple[str, ...]) -> dict[str, int]:
        return dict.fromkeys(self.index, 0) | dict.fromkeys(slugs, 1)

    def _column(self, pool: tuple[str, ...], column: str) -> dict[str, int]:
        known_column(self.index, column)
        weights = dict.fromkeys(self.index, 0)
        for slug in pool:
            number = column_of(self.index[slug], column) or 0
            if type(number) is not int:
                raise ValueError(f"{column} of “{slug}” is not a whole number")
            weights[slug] = number
        return weights

    def _conflict(self, row: Mapping[str, Any]) -> Conflict:
        return Conflict(
            row["id"],
            self._switches(row, "options"),
            self._modes(row),
            row.get("found"),
            row.get("allowed"),
            row["says"],
        )
