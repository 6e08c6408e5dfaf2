"""The index of public decks, and the words that a deck is found by.

A deck that everybody may see keeps them in one column: each word of its name, its tags, its owner's
name and its cards' titles, once, between spaces. So a word of one letter is found by itself, one of
two where a word begins with it, a longer one anywhere: each is three signs at least, which is
what an index of trigrams can find.
"""

from __future__ import annotations

from collections.abc import Iterable

from collection.models.catalog import plain
from core.trigrams import Trigrams

MAX_WORDS = 8
TRIGRAMS = Trigrams(
    table="decks_deck",
    searched=("words", "tags"),
    also=("game", "mode", "visibility"),
    condition="visibility = 'public'",
)


def found_by(name: str, tags: str, owner: str, titles: Iterable[str]) -> str:
    """The words that a deck is found by."""
    words = dict.fromkeys(_words(" ".join([name, tags, owner, *titles])))
    return f" {' '.join(words)} " if words else " "


def phrases(text: str) -> list[str]:
    """Return the phrases that a deck's words must contain, one for each word of a search."""
    return [_phrase(word) for word in _words(text)[:MAX_WORDS]]


def _words(text: str) -> list[str]:
    return "".join(sign if sign.isalnum() else " " for sign in plain(text)).split()


def _phrase(word: str) -> str:
    if len(word) > 2:
        return word
    return f" {word}" if len(word) == 2 else f" {word} "
