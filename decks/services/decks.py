"""All writes to decks: one function a use case, one transaction each.

A deck may hold what the rules forbid: it is a draft until somebody plays it. It never holds what
is no card, and no line that was typed is dropped without its owner saying so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

import rules
from accounts.models import User
from collection.models import Card
from decks import textlist
from decks.errors import BadDeck, NotYourDeck, TooManyDecks, UnknownDeck
from decks.models import MOST_COPIES, Deck, DeckEntry, Visibility
from rules.engine.errors import BadData, UnknownGame
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, read_decklist

DECKS_A_PERSON = 200
ENTRIES_A_DECK = 500
LETTERS_A_LIST = 30_000
NAME_LENGTH = 80


def takes_decks(mode: Mode) -> bool:
    """Can people bring a deck of their own to this mode: one each, or one for all?"""
    return mode.takes_decks


def find_mode(game: str, mode: str) -> tuple[Game, Mode]:
    """The game and mode of these names, if decks are built for it; raises ``BadDeck``."""
    try:
        found = rules.game(game)
    except UnknownGame as error:
        raise BadDeck("game", [str(error)]) from error
    if mode not in found.modes or not takes_decks(found.modes[mode]):
        names = ", ".join(slug for slug, one in found.modes.items() if takes_decks(one))
        raise BadDeck("mode", [f"{found.name} has no decks for “{mode}”. There are: {names}."])
    return found, found.modes[mode]


@transaction.atomic
def create_deck(
    *,
    owner: User,
    game: str,
    mode: str,
    name: str,
    cards: Decklist | None = None,
    text: str | None = None,
    skip_unread: bool = False,
    visibility: str = Visibility.PRIVATE,
) -> Deck:
    """Keep a new deck, from a deck list or from a typed one (``text``).

    With ``skip_unread`` lines that are no cards become comments of the typed list; without it
    they are refused. Raises ``BadDeck`` and ``TooManyDecks``.
    """
    find_mode(game, mode)
    # Locking the owner makes the count hold for requests that come at the same time.
    User.objects.select_for_update().get(pk=owner.pk)
    if Deck.objects.filter(owner=owner).count() >= DECKS_A_PERSON:
        raise TooManyDecks(DECKS_A_PERSON)
    cards, typed = _contents(game, mode, cards, text, skip_unread)
    deck = Deck.objects.create(
        owner=owner,
        game=game,
        mode=mode,
        name=_name(name),
        visibility=_visibility(visibility),
        typed=typed,
    )
    _write_entries(deck, cards)
    return deck


@transaction.atomic
def update_deck(
    *,
    user: User,
    slug: str,
    name: str | None = None,
    mode: str | None = None,
    visibility: str | None = None,
    cards: Decklist | None = None,
    text: str | None = None,
    skip_unread: bool = False,
) -> Deck:
    """Change what is given of a deck, and nothing else; otherwise as :func:`create_deck`.

    Raises also ``UnknownDeck`` and ``NotYourDeck``.
    """
    deck = _own_deck(user, slug)
    if name is not None:
        deck.name = _name(name)
    if mode is not None:
        find_mode(deck.game, mode)
        deck.mode = mode
    if visibility is not None:
        deck.visibility = _visibility(visibility)
    if cards is not None or text is not None:
        cards, deck.typed = _contents(deck.game, deck.mode, cards, text, skip_unread)
        deck.entries.all().delete()
        _write_entries(deck, cards)
    deck.changed = timezone.now()
    deck.save()
    return deck


@transaction.atomic
def delete_deck(*, user: User, slug: str) -> None:
    """Delete a deck for good. Raises ``UnknownDeck`` and ``NotYourDeck``."""
    _own_deck(user, slug).delete()


def deck_from_starter(*, owner: User, game: str, starter: str, mode: str | None = None) -> Deck:
    """Make a ready-made deck somebody's own, for ``mode`` or the first mode that it is for.

    Raises ``BadDeck`` and ``TooManyDecks``.
    """
    try:
        found = rules.game(game).starter_decks[starter]
    except UnknownGame as error:
        raise BadDeck("game", [str(error)]) from error
    except KeyError as error:
        raise BadDeck("starter", [f"There is no ready-made deck “{starter}”."]) from error
    if mode is not None and mode not in found.modes:
        raise BadDeck("mode", [f"{found.name} is made for {', '.join(found.modes)}."])
    return create_deck(
        owner=owner, game=game, mode=mode or found.modes[0], name=found.name, cards=found.cards
    )


@transaction.atomic
def move_decks(*, guest: User, user: User) -> None:
    """Give a guest's decks to the account that the guest turned out to be."""
    Deck.objects.filter(owner=guest).update(owner=user)


