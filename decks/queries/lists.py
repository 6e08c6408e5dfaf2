"""A deck as a file that people take along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils.text import slugify

import rules
from accounts.models import User
from decks.drawing.pictures import BACK, CardSheet, find_sheet, sheets_of
from decks.errors import NoExport
from decks.lists import Contents, TooLarge, cockatrice, code, game_json, tabletop, textlist
from decks.lists.recognise import TEXT
from decks.models import Deck, tags
from decks.queries.decks import decklist, in_order


@dataclass(frozen=True, slots=True)
class Form:
    """A form that decks are written in."""

    slug: str
    name: str
    help: str
    media_type: str
    ending: str


FORMS = {
    form.slug: form
    for form in (
        Form(TEXT, "Text", "Counts and names, for people and most programs.", "text/plain", "txt"),
        Form(
            game_json.FORM,
            "JSON",
            "Everything. Can be imported back into Riffle.",
            "application/json",
            "json",
        ),
        Form(cockatrice.FORM, "Cockatrice", "A .cod deck file.", "application/xml", "cod"),
        Form(
            tabletop.FORM,
            "Tabletop Simulator",
            "A saved object, with card pictures from this site.",
            "application/json",
            "json",
        ),
        Form(
            code.FORM,
            "Deck code",
            "The cards in one word, for messages.",
            "text/plain",
            "txt",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Exported:
    """A deck as a file; ``sheets`` are the pictures that it needs."""

    text: str
    media_type: str
    filename: str
    sheets: tuple[CardSheet, ...] = ()


def own_decks(user: User | AnonymousUser) -> list[tuple[Deck, str]]:
    """A person's decks, the last changed first, each with what it is for."""
    if not user.is_authenticated:
        return []
    games = rules.games()
    rows = []
    for deck in Deck.objects.filter(owner=user).only("slug", "name", "game", "mode"):
        game = games.get(deck.game)
        mode = game.modes.get(deck.mode) if game else None
        if game and mode:
            rows.append((deck, f"{game.name}: {mode.name}"))
    return rows


def contents_of(deck: Deck) -> Contents:
    """The contents of a deck for a file; raises ``NoExport`` if its game is not known (now)."""
    game = rules.games().get(deck.game)
    if game is None or deck.mode not in game.modes:
        raise NoExport("This deck type is no longer supported, so it can’t be exported.")
    cards = decklist(deck)
    order = {slug: number for number, slug in enumerate(game.catalog)}
    return Contents(
        game=deck.game,
        mode=deck.mode,
        name=deck.name,
        notes=deck.notes,
        tags=tuple(tags.of(deck.tags)),
        cards={
            section: dict(sorted(cards[section].items(), key=lambda entry: order.get(entry[0], -1)))
            for section in in_order(cards, deck)
        },
    )


def exported(
    deck: Deck, form: str, viewer: User | AnonymousUser, absolute: Callable[[str], str]
) -> Exported:
    """The deck in a form of :data:`FORMS`; ``absolute`` makes whole addresses of this site's.

    Its owner gets the text as it was typed. Raises ``NoExport``.
    """
    contents = contents_of(deck)
    kind = FORMS[form]
    sheets: tuple[CardSheet, ...] = ()
    if form == TEXT:
        own = deck.owner_id == viewer.pk and deck.typed
        text = deck.typed if own else textlist.write_list(contents.cards, deck.game)
    elif form == game_json.FORM:
        text = game_json.write(contents)
    elif form == cockatrice.FORM:
        text = cockatrice.write(contents)
    elif form == code.FORM:
        text = code.write(contents) + "\n"
    else:
        text, sheets = _on_a_table(contents, absolute)
    ending = "tts.json" if form == tabletop.FORM else kind.ending
    name = slugify(deck.name)[:60] or "deck"
    return Exported(text, kind.media_type, f"{name}.{ending}", sheets)


def _on_a_table(
    contents: Contents, absolute: Callable[[str], str]
) -> tuple[str, tuple[CardSheet, ...]]:
    held = {slug for counts in contents.cards.values() for slug in counts}
    sheets = [sheet for sheet in sheets_of(contents.game) if held.intersection(sheet.slugs)]
    back = find_sheet(contents.game, BACK)
    places: dict[str, tabletop.Place] = {}
    for sheet in sheets:
        face, behind = absolute(sheet.address), absolute(back.address)
        on_table = tabletop.Sheet(sheet.number, face, behind, *sheet.shape)
        places |= {slug: tabletop.Place(on_table, index) for index, slug in enumerate(sheet.slugs)}
    try:
        return tabletop.write(contents, places), (*sheets, back)
    except TooLarge as error:
        raise NoExport(str(error)) from error
