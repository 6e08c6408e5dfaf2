"""The rules that are on for a mode and a format, made ready for judging many decks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.engine.deck_checks import CatalogIndex
from rules.engine.deck_rules.filters import column_of
from rules.engine.deck_rules.heads import Head, Heads
from rules.engine.deck_rules.house import HouseRule
from rules.engine.deck_rules.vocabulary import (
    UNLIMITED,
    Counter,
    Rule,
    Section,
    Settings,
    Variety,
    Vocabulary,
)

MAX_HEADS = 64
"""So many sets of rules are kept for one format, one for each of the heads that decks have."""


@dataclass(frozen=True)
class Plan:
    """A section as a search sees it: its cards, and the counters that run over them.

    ``classes`` are cards that count alike everywhere, so that a search looks at one of each. The
    last counters have no bounds: they count the ``shares`` that a deck is built towards.
    """

    section: Section
    counters: tuple[Counter, ...]
    weights: Mapping[str, tuple[int, ...]]
    varieties: tuple[Variety, ...]
    classes: tuple[tuple[str, ...], ...]
    bounds: tuple[tuple[int, int], ...]
    values: Mapping[str, str]
    """Each card's value in the column by which cards go together."""
    any_sizes: bool
    """True if a counter leaves a choice of sizes."""
    shares: Mapping[str, tuple[int, int]]
    """For each card the place of the counter of its share, and how many there should be."""

    @cached_property
    def contradicts_itself(self) -> bool:
        """True if more is asked of some cards than of these and others together is allowed."""
        return bool(self.contradicted)

    @cached_property
    def contradicted(self) -> frozenset[int]:
        """The places of counters of which some ask for more than others, that count at least as
        much, allow: no search can mend them."""
        return frozenset(
            place
            for at, part in enumerate(self.counters)
            for other, whole in enumerate(self.counters)
            if part.least > whole.most
            and all(number <= whole.weights[slug] for slug, number in part.weights.items())
            for place in (at, other)
        )

    def counts_all(self, counter: Counter) -> bool:
        """True if it counts each card of the section as one."""
        return all(counter.weights[slug] == 1 for slug in self.section.cards)


