"""Rules of organisers: those of ``deck_rules.toml``, each with its ID, sentence and plain English.

A format's own rules are read, judged, mended and said by what reads, judges, mends and says a
game's. Which words they may use is told in ``docs/house-formats.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rules.engine.deck_rules import words
from rules.engine.deck_rules.filters import MAX_NAMED, column_of
from rules.engine.deck_rules.heads import Head, Heads
from rules.engine.deck_rules.sentences import PlainSentence
from rules.engine.deck_rules.vocabulary import (
    BOUNDS,
    BY_COLUMN,
    MAX_NUMBER,
    UNLIMITED,
    NoCards,
    Rule,
    Scope,
    Settings,
    Silent,
    Vocabulary,
    measure_of_row,
    names_options,
)
from rules.engine.errors import BadData
from rules.engine.modes import Mode

if TYPE_CHECKING:
    from rules.engine.definition import GameDefinition

MAX_RULES: Final = 40
MAX_SENTENCE: Final = 240
MAX_MESSAGE: Final = 400
MAX_ID: Final = 20
MEASURES: Final = (*("cards", "copies", "sum", "values", "points", "required", "follows", "apart"),)
_KEYS: Final = frozenset(("id", "severity", "says", "where", "from", *BOUNDS))
HOUSE: Final = Scope("house rules", MEASURES, _KEYS)
_ID: Final = re.compile(r"H-[A-Z0-9]+")


@dataclass(frozen=True, eq=False)
class HouseRule:
    """A rule as its organiser wrote it.

    ``row`` is its one form as plain data, ``plain`` what it asks in plain English, ``proposed`` the
    sentence where it has none of its own. ``rule`` is what decks are judged by; where it hangs on
    other cards of a deck (``head``), ``under`` says it for them: ``own`` is what each of its cards
    has in the column that has to be as there, ``word`` says a value of it.
    """

    id: str
    row: Mapping[str, Any]
    proposed: str
    plain: str
    rule: Rule
    head: Head | None = None
    own: Mapping[str, str] = field(default_factory=dict)
    word: Callable[[str], str] = str

    @property
    def points(self) -> Mapping[str, int]:
        """The cost of a copy of each card, where it counts points."""
        costs: Mapping[str, int] = self.row.get("points", {})
        return costs

    @property
    def asks(self) -> tuple[object, ...]:
        """Its measure with all that it counts, whatever the bounds."""
        kept = {key: value for key, value in self.row.items() if key in MEASURES}
        column = kept.get(self.rule.measure) if self.rule.measure in BY_COLUMN else ""
        others = kept if self.rule.measure in ("follows", "apart") else {}
        start = self.row.get("from")
        return self.rule.measure, column, self.points, self.rule.cards, others, start

    def under(self, heads: Heads) -> Rule | None:
        """The rule for a deck with these heads; None where it says nothing of it."""
        if self.head is None:
            return self.rule
        value = heads.get(self.head.name, "")
        cards = frozenset([slug for slug, own in self.own.items() if value and own != value])
        worded = dict.fromkeys(cards, self.word(value))
        return replace(self.rule, cards=cards, worded=worded) if cards else None

    def example(self, game: GameDefinition, format: str) -> str:
        """Its sentence for a deck that breaks it by as little as can be."""
        rule = self.rule
        least, most = bounds_of(rule)
        if rule.measure == "required":
            count, allowed = 0, 1
        elif most < UNLIMITED:
            count, allowed = most + 1, most
        else:
            count, allowed = max(0, least - 1), least
        first = min(rule.cards, key=game.index.place.__getitem__)
        gap = count - allowed
        assert rule.says is not None
        return rule.says(
            deck="This deck",
            format=format,
            found=count,
            least=least or allowed,
            most=min(most, max(allowed, least)),
            missing=-gap,
            surplus=gap,
            gap=gap,
            first=count,
            second=0,
            card=first,
            value=rule.worded.get(first, ""),
        )


def bounds_of(rule: Rule) -> tuple[int, int]:
    """The least (0 where none is asked for) and the most that a rule allows."""
    if rule.variety is not None:
        return max(0, rule.variety.least), rule.variety.most
    for counter in rule.counters.values() if rule.measure != "apart" else ():
        return max(0, counter.least), counter.most
    return 0, rule.most


def read_rules(game: GameDefinition, mode: Mode, rows: object) -> tuple[HouseRule, ...]:
    """Rules of an organiser from plain data, for a mode.

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
            missing = isinstance(error, KeyError)
            reason = f"“{error.args[0]}” is missing" if missing else str(error)
            raise BadData(f"{_title(row, number)}: {_excerpt(reason)}.") from error
        except RecursionError as error:
            raise BadData(f"{_title(row, number)}: it is nested too deeply.") from error
        read.append(rule)
    return tuple(read)


