"""The words of ``deck_rules.toml``, and the rules that they make.

Whatever cannot be is refused when the file is read, with the rule and the reason. Rules may hang on
other cards of the deck (``heads``) and on options of a format: so they are read once for each head,
and anew for each format where they name an option, with all numbers and cards in their places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from rules.engine.cards import load_sets, load_toml
from rules.engine.deck_checks import CatalogIndex
from rules.engine.deck_rules.filters import column_of, known_cards, known_column, selected
from rules.engine.deck_rules.heads import Head, Heads
from rules.engine.deck_rules.options import DeckOption
from rules.engine.deck_rules.sentences import Sentence
from rules.engine.legality import Severity
from rules.engine.modes import Mode

FILE: Final = "deck_rules.toml"
UNLIMITED: Final = 1 << 62
MEASURES: Final = (
    "known",
    "placed",
    "owned",
    "cards",
    "copies",
    "sum",
    "points",
    "values",
    "apart",
    "required",
    "follows",
    "restricted",
    "code",
)
_APART: Final = 'apart compares two numbers, each { cards = … } or { sum = "…" }'
_FLAGS: Final = ("known", "placed", "owned")
_SCOPE: Final = (
    *("id", "modes", "with", "without", "when", "unless", "from", "group"),
    *("in", "where", "severity", "says", "says_none", "hopeless"),
)
BOUNDS: Final = ("least", "most", "exactly")
BY_COLUMN: Final = ("copies", "sum", "values")
"""Measures that name a column."""
MAX_NUMBER: Final = 1_000
MAX_READ: Final = 128
"""So many heads are kept that organisers' rules name."""
_MANNERS: Final = (
    *("by", "names", "swap", "silent", "fix", "except", "minority", "granted", "sets", "banned"),
    *("any_of", "reach", "becomes"),
)
_AS_WRITTEN: Final = ("names", "swap", "silent", "minority", "unless", "group")
_SENTENCES: Final = ("hopeless", "says_none", "becomes")
Reach: TypeAlias = Literal["deck", "limits", "format"]
REACHES: Final[Mapping[str, Reach]] = {"deck": "deck", "limits": "limits", "format": "format"}
SEVERITIES: Final[Mapping[str, Severity]] = {"error": "error", "notice": "warning"}


class BadDeckRules(ValueError):
    """A ``deck_rules.toml`` that cannot be read; says where and why."""


@dataclass(frozen=True)
class Settings:
    """The settings of a format: the options that are on, and the values of those that have one."""

    on: frozenset[str] = frozenset()
    values: tuple[tuple[str, Any], ...] = ()

    def get(self, slug: str) -> Any:
        """An option's value; None where it is off."""
        return dict(self.values).get(slug)


@dataclass(frozen=True)
class Counter:
    """Something that is counted over a deck: what each card adds, and between which numbers the
    total must be (``-UNLIMITED`` and ``UNLIMITED`` where nothing bounds it). Where it must be one
    of several ``sizes``, these are the lowest and the highest."""

    weights: Mapping[str, int]
    least: int = -UNLIMITED
    most: int = UNLIMITED
    sizes: tuple[int, ...] = ()
    """The usual one first."""

    def fits(self, total: int) -> bool:
        return self.least <= total <= self.most and (not self.sizes or total in self.sizes)

    def bounds_near(self, total: int, able: int) -> tuple[int, int]:
        """The bounds for a deck that has so many and can have as many as ``able``: of sizes the one
        that it has, else the first that it can come to."""
        if not self.sizes:
            return self.least, self.most
        if total in self.sizes:
            return total, total
        near = (size for size in self.sizes if size <= max(total, able))
        size = next(near, self.sizes[0])
        return size, size

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
class Variety:
    """How many different values there are: of each card that counts its value, and the bounds."""

    values: Mapping[str, str]
    least: int
    most: int

    def total(self, cards: Iterable[str]) -> int:
        values = self.values
        return len({values[slug] for slug in cards if slug in values})

    def sizes(self, cards: Mapping[str, int]) -> dict[str, int]:
        """How many copies there are of each value."""
        sizes: dict[str, int] = {}
        values = self.values
        for slug, count in cards.items():
            if count and slug in values:
                sizes[values[slug]] = sizes.get(values[slug], 0) + count
        return sizes

    def changed(self, sizes: dict[str, int], steps: Iterable[tuple[str, int]]) -> dict[str, int]:
        """The sizes with these copies in or, below 0, out; the same object where none counts."""
        values, changed = self.values, sizes
        for slug, number in steps:
            if (value := values.get(slug)) is not None:
                if changed is sizes:
                    changed = dict(sizes)
                changed[value] = changed.get(value, 0) + number
                if not changed[value]:
                    del changed[value]
        return changed

    def gap(self, sizes: Mapping[str, int]) -> int:
        """How many values are missing, or how many copies are of others than the largest groups."""
        if len(sizes) > self.most:
            return sum(sorted(sizes.values(), reverse=True)[self.most :])
        return max(0, self.least - len(sizes))


