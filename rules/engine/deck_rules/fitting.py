"""Lists that are filled up until they are legal, and random ones: the search that fixes use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from rules.engine.chance import Chance
from rules.engine.deck_rules.active import ActiveRules, Plan
from rules.engine.deck_rules.deck import Deck
from rules.engine.deck_rules.fixes import Changes, Search, worlds
from rules.engine.deck_rules.vocabulary import UNLIMITED

MAX_COPIES: Final = 4
"""So many copies of a card are drawn at random where no rule allows fewer."""

MAX_MORE: Final = 10
"""Up to so many cards more than are needed come into a random list, lest all be alike."""


Cards: TypeAlias = dict[str, dict[str, int]]
Reader: TypeAlias = Callable[[Mapping[str, Mapping[str, int]]], Deck]
"""Reads a list, as it is by then, for the rules that it is under."""


def filled(read: Reader, lists: Mapping[str, Mapping[str, int]]) -> Cards:
    """The list with cards put in: a legal one, or the nearest to it that can be found.

    Nothing is taken out, and what comes in keeps to the format and to what is owned.
    """
    cards: Cards = {section: dict(counts) for section, counts in lists.items()}
    for section in read(cards).active.sections:
        deck = read(cards)
        part = cards.setdefault(section, {})
        best: Changes = {}
        for place, search in enumerate(_searches(deck, section, worlds(deck, section), keep=True)):
            lacking = {slug: 1 for slug in _lacking(deck, search.plan) if deck.room(slug)}
            changes, legal = search.nearest(lacking)
            if legal or not place:
                best = changes
            if legal:
                break
        for slug, number in best.items():
            part[slug] = part.get(slug, 0) + number
    return cards


def _searches(
    deck: Deck,
    section: str,
    choices: list[ActiveRules],
    place: Mapping[str, int] | None = None,
    *,
    keep: bool = False,
) -> Iterator[Search]:
    """Searches for the rules under each of these, one after the other: first for a list that keeps
    all advice and comes to the usual size, where there can be one, then for any."""
    for world in choices:
        advised = world.advised_plans[section]
        search = Search(deck, section, world, plan=advised, place=place, keep=keep)
        if not advised.contradicts_itself and search.can_end(keep=keep):
            yield search
    for world in choices:
        yield Search(deck, section, world, place=place, keep=keep)


def random_deck(read: Reader, chance: Chance) -> Cards | None:
    """A random legal list, of what may be in the deck; None if the search fails."""
    deck = read({})
    order = list(deck.index)
    chance.shuffle(order)
    places = {slug: place for place, slug in enumerate(order)}
    cards: Cards = {}
    for section in deck.active.sections:
        deck = read(cards)
        choices = worlds(deck, section)
        if len(choices) > 1:
            chance.shuffle(choices)
        changes = _random_section(deck, section, choices, order, places, chance)
        if changes is None:
            return None
        home = deck.active.plans[section].section.cards
        cards[section] = {slug: changes[slug] for slug in home if slug in changes}
    return cards


def _random_section(
    deck: Deck,
    section: str,
    choices: list[ActiveRules],
    order: list[str],
    places: Mapping[str, int],
    chance: Chance,
) -> Changes | None:
    searches = [search for search in _searches(deck, section, choices, places) if search.can_end()]
    # Where advice leaves no room for more than the required cards, all decks would be alike.
    searches.sort(key=lambda search: len(_lacking(deck, search.plan)) >= _sizes(search)[1])
    for search in searches:
        changes, legal = search.nearest(_some(deck, search, order, chance))
        if legal:
            return changes
    return None


def _sizes(search: Search) -> tuple[int, int]:
    """How many cards the section needs, and how many it may have."""
    sizes = [
        bounds
        for counter, bounds in zip(search.plan.counters, search.bounds, strict=True)
        if search.plan.counts_all(counter)
    ]
    return max((least for least, _ in sizes), default=0), min(
        (most for _, most in sizes), default=UNLIMITED
    )


def _some(deck: Deck, search: Search, order: list[str], chance: Chance) -> Changes:
    """As many cards as the section needs, those that are required first: of each one copy, then
    second copies."""
    needed, most = _sizes(search)
    if 0 < needed < most:
        needed += chance.pick(min(most - needed, MAX_MORE) + 1)
    changes = {slug: 1 for slug in _lacking(deck, search.plan) if deck.room(slug)}
    if changes and len(changes) >= needed:
        needed = len(changes) + 1 + chance.pick(MAX_MORE)
    home = frozenset(search.plan.section.cards)
    for copies in range(1, MAX_COPIES + 1):
        for slug in order:
            if sum(changes.values()) >= needed:
                return changes
            room = slug in home and changes.get(slug, 0) < copies <= search.limits[slug]
            if room and slug not in search.full(changes):
                changes[slug] = copies
    return changes


def _lacking(deck: Deck, plan: Plan) -> list[str]:
    """The required cards of a section that are not in the deck."""
    required = deck.active.required - deck.cards.keys()
    return [slug for slug in plan.section.cards if slug in required]
