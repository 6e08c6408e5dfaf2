"""House rules, read: what they concern, what they count, how much of it, and their sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rules.engine.cards import CardType
from rules.engine.deck_rules.filters import column_of
from rules.engine.deck_rules.vocabulary import BOUNDS, SEVERITIES, UNLIMITED
from rules.engine.definition import GameDefinition
from rules.engine.errors import BadData
from rules.engine.house_rules import words
from rules.engine.house_rules.filters import MAX_NAMED, fitting, named_cards
from rules.engine.house_rules.sentences import HouseSentence
from rules.engine.legality import Severity
from rules.engine.modes import Mode

MAX_RULES: Final = 40
MAX_NUMBER: Final = 1_000
MAX_SENTENCE: Final = 240
MAX_MESSAGE: Final = 400
MEASURES: Final = ("cards", "copies", "sum", "values", "points", "required")
BY_COLUMN: Final = ("copies", "sum", "values")
"""Measures that name a column."""
_KEYS: Final = ("id", "severity", "says", "where", "least", "most", "exactly")
_ID: Final = re.compile(r"H-[A-Z0-9]+")
MAX_ID: Final = 20


@dataclass(frozen=True)
class HouseRule:
    """A rule as its organiser wrote it.

    ``row`` is its one form as plain data, ``pool`` has the cards that it concerns, ``weights`` what
    a copy of each adds, ``column`` by which it tells cards apart where it counts copies or values.
    ``says`` is the sentence for a deck that breaks it, ``plain`` what it asks in plain English.
    """

    id: str
    measure: str
    row: Mapping[str, Any]
    severity: Severity
    pool: Mapping[str, CardType]
    weights: Mapping[str, int]
    column: str
    least: int
    most: int
    says: HouseSentence
    proposed: str
    plain: str
    groups: Mapping[str, str] = field(default_factory=dict)
    """The value of each card in ``column``, of those that have one."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Those values as people read them."""

    @property
    def forbids(self) -> bool:
        """True if none of its cards may be in a deck: one problem a card."""
        return self.measure == "cards" and self.most == 0

    @property
    def limits_cards(self) -> bool:
        """True if it limits the copies of each of its cards by themselves."""
        return self.forbids or (self.measure == "copies" and self.column == "card")

    @property
    def points(self) -> Mapping[str, int]:
        """The cost of a copy of each card, where it counts points."""
        return self.weights if self.measure == "points" else {}

    def example(self, format: str) -> str:
        """Its sentence for a deck that breaks it by as little as can be."""
        first = next(iter(self.pool.values()))
        if self.measure == "required":
            count, allowed = 0, 1
        elif self.most < UNLIMITED:
            count, allowed = self.most + 1, self.most
        else:
            count, allowed = max(0, self.least - 1), self.least
        gap = count - allowed
        return self.says(
            deck="This deck",
            format=format,
            found=count,
            least=self.least,
            most=min(self.most, max(allowed, self.least)),
            missing=-gap,
            surplus=gap,
            gap=gap,
            card=first.slug,
            value=self.value(first),
        )

    def value(self, card: CardType) -> str:
        """A card's value in the column, in words; its name where that is the value."""
        word = self.words.get(self.groups.get(card.slug, ""), "")
        same = words.spoken(word).lower() == words.spoken(card.name).lower()
        return card.name if same or self.column in ("", "card", "name") else word

    def total(self, cards: Mapping[str, int]) -> int:
        """The number that the rule counts in these cards, where it counts one."""
        if self.measure == "values":
            return len({self.groups[slug] for slug in cards if slug in self.groups})
        weights = self.weights
        return sum([weights[slug] * cards[slug] for slug in weights.keys() & cards.keys()])

    def by_group(self, cards: Mapping[str, int]) -> dict[str, int]:
        """How many copies there are of each value of its column."""
        counts: dict[str, int] = {}
        for slug in self.groups.keys() & cards.keys():
            counts[self.groups[slug]] = counts.get(self.groups[slug], 0) + cards[slug]
        return counts

    def gap(self, cards: Mapping[str, int]) -> int:
        """By how much these cards miss what the rule asks; 0 where they keep it."""
        if self.measure == "required":
            return len(self.pool.keys() - cards.keys())
        if self.measure == "copies":
            return sum(max(0, count - self.most) for count in self.by_group(cards).values())
        total = self.total(cards)
        return max(0, self.least - total, total - self.most)


def read_rules(game: GameDefinition, mode: Mode, rows: object) -> tuple[HouseRule, ...]:
    """House rules from plain data, for a mode.

    A rule without an ID gets ``H-1`` and so on, by its place. Raises ``BadData`` that names the
    rule and says what is wrong with it.
    """
    if not isinstance(rows, (list, tuple)):
        raise BadData("Rules are a list of tables, each with one rule.")
    if len(rows) > MAX_RULES:
        raise BadData(f"A format can have up to {MAX_RULES} rules; these are {len(rows)}.")
    reader = _Reader(game, mode)
    read: list[HouseRule] = []
    for number, row in enumerate(rows, start=1):
        try:
            rule = reader.rule(row, f"H-{number}")
            _unlike(rule, read)
        except (KeyError, TypeError, ValueError) as error:
            raise BadData(f"{_title(row, number)}: {_excerpt(str(error))}.") from error
        read.append(rule)
    return tuple(read)


