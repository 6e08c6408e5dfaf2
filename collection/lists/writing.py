"""A collection as text, piece by piece: our own columns, those of other sites, plain text, JSON.

What is written here is read back as the same by ``reading``: a card's digital and physical
copies stand in two rows, so that the first never become physical ones by a detour.
Copies of which different things are said stand in rows of their own.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from collection.copies import Described, rest
from collection.lists import dialects
from collection.lists.dialects import (
    COPY_COLUMNS,
    COPY_TAGS,
    DIGITAL,
    FOIL,
    KEPT,
    OWN,
    PHYSICAL,
    REST,
    SET,
    Dialect,
)
from collection.lists.effects import joined_tags
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
    """A card, and how many of it a person has, has for trade and wants."""

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
    digital: int = 0
    physical: int = 0
    counted: Sequence[Described] = ()
    """The copies that a list of counts holds: all, those for trade, or those missing."""
    for_trade: int = 0
    wishlist: int = 0
    tags: str = ""
    notes: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    copies: Sequence[Described] = ()
    printings: Mapping[str, tuple[str, int | None]] = field(default_factory=dict)
    """By the slug of a set: its name, and the card's number there."""

    @property
    def count(self) -> int:
        """How many copies a list of counts says."""
        return sum(part.quantity for part in self.counted)

    @property
    def parts(self) -> list[Described]:
        """All copies: described ones, then plain ones, if there are."""
        plain = rest(self.copies, self.digital + self.physical, self.for_trade)
        return [*self.copies, *([plain] if plain.quantity else [])]


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
    more = [name for name in kept if own or name in dialect.also]
    headers = [*dialect.columns, *more]
    yield "\ufeff" if own else dialect.first_line
    csv.writer(piece).writerow([escaped(header) for header in headers])
    yield piece.text
    writer = csv.writer(piece, quoting=csv.QUOTE_ALL)
    columns = {*headers, *KEPT} - {REST}
    for card in cards:
        for values in _rows(card) if own else [_values(card, part) for part in card.counted]:
            left = {name: value for name, value in values["extra"].items() if name not in columns}
            if REST in headers and left:
                values[REST] = _as_object(left)
            row = [_cell(dialect, header, values) for header in headers]
            writer.writerow([escaped(value) for value in row])
            yield piece.text


def _as_object(columns: Mapping[str, str]) -> str:
    return json.dumps(columns, ensure_ascii=False, sort_keys=True)


def _cell(dialect: Dialect, header: str, values: Mapping[str, Any]) -> str:
    """The value of one column, in the dialect's words."""
    meaning = dialect.columns.get(header) or dialect.also.get(header, "")
    if not meaning:
        return str(values["extra"].get(header, dialect.usual.get(header, "")))
    value = str(values.get(meaning, ""))
    if dialect is OWN:
        return value
    match meaning:
        case "name":
            return str(values["title"])
        case "set":
            return f"{values['game']}.{value}" if value else ""
        case "finish":
            return dialect.finish_word(values[FOIL])
        case "condition":
            return dialect.condition_word(value)
        case "language":
            return dialect.language_word(value)
        case "tags":
            return str(joined_tags(value, values[COPY_TAGS])[0])
        case "quantity":
            return f"{value}{dialect.times}"
    return value


def _rows(card: Owned) -> list[dict[str, Any]]:
    """The card's copies by what is said of them and where they come from.

    What is said of the card stands in the first row. A card on the wishlist alone has a row, too.
    """
    rows = []
    paper = card.physical
    for part in card.parts:
        physical = min(part.quantity, paper)
        paper -= physical
        for_trade = min(part.for_trade, physical)
        shares = [
            (DIGITAL, part.quantity - physical, part.for_trade - for_trade),
            (PHYSICAL, physical, for_trade),
        ]
        for source, quantity, may_go in shares:
            if quantity:
                share = replace(part, quantity=quantity, for_trade=may_go)
                rows.append(_values(card, share) | {"source": source, "extra": card.extra})
                own = {name: value for name, value in share.extra.items() if name not in KEPT}
                rows[-1][COPY_COLUMNS] = _as_object(own) if own else ""
    rows = rows or [_values(card, Described(0))]
    for row in rows[1:]:
        row |= {"wishlist": "", "tags": "", "notes": "", "extra": {}}
    return rows


def _values(card: Owned, part: Described) -> dict[str, Any]:
    """The values of a row for some copies of a card, by the meaning of their columns."""
    extra = {**card.extra, **part.extra}
    place = card.set
    set_name, number = card.set_name, card.number
    if extra.get(SET) in card.printings:
        place = extra[SET]
        set_name, number = card.printings[place]
    return {
        "game": card.game,
        "set": place,
        "set_name": set_name,
        "number": "" if number is None else number,
        "name": card.name,
        "title": card.title,
        "simple_name": card.name,
        "finish": card.colour,
        "rarity": card.rarity,
        "quantity": part.quantity,
        "tradelist": part.for_trade,
        "wishlist": card.wishlist,
        "tags": card.tags,
        "notes": card.notes,
        "condition": part.condition,
        "language": part.language,
        FOIL: part.finish,
        "binder": part.binder,
        "binder_type": extra.get("Binder Type", "binder" if part.binder else ""),
        "note": part.note,
        COPY_TAGS: part.tags,
        "acquired": extra.get("acquired", ""),
        "extra": extra,
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
            if values.get(COPY_COLUMNS):
                entry[COPY_COLUMNS] = json.loads(values[COPY_COLUMNS])
            if "tags" in entry:
                entry["tags"] = [tag.strip() for tag in card.tags.split(",")]
            entry |= {name: value for name, value in values["extra"].items() if name not in KEPT}
            yield before + json.dumps(entry, ensure_ascii=False)
            before = ",\n"
    yield "\n]}\n"