class FormatRules:
    """The rules of a mode under what a format sets, and those of its organiser (``house``), for
    whatever heads a deck has."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        mode: str,
        settings: Settings,
        house: tuple[HouseRule, ...] = (),
    ) -> None:
        self.vocabulary, self.mode, self.settings = vocabulary, mode, settings
        self.sections = vocabulary.modes[mode]
        self.name = vocabulary.format_name(mode, settings)
        self.house = house
        followed = {rule.head.name: rule.head for rule in house if rule.head is not None}
        heads = vocabulary.heads_for(mode, settings) | followed
        self.heads: tuple[Head, ...] = tuple(heads.values())
        self._active: dict[tuple[str, ...], ActiveRules] = {}

    def under(self, heads: Heads) -> ActiveRules:
        """The rules for a deck with these heads."""
        key = tuple([heads.get(head.name, "") for head in self.heads])
        if key not in self._active:
            while len(self._active) >= MAX_HEADS:
                del self._active[next(iter(self._active))]
            self._active[key] = ActiveRules(self, dict(heads))
        return self._active[key]


class ActiveRules:
    """The rules of one mode and format for decks with certain heads.

    ``limits``: most copies of each card, where something limits them; ``required``: the cards that
    a deck must have; ``granted``: those of which everybody has one.
    """

    def __init__(self, format_rules: FormatRules, heads: Heads) -> None:
        vocabulary = format_rules.vocabulary
        self.format_rules, self.heads = format_rules, heads
        # How decks are judged by these rules, kept by whoever judges.
        self.judge: Any = None
        self.vocabulary, self.index = vocabulary, vocabulary.index
        self.mode, self.settings = format_rules.mode, format_rules.settings
        self.sections = format_rules.sections
        self.home, self.at_home = vocabulary.home, vocabulary.at_home
        house = [rule.under(heads) for rule in format_rules.house]
        self.rules = (
            *vocabulary.rules(self.mode, self.settings, heads),
            *(rule for rule in house if rule is not None),
        )
        binding = [rule for rule in self.rules if rule.severity == "error"]
        self.binding = tuple(binding)
        limits: dict[str, int] = {}
        for rule in binding:
            for slug, most in self._limits_of(rule):
                limits[slug] = min(limits.get(slug, UNLIMITED), most)
        self.limits: Mapping[str, int] = {slug: limits.get(slug, UNLIMITED) for slug in self.home}
        self.lowest_limit = min(self.limits.values())
        self.required = frozenset(
            slug for rule in binding if rule.measure == "required" for slug in rule.cards
        )
        self.granted = frozenset(slug for rule in binding for slug in rule.granted)
        # Most copies of all cards together that are versions of one, each card with its value.
        self.versions = tuple((rule.versions, rule.most) for rule in binding if rule.versions)
        # By section, of rules that want all of some cards to be of one value; the first one counts.
        self._united = {
            rule.head.section: rule.head
            for rule in reversed(binding)
            if rule.measure == "values" and rule.most == 1 and rule.head is not None
        }

        # Cards that count alike in all rules, so that a deck is added up once.
        counters = [
            counter
            for rule in self.rules
            if not rule.whole
            for counter in rule.counters.values()
            if counter.ones is not None
        ]
        # The counters that count a card, each as a bit.
        counted_by = dict.fromkeys(self.home, 0)
        for place, counter in enumerate(counters):
            for slug in counter.ones or ():
                counted_by[slug] |= 1 << place
        kinds = {bits: kind for kind, bits in enumerate(dict.fromkeys(counted_by.values()))}
        self.kind_of = {slug: kinds[bits] for slug, bits in counted_by.items()}
        self.number_of_kinds = len(kinds)
        self.kinds_of = {
            id(counter): tuple(kind for bits, kind in kinds.items() if bits >> place & 1)
            for place, counter in enumerate(counters)
        }
        """By the counter's identity, for whoever counts cards: of which kinds they are."""

    def _limits_of(self, rule: Rule) -> Iterable[tuple[str, int]]:
        if rule.limits_cards or rule.versions:
            return [(slug, rule.limit(slug)) for slug in rule.cards]
        if rule.measure == "known":
            return [(slug, 0) for slug in rule.cards]
        if rule.measure == "values" and rule.most == 1 and rule.head is not None:
            value = self.heads.get(rule.head.name, "")
            others = [slug for slug, own in rule.head.values.items() if own != value]
            return [(slug, 0) for slug in others] if value else ()
        return ()

    def under(self, **heads: str) -> ActiveRules:
        """The rules of the same format for a deck with other heads."""
        return self.format_rules.under({**self.heads, **heads})

    @cached_property
    def plans(self) -> Mapping[str, Plan]:
        """How each section that is read can be mended."""
        return {slug: self.plan(self.vocabulary.sections[slug]) for slug in self.sections}

    @cached_property
    def places(self) -> Mapping[str, Mapping[str, int]]:
        """The order in which cards come in where nothing else orders them, by section."""
        return {
            slug: places_of(self.vocabulary.sections[slug], self.index) for slug in self.sections
        }

    @cached_property
    def advised_plans(self) -> Mapping[str, Plan]:
        """How each section is best filled up: advice is kept, and without any other number it comes
        to the size that a deck is built towards."""
        advice = [
            counter
            for rule in self.rules
            if rule.severity != "error"
            for counter in rule.counters.values()
        ]
        plans = {}
        for slug in self.sections:
            section = self.vocabulary.sections[slug]
            usual = sum(
                share.number
                for share in self.vocabulary.shares
                if not share.cards.isdisjoint(section.cards)
            )
            weights = {card: int(self.home[card] == slug) for card in self.index}
            plans[slug] = self.plan(section, *advice, Counter(weights, usual))
        return plans

    def plan(self, section: Section, *more: Counter) -> Plan:
        """How a section can be mended, with these counters beside those that bind."""
        binding = [counter for rule in self.binding for counter in rule.counters.values()]
        counters = tuple(
            counter
            for counter in (*binding, *more)
            if any(counter.weights[slug] for slug in section.cards)
        )
        varieties = tuple(
            rule.variety
            for rule in self.binding
            if rule.variety is not None and not rule.variety.values.keys().isdisjoint(section.cards)
        )
        shares: dict[str, tuple[int, int]] = {}
        for share in self.vocabulary.shares:
            held = share.cards & frozenset(section.cards)
            shares |= dict.fromkeys(held, (len(counters), share.number))
            counters += (Counter({slug: int(slug in held) for slug in self.index}),)
        weights = {
            slug: tuple(counter.weights[slug] for counter in counters) for slug in section.cards
        }
        apart = self.section_head(section.slug) is not None
        classes: dict[tuple[object, ...], list[str]] = {}
        for slug, counts in weights.items():
            kind = (*counts, *(variety.values.get(slug) for variety in varieties))
            classes.setdefault((*kind, slug) if apart else kind, []).append(slug)
        bounds = tuple((counter.least, counter.most) for counter in counters)
        column = self.vocabulary.alike
        values = {
            slug: str(column_of(self.index[slug], column) or "") if column else ""
            for slug in section.cards
        }
        any_sizes = any(counter.sizes for counter in counters)
        alike = tuple(map(tuple, classes.values()))
        return Plan(section, counters, weights, varieties, alike, bounds, values, any_sizes, shares)

    def section_head(self, section: str) -> Head | None:
        """The head that is the one card of this section."""
        heads = self.format_rules.heads
        return next((row for row in heads if row.names_card and row.section == section), None)

    def united_head(self, section: str) -> Head | None:
        """The head on whose value all cards of this section that have one must agree."""
        return self._united.get(section)

    def worlds(self, head: Head | None) -> list[ActiveRules]:
        """The rules for each value that cards can agree on; these alone where they need not."""
        if head is None:
            return [self]
        return [self.under(**{head.name: value}) for value in head.order]


def places_of(section: Section, index: CatalogIndex) -> dict[str, int]:
    """The cards of a section as they come in: as the catalog has them, or one of each group."""
    if not section.mixed:
        return {slug: index.place[slug] for slug in section.cards}
    seen: dict[object, int] = {}
    ranked = []
    for slug in section.cards:
        value = column_of(index[slug], section.mixed)
        seen[value] = seen.get(value, 0) + 1
        ranked.append((seen[value], index.place[slug], slug))
    return {slug: place for place, (_, _, slug) in enumerate(sorted(ranked))}
