"""Reads about decks, with constant numbers of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from rest_framework import serializers
from rest_framework.fields import SkipField

import rules
from accounts.models import User, Viewer
from collection.models import Card, Holding
from core.serializers import Doc, component, describe, from_row
from decks.errors import NotYourDeck, UnknownDeck
from decks.lists import textlist
from decks.models import Deck, DeckEntry, DeckLike, FormatVersion, Visibility, tags
from decks.queries.formats import house_of
from decks.queries.verdicts import ruling_of
from decks.services.about import stamps, write_stamp
from rules.engine.cards import StarterDeck
from rules.engine.errors import BadData, UnknownGame
from rules.engine.legality import Decklist, Fix, Problem, Report

FACES = 4
"""So many of a deck's cards show what it is."""


@dataclass(frozen=True, slots=True)
class DeckCard:
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
    groups: list[tuple[str, int, list[DeckCard]]]

    @property
    def name(self) -> str:
        """The section as people read it."""
        return section_name(self.slug)


@dataclass(frozen=True, slots=True)
class DeckPage:
    """A deck with all that is known of it; ``report`` is None where nobody can say."""

    deck: Deck
    held: tuple[DeckCard, ...]
    cards: dict[str, dict[str, int]]
    size: int
    report: Report | None

    @property
    def groups(self) -> list[tuple[str, int, list[DeckCard]]]:
        """The cards as they were read, by kind: the kind, how many of it, and each card."""
        return _by_kind(self.held)

    @property
    def sections(self) -> list[Section]:
        """The cards by section, in the order of the mode, and by kind."""
        parts: dict[str, list[DeckCard]] = {}
        for held in self.held:
            parts.setdefault(held.section, []).append(held)
        return [
            Section(slug, sum(held.count for held in parts[slug]), _by_kind(parts[slug]))
            for slug in in_order(parts, self.deck)
        ]

    @property
    def faces(self) -> tuple[DeckCard, ...]:
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
    decks = Deck.objects.select_related("owner", "copied_from", "house", "pool").filter(slug=slug)
    deck = decks.prefetch_related(_house_versions()).first()
    if deck is None or (deck.visibility == Visibility.PRIVATE and deck.owner_id != user.pk):
        raise UnknownDeck
    return deck


def own_deck(user: User | AnonymousUser, slug: str) -> Deck:
    """One of somebody's own decks; raises ``UnknownDeck`` and ``NotYourDeck``."""
    deck = access_deck(user, slug)
    if deck.owner_id != user.pk:
        raise NotYourDeck
    return deck


def own_maybeboard(user: User, slug: str) -> dict[str, int]:
    """Copies by card on the maybeboard of one of somebody's decks; raises as ``own_deck``."""
    return dict(own_deck(user, slug).maybe)


def ready_made_page(game: str, starter: str) -> tuple[StarterDeck, DeckPage]:
    """A ready-made deck as it would be once it is copied; raises ``UnknownDeck``."""
    known = rules.games().get(game)
    ready = known.starter_decks.get(starter) if known else None
    if known is None or ready is None:
        raise UnknownDeck
    held = tuple(
        DeckCard(section, slug, card.title, card.kind, counts[slug])
        for section, counts in ready.cards.items()
        for slug, card in known.catalog.items()
        if counts.get(slug)
    )
    deck = Deck(game=game, mode=ready.modes[0], name=ready.name)
    return ready, _page(deck, held, {})


def original_of(deck: Deck, user: User | AnonymousUser) -> Deck | None:
    """The original of a copied deck, if it still exists and this person may look at it."""
    original = deck.copied_from
    if original is None or original.owner_id == user.pk:
        return original
    return None if original.visibility == Visibility.PRIVATE else original


def decklist(deck: Deck) -> dict[str, dict[str, int]]:
    """Return the list that the rules take: ``{section: {card slug: count}}``."""
    return _listed(_held(_entries(deck)))


def deck_page(deck: Deck) -> DeckPage:
    """A deck with its cards in catalog order and its report."""
    return _page(deck, deck_cards(deck), owned_for([deck]))


def deck_cards(deck: Deck) -> tuple[DeckCard, ...]:
    """A deck's cards in catalog order, by section."""
    return _held(_entries(deck).order_by("card__sort_number"))


def _entries(deck: Deck) -> QuerySet[DeckEntry]:
    """A deck's entries with as much of their cards as a list shows."""
    return deck.entries.select_related("card").only(
        "deck", "section", "count", "card__slug", "card__title", "card__kind"
    )


def decks_of(
    user: User | AnonymousUser, game: str = "", mode: str = "", tag: str = ""
) -> list[DeckPage]:
    """A person's decks, the last changed first; of a game, a mode, a tag where one is named."""
    return _pages(own_decks(user, game, mode, tag))


