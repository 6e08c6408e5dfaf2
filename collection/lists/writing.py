"""A collection as text, piece by piece: our own columns, those of five sites, plain text, JSON.

What is written here is read back as the same by ``reading``: a card's copies that were dealt and
those that were recorded stand in two rows, so that the first never become paper copies by a detour.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collection.lists import dialects
from collection.lists.dialects import DEALT, FOIL, KEPT, LANGUAGES, OWN, RECORDED, REST, Dialect
from collection.lists.reading import escaped

_BY_SLUG = {dialect.slug: dialect for dialect in (OWN, *dialects.SITES)}
FORMATS = {slug: dialect.name for slug, dialect in _BY_SLUG.items()} | {
    dialects.TEXT: "Plain text",
    dialects.JSON: "JSON",
}
MEDIA_TYPES = {dialects.TEXT: ("text/plain", "txt"), dialects.JSON: ("application/json", "json")}
CSV_TYPE = ("text/csv", "csv")


@dataclass(frozen=True, slots=True)
class Owned:
    """A card and how many of it somebody has, wants and would give."""

    game: str
    game_name: str
    slug: str
    name: str
    title: str
    colour: str = ""
    rarity: str = ""
    set: str = ""
    set_name: str = ""
    number: int | None = None
    dealt: int = 0
    recorded: int = 0
    count: int = 0
    """What a list with one count a card says: all copies, those that may go, or those missing."""
    spare: int = 0
    wanted: int = 0
    tags: str = ""
    notes: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


class _Piece:
    """Where the csv module writes to: each row is taken away at once."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text = text


def write(form: str, cards: Iterable[Owned], kept: Sequence[str] = ()) -> Iterator[str]:
    """The text of an export; ``kept`` are the columns of earlier imports that are given back.

    With ``REST`` among them, that column holds what has none of its own.
    """
    if form == dialects.TEXT:
        return _text(cards)
    if form == dialects.JSON:
        return _json(cards)
    return _table(_BY_SLUG[form], cards, kept)


def _table(dialect: Dialect, cards: Iterable[Owned], kept: Sequence[str]) -> Iterator[str]:
    """Every value stands in quotation marks: whatever a program takes for a separator, it is none.

    Our own form begins with a byte order mark, by which spreadsheets know UTF-8.
    """
    piece = _Piece()
    own = dialect is OWN
    headers = [*dialect.columns, *([name for name in kept if name not in KEPT] if own else [])]
    yield "\ufeff" if own else dialect.first_line
    csv.writer(piece).writerow([escaped(header) for header in headers])
    yield piece.text
    writer = csv.writer(piece, quoting=csv.QUOTE_ALL)
    there = {*headers, *KEPT} - {REST}
    for card in cards:
        rest = {name: value for name, value in card.extra.items() if name not in there}
        for values in _rows(card) if own else _counted(card):
            if REST in headers and rest:
                values[REST] = json.dumps(rest, ensure_ascii=False, sort_keys=True)
            row = [_cell(dialect, header, values, card) for header in headers]
            writer.writerow([escaped(value) for value in row])
            yield piece.text


def _cell(dialect: Dialect, header: str, values: Mapping[str, Any], card: Owned) -> str:
    """The value of one column, in the dialect's words."""
    meaning = dialect.columns.get(header) or dialect.also.get(header, "")
    value = str(values.get(meaning, "")) if meaning else card.extra.get(header, "")
    if dialect is OWN or not meaning:
        return value
    if meaning == "name":
        return card.title
    if meaning == "set":
        return f"{card.game}.{card.set}" if card.set else ""
    if meaning == "finish":
        return card.extra.get(FOIL, dialect.plain)
    if meaning == "condition":
        return dialect.condition_word(value) if value else ""
    if meaning == "language":
        return value if dialect.codes else LANGUAGES.get(value, "")
    return value


def _rows(card: Owned) -> list[dict[str, Any]]:
    """The card's copies by where they come from; what is said of all of them stands in the first.

    A card that is only wanted has a row, too.
    """
    counts = [(DEALT, card.dealt), (RECORDED, card.recorded)]
    rows = [
        _values(card, count) | {"source": source, "name": card.name}
        for source, count in counts
        if count
    ] or [_values(card, 0) | {"name": card.name}]
    for row in rows[1:]:
        for column in ("tradelist", "wanted", "tags", "notes"):
            row[column] = ""
    return rows


def _counted(card: Owned) -> list[dict[str, Any]]:
    return [_values(card, card.count)] if card.count else []


def _values(card: Owned, count: int) -> dict[str, Any]:
    return {
        "game": card.game,
        "set": card.set,
        "set_name": card.set_name,
        "number": "" if card.number is None else card.number,
        "name": card.title,
        "finish": card.colour,
        "rarity": card.rarity,
        "quantity": count,
        "tradelist": card.spare,
        "wanted": card.wanted,
        "tags": card.tags,
        "notes": card.notes,
        **{column: card.extra.get(column, "") for column in KEPT},
    }


def _text(cards: Iterable[Owned]) -> Iterator[str]:
    """``2 Card Name``, under its game's name."""
    game = None
    for card in cards:
        if not card.count:
            continue
        if card.game != game:
            yield f"[{card.game_name}]\n" if game is None else f"\n[{card.game_name}]\n"
            game = card.game
        yield f"{card.count} {card.title}\n"


def _json(cards: Iterable[Owned]) -> Iterator[str]:
    """One entry a line; numbers are numbers, tags a list, and what is empty is left out."""
    yield '{"format": "riffle-collection", "version": 1, "cards": ['
    before = "\n"
    for card in cards:
        for values in _rows(card):
            entry = {
                name: values[name] for name in OWN.columns if values.get(name) not in ("", None)
            }
            if "tags" in entry:
                entry["tags"] = [tag.strip() for tag in card.tags.split(",")]
            entry |= {name: value for name, value in card.extra.items() if name not in KEPT}
            yield before + json.dumps(entry, ensure_ascii=False)
            before = ",\n"
    yield "\n]}\n"
