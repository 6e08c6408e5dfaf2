"""Reasons why an import is not a deck. Each error is a sentence for people."""

from __future__ import annotations


class Unreadable(ValueError):
    """This cannot be read as a deck; ``str(error)`` says what was wrong and where."""


class NotOurs(Unreadable):
    """It is well-formed, but something else than a deck of a kind that is known here."""


class UnknownVersion(Unreadable):
    """A later Riffle wrote it, in a way that this one does not know."""


class DamagedCode(Unreadable):
    """A deck code with characters missing, added or changed."""


class TooLarge(Unreadable):
    """More than any deck would need."""