def of_format(
    game: GameDefinition,
    mode: Mode,
    *,
    restricted: Mapping[str, int],
    sets: Sequence[str],
    version: int,
) -> Iterator[HouseRule]:
    """The restricted list (HOUSE-01) and the choice of sets (HOUSE-02) of a format, as rules."""
    barred = sets and any(set(sets).isdisjoint(card.sets) for card in game.catalog.values())
    if not restricted and not barred:
        return
    reader = _Reader(game, mode, everything=True)
    if restricted:
        yield reader.own(
            "HOUSE-01",
            {"restricted": dict(restricted)},
            "{card}: {found} in the deck, {most} allowed by the restricted list "
            f"(version {version}). Take out {{surplus}}.",
            says_none="{card} is not allowed in {format}: {found} in the deck, 0 allowed. "
            "Take out {surplus}.",
        )
    if barred:
        allowed = " or ".join(game.set_names[slug] for slug in sets)
        yield reader.own(
            "HOUSE-02",
            {"cards": {"set": {"not": list(sets)}}, "most": 0},
            f"{{card}} is not in {words.without_slots(allowed)}, and {{format}} allows no other "
            "set: {found} in the deck, 0 allowed. Take out {found}.",
        )


def named(rule: HouseRule, format: str) -> HouseRule:
    """The rule of a format that messages call so."""
    return replace(rule, rule=replace(rule.rule, format=format))


def _title(row: object, number: int) -> str:
    rule_id = row.get("id") if isinstance(row, Mapping) else None
    readable = isinstance(rule_id, str) and 0 < len(rule_id) <= MAX_ID
    return f"Rule {number} ({rule_id})" if readable else f"Rule {number}"


def _excerpt(text: str) -> str:
    """A message that repeats no more of a rule than people read."""
    return text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}…"


def _unlike(rule: HouseRule, others: Sequence[HouseRule]) -> None:
    """Raises ``ValueError`` for a rule that is there already, or that an earlier one rules out."""
    for number, other in enumerate(others, start=1):
        if other.id == rule.id:
            raise ValueError(f"rule {number} has the ID {rule.id}, too; give it another one")
        if other.asks != rule.asks:
            continue
        (least, most), (other_least, other_most) = bounds_of(rule.rule), bounds_of(other.rule)
        if (least, most) == (other_least, other_most):
            raise ValueError(f"rule {number} ({other.id}) asks the same")
        errors = other.rule.severity == rule.rule.severity == "error"
        if errors and max(least, other_least) > min(most, other_most):
            raise ValueError(f"it and rule {number} ({other.id}) cannot both be kept")


