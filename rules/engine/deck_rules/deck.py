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
    home = active.home
    cards: dict[str, int] = {}
    parts: dict[str, dict[str, int]] = {}
    foreign: list[Entry] = []
    misplaced: list[Entry] = []
    listed = {section: lists.get(section, {}) for section in active.sections}
    for section, counts in listed.items():
        part = parts[section] = dict(counts)
        if not part.keys() <= active.at_home[section]:
            for entry in [entry for entry in part if home.get(entry) != section]:
                away = misplaced if entry in home else foreign
                away.append((section, entry, part.pop(entry)))
    for _, slug, count in misplaced:
        part = parts.setdefault(home[slug], {})
        part[slug] = part.get(slug, 0) + count
    for part in parts.values():
        cards |= part
    above: list[str] = []
    if cards and max(cards.values()) > active.lowest_limit:
        limits = active.limits
        above = [slug for slug, count in cards.items() if count > limits[slug]]
    parts[""] = cards
    return Deck(name, active, index, listed, cards, parts, above, foreign, misplaced, owned)
