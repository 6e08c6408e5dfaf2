"""A deck as a file holds it, whatever form the file has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from decks.lists.errors import TooLarge, Unreadable

MAX_ENTRIES = 1_000
MAX_COPIES = 999_999
MAX_NAME_LENGTH = 200
MAX_NOTE_LENGTH = 4_000

#: What tells a file's reader which game and mode it is for, where its form has no place for that.
_MARK = re.compile(r"(?:\n\n|\A)Riffle: (?P<game>[a-z0-9-]{1,50})/(?P<mode>[a-z0-9-]{1,50})\Z")


@dataclass(frozen=True, slots=True)
class Contents:
    """A deck in a file: ``form`` says which kind of file it was, "" before there is one.

    ``cards`` are counts by section and card. On the way out these are the game's own sections and
    slugs; on the way in they are the file's words for both. A list that was typed comes as
    ``text`` instead.
    """

    game: str = ""
    mode: str = ""
    name: str = ""
    notes: str = ""
    tags: tuple[str, ...] = ()
    cards: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    text: str = ""
    form: str = ""


def tidy(words: str) -> str:
    """Words on one line, with single spaces."""
    return " ".join(words.split())


def added_up(entries: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    """Counts by part and card of (part, card, count); raises ``Unreadable``."""
    cards: dict[str, dict[str, int]] = {}
    kinds = 0
    for part, card, count in entries:
        counts = cards.setdefault(part, {})
        name = tidy(card)
        if len(name) > MAX_NAME_LENGTH or len(part) > MAX_NAME_LENGTH:
            raise Unreadable(f"Card names have up to {MAX_NAME_LENGTH} characters.")
        kinds += name not in counts
        counts[name] = counts.get(name, 0) + count
        if not 0 <= counts[name] <= MAX_COPIES:
            raise Unreadable(f"The count of “{name}” is {counts[name]}; use 0 to {MAX_COPIES:,}.")
        if kinds > MAX_ENTRIES:
            raise TooLarge(f"More than {MAX_ENTRIES:,} different cards.")
    return cards


def marked(notes: str, game: str, mode: str) -> str:
    """Notes with a last line that says what the deck is for."""
    mark = f"Riffle: {game}/{mode}"
    return f"{notes}\n\n{mark}" if notes else mark


def unmarked(notes: str) -> tuple[str, str, str]:
    """The notes without that line, the game and the mode; "" where they are not said."""
    match = _MARK.search(notes)
    if match is None:
        return notes, "", ""
    return notes[: match.start()], match["game"], match["mode"]