def _title(row: object, number: int) -> str:
    rule_id = row.get("id") if isinstance(row, Mapping) else None
    named = isinstance(rule_id, str) and 0 < len(rule_id) <= MAX_ID
    return f"Rule {number} ({rule_id})" if named else f"Rule {number}"


def _excerpt(text: str) -> str:
    """A message that repeats no more of a rule than people read."""
    return text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}…"


def _unlike(rule: HouseRule, others: Sequence[HouseRule]) -> None:
    """Raises ``ValueError`` for a rule that is there already, or that an earlier one rules out."""
    for number, other in enumerate(others, start=1):
        if other.id == rule.id:
            raise ValueError(f"rule {number} has the ID {rule.id}, too; give it another one")
        if _asks(other) != _asks(rule):
            continue
        if (other.least, other.most) == (rule.least, rule.most):
            raise ValueError(f"rule {number} ({other.id}) asks the same")
        errors = other.severity == rule.severity == "error"
        if errors and max(other.least, rule.least) > min(other.most, rule.most):
            raise ValueError(f"it and rule {number} ({other.id}) cannot both be kept")


def _asks(rule: HouseRule) -> tuple[object, ...]:
    return rule.measure, rule.column, rule.weights, rule.pool.keys()


class _Reader:
    def __init__(self, game: GameDefinition, mode: Mode) -> None:
        self.game, self.mode = game, mode
        self.cards = {slug: card for slug, card in game.catalog.items() if mode.takes(card)}

    def rule(self, row: object, usual_id: str) -> HouseRule:
        if not isinstance(row, Mapping):
            raise ValueError("it is not a table")
        measures = [word for word in MEASURES if word in row]
        if len(measures) != 1:
            words_used = " and ".join(measures) or "none of them"
            raise ValueError(f"a rule counts one of {', '.join(MEASURES)}; this has {words_used}")
        (measure,) = measures
        for key in row.keys() - {*_KEYS, measure}:
            raise ValueError(f"“{key}” is not a word of house rules")
        where = self._where(row, measure)
        pool = {slug: self.cards[slug] for slug in self._pool(where, row, measure)}
        if not pool:
            raise ValueError(f"no card of {self.mode.name} fits its filter")
        least, most = _bounds(row, measure)
        column = self._column(row, measure, pool)
        weights = self._weights(row, measure, pool)
        groups = _groups(pool, column) if measure in ("copies", "values") else {}
        severity = _severity(row)
        phrase = words.Phrase(self.game, where)
        about = words.About(measure, column, phrase, least, most, row.get("points", {}), self.game)
        proposed = words.proposed(about)
        rule_id = _id(row, usual_id)
        says = self._says(row, proposed)
        if measure == "values" and least > (able := len({*groups.values()})):
            raise ValueError(f"it asks for {least} different values; there are {able}")
        return HouseRule(
            id=rule_id,
            measure=measure,
            row=_plain_row(row, rule_id, measure, proposed),
            severity=severity,
            pool=pool,
            weights=weights,
            column=column,
            least=least,
            most=most,
            says=says,
            proposed=proposed,
            plain=words.plain(about, notice=severity == "warning"),
            groups=groups,
            words=self._words(column, groups),
        )

    def _where(self, row: Mapping[str, Any], measure: str) -> Mapping[str, Any]:
        if measure in ("cards", "required"):
            if "where" in row:
                raise ValueError(f"“{measure}” holds the filter itself: leave out “where”")
            return _filter(row[measure])
        if measure == "points" and "where" in row:
            raise ValueError("points are given card by card: leave out “where”")
        return _filter(row.get("where", {}))

    def _pool(self, where: Mapping[str, Any], row: Mapping[str, Any], measure: str) -> list[str]:
        slugs = fitting(self.game.catalog, where)
        if measure == "points":
            points = row["points"]
            if not isinstance(points, Mapping) or not points:
                raise ValueError("points are a table of cards and what a copy of each costs")
            named = named_cards(self.game.catalog, list(points))
            slugs = tuple(slug for slug in slugs if slug in named)
        if measure == "required":
            if not where:
                raise ValueError("it requires every card of the game: say which ones")
            if len(slugs) > MAX_NAMED:
                raise ValueError(f"it requires {len(slugs)} cards; at most {MAX_NAMED} can be")
        return [slug for slug in slugs if slug in self.cards]

    def _column(self, row: Mapping[str, Any], measure: str, pool: Mapping[str, CardType]) -> str:
        if measure not in BY_COLUMN:
            return ""
        column = row[measure]
        if not isinstance(column, str):
            raise ValueError(f'“{measure}” names a column, like {measure} = "card"')
        if all(column_of(card, column) in (None, "") for card in pool.values()):
            raise ValueError(f"none of its cards has a column “{column}”")
        return column

    def _weights(
        self, row: Mapping[str, Any], measure: str, pool: Mapping[str, CardType]
    ) -> dict[str, int]:
        if measure == "cards":
            return dict.fromkeys(pool, 1)
        if measure == "points":
            return {slug: _points(slug, row["points"][slug]) for slug in pool}
        if measure != "sum":
            return {}
        weights = {}
        for slug, card in pool.items():
            number = column_of(card, row["sum"])
            if number is not None and type(number) is not int:
                raise ValueError(f"“{row['sum']}” of {card.title} is not a whole number")
            if number:
                weights[slug] = number
        return weights

    def _words(self, column: str, groups: Mapping[str, str]) -> dict[str, str]:
        return {value: words.value_of(self.game, column, value) for value in groups.values()}

    def _says(self, row: Mapping[str, Any], proposed: str) -> HouseSentence:
        text = row.get("says", "")
        if not isinstance(text, str) or len(text) > MAX_SENTENCE:
            raise ValueError(f"its sentence is a text of up to {MAX_SENTENCE} characters")
        if "\0" in text:
            raise ValueError("its sentence has a null character")
        return HouseSentence(text.strip() or proposed, self.game)


