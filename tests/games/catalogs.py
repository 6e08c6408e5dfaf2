"""The facts of section 6 of each rules specification: ``tests/games/<game>/catalog.txt``.

A file consists of sections: a line ``## cards kind=power rarity=rare`` with what follows and what
all its rows have in common, a line with the names of the columns, and rows; ``|`` separates, ``-``
is nothing. ``tests/games/test_catalogs.py`` says what each kind of section means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.engine.cards import CardType

FOLDER = Path(__file__).parent
NOTHING = "-"


@dataclass(frozen=True)
class Section:
    """One part of a file; a row holds what is common to all of them, too."""

    kind: str
    common: str
    rows: list[dict[str, str]]


def sections(folder: str, kind: str = "") -> list[Section]:
    """Those of a game's file, or of one kind of it."""
    text = (FOLDER / folder / "catalog.txt").read_text(encoding="utf-8")
    return [sign for sign in map(_section, text.split("\n## ")[1:]) if kind in ("", sign.kind)]


def rows(folder: str, kind: str) -> list[dict[str, str]]:
    return [row for section in sections(folder, kind) for row in section.rows]


def _section(text: str) -> Section:
    head, columns, *lines = [line for line in text.splitlines() if line and line[0] != "#"]
    kind, _, common = head.partition(" ")
    names = [name.strip() for name in columns.split("|")]
    shared = dict(pairs(common))
    filled = [[cell.strip() for cell in line.split("|")] for line in lines]
    return Section(
        kind, common, [{**shared, **dict(zip(names, row, strict=True))} for row in filled]
    )


def pairs(words: str) -> Iterator[tuple[str, str]]:
    """``kind=power rarity=rare`` taken apart."""
    for word in words.split():
        name, _, value = word.partition("=")
        yield name, value


def shown(value: Any) -> str:
    """A value as the files write it: ``3, 4, 5``, ``L 1 + N 1``, ``yes``."""
    if isinstance(value, bool):
        return "yes" if value else NOTHING
    if isinstance(value, Mapping):
        return " + ".join(f"{name} {shown(item)}" for name, item in value.items()) or NOTHING
    if isinstance(value, (list, tuple)):
        joint = " / " if any(isinstance(item, (Mapping, list, tuple)) for item in value) else ", "
        return joint.join(map(shown, value)) or NOTHING
    return NOTHING if value in (None, "") else str(value)


def value_of(card: CardType, column: str) -> str:
    """A column of a card: one of its attributes, or part of one (``attacks.energy``)."""
    first, *parts = column.split(".")
    value = getattr(card, first) if hasattr(card, first) else card.attributes.get(first)
    for part in parts:
        if isinstance(value, (list, tuple)):
            value = [item.get(part) for item in value]
        else:
            value = (value or {}).get(part)
    return shown(value)


def chosen(catalog: Mapping[str, CardType], words: str) -> list[str]:
    """The cards that ``kind=power colour=gold,silver`` means; of ``sets`` a card may have more."""
    wanted = [(name, value.split(",")) for name, value in pairs(words)]
    return [
        slug
        for slug, card in catalog.items()
        if all(
            any(set in values for set in card.sets)
            if name == "sets"
            else slug in values
            if name == "slug"
            else value_of(card, name) in values
            for name, values in wanted
        )
    ]


def counted(text: str) -> dict[str, int]:
    """``2 numbuh-1, 3 rewire``."""
    if text == NOTHING:
        return {}
    entries = (entry.split(" ") for entry in text.split(", "))
    return {slug: int(count) for count, slug in entries}


def slots_of(text: str) -> Iterable[int]:
    """``3`` or ``1-5``, counted from 0."""
    first, _, last = text.partition("-")
    return range(int(first) - 1, int(last or first))
