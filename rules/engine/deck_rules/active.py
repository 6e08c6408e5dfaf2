"""The rules that are on for a mode and a format's options, made ready for judging many decks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rules.engine.deck_checks import CatalogIndex
from rules.engine.deck_rules.filters import column_of
from rules.engine.deck_rules.vocabulary import UNLIMITED, Counter, Rule, Section, Vocabulary


@dataclass(frozen=True)
class Plan:
    """All that a fix has to know of a section: its cards, and what is counted over them.

    ``classes`` are cards that count alike everywhere, so that a search looks at one of each.
    """

    section: Section
    counters: tuple[Counter, ...]
    weights: Mapping[str, tuple[int, ...]]
    classes: tuple[tuple[str, ...], ...]
    bounds: tuple[tuple[int, int], ...]
    values: Mapping[str, str]
    """Each card's value in the column by which cards go together."""

    def counts_all(self, counter: Counter) -> bool:
        """True if it counts each card of the section as one."""
        return all(counter.weights[slug] == 1 for slug in self.section.cards)


class ActiveRules:
    """The rules of one mode with certain options on.

    ``limits``: most copies of each card, where something limits them; ``required``: the cards that
    a deck must have.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        index: CatalogIndex,
        mode: str,
        options: frozenset[str],
    ) -> None:
        self.index = index
        self.mode, self.options = mode, options
        self.vocabulary = vocabulary
        self.sections = vocabulary.modes[mode]
        self.rules = tuple(
            rule
            for rule in vocabulary.rules
            if mode in rule.modes and rule.with_ <= options and not rule.without & options
        )
        self.home = {
            slug: section.slug for section in vocabulary.sections.values() for slug in section.cards
        }
        self.at_home = {
            slug: frozenset(section.cards) for slug, section in vocabulary.sections.items()
        }
        limits: dict[str, int] = {}
        for rule in self._binding:
            if rule.limits_cards:
                for slug in rule.cards:
                    limits[slug] = min(limits.get(slug, UNLIMITED), rule.most)
        self.limits: Mapping[str, int] = {slug: limits.get(slug, UNLIMITED) for slug in self.home}
        self.lowest_limit = min(self.limits.values())
        self.required = frozenset(
            slug for rule in self._binding if rule.measure == "required" for slug in rule.cards
        )

    @property
    def _binding(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if rule.severity == "error")

    @cached_property
    def plans(self) -> Mapping[str, Plan]:
        """How each section that is read can be mended."""
        return {slug: self._plan(self.vocabulary.sections[slug]) for slug in self.sections}

    def _plan(self, section: Section) -> Plan:
        counters = tuple(
            counter
            for rule in self._binding
            for counter in rule.counters.values()
            if any(counter.weights[slug] for slug in section.cards)
        )
        weights = {
            slug: tuple(counter.weights[slug] for counter in counters) for slug in section.cards
        }
        classes: dict[tuple[int, ...], list[str]] = {}
        for slug, counts in weights.items():
            classes.setdefault(counts, []).append(slug)
        bounds = tuple((counter.least, counter.most) for counter in counters)
        column = self.vocabulary.alike
        values = {
            slug: str(column_of(self.index[slug], column) or "") if column else ""
            for slug in section.cards
        }
        return Plan(section, counters, weights, tuple(map(tuple, classes.values())), bounds, values)