def own_decks(
    user: User | AnonymousUser, game: str = "", mode: str = "", tag: str = ""
) -> QuerySet[Deck]:
    """A person's decks without their cards."""
    if not user.is_authenticated:
        return Deck.objects.none()
    decks = Deck.objects.filter(owner=user)
    if game:
        decks = decks.filter(game=game)
    if mode:
        decks = decks.filter(mode=mode)
    if tag:
        decks = decks.filter(tags__contains=tags.asked(tag))
    return decks


def tags_of(user: User | AnonymousUser) -> list[str]:
    """The tags that a person has given, in the order of the alphabet."""
    if not user.is_authenticated:
        return []
    columns = Deck.objects.filter(owner=user).exclude(tags="").values_list("tags", flat=True)
    return sorted({tag for column in columns for tag in tags.of(column)})


def likes(user: User | AnonymousUser, deck: Deck) -> bool:
    """Has this person said that they like the deck?"""
    return user.is_authenticated and DeckLike.objects.filter(user=user, deck=deck).exists()


def pages(decks: Iterable[Deck]) -> list[DeckPage]:
    """Decks that were read with :func:`with_entries`, each with its report."""
    decks = list(decks)
    owned = owned_for(decks)
    return [_page(deck, _held(deck.entries.all()), owned) for deck in decks]


def with_entries(decks: QuerySet[Deck]) -> QuerySet[Deck]:
    """Prefetch what lists of decks need."""
    cards = Card.objects.only("slug", "title", "kind")
    entries = DeckEntry.objects.prefetch_related(Prefetch("card", cards)).order_by("pk")
    return decks.select_related("owner", "house", "pool").prefetch_related(
        Prefetch("entries", entries), _house_versions()
    )


def _pages(decks: QuerySet[Deck]) -> list[DeckPage]:
    return pages(with_entries(decks))


def _by_kind(cards: Iterable[DeckCard]) -> list[tuple[str, int, list[DeckCard]]]:
    groups: dict[str, list[DeckCard]] = {}
    for held in cards:
        groups.setdefault(held.kind, []).append(held)
    return [(kind, sum(held.count for held in group), group) for kind, group in groups.items()]


def _held(entries: Iterable[DeckEntry]) -> tuple[DeckCard, ...]:
    return tuple(
        DeckCard(entry.section, entry.card.slug, entry.card.title, entry.card.kind, entry.count)
        for entry in entries
    )


def _listed(held: Iterable[DeckCard]) -> dict[str, dict[str, int]]:
    cards: dict[str, dict[str, int]] = {}
    for card in held:
        cards.setdefault(card.section, {})[card.slug] = card.count
    return cards


def _house_versions() -> Prefetch[str]:
    versions = FormatVersion.objects.select_related("format").order_by("-number")
    return Prefetch("house__versions", versions)


Owned = dict[tuple[int, str], dict[str, int]]
"""How many of each card people have, by person and game."""


def owned_for(decks: Iterable[Deck]) -> Owned:
    """Read what the owners have of the cards of decks whose format asks for it, in one query."""
    asking = [(deck.owner_id, deck.game) for deck in decks if house_of(deck, owned_only=True)]
    owned: Owned = {who: {} for who in asking}
    if not asking:
        return owned
    people, games = zip(*asking, strict=True)
    rows = Holding.objects.filter(owner__in=people, card__game__slug__in=games, quantity__gt=0)
    for person, game, card, count in rows.values_list(
        "owner", "card__game__slug", "card__slug", "quantity"
    ):
        if (person, game) in owned:
            owned[person, game][card] = count
    return owned


def _page(deck: Deck, held: tuple[DeckCard, ...], owned: Owned) -> DeckPage:
    cards = _listed(held)
    size = sum(card.count for card in held)
    report = report_on(deck, cards, owned.get((deck.owner_id, deck.game)))
    return DeckPage(deck, held, cards, size, report)


def report_on(
    deck: Deck, cards: Mapping[str, Mapping[str, int]], owned: Mapping[str, int] | None = None
) -> Report | None:
    """The verdict of the rules and the deck's custom format on these cards.

    ``owned`` where the format asks what the owner has (:func:`owned_for`). None where the game
    does not know such decks (now).
    """
    try:
        return ruling_of(deck, owned).report(cards)
    except (UnknownGame, BadData):
        return None


# Decks as the API tells them


class OmittedWhenEmpty(serializers.CharField):
    """Words that are left out where there are none."""

    def get_attribute(self, instance: Any) -> Any:
        if words := super().get_attribute(instance):
            return words
        raise SkipField


