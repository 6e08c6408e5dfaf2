"""The decks that a finished match was played with, for its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from collection.models.catalog import card_address
from decks.queries.decks import section_name
from matches.models import Match
from rules.engine.game import Game

_secret: list[Callable[[Match], bool]] = []


def keep_secret_while(test: Callable[[Match], bool]) -> None:
    """Let another app say for which matches of events decks are not shown."""
    _secret.append(test)


@dataclass(frozen=True, slots=True)
class CardOfDeck:
    """One card of a list, with how many of it and where its page is."""

    count: int
    title: str
    address: str


@dataclass(frozen=True, slots=True)
class DeckOfSeat:
    """A seat's deck as it was when its player joined, by section."""

    seat: int
    size: int
    sections: list[tuple[str, list[CardOfDeck]]]


def decks_of_match(match: Match, game: Game) -> list[DeckOfSeat]:
    """The decks that seats brought, by the mode or by an option; empty unless it is finished.

    Empty, too, where an event keeps its deck lists secret. Cards that the catalog no longer has are
    left out.
    """
    if not match.finished:
        return []
    if match.in_event and any(test(match) for test in _secret):
        return []
    return [_deck(seat.number, seat.deck, game) for seat in match.seats.all() if seat.deck]


def _deck(seat: int, deck: dict[str, dict[str, int]], game: Game) -> DeckOfSeat:
    sections = [
        (
            section_name(section),
            [
                CardOfDeck(count, game.catalog[slug].title, card_address(game.slug, slug))
                for slug, count in cards.items()
                if slug in game.catalog
            ],
        )
        for section, cards in deck.items()
    ]
    size = sum(card.count for _, cards in sections for card in cards)
    return DeckOfSeat(seat, size, [(name, cards) for name, cards in sections if cards])
