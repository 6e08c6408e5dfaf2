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
from rules.engine.deck_rules.active import ActiveRules
from rules.engine.deck_rules.deck import UNNAMED, Deck, read_deck
from rules.engine.deck_rules.measures import Measure, measure_of
from rules.engine.deck_rules.vocabulary import BadDeckRules, Rule
from rules.engine.legality import Decklist, Problem, Report, read_decklist, read_format
from rules.engine.modes import FormatOption

Check: TypeAlias = Callable[[Deck], Iterable[Problem]]


@dataclass(frozen=True)
class _Judge:
    """The rules under certain options, each with the function that finds its problems; the order
    of their IDs, and the IDs that several rules share."""

    active: ActiveRules
    steps: tuple[tuple[Rule, Measure], ...]
    order: Mapping[str, int]
    shared: frozenset[str]


class DeckRules:
    """A game's deck rules, ready to judge.

    ``checks`` has what data can't say: a function for each name that a rule of the file gives as
    ``code``. Raises ``BadDeckRules`` where the file cannot be read.
    """

    def __init__(self, package: str, checks: Mapping[str, Check] | None = None) -> None:
        self.index: Final = CatalogIndex(package)
        self._package = package
        self._vocabulary = vocabulary.load(package, self.index)
        self._checks = checks or {}
        named = {rule.code for rule in self._vocabulary.rules if rule.code}
        if named != self._checks.keys():
            words = ", ".join(sorted(named ^ self._checks.keys()))
            raise BadDeckRules(f"{package}: rules and checks don't name the same code: {words}.")
        self._judges: dict[tuple[str, frozenset[str]], _Judge] = {}

    @property
    def modes(self) -> tuple[str, ...]:
        return tuple(self._vocabulary.modes)

    @property
    def sections(self) -> tuple[str, ...]:
        return tuple(self._vocabulary.sections)

    @property
    def options(self) -> tuple[str, ...]:
        """The options that a format of the game may set, each true or false."""
        return self._vocabulary.options

    @property
    def format_options(self) -> tuple[FormatOption, ...]:
        """Those of the options that organisers are offered."""
        return self._vocabulary.format_options

    def check_deck(
        self,
        mode: str,
        decklist: Decklist,
        format: Mapping[str, Any] | None = None,
        *,
        name: str = UNNAMED,
        owned: Mapping[str, int] | None = None,
    ) -> Report:
        """The verdict on a list for a mode: every failed rule, in the order of the file, and within
        one that concerns single cards in the order of the catalog.

        ``format`` switches options on or off; what is left out is as usual. ``owned`` says how many
        of each card the owner has; without it nobody asks. ``name`` is what messages call the deck.
        An entry that is not a card counts for nothing else, and a card in the wrong section counts
        in the right one, so that the other problems are those that remain when these are fixed.

        Raises ``UnknownGame`` for another mode, and ``BadData`` for a format or list that cannot be
        read: options or sections that don't exist, counts that are no whole numbers of at least 0.
        """
        judge = self._judge(mode, self._options_on(mode, format))
        if not judge.active.sections:
            return Report()
        lists = read_decklist(decklist, self.sections)
        deck = read_deck(judge.active, self.index, lists, name, owned)
        problems: list[Problem] = []
        for rule, find in judge.steps:
            # Most decks have too many of no card, and most rules ask nothing else.
            if deck.above or not rule.limits_cards:
                problems += find(rule, deck)
        if judge.shared and len(problems) > 1:
            problems.sort(key=partial(self._in_order, judge))
        return Report(tuple(problems))

    def filled(
        self,
        mode: str,
        decklist: Decklist,
        format: Mapping[str, Any] | None = None,
        *,
        owned: Mapping[str, int] | None = None,
    ) -> dict[str, dict[str, int]]:
        """The list with cards put in until it is legal, or as near to it as can be.

        Nothing is taken out, and no more copies of a card come in than are ``owned``. Raises as
        :meth:`check_deck`.
        """
        active = self._judge(mode, self._options_on(mode, format)).active
        lists = read_decklist(decklist, self.sections)
        filled = fitting.filled(read_deck(active, self.index, lists, UNNAMED, owned))
        others = {section: dict(cards) for section, cards in lists.items() if section not in filled}
        return filled | others

    def random_deck(
        self,
        mode: str,
        format: Mapping[str, Any] | None,
        chance: Chance,
        *,
        owned: Mapping[str, int] | None = None,
    ) -> dict[str, dict[str, int]] | None:
        """A random legal deck; None where the search finds none. Raises as :meth:`check_deck`."""
        active = self._judge(mode, self._options_on(mode, format)).active
        return fitting.random_deck(read_deck(active, self.index, {}, UNNAMED, owned), chance)

    def check_format(self, mode: str, format: Mapping[str, Any] | None) -> Report:
        """Can decks fulfil this format at all? Shown to the organiser who sets it up.

        Raises as :meth:`check_deck` does.
        """
        options = self._options_on(mode, format)
        return Report(
            tuple(
                Problem(row.id, "error", row.says, (), row.count, row.allowed)
                for row in self._vocabulary.conflicts
                if mode in row.modes and row.options <= options
            )
        )

    def _options_on(self, mode: str, format: Mapping[str, Any] | None) -> frozenset[str]:
        known_mode(self._vocabulary.game, mode, self.modes)
        values = read_format(format, self.options, self.options)
        if not values:
            return self._vocabulary.usual
        usual = self._vocabulary.usual
        return frozenset(option for option in self.options if values.get(option, option in usual))

    def _judge(self, mode: str, options: frozenset[str]) -> _Judge:
        key = (mode, options)
        if key not in self._judges:
            active = ActiveRules(self._vocabulary, self.index, mode, options)
            ids = [rule.id for rule in active.rules]
            self._judges[key] = _Judge(
                active,
                tuple((rule, self._measure(rule)) for rule in active.rules),
                {rule: place for place, rule in enumerate(ids)},
                frozenset(rule for rule in ids if ids.count(rule) > 1),
            )
        return self._judges[key]

    def _measure(self, rule: Rule) -> Measure:
        if rule.code:
            check = self._checks[rule.code]
            return lambda rule, deck: check(deck)
        measure = measure_of(rule)
        if rule.ready_made:
            return lambda rule, deck: () if deck.cards in self._ready_made else measure(rule, deck)
        return measure

    def _in_order(self, judge: _Judge, problem: Problem) -> tuple[int, int]:
        """By rule; of those that share an ID the problems are mixed, card by card."""
        mixed = problem.rule in judge.shared and problem.cards
        return judge.order[problem.rule], self.index.place[problem.cards[0]] if mixed else 0

    @cached_property
    def _ready_made(self) -> list[dict[str, int]]:
        return [
            {slug: count for cards in deck.cards.values() for slug, count in cards.items()}
            for deck in load_decks(self._package).values()
        ]