describe(
    Fix,
    "A change to the list that fixes a problem.",
    "section",
    changes=Doc("Copies to add (negative: remove) by card."),
    label=Doc(),
    to=Doc(
        "The section that removed cards move to, if any.",
        field=OmittedWhenEmpty,
        required=False,
    ),
    component="DeckFix",
)
describe(
    Problem,
    "A problem of a deck.",
    rule=Doc("The rule’s ID in the game’s specification."),
    severity=Doc("Only errors block."),
    message=Doc(),
    cards=Doc(),
    found=Doc(),
    allowed=Doc(),
    fix=Doc(),
    component="DeckProblem",
)
describe(Report, "The result of a legality check.", "legal", "problems", component="DeckReport")


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line of the typed list that names no card."""

    line: Annotated[int, Doc("Counted from 1.")]
    text: Annotated[str, Doc("The unrecognised name.")]
    suggestions: Annotated[tuple[str, ...], Doc("Similar cards, most similar first.")]


def unread_lines(reading: textlist.Reading) -> list[UnreadLine]:
    """Lines of a list that were not understood."""
    return [UnreadLine(row.number, row.name, row.suggestions) for row in reading.unread]


@dataclass(frozen=True, slots=True)
class House:
    """The house format that a deck is built for."""

    slug: str
    name: str
    version: Annotated[int, Doc("The version in effect.")]


@dataclass(frozen=True, slots=True)
class DeckSummary:
    """A deck without its cards."""

    slug: str
    name: str
    game: str
    mode: str
    visibility: Annotated[str, Doc(choices=Visibility.choices)]
    owner: str
    size: Annotated[int, Doc("How many cards it has.")]
    version: Annotated[int, Doc("Send as “expected” with your changes.")]
    about_version: Annotated[
        str,
        Doc(
            "Version of name, visibility, tags and notes: send as “expected_about” with changes to "
            "them."
        ),
    ]
    tags: list[str]
    likes: int
    credit: Annotated[str, Doc("Name and owner of the original deck.")]
    format: Annotated[
        House | None,
        Doc(
            "The custom format that it is built for and checked by. Null if none, or if it is "
            "unlisted and someone else’s."
        ),
    ]
    legal: Annotated[bool | None, Doc("Null if its game is not installed.")]
    created: datetime
    changed: datetime


@dataclass(frozen=True, slots=True)
class SharedDeck(DeckSummary):
    """A deck in the list of public ones, whose pages are others than those of one's own list."""


@component("Deck")
@dataclass(frozen=True, slots=True)
class DeckShown(DeckSummary):
    """A deck with its cards and its report."""

    deck: Decklist
    notes: str
    original: Annotated[
        str | None,
        Doc("The slug of the original deck, if I can see it."),
    ]
    report: Report | None


def summaries(viewer: Viewer, decks: Iterable[Deck]) -> list[DeckSummary]:
    """Decks that were read with :func:`with_entries`, without their cards."""
    return [from_row(DeckSummary, page.deck, **_summary(viewer, page)) for page in pages(decks)]


def shared_summaries(viewer: Viewer, decks: Iterable[Deck]) -> list[SharedDeck]:
    """Summaries for the list of public decks."""
    return [from_row(SharedDeck, page.deck, **_summary(viewer, page)) for page in pages(decks)]


def deck_shown(viewer: Viewer, deck: Deck) -> DeckShown:
    """A deck with its cards and report, as whoever asks may see it."""
    return from_row(DeckShown, deck, **of_deck(viewer, deck))


def of_deck(viewer: Viewer, deck: Deck) -> dict[str, Any]:
    """Details of a deck that its row alone does not hold."""
    page = deck_page(deck)
    original = original_of(deck, viewer)
    return _summary(viewer, page) | {
        "deck": page.cards,
        "original": original.slug if original else None,
        "report": page.report,
    }


def _summary(viewer: Viewer, page: DeckPage) -> dict[str, Any]:
    deck = page.deck
    return {
        "owner": str(deck.owner),
        "size": page.size,
        "about_version": write_stamp(stamps(deck)),
        "tags": page.tags,
        "likes": deck.like_count,
        "format": _house_shown(viewer, deck),
        "legal": page.report.legal if page.report else None,
    }


def _house_shown(viewer: Viewer, deck: Deck) -> House | None:
    """The address of an unlisted format is for those who were told it."""
    version = house_of(deck)
    if version is None:
        return None
    format = version.format
    open_to_all = format.listed or format.owner_id is None
    if not open_to_all and viewer.pk not in (deck.owner_id, format.owner_id):
        return None
    return House(format.slug, format.name, version.number)
