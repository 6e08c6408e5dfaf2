"""A deck as JSON of our own: all that Riffle knows of it, for programs and for safe keeping.

::

    {"format": "riffle-deck", "version": 1, "game": "…", "mode": "…",
     "name": "Embers", "notes": "", "tags": [], "cards": {"main": {"<card>": 2}}}

``game``, ``mode`` and ``cards`` have to be there. The reader refuses what it does not know, so
that a slip of the pen is not taken for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from decks.lists.contents import MAX_NOTE_LENGTH, Contents, added_up
from decks.lists.errors import NotOurs, UnknownVersion, Unreadable

FORM = "json"
NAME = "riffle-deck"
VERSION = 1
_NEEDED = ("game", "mode", "cards")
_MEMBERS = ("format", "version", *_NEEDED, "name", "notes", "tags")
_MAX_WORD_LENGTH = 80
_BROKEN = "The JSON contains invalid characters."
_MAX_TAGS = 50


def write(deck: Contents) -> str:
    """The deck as JSON, the same for the same deck."""
    return (
        json.dumps(
            {
                "format": NAME,
                "version": VERSION,
                "game": deck.game,
                "mode": deck.mode,
                "name": deck.name,
                "notes": deck.notes,
                "tags": list(deck.tags),
                "cards": {section: dict(cards) for section, cards in deck.cards.items()},
            },
            ensure_ascii=False,
            indent=2,
        )
        + "\n"
    )


def read(data: object) -> Contents:
    """The deck in a JSON value that was parsed by :func:`parse`; raises ``Unreadable``."""
    if not isinstance(data, dict):
        raise NotOurs("A deck in JSON is an object: {“game”: …, “mode”: …, “cards”: {…}}.")
    if data.get("format", NAME) != NAME:
        raise NotOurs(f"Unknown format {_shown(data['format'])}; use “{NAME}”.")
    if data.get("version", VERSION) != VERSION:
        raise UnknownVersion(
            f"Version {_shown(data['version'])} is not supported; use version {VERSION}."
        )
    if missing := [f"“{name}”" for name in _NEEDED if name not in data]:
        raise NotOurs(f"A deck in JSON needs {', '.join(missing)}.")
    if unknown := [f"“{name[:40]}”" for name in data if name not in _MEMBERS]:
        raise Unreadable(f"Unknown members: {', '.join(unknown[:3])}.")
    tags = data.get("tags", [])
    if not isinstance(tags, list) or len(tags) > _MAX_TAGS:
        raise Unreadable(f"“tags” is a list of up to {_MAX_TAGS} words.")
    return Contents(
        game=_word(data, "game"),
        mode=_word(data, "mode"),
        name=_word(data, "name"),
        notes=_word(data, "notes", MAX_NOTE_LENGTH),
        tags=tuple(_word({"tags": tag}, "tags") for tag in tags),
        cards=added_up(_entries(data["cards"])),
        form=FORM,
    )


def parse(text: str) -> Any:
    """JSON as it was sent; raises ``Unreadable`` for what is none or says something twice."""
    try:
        parsed = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        encoded = json.dumps(parsed, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"Invalid JSON in line {error.lineno}, column {error.colno}: {error.msg}."
        ) from error
    except RecursionError as error:
        raise Unreadable("The JSON is nested too deeply.") from error
    except UnicodeEncodeError as error:
        raise Unreadable(_BROKEN) from error
    except Unreadable:
        raise
    except ValueError as error:
        raise Unreadable("The JSON has a number that is too long.") from error
    if rb"\u0000" in encoded:
        raise Unreadable(_BROKEN)
    return parsed


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        twice = twice.encode(errors="replace").decode()
        raise Unreadable(f"The JSON has the member “{twice[:40]}” twice in one object.")
    return members


def _no_number(word: str) -> Any:
    raise Unreadable(f"{word} is not a number in JSON.")


def _entries(cards: object) -> Iterator[tuple[str, str, int]]:
    if not isinstance(cards, Mapping):
        raise Unreadable("“cards” is an object of sections, each with cards and their counts.")
    for section, counts in cards.items():
        if not isinstance(counts, Mapping):
            raise Unreadable(f"The section “{section[:40]}” is an object of cards and counts.")
        for card, count in counts.items():
            # type(), not isinstance(): True is no number of cards.
            if type(count) is not int:
                raise Unreadable(
                    f"The count of “{card[:60]}” is a whole number, not {_shown(count)}."
                )
            yield section, card, count


def _word(data: Mapping[str, Any], name: str, most: int = _MAX_WORD_LENGTH) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise Unreadable(f"“{name}” is text, not {_shown(value)}.")
    if len(value) > most:
        raise Unreadable(f"“{name}” can have up to {most:,} characters.")
    return value


def _shown(value: object) -> str:
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= 40 else f"{words[:39]}…"
