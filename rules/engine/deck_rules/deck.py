"""A deck as its rules see it: read, and sorted by where its cards belong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine.deck_checks import CatalogIndex, Entry
from rules.engine.deck_rules.active import ActiveRules

UNNAMED = "This deck"


@dataclass(slots=True)
class Deck:
    """The list that is judged.

    ``listed`` is the list as it was given; ``cards`` counts each card, wherever it lies, and
    ``parts`` those that belong in each section ("" for all). An entry of ``foreign`` names no card
    and counts for nothing; one of ``misplaced`` lies in another section and counts in its own.
    ``above`` has the cards of which there are more than the rules allow.
    """

    name: str
    active: ActiveRules
    index: CatalogIndex
    listed: Mapping[str, Mapping[str, int]]
    cards: dict[str, int]
    parts: Mapping[str, Mapping[str, int]]
    above: list[str]
    foreign: list[Entry]
    misplaced: list[Entry]
    owned: Mapping[str, int] | None
    mended: dict[str, dict[str, int] | None] = field(default_factory=dict)
    """Changes that mend a whole section, once they have been looked for."""

    @property
    def options(self) -> frozenset[str]:
        return self.active.options

    def limit(self, slug: str) -> int:
        """How many copies of a card may be in the deck, by the rules, the format and its owner."""
        most = self.active.limits[slug]
        return most if self.owned is None else max(0, min(most, self.owned.get(slug, 0)))

    def room(self, slug: str) -> int:
        """How many more copies of a card may come in."""
        return max(0, self.limit(slug) - self.cards.get(slug, 0))


def read_deck(
    active: ActiveRules,
    index: CatalogIndex,
    lists: Mapping[str, Mapping[str, int]],
    name: str,
    owned: Mapping[str, int] | None,
) -> Deck:
    """Sort a list by what belongs where. Sections that the mode does not read are left out."""
    home, limits = active.home, active.limits
    listed = {section: lists.get(section, {}) for section in active.sections}
    cards: dict[str, int] = {}
    parts: dict[str, dict[str, int]] = {section: {} for section in active.vocabulary.sections}
    foreign: list[Entry] = []
    misplaced: list[Entry] = []
    for section, counts in listed.items():
        for entry, count in counts.items():
            if entry not in home:
                foreign.append((section, entry, count))
                continue
            if home[entry] != section:
                misplaced.append((section, entry, count))
            cards[entry] = cards[entry] + count if entry in cards else count
            parts[home[entry]][entry] = cards[entry]
    above = [slug for slug, count in cards.items() if count > limits[slug]]
    parts[""] = cards
    return Deck(name, active, index, listed, cards, parts, above, foreign, misplaced, owned)
