"""Models of decks: decks and their versions, house formats, and checks before a tournament."""

from __future__ import annotations

from decks.models.checks import CheckedDeck, CheckNote, CheckState, DeckCheck, NoteKind
from decks.models.comments import CommentReport, DeckComment
from decks.models.decks import (
    MAIN,
    MAX_COPIES,
    Deck,
    DeckEntry,
    DeckLike,
    DeckVersion,
    Visibility,
)
from decks.models.formats import Format, FormatVersion
from decks.models.lab import LabRun, LabShare
from decks.models.pools import CardPool
from decks.models.sheets import SheetJob

__all__ = [
    "MAIN",
    "MAX_COPIES",
    "CardPool",
    "CheckNote",
    "CheckState",
    "CheckedDeck",
    "CommentReport",
    "Deck",
    "DeckCheck",
    "DeckComment",
    "DeckEntry",
    "DeckLike",
    "DeckVersion",
    "Format",
    "FormatVersion",
    "LabRun",
    "LabShare",
    "NoteKind",
    "SheetJob",
    "Visibility",
]
