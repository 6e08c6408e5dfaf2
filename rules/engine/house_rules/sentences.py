"""Sentences of house rules: those of deck rules, with fewer slots.

There are ``{found}``, ``{least}``, ``{most}``, ``{missing}``, ``{surplus}`` and ``{gap}``, each
with a noun if one likes (``{found:card}``), ``{Add|Take out}``, ``{card}`` and its ``{card.kind}``,
``{card.rarity}``, ``{card.colour}`` and ``{card.set}``, ``{value}``, ``{deck}`` and ``{format}``.
"""

from __future__ import annotations

from typing import Final

from rules.engine.deck_rules.sentences import Part, Sentence
from rules.engine.definition import GameDefinition

_PLAIN: Final = ("card", "value", "deck", "format")
_NUMBERS: Final = ("found", "least", "most", "missing", "surplus", "gap")
_OF_CARD: Final = ("card.kind", "card.rarity", "card.colour", "card.set")


class HouseSentence(Sentence):
    """A template, read once. Raises ``ValueError`` for a slot that does not exist."""

    def __init__(self, template: str, game: GameDefinition) -> None:
        super().__init__(template, game.index, {"set": game.set_names})

    def _read(self, template: str) -> list[Part]:
        # Square brackets are what organisers typed, no more.
        return self._parts_of(template)

    def _slot(self, slot: str) -> Part:
        known = slot in (*_PLAIN, *_OF_CARD) or slot.partition(":")[0] in _NUMBERS or "|" in slot
        if not known:
            raise ValueError(f"a sentence has no slot {{{slot}}}")
        if slot in _PLAIN and slot != "card":
            return lambda values: str(values[slot])
        return super()._slot(slot)