@dataclass(frozen=True)
class Rule:
    """A rule as the file says it, for certain options and heads.

    ``cards`` are those that it concerns, all of one ``section`` if it names one; ``counters`` has
    what it counts, by value where it counts ``by`` a column. ``names``: its problem lists the cards
    that are counted. ``swap``: the cure is another card in a card's place. ``silent``: nothing is
    to be done about it, so that no number and no fix goes with it; ``fixable`` is false where only
    no fix does. ``ready_made``: ready-made decks are exempt. ``hopeless`` is added to the sentence
    where no deck can have so many. Of rules of one ``group`` only the lowest limit of a card
    speaks, ``unless`` names a rule whose problem takes the place of this one's, and ``start`` is
    the number of cards from which on it speaks.
    """

    id: str
    measure: str
    severity: Severity
    says: Sentence | None
    section: str = ""
    cards: frozenset[str] = frozenset()
    most: int = UNLIMITED
    counters: Mapping[str, Counter] = field(default_factory=dict)
    sums: tuple[Counter, Counter] | None = None
    names: bool | str = False
    whole: bool = False
    """True if it counts all cards of its section, each as one."""
    swap: bool = False
    silent: bool = False
    fixable: bool = True
    ready_made: bool = False
    code: str = ""
    unless: str = ""
    group: str = ""
    start: int = 0
    hopeless: Sentence | None = None
    says_none: Sentence | None = None
    """Of limits: the sentence where no copy is allowed."""
    reach: Reach = "deck"
    """For ``hopeless``: by what the deck holds and may come in, only by what may be in a deck
    (``limits``), or that and all other numbers that the format asks for (``format``)."""
    becomes: Sentence | None = None
    """Of ``values``: the button that makes it a deck of another value."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of ``copies`` by a column: each card's value in it."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """Most copies of each card, where they are not alike for all."""
    head: Head | None = None
    """Of ``follows``, and of ``values`` that have to be one: what each card stands for."""
    variety: Variety | None = None
    """Of all other ``values``."""
    format: str = ""
    """Of the rules of an organiser: what their sentences call the format."""
    worded: Mapping[str, str] = field(default_factory=dict)
    """The ``{value}`` of each card, where sentences say one."""
    minority: bool = False
    granted: frozenset[str] = frozenset()
    """Of ``owned``: the cards of which everybody has one."""

    @property
    def forbids(self) -> bool:
        """True if none of its cards may be in a deck: one problem a card."""
        return self.measure in ("cards", "follows") and self.most == 0

    @property
    def limits_cards(self) -> bool:
        """True if it limits the copies of each of its cards, and decks with more are not legal."""
        limits = self.measure in ("copies", "restricted") and not self.versions
        return self.severity == "error" and (self.forbids or limits)

    def limit(self, slug: str) -> int:
        """The most copies of one of its cards."""
        return self.limits.get(slug, UNLIMITED) if self.measure == "restricted" else self.most


@dataclass(frozen=True)
class Section:
    """A part of a list: the cards that belong there, and the noun that one of them is called.

    ``together``: its rules hang on each other so much that a fix mends all of them at once.
    ``mixed``: of cards that are as natural, one of each value of this column comes in in turn.
    """

    slug: str
    noun: str
    cards: tuple[str, ...]
    together: bool
    mixed: str = ""


@dataclass(frozen=True)
class Share:
    """So many cards of a kind a deck is built towards: where fewer are in, such come in first."""

    cards: frozenset[str]
    number: int


@dataclass(frozen=True)
class Suits:
    """Cards by what they ask for of others in the deck, and by what they give: those that ask for
    what no card gives come in last."""

    asks: Mapping[str, frozenset[str]]
    gives: Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Conflict:
    """Options that no deck can meet together, and why."""

    id: str
    options: frozenset[str]
    modes: frozenset[str]
    count: int | None
    allowed: int | None
    says: str


@dataclass(frozen=True)
class Scope:
    """The words of a rule: a game's own may have all, an organiser's less (``house``)."""

    noun: str
    measures: tuple[str, ...]
    keys: frozenset[str]


OWN: Final = Scope("rules", MEASURES, frozenset((*_SCOPE, *BOUNDS, *_MANNERS)))


@dataclass(frozen=True)
class Row:
    """A rule as the file has it, with the heads that it hangs on.

    ``filled``: a format's options fill it in; what others say is kept in ``read``, by the values of
    their heads.
    """

    data: Mapping[str, Any]
    heads: tuple[Head, ...]
    filled: bool
    read: dict[tuple[str, ...], Rule | None] = field(default_factory=dict)


class Silent(Exception):
    """A rule that does not speak: its option is off, or no card is there that it hangs on."""


class NoCards(ValueError):
    """An organiser's rule that concerns no card."""


