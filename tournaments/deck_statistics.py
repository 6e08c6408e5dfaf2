"""Decks and cards by their results. Pure; honest about small numbers.

A card's results are those of decks with it against decks without it: where all decks at a table
have it, the table says nothing of the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.engine.intervals import wilson

FEW = 10
"""Below so many encounters no share is given: it would say more than is known."""


@dataclass(slots=True)
class Results:
    """Encounters of two players at a table: won, drawn, lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def total(self) -> int:
        """How many encounters."""
        return self.won + self.drawn + self.lost

    def add(self, place: int, other: int) -> None:
        """Count an encounter by both places; the lower one is ahead."""
        if place < other:
            self.won += 1
        elif place == other:
            self.drawn += 1
        else:
            self.lost += 1

    def share(self) -> tuple[float, float, float] | None:
        """The share won, draws by half, and its interval (Wilson, 95 %); None for too few."""
        if self.total < FEW:
            return None
        won = self.won + self.drawn / 2
        low, high = wilson(won, self.total)
        return round(won / self.total, 4), round(low, 4), round(high, 4)


@dataclass(slots=True)
class CardResults:
    """A card in the decks of a tournament."""

    decks: int
    copies: int
    results: Results


def by_deck(tables: Iterable[Mapping[int, int]]) -> dict[int, Results]:
    """The encounters of each player; a table is the place of each who sat there."""
    rows: dict[int, Results] = {}
    for places in tables:
        for player, place in places.items():
            row = rows.setdefault(player, Results())
            for other, theirs in places.items():
                if other != player:
                    row.add(place, theirs)
    return rows


def by_card(
    decks: Mapping[int, Mapping[str, int]], tables: Iterable[Mapping[int, int]]
) -> dict[str, CardResults]:
    """Each card with its results against decks without it.

    ``decks`` are the copies of each card by player; players without a deck here count for none.
    """
    rows: dict[str, CardResults] = {}
    for cards in decks.values():
        for card, copies in cards.items():
            row = rows.setdefault(card, CardResults(0, 0, Results()))
            row.decks += 1
            row.copies += copies
    for places in tables:
        known = [player for player in places if player in decks]
        for player in known:
            for other in known:
                if player != other:
                    for card in decks[player].keys() - decks[other].keys():
                        rows[card].results.add(places[player], places[other])
    return rows