def read_typed(game: str, mode: str, text: str) -> textlist.Reading:
    """Read a list typed for a mode; raises ``BadDeck`` when it is too long to be one."""
    if len(text) > LETTERS_A_LIST:
        raise BadDeck(
            "text", [f"The list has {len(text)} letters; at most {LETTERS_A_LIST} are read."]
        )
    reading = textlist.read_list(text, game, sections_of(game, mode))
    if len(reading.lines) > ENTRIES_A_DECK:
        raise BadDeck(
            "text",
            [f"The list has {len(reading.lines)} lines; at most {ENTRIES_A_DECK} are read."],
        )
    return reading


def sections_of(game: str, mode: str) -> tuple[str, ...]:
    """The sections of a mode's decks; raises ``UnknownGame``."""
    return rules.game(game).mode(mode).sections


def read_cards(game: str, mode: str, cards: object) -> dict[str, dict[str, int]]:
    """Read a deck list for a mode from outside; raises ``BadDeck`` when it is none."""
    try:
        read = read_decklist(cards, sections_of(game, mode))
    except BadData as error:
        raise BadDeck("deck", [str(error)]) from error
    if sum(len(counts) for counts in read.values()) > ENTRIES_A_DECK:
        raise BadDeck("deck", [f"A deck holds at most {ENTRIES_A_DECK} different cards."])
    return read


def _own_deck(user: User, slug: str) -> Deck:
    deck = Deck.objects.select_for_update().filter(slug=slug).first()
    if deck is None or (deck.owner_id != user.pk and deck.visibility == Visibility.PRIVATE):
        raise UnknownDeck
    if deck.owner_id != user.pk:
        raise NotYourDeck
    return deck


def _name(name: str) -> str:
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > NAME_LENGTH:
        raise BadDeck("name", [f"A deck's name has 1 to {NAME_LENGTH} letters."])
    return tidy


def _visibility(visibility: str) -> str:
    if visibility not in Visibility.values:
        raise BadDeck("visibility", [f"A deck is one of {', '.join(Visibility.values)}."])
    return visibility


def _contents(
    game: str, mode: str, cards: Decklist | None, text: str | None, skip_unread: bool
) -> tuple[Decklist, str]:
    """The deck list that was given in one form or the other, and what was typed for it."""
    if text is None:
        return read_cards(game, mode, cards if cards is not None else {}), ""
    reading = read_typed(game, mode, text)
    if not reading.unread:
        return reading.cards, text
    if not skip_unread:
        raise BadDeck(
            "text",
            [f"Line {line.number}: “{line.name}” is no card’s name." for line in reading.unread],
        )
    return reading.cards, textlist.comment_out(text, reading.unread)


def _write_entries(deck: Deck, cards: Decklist) -> None:
    wanted = {slug for counts in cards.values() for slug in counts}
    known: Mapping[str, Any] = dict(
        Card.objects.filter(game__slug=deck.game, slug__in=wanted).values_list("slug", "pk")
    )
    problems = [f"“{slug}” is no card of this game." for slug in sorted(wanted - known.keys())]
    problems += [
        f"{count} copies of “{slug}” are too many; at most {MOST_COPIES} can be kept."
        for counts in cards.values()
        for slug, count in counts.items()
        if count > MOST_COPIES
    ]
    if problems:
        raise BadDeck("deck", problems)
    DeckEntry.objects.bulk_create(
        DeckEntry(deck=deck, section=section, card_id=known[slug], count=count)
        for section, counts in cards.items()
        for slug, count in counts.items()
        if count
    )
