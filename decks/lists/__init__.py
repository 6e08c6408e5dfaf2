"""Decks as files: text, our own JSON, Cockatrice, Tabletop Simulator, and a code in one word.

Nothing here knows the database. Each form has a module with ``write`` and ``read``; ``read_any``
tells the forms apart by what is in them. What is read is not yet held against a game's cards:
``as_text`` makes it a list as people type it, and ``decks.lists.textlist`` reads that.
"""

from __future__ import annotations

from decks.lists.contents import Contents
from decks.lists.errors import DamagedCode, NotOurs, TooLarge, UnknownVersion, Unreadable
from decks.lists.recognise import MAX_BYTES, decoded, read_any
from decks.lists.sections import as_text

__all__ = [
    "MAX_BYTES",
    "Contents",
    "DamagedCode",
    "NotOurs",
    "TooLarge",
    "UnknownVersion",
    "Unreadable",
    "as_text",
    "decoded",
    "read_any",
]
