"""Problems of a deck by house rules, and how far it is from keeping them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from rules.engine.deck_rules.vocabulary import UNLIMITED
from rules.engine.house_rules.vocabulary import HouseRule
from rules.engine.legality import Decklist, Fix, Problem, SearchedProblem

Cure: TypeAlias = Callable[[HouseRule, str], Fix | None]
"""The fix for a rule that is broken, for one card or value ("" where it counts one number)."""


def counted(decklist: Decklist) -> dict[str, int]:
    """How many copies of each card a list has, all sections together."""
    cards: dict[str, int] = {}
    for section in decklist.values():
        for slug, count in section.items():
            if count:
                cards[slug] = cards.get(slug, 0) + count
    return cards


def gap_of(rules: Iterable[HouseRule], cards: Mapping[str, int]) -> int:
    """By how much these cards miss all rules that block, together."""
    return sum([rule.gap(cards) for rule in rules if rule.severity == "error"])


def copies_allowed(rules: Iterable[HouseRule]) -> dict[str, int]:
    """Most copies by card, of those that some rule limits by themselves."""
    allowed: dict[str, int] = {}
    for rule in rules:
        if rule.limits_cards and rule.severity == "error":
            for slug in rule.pool:
                allowed[slug] = min(rule.most, allowed.get(slug, UNLIMITED))
    return allowed


def problems(
    rules: Sequence[HouseRule], cards: Mapping[str, int], deck: str, format: str, cure: Cure
) -> Iterator[Problem]:
    """The problems of a deck, rule by rule; in a rule about single cards as the catalog has them.

    ``deck`` and ``format`` are what sentences call them.
    """
    for rule in rules:
        if rule.gap(cards):
            yield from _Speaker(rule, cards, deck, format, cure).problems()


class _Speaker:
    def __init__(
        self, rule: HouseRule, cards: Mapping[str, int], deck: str, format: str, cure: Cure
    ) -> None:
        self.rule, self.cards, self.cure = rule, cards, cure
        self.names = {"deck": deck, "format": format}

    def problems(self) -> Iterator[Problem]:
        rule = self.rule
        if rule.measure == "required":
            for slug in rule.pool:
                if slug not in self.cards:
                    yield self._problem(0, 1, (slug,), slug, card=slug, value="")
        elif rule.measure == "copies" or rule.forbids:
            yield from self._too_many()
        else:
            count = rule.total(self.cards)
            counted_cards = rule.groups if rule.measure == "values" else rule.weights
            held = [slug for slug in rule.pool if slug in counted_cards and slug in self.cards]
            allowed = rule.least if count < rule.least else rule.most
            concerned = held if count > rule.most else []
            first = concerned[0] if concerned else next(iter(rule.pool))
            yield self._problem(count, allowed, tuple(concerned), "", card=first, value="")

    def _too_many(self) -> Iterator[Problem]:
        rule = self.rule
        groups = {slug: slug for slug in rule.pool} if rule.forbids else rule.groups
        members: dict[str, list[str]] = {}
        for slug in rule.pool:
            if slug in self.cards and slug in groups:
                members.setdefault(groups[slug], []).append(slug)
        for value, slugs in members.items():
            count = sum(self.cards[slug] for slug in slugs)
            if count > rule.most:
                word = rule.value(rule.pool[slugs[0]])
                yield self._problem(
                    count, rule.most, tuple(slugs), value, card=slugs[0], value=word
                )

    def _problem(
        self, count: int, allowed: int, cards: tuple[str, ...], part: str, **about: Any
    ) -> Problem:
        rule, gap = self.rule, count - allowed
        numbers = {
            "found": count,
            "least": rule.least,
            "most": rule.most if rule.most < UNLIMITED else allowed,
            "missing": -gap,
            "surplus": gap,
            "gap": gap,
        }
        message = rule.says(**self.names, **numbers, **about)
        fix = partial(self.cure, rule, part) if rule.severity == "error" else None
        return SearchedProblem(rule.id, rule.severity, message, cards, count, allowed, fix)
