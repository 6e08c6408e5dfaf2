"""Decks that somebody's collection is enough for, or nearly."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count, Sum

import rules
from accounts.models import User
from collection.models import Holding
from decks.models import Deck, DeckEntry, Visibility
from decks.queries.decks import DeckPage, pages, with_entries
from decks.queries.formats import owned_cards
from rules.engine.cards import StarterDeck
from rules.engine.legality import Decklist

CANDIDATES = 300
"""So many of a game's public decks, the last changed, are compared with a collection."""
PAGE_SIZE = 24


@dataclass(frozen=True, slots=True)
class BuildableDeck:
    """A public deck, or a preconstructed one of the game, and what is owned of it."""

    size: int
    missing: int
    page: DeckPage | None = None
    starter: StarterDeck | None = None

    @property
    def owned(self) -> int:
        return self.size - self.missing


def collected_games(user: User) -> list[str]:
    """The games of which somebody has cards, that with most of them first."""
    rows = Holding.objects.filter(owner=user, quantity__gt=0).values("card__game__slug")
    ranked = rows.annotate(kinds=Count("pk")).order_by("-kinds", "card__game__slug")
    return list(ranked.values_list("card__game__slug", flat=True))


def buildable_decks(user: User, game: str, start: int = 0) -> tuple[list[BuildableDeck], bool]:
    """Decks of others and preconstructed ones, those with the fewest cards missing first.

    A page from a place on, and True if there are more; in as many queries for any collection.
    """
    owned = owned_cards(user, game)
    starters = [(deck, _together(deck.cards)) for deck in rules.game(game).starter_decks.values()]
    ranked: list[tuple[int, int, int | StarterDeck]] = [
        (_missing(cards, owned), sum(cards.values()), starter)
        for starter, cards in starters
        if cards
    ]
    # What is less than half a deck is a draft, for which any collection is enough.
    least = min((size for _, size, _ in ranked), default=2) // 2
    ranked += [
        (_missing(cards, owned), sum(cards.values()), key)
        for key, cards in _public_decks(user, game).items()
        if cards.total() >= least
    ]
    ranked.sort(key=lambda row: row[0])  # equal ones stay: preconstructed, then the last changed
    page_rows = ranked[start : start + PAGE_SIZE]
    keys = [key for _, _, key in page_rows if isinstance(key, int)]
    deck_pages = pages(list(with_entries(Deck.objects.filter(pk__in=keys))))
    page_by_key = {page.deck.pk: page for page in deck_pages}
    decks = [
        BuildableDeck(size, missing, page=page_by_key[key])
        if isinstance(key, int)
        else BuildableDeck(size, missing, starter=key)
        for missing, size, key in page_rows
        if not isinstance(key, int) or key in page_by_key  # not one deleted meanwhile
    ]
    return decks, len(ranked) > start + PAGE_SIZE


def _public_decks(user: User, game: str) -> dict[int, Counter[str]]:
    """Copies by card of the decks that are compared, by their keys, the last changed first."""
    decks = Deck.objects.filter(game=game, visibility=Visibility.PUBLIC).exclude(owner=user)
    keys = list(decks.order_by("-changed", "-pk").values_list("pk", flat=True)[:CANDIDATES])
    rows = DeckEntry.objects.filter(deck__in=keys).order_by().values("deck", "card__slug")
    cards: dict[int, Counter[str]] = defaultdict(Counter)
    for deck, card, copies in rows.annotate(copies=Sum("count")).values_list(
        "deck", "card__slug", "copies"
    ):
        cards[deck][card] = copies
    return {key: cards[key] for key in keys if key in cards}


def _together(cards: Decklist) -> Counter[str]:
    """Copies by card, all sections together."""
    counts = Counter[str]()
    for section in cards.values():
        counts.update(section)
    return counts


def _missing(cards: Counter[str], owned: dict[str, int]) -> int:
    return sum(max(0, count - owned.get(card, 0)) for card, count in cards.items())
