"""The judge of a game's decks, from its ``deck_rules.toml``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, TypeAlias

from rules.engine.cards import load_decks
from rules.engine.chance import Chance
from rules.engine.deck_checks import CatalogIndex, known_mode
from rules.engine.deck_rules import fitting, vocabulary
from rules.engine.deck_rules.active import ActiveRules, FormatRules
from rules.engine.deck_rules.deck import UNNAMED, Deck, read_deck
from rules.engine.deck_rules.house import HouseRule
from rules.engine.deck_rules.measures import Measure, measure_of
from rules.engine.deck_rules.vocabulary import BadDeckRules, Rule, Settings
from rules.engine.legality import Decklist, Problem, Report, read_decklist, read_format
from rules.engine.modes import FormatOption, Mode

MAX_FORMATS: Final = 128
"""The rules of so many formats are kept ready."""

Check: TypeAlias = Callable[[Deck], Iterable[Problem]]


_Step: TypeAlias = tuple[Rule, Measure, int, str]


@dataclass(frozen=True)
class _Judge:
    """The rules for certain heads, each with the function that finds its problems, from how many
    cards on it speaks and which problem takes its place; the order of their IDs, and the IDs that
    several rules share."""

    steps: tuple[_Step, ...]
    without_limits: tuple[_Step, ...]
    """Those that have something to say of a deck with too many of no card."""
    of_counts: tuple[_Step, ...]
    """Those that have something to say of one in which each entry is a card in its place, too, and
    nobody asks for its owner."""
    order: Mapping[str, int]
    shared: frozenset[str]
    groups: Mapping[str, str]
    """The group of each rule of which only the lowest limit of a card speaks."""


class DeckRules:
    """A game's deck rules, ready to judge.

    ``checks`` has what data can't say: a function for each name that a rule of the file gives
    as ``code``. ``named`` says which card an entry of a list names, "" for none, where that may
    be more than a slug; ``slots`` says what sentences have in slots of the game's own; ``data`` is
    what the file would say, for a game without one. Raises ``BadDeckRules`` where the file cannot
    be read.
    """

    def __init__(
        self,
        package: str,
        checks: Mapping[str, Check] | None = None,
        *,
        named: Callable[[str], str] | None = None,
        slots: Mapping[str, Callable[[Deck], str]] | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        self.index: Final = CatalogIndex(package)
        self._package = package
        self._checks, self._named, self._slots = checks or {}, named, slots or {}
        self.vocabulary: Final = vocabulary.load(package, self.index, self._slots, data)
        if self.vocabulary.code != self._checks.keys():
            words = ", ".join(sorted(self.vocabulary.code ^ self._checks.keys()))
            raise BadDeckRules(f"{package}: rules and checks don't name the same code: {words}.")
        self._formats: dict[tuple[str, Settings, tuple[HouseRule, ...]], FormatRules] = {}
        self._plain: dict[str, FormatRules] = {}
        self._quick: dict[tuple[Any, ...], FormatRules] = {}

    @property
    def modes(self) -> tuple[str, ...]:
        return tuple(self.vocabulary.modes)

    @property
    def sections(self) -> tuple[str, ...]:
        return tuple(self.vocabulary.sections)

    @property
    def options(self) -> tuple[str, ...]:
        """The options that a format of the game may set."""
        return tuple(self.vocabulary.options)

    @property
    def format_options(self) -> tuple[FormatOption, ...]:
        """Those of the options that organisers are offered."""
        return self.vocabulary.format_options

    def check_deck(
        self,
        mode: str,
        decklist: Decklist,
        format: Mapping[str, Any] | None = None,
        *,
        name: str = UNNAMED,
        owned: Mapping[str, int] | None = None,
        house: tuple[HouseRule, ...] = (),
    ) -> Report:
        """The verdict on a list for a mode: every failed rule, in the order of the file, and within
        one that concerns single cards in the order of the catalog.

        ``format`` sets options; what is left out is as usual. ``house`` are rules of an organiser
        beside the game's own (``rules.engine.formats``). ``owned`` says how many of each card the
        owner has; without it nobody asks. ``name`` is what messages call the deck. An entry that is
        not a card counts for nothing else, and a card in the wrong section counts in the right one
        (or, if the game's file says so, for nothing), so that the other problems are those that
        remain when these are fixed.

        Raises ``UnknownGame`` for another mode, and ``BadData`` for a format or list that cannot be
        read: options or sections that don't exist, counts that are no whole numbers of at least 0.
        """
        format_rules = self._format_rules(mode, format, house)
        if not format_rules.sections:
            return Report()
        lists = read_decklist(decklist, self.sections)
        return Report(tuple(self.judged(self._read(format_rules, lists, name, owned))))

    def judged(self, deck: Deck) -> list[Problem]:
        """The problems of a deck that has been read."""
        judge = self._judge(deck.active)
        problems: list[Problem] = []
        # Most decks have too many of no card, and most rules ask nothing else.
        if deck.above:
            steps = judge.steps
        elif deck.foreign or deck.misplaced or deck.owned is not None:
            steps = judge.without_limits
        else:
            steps = judge.of_counts
        for rule, find, start, unless in steps:
            if start and deck.sizes[""] < start:
                continue
            if unless and any(row.rule == unless for row in problems):
                continue
            problems += find(rule, deck)
        if len(problems) > 1:
            if judge.groups:
                problems = _lowest_limits(problems, judge.groups)
            if judge.shared:
                problems.sort(key=partial(self._in_order, judge))
        return problems

    def filled(
        self,
        mode: str,
        decklist: Decklist,
        format: Mapping[str, Any] | None = None,
        *,
        owned: Mapping[str, int] | None = None,
        house: tuple[HouseRule, ...] = (),
    ) -> dict[str, dict[str, int]]:
        """The list with cards put in until it is legal, or as near to it as can be.

        Nothing is taken out, and no more copies of a card come in than are ``owned``. Raises as
        :meth:`check_deck`.
        """
        format_rules = self._format_rules(mode, format, house)
        lists = read_decklist(decklist, self.sections)
        if owned is not None:
            # What everybody has for nothing is not in the pool that lists are filled from.
            owned = dict.fromkeys(format_rules.under({}).granted, 0) | dict(owned)
        return fitting.filled(lambda cards: self._read(format_rules, cards, UNNAMED, owned), lists)

    def random_deck(
        self,
        mode: str,
        format: Mapping[str, Any] | None,
        chance: Chance,
        *,
        owned: Mapping[str, int] | None = None,
        house: tuple[HouseRule, ...] = (),
    ) -> dict[str, dict[str, int]] | None:
        """A random legal deck; None where the search finds none. Raises as :meth:`check_deck`."""
        format_rules = self._format_rules(mode, format, house)
        return fitting.random_deck(
            lambda cards: self._read(format_rules, cards, UNNAMED, owned), chance
        )

    def sample_decks(
        self, mode: Mode, options: Mapping[str, Any], seats: int, chance: Chance
    ) -> list[Decklist]:
        """A random legal deck for each seat of a match with these options; none where it is played
        without decks of their own."""
        if mode.decks(options) != "own":
            return []
        format = {option: options[option] for option in self.options if option in options}
        return [self.random_deck(mode.slug, format, chance) or {} for _ in range(seats)]

    def check_format(self, mode: str, format: Mapping[str, Any] | None) -> Report:
        """Can decks fulfil this format at all? Shown to the organiser who sets it up.

        Raises as :meth:`check_deck` does.
        """
        options = self._format_rules(mode, format).settings.on
        return Report(
            tuple(
                Problem(row.id, "error", row.says, (), row.count, row.allowed)
                for row in self.vocabulary.conflicts
                if mode in row.modes and row.options <= options
            )
        )

    def _read(
        self,
        format_rules: FormatRules,
        lists: Mapping[str, Mapping[str, int]],
        name: str,
        owned: Mapping[str, int] | None,
    ) -> Deck:
        deck = read_deck(format_rules, lists, name, owned, self._named)
        deck.slots = self._slots
        return deck

    def _format_rules(
        self,
        mode: str,
        format: Mapping[str, Any] | None,
        house: tuple[HouseRule, ...] = (),
    ) -> FormatRules:
        if format is None and not house and mode in self._plain:
            return self._plain[mode]
        # With the types, for 1 is not true here.
        quick = (
            (mode, house, *[(key, type(value), value) for key, value in format.items()])
            if isinstance(format, dict)
            else ()
        )
        try:
            if rules := self._quick.get(quick):
                return rules
        except TypeError:  # a list or table of cards
            quick = ()
        known_mode(self.vocabulary.game, mode, self.modes)
        key = (mode, self._settings(format), house)
        if key not in self._formats:
            while len(self._formats) >= MAX_FORMATS:
                del self._formats[next(iter(self._formats))]
            self._formats[key] = FormatRules(self.vocabulary, *key)
        if format is None and not house:
            self._plain[mode] = self._formats[key]
        if quick:
            while len(self._quick) >= MAX_FORMATS:
                del self._quick[next(iter(self._quick))]
            self._quick[quick] = self._formats[key]
        return self._formats[key]

    def _settings(self, format: Mapping[str, Any] | None) -> Settings:
        known = self.vocabulary
        values = read_format(format, known.options, known.switches)
        if not values:
            return Settings(known.usual)
        read = {
            slug: option.read(values[slug], self.index, known.sets, known.game)
            for slug in values
            if (option := known.options[slug])
        }
        for slug, shipped in known.shipped.items():
            if read.get(slug):
                read = shipped | read
        read = known.defaults | read
        usual = known.usual.difference(values)
        return Settings(
            usual.union(slug for slug, value in read.items() if value is not None),
            tuple((slug, value) for slug, value in read.items() if value is not None),
        )

    def _judge(self, active: ActiveRules) -> _Judge:
        judge: _Judge | None = active.judge
        if judge is None:
            ids = [rule.id for rule in active.rules]
            steps = tuple(
                (rule, self._measure(rule, active), rule.start, rule.unless)
                for rule in active.rules
            )
            without_limits = tuple(step for step in steps if not step[0].limits_cards)
            judge = active.judge = _Judge(
                steps,
                without_limits,
                tuple(
                    step
                    for step in without_limits
                    if step[0].measure not in ("placed", "owned")
                    and (step[0].measure != "known" or step[0].cards)
                ),
                {rule: place for place, rule in enumerate(ids)},
                frozenset(rule for rule in ids if ids.count(rule) > 1),
                {rule.id: rule.group for rule in active.rules if rule.group},
            )
        return judge

    def _measure(self, rule: Rule, active: ActiveRules) -> Measure:
        if rule.code:
            check = self._checks[rule.code]
            return lambda rule, deck: check(deck)
        measure = measure_of(rule, active)
        if rule.ready_made:
            return lambda rule, deck: () if deck.cards in self._ready_made else measure(rule, deck)
        return measure

    def _in_order(self, judge: _Judge, problem: Problem) -> tuple[int, int]:
        """By rule; of those that share an ID the problems are mixed, card by card."""
        mixed = problem.rule in judge.shared and problem.cards
        place = self.vocabulary.order
        return judge.order[problem.rule], place[problem.cards[0]] if mixed else 0

    @cached_property
    def _ready_made(self) -> list[dict[str, int]]:
        return [
            {slug: count for cards in deck.cards.values() for slug, count in cards.items()}
            for deck in load_decks(self._package).values()
        ]


def _lowest_limits(problems: list[Problem], groups: Mapping[str, str]) -> list[Problem]:
    """Of the problems of one group about one card only the one with the lowest limit, of equal ones
    the first."""
    lowest: dict[tuple[str, tuple[str, ...]], Problem] = {}
    for problem in problems:
        if group := groups.get(problem.rule):
            key = (group, problem.cards)
            kept = lowest.setdefault(key, problem)
            if (problem.allowed or 0) < (kept.allowed or 0):
                lowest[key] = problem
    speaking = {id(problem) for problem in lowest.values()}
    return [row for row in problems if row.rule not in groups or id(row) in speaking]