def load(
    package: str,
    index: CatalogIndex,
    slots: Collection[str] = (),
    data: Mapping[str, Any] | None = None,
) -> Vocabulary:
    """The rules of the game in this package; raises ``BadDeckRules``.

    ``slots`` are those that its sentences may have beside the usual ones; ``data`` stands for a
    file that the game does not have.
    """
    data = load_toml(package, FILE) if data is None else data
    try:
        return Vocabulary(package, index, data, slots)
    except (KeyError, TypeError, ValueError) as error:
        reason = f"“{error.args[0]}” is missing" if isinstance(error, KeyError) else str(error)
        raise BadDeckRules(f"{package}, {FILE}: {reason}.") from error


class Vocabulary:
    """A game's file, read.

    ``modes``: the sections that each mode reads, none where no deck is judged; ``usual`` has the
    options that are on where a format does not say; ``strays``: a card in a wrong section counts
    in its own all the same; ``order`` is the cards as problems are sorted.
    """

    def __init__(
        self,
        package: str,
        index: CatalogIndex,
        data: Mapping[str, Any],
        slots: Collection[str] = (),
    ) -> None:
        self.index, self._data, self._slots = index, data, slots
        self._package = package
        self._value_heads: dict[str, Head] = {}
        self._playable: dict[str, frozenset[str]] = {}
        sets = {card_set.slug: card_set.name for card_set in load_sets(package)}
        self.sets: Collection[str] = frozenset(sets)
        self.words: dict[str, Mapping[str, str]] = {"set": sets, **data.get("words", {})}
        self.game: str = data["game"]
        self.sections: dict[str, Section] = {}
        self._read_sections()
        self.modes: Mapping[str, tuple[str, ...]] = {
            mode: tuple(names) for mode, names in data["modes"].items()
        }
        self.home = {
            slug: section.slug for section in self.sections.values() for slug in section.cards
        }
        self.at_home = {slug: frozenset(section.cards) for slug, section in self.sections.items()}
        self.strays: bool = data.get("misplaced", "counts") == "counts"
        by_slug = data.get("order", "catalog") == "slug"
        self.order: Mapping[str, int] = (
            {slug: place for place, slug in enumerate(sorted(index))} if by_slug else index.place
        )
        rows = [_with_tuples(row) for row in data.get("option", [])]
        self.options = {row["slug"]: DeckOption(**row) for row in rows}
        options = self.options.values()
        self.shipped = {option.slug: self._shipped(option) for option in options if option.ships}
        self.defaults = {
            option.slug: option.default for option in options if option.default is not None
        }
        switches = [option for option in options if option.kind == "switch"]
        self.switches = frozenset(option.slug for option in switches)
        self.usual = frozenset(option.slug for option in switches if option.usual)
        self.format_options = tuple(
            option.format_option for option in options if option.name and option.rule
        )
        self.prefer = tuple(frozenset(selected(index, row)) for row in data.get("prefer", []))
        self.shares = tuple(
            Share(frozenset(selected(index, row["where"])), row["cards"])
            for row in data.get("share", [])
        )
        self.suits = tuple(self._suits(row) for row in data.get("suits", []))
        self.alike: str = data.get("alike", "")
        if self.alike:
            known_column(index, self.alike)
        self.versions = self._versions(data.get("versions", ""))
        self._rows = tuple(self._checked_rows())
        self.conflicts = tuple(self._conflict(row) for row in data.get("conflict", []))

    @cached_property
    def code(self) -> frozenset[str]:
        """The names of the Python functions that rules give."""
        return frozenset(row["code"] for row in self._data["rule"] if "code" in row)

    def rules(self, mode: str, settings: Settings, heads: Heads) -> Iterator[Rule]:
        """The rules that are on for a mode and what a format sets, under these heads."""
        for row in self._on(mode, settings):
            if (rule := self._under(row, settings, heads)) is not None:
                yield rule

    def _under(self, row: Row, settings: Settings, heads: Heads) -> Rule | None:
        """A rule of the file under these heads; None where it does not speak."""
        key = tuple([heads.get(head.name, "") for head in row.heads])
        if key in row.read:
            return row.read[key]
        try:
            rule = self.rule(row.data, settings, heads)
        except Silent:
            rule = None
        if not row.filled:
            row.read[key] = rule
        return rule

    def heads_for(self, mode: str, settings: Settings) -> dict[str, Head]:
        """The heads on which the rules of a mode and format hang, by name."""
        return {head.name: head for row in self._on(mode, settings) for head in row.heads}

    def playable(self, mode: Mode) -> frozenset[str]:
        """The cards that a mode plays with."""
        if mode.slug not in self._playable:
            self._playable[mode.slug] = frozenset(
                slug for slug, card in self.index.items() if mode.takes(card)
            )
        return self._playable[mode.slug]

    def _on(self, mode: str, settings: Settings) -> Iterator[Row]:
        """The rules of the file that are on."""
        for row in self._rows:
            if (
                mode in row.data.get("modes", self.modes)
                and settings.on.issuperset(row.data.get("with", ()))
                and settings.on.isdisjoint(row.data.get("without", ()))
            ):
                yield row

    def _shipped(self, option: DeckOption) -> dict[str, Any]:
        """The values of others that go with an option: restricted lists of the game's own
        formats."""
        formats = {row["slug"]: row for row in load_toml(self._package, "formats.toml")["format"]}
        return {
            slug: self.options[slug].read(
                formats[name][slug]["cards"], self.index, self.sets, self.game
            )
            for slug, name in option.ships.items()
        }

    def format_name(self, mode: str, settings: Settings) -> str:
        """The name of a format in messages: its own name, else the options that are on."""
        for option in self.options.values():
            if option.kind == "text" and (name := settings.get(option.slug)):
                return str(name)
        on = [option.name for slug, option in self.options.items() if slug in settings.on]
        return " ".join(filter(None, on)) or self.words.get("mode", {}).get(mode, mode)

    # -- reading the file once ---------------------------------------------------------------------

    def _checked_rows(self) -> Iterator[Row]:
        """Every rule, read for some value of its options and every value of its heads."""
        values = tuple((slug, option.sample) for slug, option in self.options.items())
        settings = Settings(frozenset(self.options), values)
        for number, data in enumerate(self._data["rule"], start=1):
            try:
                self._modes(data)
                self._switches(data, "with")
                self._switches(data, "without")
                filled = names_options(data) or not data.keys().isdisjoint(("sets", "banned"))
                row = Row(data, tuple(self._heads_of(data)), filled)
                for head in row.heads:
                    for value in head.order:
                        self._under(row, settings, {head.name: value})
                self._under(row, settings, {})
            except (KeyError, TypeError, ValueError) as error:
                title = data.get("id", f"number {number}")
                reason = f"“{error.args[0]}” is missing" if type(error) is KeyError else error
                raise ValueError(f"rule {title}: {reason}") from error
            yield row

    def _heads_of(self, row: Mapping[str, Any]) -> Iterator[Head]:
        """The heads that a rule hangs on."""
        if "when" in row:
            yield self._section_head(row["when"]["in"])
        for bound in (*BOUNDS, "follows"):
            value = row.get(bound)
            if isinstance(value, Mapping) and "of" in value:
                yield self.head_of(value)
        if "values" in row and _must_be_one(row):
            pool = self._pool(row, "values", Settings(), {})
            yield self._value_head(pool, row["values"])

    def _read_sections(self) -> None:
        homeless = set(self.index)
        for row in self._data["section"]:
            cards = [
                slug for slug in selected(self.index, row.get("where", {})) if slug in homeless
            ]
            homeless.difference_update(cards)
            self.sections[row["slug"]] = Section(
                row["slug"],
                row.get("noun", "card"),
                tuple(cards),
                row.get("together", False),
                row.get("mixed", ""),
            )
        if homeless:
            raise ValueError(f"no section takes the card “{min(homeless)}”")
        for mode, names in self._data["modes"].items():
            for name in names:
                if name not in self.sections:
                    raise ValueError(f"mode {mode} reads a section “{name}” that does not exist")

    def _versions(self, column: str) -> Mapping[str, tuple[str, ...]]:
        """By card all that are versions of the same: those that are alike in this column."""
        if not column:
            return {}
        known_column(self.index, column)
        groups: dict[Any, list[str]] = {}
        for slug, card in self.index.items():
            groups.setdefault(column_of(card, column), []).append(slug)
        return {slug: tuple(slugs) for slugs in groups.values() for slug in slugs}

    def _modes(self, row: Mapping[str, Any]) -> frozenset[str]:
        modes = frozenset(row.get("modes", self.modes))
        for mode in modes - self.modes.keys():
            raise ValueError(f"“{mode}” is not a mode")
        return modes

    def _switches(self, row: Mapping[str, Any], key: str) -> frozenset[str]:
        switches = frozenset(row.get(key, ()))
        for option in switches - self.options.keys():
            raise ValueError(f"“{option}” is not an option")
        return switches

    # -- heads -------------------------------------------------------------------------------------

    def _section_head(self, section: str) -> Head:
        if section not in self.sections:
            raise ValueError(f"“{section}” is not a section")
        cards = self.sections[section].cards
        return Head(section, section, "", {slug: slug for slug in cards}, cards, True)

    def _value_head(self, pool: Iterable[str], column: str) -> Head:
        known_column(self.index, column)
        values = {slug: str(column_of(self.index[slug], column)) for slug in pool}
        present = dict.fromkeys(values.values())
        ordered = [value for value in self.words.get(column, ()) if value in present]
        order = tuple(dict.fromkeys((*ordered, *present)))
        home = self.home[next(iter(values))] if values else ""
        name = f"{column} {hash(frozenset(values.items()))}"
        return Head(name, home, column, values, order, False)

    def head_of(self, source: Mapping[str, Any]) -> Head:
        """The head that ``{ of = …, column = … }`` names; raises ``ValueError``."""
        of = source["of"]
        if isinstance(of, str):
            return self._section_head(of)
        # An organiser's rule is read once for each value of its head.
        key = repr((of, source["column"]))
        if key not in self._value_heads:
            head = self._value_head(selected(self.index, of), source["column"])
            while len(self._value_heads) >= MAX_READ:
                del self._value_heads[next(iter(self._value_heads))]
            self._value_heads[key] = head
        return self._value_heads[key]

    def _followed(self, source: Mapping[str, Any], heads: Heads) -> Any:
        """The value that the head of ``{ of = …, column = … }`` has in the column."""
        head = self.head_of(source)
        value = heads.get(head.name, "")
        if not value:
            raise Silent
        if not head.names_card:
            return value
        known_column(self.index, source["column"])
        held = column_of(self.index[value], source["column"])
        if held is None:
            raise Silent
        return held

    # -- a rule ------------------------------------------------------------------------------------

    def rule(
        self,
        row: Mapping[str, Any],
        settings: Settings,
        heads: Heads,
        among: Collection[str] | None = None,
        *,
        house: bool = False,
    ) -> Rule:
        """A rule, read; ``among`` are the cards that it can concern (None: all). No other rule
        hangs on one of an organiser's (``house``).

        Raises ``Silent``, ``NoCards`` for a rule of an organiser that concerns none, and
        ``ValueError`` with the reason where it cannot be read.
        """
        measure = measure_of_row(row, OWN)
        if "when" in row:
            self._speaks_when(row["when"], heads)
        row = self._with_options(row, settings)
        severity = row.get("severity", "error")
        if not isinstance(severity, str) or severity not in SEVERITIES:
            raise ValueError(f"severity is error or notice, not {severity!r}")
        if row.get("except", "ready-made") != "ready-made":
            raise ValueError("only ready-made decks can be exempt")
        least, most = self._bounds(row, measure, heads)
        pool = self._pool(row, measure, settings, heads, among)
        if house:
            self._of_some_cards(row, measure, pool)
        counters, sums = self._counters(row, measure, pool, least, most)
        if row.get("reach", "deck") not in REACHES:
            raise ValueError(f"reach is one of {', '.join(REACHES)}, not {row['reach']!r}")
        if "becomes" in row and measure != "values":
            raise ValueError("becomes is a word of rules that count values")
        written: dict[str, Any] = {key: row[key] for key in _AS_WRITTEN if key in row}
        written |= {key: self._sentence(row[key]) for key in _SENTENCES if key in row}
        return Rule(
            id=row["id"],
            measure=measure,
            severity=SEVERITIES[severity],
            says=None if measure == "code" else self._sentence(row["says"]),
            section=row.get("in", ""),
            cards=frozenset(pool),
            most=0 if measure == "follows" else most,
            counters=counters,
            sums=sums,
            whole=self._is_whole(row, counters),
            fixable=row.get("fix", True),
            ready_made="except" in row,
            code=row[measure] if measure == "code" else "",
            start=row.get("from", 0),
            limits=dict(row["restricted"]) if measure == "restricted" else {},
            head=self._own_head(row, measure, pool) if not house or measure == "follows" else None,
            variety=self._variety(row, measure, pool, least, most, house),
            reach=REACHES[row.get("reach", "deck")],
            versions=self._versions_of(row, measure, pool),
            granted=frozenset(selected(self.index, row["granted"]) if "granted" in row else ()),
            **written,
        )

    def _of_some_cards(self, row: Mapping[str, Any], measure: str, pool: tuple[str, ...]) -> None:
        """Raises ``NoCards``, and ``ValueError`` where no card has the column that is counted."""
        if not pool:
            raise NoCards
        if measure in BY_COLUMN:
            column = row[measure]
            known_column(self.index, column)
            if all(column_of(self.index[slug], column) in (None, "") for slug in pool):
                raise ValueError(f"none of its cards has a column “{column}”")

    def _versions_of(
        self, row: Mapping[str, Any], measure: str, pool: tuple[str, ...]
    ) -> Mapping[str, str]:
        if measure != "copies" or row[measure] == "card":
            return {}
        return self._values_in(pool, row[measure])

    def _variety(
        self,
        row: Mapping[str, Any],
        measure: str,
        pool: tuple[str, ...],
        least: int,
        most: int,
        house: bool,
    ) -> Variety | None:
        if measure != "values" or (not house and _must_be_one(row)):
            return None
        values = self._values_in(pool, row["values"])
        if least > (able := len({*values.values()})):
            raise ValueError(f"it asks for {least} different values; there are {able}")
        return Variety(values, least, most)

    def _values_in(self, pool: Iterable[str], column: str) -> dict[str, str]:
        """The value of each card in a column, of those that have one; of several sets the first."""
        cards = {slug: self.index[slug] for slug in pool}
        known_column(cards, column)
        held = {slug: column_of(card, column) for slug, card in cards.items()}
        if column == "set":
            held = {slug: sets[0] for slug, sets in held.items()}
        if any(isinstance(value, (list, tuple, dict)) for value in held.values()):
            raise ValueError(f"cards cannot be told apart by “{column}”: it is a list")
        return {slug: str(value) for slug, value in held.items() if value not in (None, "")}

    def _is_whole(self, row: Mapping[str, Any], counters: Mapping[str, Counter]) -> bool:
        cards = self.at_home.get(row.get("in", ""), frozenset(self.index))
        return len(counters) == 1 and all(
            counter.ones is not None and counter.ones >= cards for counter in counters.values()
        )

    def _sentence(self, template: str) -> Sentence:
        return Sentence(template, self.index, self.words, tuple(self.sections), self._slots)

    def _speaks_when(self, when: Mapping[str, Any], heads: Heads) -> None:
        """Raises ``Silent`` unless the one card of a section is the one that is named."""
        if when["card"] not in self.index:
            raise ValueError(f"“{when['card']}” is not a card")
        if heads.get(self._section_head(when["in"]).name) != when["card"]:
            raise Silent

    def _with_options(self, row: Mapping[str, Any], settings: Settings) -> Mapping[str, Any]:
        """The rule with the values of options in the places where it names them."""

        def filled(value: Any) -> Any:
            if isinstance(value, Mapping):
                if value.keys() == {"option"}:
                    return self._value_of(value["option"], settings)
                return {key: filled(inner) for key, inner in value.items()}
            return value

        return {key: filled(value) for key, value in row.items()}

    def _value_of(self, option: str, settings: Settings) -> Any:
        if option not in self.options:
            raise ValueError(f"“{option}” is not an option")
        value = settings.get(option)
        if value is None:
            raise Silent
        if self.options[option].kind == "limits":
            return dict(value)
        return list(value) if isinstance(value, (tuple, frozenset)) else value

    def _bounds(self, row: Mapping[str, Any], measure: str, heads: Heads) -> tuple[int, int]:
        bounds = {key: row[key] for key in BOUNDS if key in row}
        if sizes := self._sizes(row, measure):
            if bounds:
                raise ValueError("any_of stands in place of all other bounds")
            return min(sizes), max(sizes)
        counts = measure in ("cards", "copies", "sum", "points", "apart", "values")
        if counts and not bounds:
            raise ValueError("it says no number: least, most or exactly")
        if bounds and not counts:
            raise ValueError(f"rules with “{measure}” have no least, most or exactly")
        for key, number in bounds.items():
            if isinstance(number, Mapping) and "of" in number:
                held = self._followed(number, heads)
                limits = held if isinstance(held, tuple) else (held,)
                number = bounds[key] = max(limits) if key == "most" else min(limits)
            if type(number) is not int or not 0 <= number <= MAX_NUMBER:
                raise ValueError(f"{key} is a whole number from 0 to {MAX_NUMBER}, not {number!r}")
        if measure in ("copies", "apart") and set(bounds) != {"most"}:
            raise ValueError(f"{measure} have most and no other number")
        if measure in ("copies", "values") and 0 in (bounds.get("most"), bounds.get("exactly")):
            raise ValueError(f"{measure} go from 1 up; to forbid cards, write cards with most = 0")
        if "exactly" in bounds:
            if len(bounds) > 1:
                raise ValueError("exactly stands without least and most")
            return bounds["exactly"], bounds["exactly"]
        least, most = bounds.get("least", -UNLIMITED), bounds.get("most", UNLIMITED)
        if least > most:
            raise ValueError(f"at least {least} and at most {most} cannot both be")
        if counts and least <= 0 and most == UNLIMITED:
            raise ValueError("“at least 0” asks for nothing")
        return least, most

    def _sizes(self, row: Mapping[str, Any], measure: str) -> tuple[int, ...]:
        """The numbers of cards of which a deck has to have one."""
        sizes = row.get("any_of", ())
        if not isinstance(sizes, (list, tuple)) or any(type(size) is not int for size in sizes):
            raise ValueError(f"any_of is a list of whole numbers, not {sizes!r}")
        if "any_of" in row and (measure != "cards" or not sizes or "by" in row):
            raise ValueError("any_of has the numbers of cards that fit one filter")
        return tuple(sizes)

    def _pool(
        self,
        row: Mapping[str, Any],
        measure: str,
        settings: Settings,
        heads: Heads,
        among: Collection[str] | None = None,
    ) -> tuple[str, ...]:
        section = row.get("in")
        if section is not None and section not in self.sections:
            raise ValueError(f"“{section}” is not a section")
        if measure in ("cards", "required") and "where" in row:
            raise ValueError(f"“{measure}” holds the filter itself: leave out “where”")
        if measure == "points" and "where" in row:
            raise ValueError("points are given card by card: leave out “where”")
        where = row[measure] if measure in ("cards", "required") else row.get("where", {})
        if measure == "required" and not where:
            raise ValueError("it requires every card of the game: say which ones")
        if measure in _FLAGS and row[measure] is not True:
            raise ValueError(f"{measure} is true or not there at all")
        if measure == "follows":
            source = row["follows"]
            known_column(self.index, source["by"])
            followed, by = self._followed(source, heads), source["by"]
            held = {slug: column_of(card, by) for slug, card in self.index.items()}
            others = {s for s, value in held.items() if value and str(value) != str(followed)}
            among = others.intersection(self.index if among is None else among)
        if measure == "known":
            return self._barred(row, settings)
        cards = selected(self.index, where)
        if measure in ("restricted", "points"):
            if not isinstance(row[measure], Mapping) or (measure == "points" and not row[measure]):
                raise ValueError(f"{measure} are a table of cards and numbers")
            known_cards(self.index, row[measure])
            cards = tuple(slug for slug in cards if slug in row[measure])
        kept = [self.at_home[section]] if section is not None else []
        kept += [] if among is None else [frozenset(among)]
        return tuple(slug for slug in cards if all(slug in home for home in kept))

    def _barred(self, row: Mapping[str, Any], settings: Settings) -> tuple[str, ...]:
        """Of ``known``: the cards that a format does not allow."""
        for key in ("sets", "banned"):
            if row.get(key, "") not in ("", *self.options):
                raise ValueError(f"“{row[key]}” is not an option")
        sets = settings.get(row.get("sets", ""))
        banned = settings.get(row.get("banned", "")) or frozenset()
        return tuple(
            slug
            for slug, card in self.index.items()
            if slug in banned or (sets is not None and sets.isdisjoint(card.sets))
        )

    def _own_head(self, row: Mapping[str, Any], measure: str, pool: tuple[str, ...]) -> Head | None:
        if measure == "values":
            return self._value_head(pool, row["values"]) if _must_be_one(row) else None
        return self.head_of(row["follows"]) if measure == "follows" else None

    def _counters(
        self,
        row: Mapping[str, Any],
        measure: str,
        pool: tuple[str, ...],
        least: int,
        most: int,
    ) -> tuple[dict[str, Counter], tuple[Counter, Counter] | None]:
        """The counters of a rule, by value, and the two sums that it compares, if it does."""
        if measure == "sum":
            return {"": Counter(self._column(pool, row["sum"]), least, most)}, None
        if measure == "points":
            weights = {slug: _points(slug, row["points"][slug]) for slug in pool}
            return {"": Counter(dict.fromkeys(self.index, 0) | weights, least, most)}, None
        if measure == "apart":
            if not isinstance(row["apart"], (list, tuple)) or len(row["apart"]) != 2:
                raise ValueError(_APART)
            sides = [self._side(side, pool) for side in row["apart"]]
            first, second = sides
            lean = {slug: first[slug] - second[slug] for slug in first}
            sums = (Counter(first), Counter(second))
            return {"": Counter(lean, -most, most)}, sums
        if measure != "cards" or most == 0:
            return {}, None
        if "by" not in row:
            sizes = self._sizes(row, measure)
            return {"": Counter(self._ones(pool), least, most, sizes)}, None
        known_column(self.index, row["by"])
        values: dict[str, list[str]] = {}
        for slug in pool:
            values.setdefault(str(column_of(self.index[slug], row["by"])), []).append(slug)
        return {
            value: Counter(self._ones(slugs), least, most) for value, slugs in values.items()
        }, None

    def _side(self, side: Mapping[str, Any], pool: tuple[str, ...]) -> dict[str, int]:
        """One of the two numbers that ``apart`` compares: a sum, or a number of cards."""
        if not isinstance(side, Mapping) or side.keys() not in ({"cards"}, {"sum"}):
            raise ValueError(_APART)
        if "cards" not in side:
            return self._column(pool, side["sum"])
        fitting = frozenset(selected(self.index, side["cards"]))
        return self._ones([slug for slug in pool if slug in fitting])

    def _ones(self, slugs: list[str] | tuple[str, ...]) -> dict[str, int]:
        return dict.fromkeys(self.index, 0) | dict.fromkeys(slugs, 1)

    def _column(self, pool: tuple[str, ...], column: str) -> dict[str, int]:
        known_column(self.index, column)
        weights = dict.fromkeys(self.index, 0)
        for slug in pool:
            number = column_of(self.index[slug], column) or 0
            if type(number) is not int:
                title = self.index.title(slug)
                raise ValueError(f"“{column}” of {title} is not a whole number")
            weights[slug] = number
        return weights

    def _suits(self, row: Mapping[str, Any]) -> Suits:
        """Cards by what they ask for in some columns, and by what they give in another."""
        for column in (*row["columns"], row["column"]):
            known_column(self.index, column)
        asks = {slug: self._words_in(slug, row["columns"]) for slug in self.index}
        gives = {
            slug: self._words_in(slug, [row["column"]])
            for slug in selected(self.index, row.get("of", {}))
        }
        return Suits({slug: words for slug, words in asks.items() if words}, gives)

    def _words_in(self, slug: str, columns: Iterable[str]) -> frozenset[str]:
        values = [column_of(self.index[slug], column) for column in columns]
        return frozenset(
            str(word)
            for value in values
            if value is not None
            for word in (value if isinstance(value, (list, tuple)) else (value,))
        )

    def _conflict(self, row: Mapping[str, Any]) -> Conflict:
        return Conflict(
            row["id"],
            self._switches(row, "options"),
            self._modes(row),
            row.get("found"),
            row.get("allowed"),
            row["says"],
        )


