"""Deck rules as data: a game's ``deck_rules.toml``, read once and compiled for each format.

``vocabulary`` reads the file, ``active`` holds the rules that are on for a mode and its options,
``measures`` finds what is wrong, ``sentences`` says it, ``fixes`` searches for the cures.
What may stand in the file is told in ``docs/deck-rules.md``.
"""

from rules.engine.deck_rules.deck import Deck
from rules.engine.deck_rules.judge import DeckRules

__all__ = ["Deck", "DeckRules"]
