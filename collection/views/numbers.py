"""Whole numbers that come in forms and addresses."""

from __future__ import annotations


def number(text: str) -> int | None:
    """The number that these digits are, if the database can look for it; None for anything else.

    Python takes ``²`` for a digit and refuses to read it, so only plain digits are.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else None
