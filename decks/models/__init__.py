"""What decks keep: decks and their versions, house formats, and checks before a tournament."""

from __future__ import annotations

from decks.models.checks import CheckedDeck, CheckState, DeckCheck
from decks.models.decks import (
    MAIN,
    MOST_COPIES,
    TOKEN_LENGTH,
    Deck,
    DeckEntry,
    DeckLike,
    DeckVersion,
    Visibility,
)
from decks.models.formats import Format, FormatVersion

__all__ = [
    "MAIN",
    "MOST_COPIES",
    "TOKEN_LENGTH",
    "CheckState",
    "CheckedDeck",
    "Deck",
    "DeckCheck",
    "DeckEntry",
    "DeckLike",
    "DeckVersion",
    "Format",
    "FormatVersion",
    "Visibility",
]
