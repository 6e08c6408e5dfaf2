"""A deck as its rules see it: read, and sorted by where its cards belong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.engine.deck_checks import CatalogIndex, Entry
from rules.engine.deck_rules.active import ActiveRules, FormatRules

UNNAMED = "This deck"
MAX_LOOKS_A_DECK = 40_000


@dataclass(slots=True)
class Deck:
    """The list that is judged.

    ``listed`` is the list as it was given; ``cards`` counts each card, wherever it lies, and
    ``parts`` those that belong in each section ("" for all), ``sizes`` how many these are. An entry
    of ``foreign`` names no card and counts for nothing; one of ``misplaced`` lies in another
    section and counts in its own, if the game's file does not leave it out. ``above`` has the cards
    of which there are more than the rules allow. ``lines`` keeps, by section and card, the entries
    that named it, where these may be others than its slug.
    """

    name: str
    active: ActiveRules
    index: CatalogIndex
    listed: Mapping[str, Mapping[str, int]]
    cards: dict[str, int]
    parts: Mapping[str, Mapping[str, int]]
    sizes: Mapping[str, int]
    above: list[str]
    foreign: list[Entry]
    misplaced: list[Entry]
    owned: Mapping[str, int] | None
    lines: Mapping[tuple[str, str], Mapping[str, int]] = field(default_factory=dict)
    slots: Mapping[str, Callable[[Deck], str]] = field(default_factory=dict)
    _tally: list[int] | None = None
    looks_left: int = MAX_LOOKS_A_DECK
    """So many more changed lists may be looked at for all fixes of its report."""
    mended: dict[str, dict[str, int] | None] = field(default_factory=dict)
    """Changes that mend a whole section, once they have been looked for."""

    @property
    def tally(self) -> list[int]:
        """How many cards of each of the kinds that rules count there are."""
        if self._tally is None:
            self._tally = tally = [0] * self.active.number_of_kinds
            kind_of = self.active.kind_of
            for slug, count in self.cards.items():
                tally[kind_of[slug]] += count
        return self._tally

    def have(self, slug: str) -> int:
        """How many of a card its owner has."""
        assert self.owned is not None
        return max(0, self.owned.get(slug, int(slug in self.active.granted)))

    def limit(self, slug: str, active: ActiveRules | None = None) -> int:
        """How many copies of a card may be in the deck, by the rules, the format and its owner."""
        most = (active or self.active).limits[slug]
        return most if self.owned is None else min(most, self.have(slug))

    def lines_of(self, section: str, slug: str) -> Mapping[str, int]:
        """The entries of a section that name a card, each with its copies."""
        if lines := self.lines.get((section, slug)):
            return lines
        return {slug: self.listed.get(section, {}).get(slug, 0)}

    def by_entry(self, section: str, changes: Mapping[str, int]) -> dict[str, int]:
        """Changes of the entries of a section that name these cards; misspelt ones go first."""
        by_entry: dict[str, int] = {}
        for slug, number in changes.items():
            if number > 0:
                by_entry[slug] = number
            lines = self.lines_of(section, slug).items() if number < 0 else ()
            for entry, count in sorted(lines, key=lambda line: line[0] == slug):
                if number < 0:
                    by_entry[entry] = -min(count, -number)
                    number -= by_entry[entry]
        return by_entry

    def room(self, slug: str, changes: Mapping[str, int] = MappingProxyType({})) -> int:
        """How many more copies of a card may come in, once these changes are made."""
        room = self.limit(slug) - self.cards.get(slug, 0) - changes.get(slug, 0)
        for versions, most in self.active.versions:
            if value := versions.get(slug):
                held = [
                    number
                    for cards in (self.cards, changes)
                    for other, number in cards.items()
                    if versions.get(other) == value
                ]
                room = min(room, most - sum(held))
        return max(0, room)


def read_deck(
    format_rules: FormatRules,
    lists: Mapping[str, Mapping[str, int]],
    name: str,
    owned: Mapping[str, int] | None,
    named: Callable[[str], str] | None = None,
) -> Deck:
    """Sort a list by what belongs where. Sections that the mode does not read are left out.

    ``named`` says which card an entry names, "" for none; without it only slugs are cards.
    """
    vocabulary = format_rules.vocabulary
    home, at_home = vocabulary.home, vocabulary.at_home
    cards: dict[str, int] = {}
    parts: dict[str, Mapping[str, int]] = {}
    foreign: list[Entry] = []
    misplaced: list[Entry] = []
    lines: dict[tuple[str, str], dict[str, int]] = {}
    listed = {section: lists.get(section, {}) for section in format_rules.sections}
    for section, counts in listed.items():
        # Copied only where it changes: most lists have every card in its place.
        part = parts[section] = counts
        if named is not None and not part.keys() <= home.keys():
            part = parts[section] = _under_slugs(section, counts, named, lines)
        if not part.keys() <= at_home[section]:
            part = parts[section] = dict(part)
            for entry in [entry for entry in part if home.get(entry) != section]:
                away = misplaced if entry in home else foreign
                away.append((section, entry, part.pop(entry)))
    if vocabulary.strays:
        for _, slug, count in misplaced:
            part = parts[home[slug]] = dict(parts.get(home[slug], {}))
            part[slug] = part.get(slug, 0) + count
    sizes: dict[str, int] = {}
    for section, part in parts.items():
        cards |= part
        sizes[section] = sum(part.values())
    sizes[""] = sum(sizes.values())
    heads = {head.name: head.value(parts.get(head.section, ())) for head in format_rules.heads}
    active = format_rules.under(heads)
    above: list[str] = []
    if cards and max(cards.values()) > active.lowest_limit:
        limits = active.limits
        above = [slug for slug, count in cards.items() if count > limits[slug]]
    parts[""] = cards
    index = vocabulary.index
    return Deck(
        name, active, index, listed, cards, parts, sizes, above, foreign, misplaced, owned, lines
    )


def _under_slugs(
    section: str,
    counts: Mapping[str, int],
    named: Callable[[str], str],
    lines: dict[tuple[str, str], dict[str, int]],
) -> dict[str, int]:
    """A section with its entries under the slugs of the cards that they name."""
    part: dict[str, int] = {}
    for entry, count in counts.items():
        slug = named(entry) or entry
        part[slug] = part.get(slug, 0) + count
        lines.setdefault((section, slug), {})[entry] = count
    return part
