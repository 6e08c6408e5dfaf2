"""Decks for Tabletop Simulator: a saved object, to be put among its “Saved Objects”.

Each section is a deck of its own on the table. A card shows a place on a sheet of pictures: sheets
are numbered from 1, places from 0 in reading order, and the card's ID is 100 times the one plus
the other. What Riffle wants to know when such a file comes back stands in places that players may
edit and the program leaves alone: a card's name is its nickname, the section is in the notes for
game masters, game and mode are in the name of the game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rules
from decks.lists.contents import MAX_NOTE_LENGTH, Contents, added_up, marked, tidy, unmarked
from decks.lists.errors import NotOurs, TooLarge, Unreadable

FORM = "tts"
COLUMNS, ROWS = 10, 7
"""Tabletop Simulator takes no larger sheets …"""
SHEET_SIZE = COLUMNS * ROWS - 1
"""… and shows the last place of one instead of cards in others' hands."""
MAX_CARDS = 1_000
MAX_OBJECTS = 5_000
_SECTION = "Riffle section: "
_APART = 3.0
_CARD_IN_BAG = ("Card", "CardCustom")
_DECKS = ("Deck", "DeckCustom")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture of many cards: its number, where it lies, and how many cards it has each way."""

    number: int
    face: str
    back: str
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card's picture is."""

    sheet: Sheet
    index: int

    @property
    def card_id(self) -> int:
        return 100 * self.sheet.number + self.index


def write(deck: Contents, places: Mapping[str, Place]) -> str:
    """The deck as a saved object. Each of its cards needs its place; raises ``TooLarge``."""
    size = sum(sum(cards.values()) for cards in deck.cards.values())
    if size > MAX_CARDS:
        raise TooLarge(
            f"Tabletop Simulator exports can have up to {MAX_CARDS:,} cards, not {size:,}."
        )
    game = rules.game(deck.game)
    parts = [(section, cards) for section, cards in deck.cards.items() if any(cards.values())]
    objects = [
        _object(deck, section, cards, places, position)
        for position, (section, cards) in enumerate(parts)
    ]
    saved = {
        "SaveName": deck.name,
        "GameMode": marked("", deck.game, deck.mode),
        "Date": "",
        "VersionNumber": "",
        "GameType": game.name,
        "Note": deck.notes,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": objects,
    }
    return json.dumps(saved, ensure_ascii=False, indent=2) + "\n"


def _object(
    deck: Contents,
    section: str,
    cards: Mapping[str, int],
    places: Mapping[str, Place],
    position: int,
) -> dict[str, Any]:
    """A section as a pile of cards, face down; a single card is not a pile."""
    slugs = [slug for slug, count in cards.items() for _ in range(count)]
    sheets = {places[slug].sheet.number: places[slug].sheet for slug in slugs}
    pictures = {
        str(number): {
            "FaceURL": sheet.face,
            "BackURL": sheet.back,
            "NumWidth": sheet.columns,
            "NumHeight": sheet.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": 0,
        }
        for number, sheet in sorted(sheets.items())
    }
    transform = _transform(position)
    inside = [
        _card(deck.game, slug, places[slug].card_id, transform, f"{deck.name} {section} {number}")
        for number, slug in enumerate(slugs)
    ]
    notes = {"GMNotes": _SECTION + section}
    if len(inside) == 1:
        return inside[0] | notes | {"Name": "CardCustom", "CustomDeck": pictures}
    title = section.replace("-", " ").capitalize()
    return {
        "GUID": _guid(f"{deck.name} {section}"),
        "Name": "DeckCustom",
        "Transform": transform,
        "Nickname": f"{deck.name}: {title}" if len(deck.cards) > 1 else deck.name,
        "Description": "",
        **notes,
        "ColorDiffuse": {"r": 0.713, "g": 0.713, "b": 0.713},
        "Grid": True,
        "Locked": False,
        "SidewaysCard": False,
        "DeckIDs": [card["CardID"] for card in inside],
        "CustomDeck": pictures,
        "ContainedObjects": inside,
    }


def _card(
    game: str, slug: str, card_id: int, transform: dict[str, float], seed: str
) -> dict[str, Any]:
    card = rules.game(game).catalog.get(slug)
    return {
        "GUID": _guid(seed),
        "Name": "Card",
        "Transform": transform,
        "Nickname": card.title if card else slug,
        "Description": card.text if card else "",
        "GMNotes": "",
        "ColorDiffuse": {"r": 0.713, "g": 0.713, "b": 0.713},
        "CardID": card_id,
        "SidewaysCard": False,
    }


def _transform(position: int) -> dict[str, float]:
    """Face down, one pile beside the other."""
    return {
        "posX": position * _APART,
        "posY": 1.0,
        "posZ": 0.0,
        "rotX": 0.0,
        "rotY": 180.0,
        "rotZ": 180.0,
        "scaleX": 1.0,
        "scaleY": 1.0,
        "scaleZ": 1.0,
    }


def _guid(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()[:6]


def sheet_shape(cards: int) -> tuple[int, int]:
    """Columns and rows of a sheet for so many cards; Tabletop Simulator takes none below 2 × 2."""
    columns = max(2, min(COLUMNS, cards))
    return columns, max(2, -(-cards // columns))


def is_saved_object(data: object) -> bool:
    """True for a saved object of Tabletop Simulator."""
    return isinstance(data, dict) and "ObjectStates" in data


def read(data: object) -> Contents:
    """The decks and cards on such a table, by their nicknames; raises ``Unreadable``."""
    if not isinstance(data, dict) or not isinstance(data.get("ObjectStates"), list):
        raise NotOurs("Not a Tabletop Simulator saved object: “ObjectStates” is missing.")
    _, game, mode = unmarked(_words(data, "GameMode"))
    cards = added_up(_entries(data["ObjectStates"]))
    if not cards:
        raise Unreadable("No cards in this file.")
    return Contents(
        game=game,
        mode=mode,
        name=tidy(_words(data, "SaveName")),
        notes=_words(data, "Note")[:MAX_NOTE_LENGTH],
        cards=cards,
        form=FORM,
    )


def _entries(objects: Sequence[object]) -> Iterator[tuple[str, str, int]]:
    """Cards lie on the table, in decks, and either in bags."""
    waiting = [(thing, "") for thing in reversed(objects)]
    seen = 0
    while waiting:
        thing, section = waiting.pop()
        seen += 1
        if seen > MAX_OBJECTS:
            raise TooLarge(f"More than {MAX_OBJECTS:,} objects in this file.")
        if not isinstance(thing, dict):
            raise Unreadable("“ObjectStates” and “ContainedObjects” are lists of objects.")
        notes = _words(thing, "GMNotes")
        if notes.startswith(_SECTION):
            section = tidy(notes.removeprefix(_SECTION))
        if thing.get("Name") in _CARD_IN_BAG:
            yield section, tidy(_words(thing, "Nickname")) or "a card without a name", 1
            continue
        inside = thing.get("ContainedObjects") or []
        if not isinstance(inside, list):
            raise Unreadable("“ContainedObjects” is a list.")
        if thing.get("Name") in _DECKS and not inside:
            raise Unreadable("A deck in this file has no list of its cards.")
        waiting += [(item, section) for item in reversed(inside)]


def _words(data: Mapping[str, Any], name: str) -> str:
    words = data.get(name) or ""
    if not isinstance(words, str):
        raise Unreadable(f"“{name}” has to be text.")
    return words
