"""Reads about decks, with constant numbers of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet

import rules
from accounts.models import User
from collection.models import Card
from decks import tags
from decks.errors import UnknownDeck
from decks.models import Deck, DeckEntry, DeckLike, Visibility
from rules.engine.errors import BadData, UnknownGame
from rules.engine.legality import Report

PUBLIC_DECKS_SHOWN = 24
FACES = 4
"""So many of a deck's cards show what it is."""


@dataclass(frozen=True, slots=True)
class Held:
    """A card in a deck, with what a page shows of it."""

    section: str
    slug: str
    title: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a deck, its cards by kind: the kind, how many of it, and each card."""

    slug: str
    count: int
    groups: list[tuple[str, int, list[Held]]]

    @property
    def name(self) -> str:
        """The section as people read it."""
        return section_name(self.slug)


@dataclass(frozen=True, slots=True)
class DeckPage:
    """A deck with all that is known of it; ``report`` is None where nobody can say."""

    deck: Deck
    held: tuple[Held, ...]
    cards: dict[str, dict[str, int]]
    size: int
    report: Report | None

    @property
    def groups(self) -> list[tuple[str, int, list[Held]]]:
        """The cards as they were read, by kind: the kind, how many of it, and each card."""
        return _by_kind(self.held)

    @property
    def sections(self) -> list[Section]:
        """The cards by section, in the order of the mode, and by kind."""
        parts: dict[str, list[Held]] = {}
        for held in self.held:
            parts.setdefault(held.section, []).append(held)
        return [
            Section(slug, sum(held.count for held in parts[slug]), _by_kind(parts[slug]))
            for slug in in_order(parts, self.deck)
        ]

    @property
    def faces(self) -> tuple[Held, ...]:
        """A few cards that show what the deck is."""
        return self.held[:FACES]

    @property
    def tags(self) -> list[str]:
        """Its owner's words for it."""
        return tags.of(self.deck.tags)

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


def section_name(section: str) -> str:
    """A section as people read it."""
    return section.replace("-", " ").capitalize()


def in_order(sections: Iterable[str], deck: Deck) -> list[str]:
    """Sections as the deck's mode has them; those that it does not know come last."""
    game = rules.games().get(deck.game)
    mode = game.modes.get(deck.mode) if game else None
    place = {name: number for number, name in enumerate(mode.sections if mode else ())}
    return sorted(sections, key=lambda name: (place.get(name, len(place)), name))


def access_deck(user: User | AnonymousUser, slug: str) -> Deck:
    """The deck of this address, if this person may look at it; raises ``UnknownDeck``."""
    deck = Deck.objects.select_related("owner", "copied_from").filter(slug=slug).first()
    if deck is None or (deck.visibility == Visibility.PRIVATE and deck.owner_id != user.pk):
        raise UnknownDeck
    return deck


def decklist(deck: Deck) -> dict[str, dict[str, int]]:
    """What the rules take: ``{section: {card slug: count}}``."""
    return _listed(_held(deck.entries.select_related("card")))


def deck_page(deck: Deck) -> DeckPage:
    """A deck with its cards in catalog order and its report."""
    return _page(deck, _held(deck.entries.select_related("card").order_by("card__sort_number")))


def decks_of(
    user: User | AnonymousUser, game: str = "", mode: str = "", tag: str = ""
) -> list[DeckPage]:
    """A person's decks, the last changed first; of a game, a mode, a tag where one is named."""
    if not user.is_authenticated:
        return []
    decks = Deck.objects.filter(owner=user)
    if game:
        decks = decks.filter(game=game)
    if mode:
        decks = decks.filter(mode=mode)
    if tag:
        decks = decks.filter(tags__contains=tags.asked(tag))
    return _pages(decks)


def tags_of(user: User | AnonymousUser) -> list[str]:
    """The tags that a person has given, in the order of the alphabet."""
    if not user.is_authenticated:
        return []
    columns = Deck.objects.filter(owner=user).exclude(tags="").values_list("tags", flat=True)
    return sorted({tag for column in columns for tag in tags.of(column)})


def likes(user: User | AnonymousUser, deck: Deck) -> bool:
    """Has this person said that they like the deck?"""
    return user.is_authenticated and DeckLike.objects.filter(user=user, deck=deck).exists()


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


def _by_kind(cards: Iterable[Held]) -> list[tuple[str, int, list[Held]]]:
    groups: dict[str, list[Held]] = {}
    for held in cards:
        groups.setdefault(held.kind, []).append(held)
    return [(kind, sum(held.count for held in group), group) for kind, group in groups.items()]


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
    size = sum(card.count for card in held)
    return DeckPage(deck, held, cards, size, report_on(deck, cards))


def report_on(deck: Deck, cards: Mapping[str, Mapping[str, int]]) -> Report | None:
    """What the rules say to these cards; None where the game does not know such decks (now)."""
    try:
        return rules.game(deck.game).check_deck(deck.mode, cards, name=deck.name)
    except (UnknownGame, BadData):
        return None
