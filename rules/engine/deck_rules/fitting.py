"""Lists that are filled up until they are legal, and random ones: the search that fixes use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
        best: tuple[bool, Changes] | None = None
        for world in worlds(deck, section):
            changes = {slug: 1 for slug in _lacking(deck, world.plans[section]) if deck.room(slug)}
            changes, legal = Search(deck, section, world, keep=True).nearest(changes)
            if best is None or legal:
                best = legal, changes
            if legal:
                break
        for slug, number in best[1].items() if best else ():
            part[slug] = part.get(slug, 0) + number
    return cards


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
    for world in choices:
        search = Search(deck, section, world, place=places)
        if search.possible(range(len(search.before))):
            changes, legal = search.nearest(_some(deck, world, section, order, chance))
            if legal:
                return changes
    return None


def _some(
    deck: Deck, world: ActiveRules, section: str, order: list[str], chance: Chance
) -> Changes:
    """As many cards as the section needs, those that are required first: of each one copy, then
    second copies."""
    plan = world.plans[section]
    sizes = [each for each in plan.counters if plan.counts_all(each)]
    needed = max((each.least for each in sizes), default=0)
    more = min((each.most for each in sizes), default=UNLIMITED) - needed
    if needed > 0 and more > 0:
        needed += chance.pick(min(more, MAX_MORE) + 1)
    changes = {slug: 1 for slug in _lacking(deck, plan) if deck.room(slug)}
    if changes and len(changes) >= needed:
        needed = len(changes) + 1 + chance.pick(MAX_MORE)
    home = frozenset(plan.section.cards)
    for copies in range(1, MAX_COPIES + 1):
        for slug in order:
            if sum(changes.values()) >= needed:
                return changes
            if slug in home and changes.get(slug, 0) < copies <= deck.limit(slug, world):
                changes[slug] = copies
    return changes


def _lacking(deck: Deck, plan: Plan) -> list[str]:
    """The required cards of a section that are not in the deck."""
    required = deck.active.required - deck.cards.keys()
    return [slug for slug in plan.section.cards if slug in required]
