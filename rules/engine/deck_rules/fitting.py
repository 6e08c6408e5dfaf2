"""Random legal decks: some cards of each section, and the search that mends what they lack."""

from __future__ import annotations

from rules.engine.chance import Chance
from rules.engine.deck_rules.active import Plan
from rules.engine.deck_rules.deck import Deck
from rules.engine.deck_rules.fixes import Changes, Search, nothing_left

MAX_COPIES = 4
"""So many copies of a card are drawn at random where no rule allows fewer."""


def fit(deck: Deck, chance: Chance) -> dict[str, dict[str, int]] | None:
    """The deck with random cards put in until it is legal; None if the search fails."""
    order = list(deck.index)
    chance.shuffle(order)
    places = {slug: place for place, slug in enumerate(order)}
    fitted: dict[str, dict[str, int]] = {}
    for section, plan in deck.active.plans.items():
        search = Search(deck, section, places)
        changes = search.run(_some(deck, plan, order), nothing_left)
        if changes is None:
            return None
        counts = {slug: deck.cards.get(slug, 0) + changes.get(slug, 0) for slug in order}
        fitted[section] = {slug: counts[slug] for slug in plan.section.cards if counts[slug] > 0}
    return fitted


def _some(deck: Deck, plan: Plan, order: list[str]) -> Changes:
    """As many cards as the section needs: of each one copy, then second copies."""
    needed = max((each.least or 0 for each in plan.counters if plan.counts_all(each)), default=0)
    missing = needed - sum(deck.cards.get(slug, 0) for slug in plan.section.cards)
    home = frozenset(plan.section.cards)
    changes: Changes = {}
    for copies in range(1, MAX_COPIES + 1):
        for slug in order:
            held = deck.cards.get(slug, 0)
            if missing > 0 and slug in home and held < copies <= deck.limit(slug):
                changes[slug] = changes.get(slug, 0) + 1
                missing -= 1
    return changes
