"""Decks that an organiser brings to a check, from files and texts in any form that is read here.

A file is one deck, in whatever form deck import takes: a list in any usual encoding, our JSON, a
deck code, a Cockatrice file, an object of Tabletop Simulator. A text with lines ``== Mira:
Wildfire`` is many.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from collection.errors import Unacceptable
from decks.errors import BadDeck
from decks.lists import Unreadable, decoded
from decks.models import DeckCheck
from decks.queries.checks import split_lists
from decks.services import lists
from decks.services.checks import Entry

FILES_AT_ONCE = 500
MAX_BYTES: int = settings.PILE_BYTES
"""So much is read of a file, which may hold a whole pile."""


def from_file(check: DeckCheck, name: str, data: bytes) -> Iterator[Entry]:
    """The decks in a file; raises ``Unacceptable`` with its name where it holds none.

    Where a file holds one deck without a player, the file's name is the player's, and the deck's
    unless it has one of its own.
    """
    if len(data) > MAX_BYTES:
        most = MAX_BYTES // 1024 // 1024
        raise Unacceptable(f"{name} is too large (limit: {most} MB).")
    try:
        text = decoded(data)
    except Unreadable as error:
        raise Unacceptable(f"{name}: {error}") from error
    if "\0" in text:
        raise Unacceptable(f"{name}: Not a text file.")
    parts = [] if text.lstrip()[:1] in ("{", "<") else list(split_lists(text))
    if any(player for player, _, _ in parts):
        yield from (from_list(check, *part) for part in parts)
        return
    title = name.rpartition(".")[0] or name
    try:
        own_name, text = lists.as_typed(text, game=check.game, mode=check.mode)
    except BadDeck as error:
        raise Unacceptable(f"{name}: {error}") from error
    yield Entry(title, own_name or title, text)


def from_text(check: DeckCheck, text: str) -> Iterator[Entry]:
    """The decks in what was typed or pasted."""
    for player, name, cards in split_lists(text):
        yield from_list(check, player, name, cards)


def from_list(check: DeckCheck, player: str, name: str, text: str) -> Entry:
    """One deck. What looks like another form and is broken stays as it is, to be seen unread."""
    try:
        own_name, typed = lists.as_typed(text, game=check.game, mode=check.mode)
    except BadDeck:
        return Entry(player, name, text)
    return Entry(player, name or own_name, typed)