def _filter(where: object) -> Mapping[str, Any]:
    if not isinstance(where, Mapping):
        raise ValueError(f'a filter is a table like {{ kind = "unit" }}, not {where!r}')
    return where


def _plain_row(row: Mapping[str, Any], rule_id: str, measure: str, proposed: str) -> dict[str, Any]:
    """The row as it is stored: with an ID, without what says nothing."""
    plain: dict[str, Any] = {"id": rule_id}
    for key in (measure, "where", *BOUNDS):
        if (key in row and row[key] != {}) or key == measure:
            plain[key] = row[key]
    if row.get("severity", "error") != "error":
        plain["severity"] = row["severity"]
    says = str(row.get("says", "")).strip()
    if says and says != proposed:
        plain["says"] = says
    return plain


def _id(row: Mapping[str, Any], usual_id: str) -> str:
    chosen = row.get("id") or usual_id
    if not isinstance(chosen, str) or len(chosen) > MAX_ID or not _ID.fullmatch(chosen):
        raise ValueError(
            f"an ID is H- and A to Z or digits, up to {MAX_ID} characters, "
            f"like H-1 or H-DRAGONS, not {chosen!r}"
        )
    return chosen


def _severity(row: Mapping[str, Any]) -> Severity:
    severity = row.get("severity", "error")
    if not isinstance(severity, str) or severity not in SEVERITIES:
        raise ValueError(f"severity is error or notice, not {severity!r}")
    return SEVERITIES[severity]


def _bounds(row: Mapping[str, Any], measure: str) -> tuple[int, int]:
    bounds = {key: row[key] for key in BOUNDS if key in row}
    if measure == "required":
        if bounds:
            raise ValueError("required cards have no least, most or exactly")
        return 0, UNLIMITED
    if not bounds:
        raise ValueError("it says no number: least, most or exactly")
    for key, number in bounds.items():
        if type(number) is not int or not 0 <= number <= MAX_NUMBER:
            raise ValueError(f"{key} is a whole number from 0 to {MAX_NUMBER}, not {number!r}")
    if measure == "copies" and set(bounds) != {"most"}:
        raise ValueError("copies have most and no other number")
    if measure in ("copies", "values") and 0 in (bounds.get("most"), bounds.get("exactly")):
        raise ValueError(f"{measure} go from 1 up; to forbid cards, write cards with most = 0")
    if "exactly" in bounds:
        if len(bounds) > 1:
            raise ValueError("exactly stands without least and most")
        return bounds["exactly"], bounds["exactly"]
    least, most = bounds.get("least", 0), bounds.get("most", UNLIMITED)
    if least > most:
        raise ValueError(f"at least {least} and at most {most} cannot both be")
    if least == 0 and most == UNLIMITED:
        raise ValueError("“at least 0” asks for nothing")
    return least, most


def _points(slug: str, number: object) -> int:
    if type(number) is not int or not 1 <= number <= MAX_NUMBER:
        raise ValueError(f"“{slug}” costs 1 to {MAX_NUMBER} points, not {number!r}")
    return number


def _groups(pool: Mapping[str, CardType], column: str) -> dict[str, str]:
    groups = {}
    for slug, card in pool.items():
        value = column_of(card, column)
        if isinstance(value, (list, tuple, dict)) and column != "set":
            raise ValueError(f"cards cannot be told apart by “{column}”: it is a list")
        if column == "set":
            value = value[0]
        if value not in (None, ""):
            groups[slug] = str(value)
    return groups