class _Reader:
    def __init__(self, game: GameDefinition, mode: Mode, *, everything: bool = False) -> None:
        self.game, self.mode = game, mode
        self.vocabulary: Vocabulary = game.deck_judge.vocabulary
        self.cards = frozenset(game.catalog) if everything else self.vocabulary.playable(mode)

    def own(
        self, rule_id: str, row: Mapping[str, Any], says: str, says_none: str = ""
    ) -> HouseRule:
        """A rule of the site's with a sentence of its own."""
        full = {**row, "id": rule_id, "says": ""}
        rule = replace(
            self.vocabulary.rule(full, Settings(), {}, self.cards, house=True),
            says=PlainSentence(says, self.game.index, self.game.set_names),
            says_none=PlainSentence(says_none, self.game.index, self.game.set_names)
            if says_none
            else None,
        )
        return HouseRule(rule_id, row, says, "", rule)

    def rule(self, row: object, usual_id: str) -> HouseRule:
        if not isinstance(row, Mapping):
            raise ValueError("it is not a table")
        measure = measure_of_row(row, HOUSE)
        if names_options(row):
            raise ValueError("only a game's own rules name options: write the value itself")
        rule_id, start = _id(row, usual_id), row.get("from", 0)
        if type(start) is not int or not 0 <= start <= MAX_NUMBER:
            raise ValueError(f"from is a number of cards from 0 to {MAX_NUMBER}, not {start!r}")
        head = self._head(row["follows"]) if measure == "follows" else None
        # Of two values that are followed each card differs from one.
        values = ("",) if head is None else head.order[:2]
        rules = [self._read(row, rule_id, head, value) for value in values]
        cards = frozenset().union(*(each.cards for each in rules))
        if not cards:
            raise ValueError(f"no card of {self.mode.name} fits its filter")
        rule = replace(max(rules, key=lambda each: len(each.cards)), cards=cards)
        word: Callable[[str], str] = str
        if head is not None:
            word = partial(words.value_of, self.game, row["follows"]["column"])
            rule = replace(rule, worded=dict.fromkeys(cards, word(values[0])))
        if measure == "required" and len(rule.cards) > MAX_NAMED:
            raise ValueError(f"it requires {len(rule.cards)} cards; at most {MAX_NAMED} can be")
        about = words.About(row, measure, *bounds_of(rule), self.game)
        proposed = words.proposed(about)
        says = PlainSentence(
            _says(row) or proposed,
            self.game.index,
            self.game.set_names,
            ("first", "second") if measure == "apart" else (),
        )
        return HouseRule(
            id=rule_id,
            row=_plain_row(row, rule_id, measure, proposed),
            proposed=proposed,
            plain=words.plain(about),
            rule=replace(rule, says=says),
            head=head,
            own={} if head is None else self._own(rule, row["follows"]["by"]),
            word=word,
        )

    def _own(self, rule: Rule, column: str) -> dict[str, str]:
        return {slug: str(column_of(self.game.catalog[slug], column)) for slug in rule.cards}

    def _head(self, source: object) -> Head:
        if not isinstance(source, Mapping) or source.keys() != {"of", "column", "by"}:
            raise ValueError(
                'follows is like { of = { kind = "unit" }, column = "side", by = "side" }'
            )
        head = self.vocabulary.head_of(source)
        if not head.order:
            raise ValueError(f"no card that others would follow has a “{source['column']}”")
        return head

    def _read(self, row: Mapping[str, Any], rule_id: str, head: Head | None, value: str) -> Rule:
        """The rule, for a deck whose head has this value."""
        full = {**row, "id": rule_id, "says": "", "names": True, "swap": True}
        if row.get("severity") == "notice":
            full["fix"] = False
        under = {} if head is None else {head.name: value}
        try:
            rule = self.vocabulary.rule(full, Settings(), under, self.cards, house=True)
        except (Silent, NoCards):
            return Rule(rule_id, "follows", "error", None, most=0)
        return replace(rule, worded=self._worded(row, rule))

    def _worded(self, row: Mapping[str, Any], rule: Rule) -> Mapping[str, str]:
        """The ``{value}`` of each card: its value in the column, as a word."""
        catalog = self.game.catalog
        worded = {slug: catalog[slug].name for slug in rule.cards}
        column = row.get(rule.measure)
        for slug, held in rule.versions.items():
            word = words.value_of(self.game, str(column), held)
            if column != "name" and word.lower() != words.spoken(worded[slug]).lower():
                worded[slug] = word
        return worded


def _says(row: Mapping[str, Any]) -> str:
    text = row.get("says", "")
    if not isinstance(text, str) or len(text) > MAX_SENTENCE:
        raise ValueError(f"its sentence is a text of up to {MAX_SENTENCE} characters")
    if "\0" in text:
        raise ValueError("its sentence has a null character")
    return text.strip()


def _plain_row(row: Mapping[str, Any], rule_id: str, measure: str, proposed: str) -> dict[str, Any]:
    """The row as it is stored: with an ID, without what says nothing."""
    plain: dict[str, Any] = {"id": rule_id}
    for key in (measure, "where", *BOUNDS, "from"):
        if (key in row and row[key] not in ({}, None)) or key == measure:
            plain[key] = row[key]
    if row.get("severity", "error") != "error":
        plain["severity"] = row["severity"]
    if (says := _says(row)) and says != proposed:
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