def measure_of_row(row: Mapping[str, Any], scope: Scope) -> str:
    """The one measure that a rule has; raises ``ValueError`` for none or several, and for words
    that rules of its kind don't have."""
    measures = [word for word in MEASURES if word in row]
    if len(measures) != 1 or measures[0] not in scope.measures:
        words = " and ".join(measures) or "none of them"
        raise ValueError(f"a rule counts one of {', '.join(scope.measures)}; this has {words}")
    for key in row.keys() - scope.keys - {*measures}:
        raise ValueError(f"“{key}” is not a word of {scope.noun}")
    return measures[0]


def _with_tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def names_options(data: Mapping[str, Any]) -> bool:
    """True if a rule has the value of an option in some place."""
    inner = [value for value in data.values() if isinstance(value, Mapping)]
    return "option" in data or any(map(names_options, inner))


def _must_be_one(row: Mapping[str, Any]) -> bool:
    """True if no deck is legal whose cards are of several values: then its rules may hang on it."""
    return row.get("most") == 1 and "least" not in row and row.get("severity") != "notice"


def _points(slug: str, number: object) -> int:
    if type(number) is not int or not 1 <= number <= MAX_NUMBER:
        raise ValueError(f"“{slug}” costs 1 to {MAX_NUMBER} points, not {number!r}")
    return number
