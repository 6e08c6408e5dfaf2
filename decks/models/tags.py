"""Tags of decks: a few short words of the owner's own, the same however they are typed.

Kept in one column, each between commas, so that one tag is found without finding half of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_TAGS = 10
TAG_LENGTH = 18

_BETWEEN = re.compile(r"[,;\n]")


def tidy(tag: str) -> str:
    """A tag in its one form: lower case, single spaces, no “#” before it."""
    printable = "".join(sign if sign.isprintable() else " " for sign in tag)
    return " ".join(printable.strip().lstrip("#").casefold().split())


def read_tags(text: str) -> list[str]:
    """The tags that somebody typed with commas between, each once, in the order of typing."""
    return list(dict.fromkeys(tag for part in _BETWEEN.split(text) if (tag := tidy(part))))


def stored(tags: Iterable[str]) -> str:
    """Tags as the column keeps them; :func:`of` reads them."""
    joined = ",".join(tags)
    return f",{joined}," if joined else ""


def of(column: str) -> list[str]:
    """The tags in a column."""
    return [tag for tag in column.split(",") if tag]


def asked(tag: str) -> str:
    """Return the text that a column of tags contains if it has this tag."""
    return stored([tidy(tag).replace(",", " ")])
