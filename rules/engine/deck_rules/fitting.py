"""Lists that are filled up until they are legal, and random ones: the search that fixes use."""

from __future__ import annotations

from rules.engine.chance import Chance
from rules.engine.deck_rules.active import Plan
from rules.engine.deck_rules.deck import Deck
from rules.engine.deck_rules.fixes import Changes, Search

MAX_COPIES = 4
"""So many copies of a card are drawn at random where no rule allows fewer."""

MAX_MORE = 10
"""So many cards more come into a list that needs only what is required, lest all be alike."""


def filled(deck: Deck) -> dict[str, dict[str, int]]:
    """The list with cards put in: a legal one, or the nearest to it that can be found.

    Nothing is taken out, and what comes in keeps to the format and to what is owned.
    """
    cards = {section: dict(counts) for section, counts in deck.listed.items()}
    for section, plan in deck.active.plans.items():
        changes = {slug: 1 for slug in _lacking(deck, plan) if deck.room(slug)}
        for slug, number in Search(deck, section, keep=True).nearest(changes)[0].items():
            cards[section][slug] = cards[section].get(slug, 0) + number
    return cards


def random_deck(deck: Deck, chance: Chance) -> dict[str, dict[str, int]] | None:
    """A random legal list, of what may be in the deck; None if the search fails."""
    order = list(deck.index)
    chance.shuffle(order)
    places = {slug: place for place, slug in enumerate(order)}
    cards: dict[str, dict[str, int]] = {}
    for section, plan in deck.active.plans.items():
        changes, legal = Search(deck, section, places).nearest(_some(deck, plan, order, chance))
        if not legal:
            return None
        cards[section] = {slug: changes[slug] for slug in plan.section.cards if slug in changes}
    return cards


def _some(deck: Deck, plan: Plan, order: list[str], chance: Chance) -> Changes:
    """As many cards as the section needs, those that are required first: of each one copy, then
    second copies."""
    needed = max((each.least for each in plan.counters if plan.counts_all(each)), default=0)
    changes = {slug: 1 for slug in _lacking(deck, plan) if deck.room(slug)}
    if changes and len(changes) >= needed:
        needed = len(changes) + 1 + chance.pick(MAX_MORE)
    home = frozenset(plan.section.cards)
    for copies in range(1, MAX_COPIES + 1):
        for slug in order:
            if sum(changes.values()) >= needed:
                return changes
            if slug in home and changes.get(slug, 0) < copies <= deck.limit(slug):
                changes[slug] = copies
    return changes


def _lacking(deck: Deck, plan: Plan) -> list[str]:
    """The required cards of a section that are not in the deck."""
    required = deck.active.required - deck.cards.keys()
    return [slug for slug in plan.section.cards if slug in required]
