"""Sentences with slots: what a rule says when a deck fails it.

``{found}`` is the number that was counted, ``{least}`` and ``{most}`` what is allowed,
``{missing}``, ``{surplus}`` and ``{gap}`` how far off it is; ``{found:card}`` and
``{found:copy/copies}`` say a number with its noun. ``{Add|Take out}`` is the first where there is
too little and the second where there is too much. ``{card}`` is the card, ``{card.rarity}`` one of
its columns in words, ``{section}`` where it lies and ``{home}`` where it belongs, ``{deck}`` the
deck's name; ``{first}`` and ``{second}`` are the two sums that are compared, ``{of.gold}`` how many
have that value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from rules.engine.deck_checks import CatalogIndex
from rules.engine.deck_rules.filters import column_of

Values: TypeAlias = Mapping[str, Any]
_Part: TypeAlias = Callable[[Values], str]

NUMBERS: Final = ("found", "least", "most", "missing", "surplus", "gap", "first", "second")
WORDS: Final = ("card", "section", "home", "deck")
_SLOT: Final = re.compile(r"\{([^{}]*)\}")


class Sentence:
    """A template, read once. Raises ``ValueError`` for a slot that does not exist."""

    def __init__(
        self, template: str, index: CatalogIndex, words: Mapping[str, Mapping[str, str]]
    ) -> None:
        pieces = _SLOT.split(template)
        self._index, self._words = index, words
        # Texts stand at even places, slots between them.
        self._parts = [
            self._slot(piece) if place % 2 else _text(piece) for place, piece in enumerate(pieces)
        ]

    def __call__(self, **values: Any) -> str:
        return "".join([part(values) for part in self._parts])

    def _slot(self, slot: str) -> _Part:
        if "|" in slot:
            below, _, above = slot.partition("|")
            return lambda values: below if values["gap"] < 0 else above
        name, _, noun = slot.partition(":")
        if name in NUMBERS:
            return _number(name, noun)
        if not noun and name in WORDS:
            return self._card if name == "card" else lambda values: str(values[name])
        if not noun and name.startswith("of."):
            value = name.removeprefix("of.")
            return lambda values: str(values["of"].get(value, 0))
        if not noun and name.startswith("card."):
            return self._column(name.removeprefix("card."))
        raise ValueError(f"a sentence has no slot {{{slot}}}")

    def _card(self, values: Values) -> str:
        slug: str = values["card"]
        return self._index.title(slug) if slug in self._index else slug

    def _column(self, column: str) -> _Part:
        words = self._words.get(column, {})

        def word(values: Values) -> str:
            held = column_of(self._index[values["card"]], column)
            value = str(held[0] if isinstance(held, tuple) else held)
            return words.get(value, value)

        return word


def _text(text: str) -> _Part:
    return lambda values: text


def _number(name: str, noun: str) -> _Part:
    if not noun:
        return lambda values: str(abs(values[name]))
    singular, _, plural = noun.partition("/")
    plural = plural or f"{singular}s"

    def say(values: Values) -> str:
        number = abs(values[name])
        return f"{number} {singular if number == 1 else plural}"

    return say
