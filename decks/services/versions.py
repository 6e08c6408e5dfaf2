"""Versions of decks: each change of cards is kept; undo goes back, redo on, restore anywhere.

``Deck.version`` is the number of the version that the entries are. Numbers only grow, so that one
means the same for ever. Whoever changes a deck locks it first (:func:`own_deck`), sets mode and
typed list as they are to be, and gives the cards to :func:`keep`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, Prefetch, QuerySet
from django.utils import timezone

import rules
from accounts.models import User
from collection.models import Card
from decks.database.search_index import found_by
from decks.errors import (
    BadDeck,
    CannotGoBack,
    DeckChanged,
    NoFurther,
    NotYourDeck,
    TooManyNames,
    UnknownDeck,
    UnknownVersion,
)
from decks.models import MAX_COPIES, Deck, DeckEntry, DeckVersion, Visibility
from decks.queries.versions import compare
from rules.engine.legality import Decklist

MAX_UNNAMED = 300
MAX_NAMED = 100
NOTE_LENGTH = 120
DECKS_AT_ONCE = 200
MERGE_WINDOW = timedelta(seconds=10)
"""Presses on one card that follow each other within this are one version."""


def own_deck(user: User, slug: str, expected: int | None = None) -> Deck:
    """A person's own deck, locked until the transaction ends.

    ``expected`` is the version that the change was made for. Raises ``UnknownDeck``,
    ``NotYourDeck`` and ``DeckChanged``.
    """
    deck = Deck.objects.select_for_update().filter(slug=slug).first()
    if deck is None or (deck.owner_id != user.pk and deck.visibility == Visibility.PRIVATE):
        raise UnknownDeck
    if deck.owner_id != user.pk:
        raise NotYourDeck
    if expected is not None and expected != deck.version:
        raise DeckChanged(
            f"“{deck.name}” was changed in another window. Nothing was overwritten: reload the "
            "page and repeat your change.",
            version=deck.version,
        )
    return deck


def keep(deck: Deck, cards: Decklist, *, pressed: bool = False) -> None:
    """Give a new or locked deck its cards, as a version where anything is new; saves the deck.

    Unnamed versions that were undone go; named ones stay. A version that was ``pressed`` takes the
    place of the one before it where that changed the same card a moment ago; its number is new
    all the same. Raises ``BadDeck``.
    """
    cards = {
        section: positive
        for section, counts in cards.items()
        if (positive := {card: count for card, count in counts.items() if count})
    }
    now = deck.versions.filter(number=deck.version).first()
    if now is None or (now.mode, now.cards, now.typed) != (deck.mode, cards, deck.typed):
        newest = deck.versions.aggregate(newest=Max("number"))["newest"] or 0
        undone = deck.versions.filter(number__gt=deck.version)
        undone.filter(note="").delete()
        if now is not None and undone.exists():
            # The named ones lie between: what undo leads to has to lie next below the new one.
            newest += 1
            DeckVersion.objects.create(
                deck=deck, number=newest, mode=now.mode, cards=now.cards, typed=now.typed
            )
        _write_entries(deck, cards)
        if pressed and now is not None and _goes_on(deck, now, cards):
            now.delete()
        deck.version = newest + 1
        _write(deck, cards)
        _forget_oldest(deck)
    deck.words = _words(deck, _held(cards))
    deck.changed = timezone.now()
    deck.save()


@transaction.atomic
def undo_deck(*, user: User, slug: str, expected: int | None = None) -> Deck:
    """Make a deck what it was one version before. Raises ``NoFurther`` and as :func:`own_deck`."""
    deck = own_deck(user, slug, expected)
    before = deck.versions.filter(number__lt=deck.version).order_by("-number").first()
    if before is None:
        raise NoFurther("Nothing to undo: this is the oldest version kept.")
    return _go_to(deck, before)


@transaction.atomic
def redo_deck(*, user: User, slug: str, expected: int | None = None) -> Deck:
    """Make a deck what it was before an undo. Raises ``NoFurther`` and as :func:`own_deck`."""
    deck = own_deck(user, slug, expected)
    after = deck.versions.filter(number__gt=deck.version).order_by("number").first()
    if after is None:
        raise NoFurther("Nothing to redo: this is the latest version.")
    return _go_to(deck, after)


@transaction.atomic
def restore_version(*, user: User, slug: str, number: int, expected: int | None = None) -> Deck:
    """Make a deck what it was in one of its versions.

    An older one becomes a new version, so that undo takes the step back; to one that was undone
    it is a redo of several steps. Raises ``UnknownVersion`` and as :func:`own_deck`.
    """
    deck = own_deck(user, slug, expected)
    version = _version(deck, number)
    if number >= deck.version:
        return _go_to(deck, version)
    deck.mode, deck.typed = version.mode, version.typed
    try:
        keep(deck, version.cards)
    except BadDeck as error:
        raise CannotGoBack(str(error)) from error
    return deck


@transaction.atomic
def name_version(*, user: User, slug: str, number: int, note: str) -> DeckVersion:
    """Name a version, which keeps it for good; "" takes the name away.

    Raises ``BadDeck``, ``UnknownVersion``, ``TooManyNames`` and as :func:`own_deck`.
    """
    tidy = " ".join(note.split())
    if len(tidy) > NOTE_LENGTH or not tidy.isprintable():
        raise BadDeck("note", [f"A version name can have up to {NOTE_LENGTH} characters."])
    deck = own_deck(user, slug)
    version = _version(deck, number)
    named = deck.versions.exclude(note="").exclude(pk=version.pk)
    if tidy and named.count() >= MAX_NAMED:
        raise TooManyNames(
            f"This deck already has {MAX_NAMED} named versions. Remove the name of another one "
            "first."
        )
    version.note = tidy
    version.save(update_fields=["note"])
    return version


def _version(deck: Deck, number: int) -> DeckVersion:
    version = deck.versions.filter(number=number).first()
    if version is None:
        raise UnknownVersion(f"“{deck.name}” has no version {number}.")
    return version


def _go_to(deck: Deck, version: DeckVersion) -> Deck:
    deck.mode, deck.typed, deck.version = version.mode, version.typed, version.number
    try:
        _write_entries(deck, version.cards)
    except BadDeck as error:
        raise CannotGoBack(str(error)) from error
    deck.words = _words(deck, _held(version.cards))
    deck.changed = timezone.now()
    deck.save()
    return deck


def write_words(decks: QuerySet[Deck]) -> None:
    """Write anew what decks are found by, where something of it has changed elsewhere.

    However many there are: some at a time, locked only meanwhile.
    """
    rows = decks.select_related("owner").order_by("pk")
    rows = rows.prefetch_related(Prefetch("entries", DeckEntry.objects.select_related("card")))
    last = 0
    while True:
        with transaction.atomic():
            locked = rows.filter(pk__gt=last).select_for_update(of=("self",))[:DECKS_AT_ONCE]
            for deck in (batch := list(locked)):
                deck.words = _words(deck, (entry.card.slug for entry in deck.entries.all()))
            Deck.objects.bulk_update(batch, ["words"])
        if len(batch) < DECKS_AT_ONCE:
            return
        last = batch[-1].pk


def _words(deck: Deck, cards: Iterable[str]) -> str:
    """The text that search finds a deck by: empty, unless everybody may see the deck."""
    if deck.visibility != Visibility.PUBLIC:
        return ""
    game = rules.games().get(deck.game)
    catalog = game.catalog if game else {}
    titles = [catalog[card].title for card in cards if card in catalog]
    return found_by(deck.name, deck.tags, str(deck.owner), titles)


def _held(cards: Decklist) -> list[str]:
    """Each card of a deck, by section."""
    return [card for counts in cards.values() for card in counts]


def _write(deck: Deck, cards: Decklist) -> None:
    """The version that the deck is."""
    deck.versions.create(number=deck.version, mode=deck.mode, cards=cards, typed=deck.typed)


def _goes_on(deck: Deck, now: DeckVersion, cards: Decklist) -> bool:
    """Do these cards change the one card that made the version of a moment ago?"""
    if now.note or timezone.now() - now.at > MERGE_WINDOW:
        return False
    before = deck.versions.filter(number__lt=now.number).order_by("-number").first()
    if before is None or not before.mode == now.mode == deck.mode or before.cards == cards:
        return False
    pressed = {change.card for change in compare(before.cards, now.cards)}
    return len(pressed) == 1 and pressed == {change.card for change in compare(now.cards, cards)}


def _forget_oldest(deck: Deck) -> None:
    unnamed = deck.versions.filter(note="").order_by("-number")
    if too_old := list(unnamed.values_list("pk", flat=True)[MAX_UNNAMED:]):
        deck.versions.filter(pk__in=too_old).delete()


def _write_entries(deck: Deck, cards: Decklist) -> None:
    wanted = {slug for counts in cards.values() for slug in counts}
    known: Mapping[str, Any] = dict(
        Card.objects.filter(game__slug=deck.game, slug__in=wanted).values_list("slug", "pk")
    )
    problems = [f"“{slug}” is not a card of this game." for slug in sorted(wanted - known.keys())]
    problems += [
        f"{count} copies of “{slug}” are too many (limit: {MAX_COPIES})."
        for counts in cards.values()
        for slug, count in counts.items()
        if count > MAX_COPIES
    ]
    if problems:
        raise BadDeck("deck", problems)
    deck.entries.all().delete()
    DeckEntry.objects.bulk_create(
        DeckEntry(deck=deck, section=section, card_id=known[slug], count=count)
        for section, counts in cards.items()
        for slug, count in counts.items()
    )
