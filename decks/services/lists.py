"""Bringing decks from elsewhere: what a file says becomes a list, and the list a deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import rules
from accounts.models import User
from decks.errors import BadDeck
from decks.lists import Contents, Unreadable, as_text, read_any, textlist
from decks.models import Deck, Visibility
from decks.queries.decks import access_deck
from decks.services import decks as services
from rules.engine.errors import UnknownGame


@dataclass(frozen=True, slots=True)
class ImportedList:
    """A deck from elsewhere as a typed list for a mode, and what there is to know about it."""

    form: str
    game: str
    mode: str
    name: str
    notes: str
    tags: tuple[str, ...]
    text: str
    notices: tuple[str, ...]
    reading: textlist.Reading


def import_list(data: bytes | str, *, game: str = "", mode: str = "") -> ImportedList:
    """Read a deck in any form; nothing is kept. Raises ``BadDeck``.

    ``game`` and ``mode`` are what it is meant for. Without them it is what the file says or, where
    it says nothing, the game whose cards most of its lines name.
    """
    contents = _contents(data)
    if game:
        services.find_mode(game, mode)
    else:
        game, mode = _meant(contents)
    text, notices = as_text(contents, game, services.sections_of(game, mode))
    reading = services.read_typed(game, mode, text)
    return ImportedList(
        form=contents.form,
        game=game,
        mode=mode,
        name=contents.name[: services.NAME_LENGTH],
        notes=contents.notes,
        tags=contents.tags,
        text=text,
        notices=(*_other_game(contents, game), *notices),
        reading=reading,
    )


def as_typed(data: bytes | str, *, game: str, mode: str) -> tuple[str, str]:
    """The name of a deck in any form, "" if it has none, and its list as it would be typed.

    What there is to know about it stands above the list in comments. Raises ``BadDeck``.
    """
    contents = _contents(data)
    text, notices = as_text(contents, game, services.sections_of(game, mode))
    above = "".join(f"# {notice}\n" for notice in (*_other_game(contents, game), *notices))
    return contents.name[: services.NAME_LENGTH], above + text


def keep_imported(
    *,
    user: User,
    game: str,
    mode: str,
    text: str,
    name: str = "",
    notes: str = "",
    tags: Sequence[str] = (),
    into: str = "",
    skip_unread: bool = False,
    visibility: str = Visibility.PRIVATE,
) -> Deck:
    """Keep a list that was brought: as a new deck, or as the next version of the deck ``into``.

    Of that deck only the cards change. Raises what ``create_deck`` and ``update_deck`` do.
    """
    if not into:
        return services.create_deck(
            owner=user,
            game=game,
            mode=mode,
            name=name,
            text=text,
            notes=notes,
            tags=tags,
            skip_unread=skip_unread,
            visibility=visibility,
        )
    deck = access_deck(user, into)
    if (deck.game, deck.mode) != (game, mode):
        game_rules = rules.games().get(deck.game)
        known = game_rules.modes.get(deck.mode) if game_rules else None
        meant = f"{game_rules.name}: {known.name}" if game_rules and known else deck.game
        raise BadDeck("into", [f"“{deck.name}” is a deck for {meant}. Choose that mode above."])
    return services.update_deck(user=user, slug=into, text=text, skip_unread=skip_unread)


def _contents(data: bytes | str) -> Contents:
    try:
        return read_any(data)
    except Unreadable as error:
        raise BadDeck("file", [str(error)]) from error


def _meant(contents: Contents) -> tuple[str, str]:
    """The game and mode that a file is for."""
    try:
        game = rules.game(contents.game)
        if services.takes_decks(game.mode(contents.mode)):
            return contents.game, contents.mode
    except UnknownGame:
        pass
    known = rules.games()
    slugs = [contents.game] if contents.game in known else list(known)
    best = max(slugs, key=lambda slug: (_lines_read(contents, slug), -slugs.index(slug)))
    modes = [mode for mode in known[best].modes.values() if services.takes_decks(mode)]
    # What most people build decks for is a mode in which everybody has one.
    chosen = next((mode for mode in modes if mode.own_decks), modes[0])
    return best, chosen.slug


def _lines_read(contents: Contents, game: str) -> int:
    """How many of the names are cards of this game."""
    names = [name for counts in contents.cards.values() for name in counts]
    if names:
        return sum(bool(textlist.find_card(name, game)) for name in names)
    text = contents.text[: services.MAX_LIST_LENGTH]
    return textlist.cards_in(text, game)


def _other_game(contents: Contents, game: str) -> tuple[str, ...]:
    if contents.game in ("", game):
        return ()
    known = rules.games().get(contents.game)
    name = known.name if known else f"the unknown game “{contents.game}”"
    return (f"According to the file, this deck is for {name}.",)
