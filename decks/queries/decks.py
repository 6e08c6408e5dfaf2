"""Reads about decks, with constant numbers of queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet

import rules
from accounts.models import User
from collection.models import Card
from decks.errors import UnknownDeck
from decks.models import Deck, DeckEntry, Visibility
from rules.engine.errors import UnknownGame
from rules.engine.legality import Report

PUBLIC_DECKS_SHOWN = 24


@dataclass(frozen=True, slots=True)
class Held:
    """A card in a deck, with what a page shows of it."""

    section: str
    slug: str
    title: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class DeckPage:
    """A deck with all that is known of it; ``report`` is None where its game is not installed."""

    deck: Deck
    held: tuple[Held, ...]
    cards: dict[str, dict[str, int]]
    size: int
    report: Report | None

    @property
    def groups(self) -> list[tuple[str, int, list[Held]]]:
        """The cards as they were read, by kind: the kind, how many of it, and each card."""
        groups: dict[str, list[Held]] = {}
        for held in self.held:
            groups.setdefault(held.kind, []).append(held)
        return [(kind, sum(held.count for held in group), group) for kind, group in groups.items()]

    @property
    def game_name(self) -> str:
        """The game as people know it."""
        game = rules.games().get(self.deck.game)
        return game.name if game else self.deck.game

    @property
    def mode_name(self) -> str:
        """The mode as people know it."""
        game = rules.games().get(self.deck.game)
        mode = game.modes.get(self.deck.mode) if game else None
        return mode.name if mode else self.deck.mode


def access_deck(user: User | AnonymousUser, slug: str) -> Deck:
    """The deck of this address, if this person may look at it; raises ``UnknownDeck``."""
    deck = Deck.objects.select_related("owner").filter(slug=slug).first()
    if deck is None or (deck.visibility == Visibility.PRIVATE and deck.owner_id != user.pk):
        raise UnknownDeck
    return deck


def decklist(deck: Deck) -> dict[str, dict[str, int]]:
    """What the rules take: ``{section: {card slug: count}}``."""
    return _listed(_held(deck.entries.select_related("card")))


def deck_page(deck: Deck) -> DeckPage:
    """A deck with its cards in catalog order and its report."""
    return _page(deck, _held(deck.entries.select_related("card").order_by("card__sort_number")))


def decks_of(user: User | AnonymousUser, game: str = "", mode: str = "") -> list[DeckPage]:
    """A person's decks, the last changed first; only those of a game or mode where one is named."""
    if not user.is_authenticated:
        return []
    decks = Deck.objects.filter(owner=user)
    if game:
        decks = decks.filter(game=game)
    if mode:
        decks = decks.filter(mode=mode)
    return _pages(decks)


def public_decks(limit: int = PUBLIC_DECKS_SHOWN) -> list[DeckPage]:
    """The decks that people show to everybody, the last changed first."""
    return _pages(Deck.objects.filter(visibility=Visibility.PUBLIC)[:limit])


def pages(decks: Iterable[Deck]) -> list[DeckPage]:
    """Decks that were read with :func:`with_entries`, each with its report."""
    return [_page(deck, _held(deck.entries.all())) for deck in decks]


def with_entries(decks: QuerySet[Deck]) -> QuerySet[Deck]:
    """The same decks, with what their lists need read along."""
    cards = Card.objects.only("slug", "title", "kind")
    entries = DeckEntry.objects.prefetch_related(Prefetch("card", cards)).order_by("pk")
    return decks.select_related("owner").prefetch_related(Prefetch("entries", entries))


def _pages(decks: QuerySet[Deck]) -> list[DeckPage]:
    return pages(with_entries(decks))


def _held(entries: Iterable[DeckEntry]) -> tuple[Held, ...]:
    return tuple(
        Held(entry.section, entry.card.slug, entry.card.title, entry.card.kind, entry.count)
        for entry in entries
    )


def _listed(held: Iterable[Held]) -> dict[str, dict[str, int]]:
    cards: dict[str, dict[str, int]] = {}
    for card in held:
        cards.setdefault(card.section, {})[card.slug] = card.count
    return cards


def _page(deck: Deck, held: tuple[Held, ...]) -> DeckPage:
    cards = _listed(held)
    try:
        report = rules.game(deck.game).check_deck(deck.mode, cards, name=deck.name)
    except UnknownGame:
        report = None
    return DeckPage(deck, held, cards, sum(card.count for card in held), report)
