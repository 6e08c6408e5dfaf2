"""Sentences with slots: what a rule says when a deck fails it.

``{found}`` is the number that was counted, ``{least}`` and ``{most}`` the bounds (both are the one
that there is), ``{bounds}`` both in words, ``{missing}``, ``{surplus}`` and ``{gap}`` how far off
it is, ``{able}`` the most that any deck can have; ``{found:card}`` and ``{found:copy/copies}`` say
a number with its noun, ``{surplus:=another/more}`` a word alone for 1. ``{Add|Take out}`` is the
first where there is too little and the second where there is too much. ``{card}`` is the card,
``{card.rarity}`` one of its columns in words, ``{section}`` where it lies and ``{home}`` where it
belongs, ``{deck}`` the deck's name, ``{format}`` the format's, ``{option.sets}`` what an option is
set to; ``{first}`` and ``{second}`` are the two sums that are compared, ``{of.gold}`` how many have
that value. ``{team}`` is the one card of the section with that slug, ``{team.joins}`` one of its
columns, ``{value}`` the value that is followed. ``{cards}`` lists cards, ``{cards+side}`` with a
column, ``{cards.colour}`` the values that they have in it, ``{groups}`` and ``{others}`` the groups
of ``values`` and all but the largest, ``{versions.colour}`` the values of the card's other versions
that the deck does not hold. A column may name other words: ``{card.side:helper}`` looks into
``[words.helper]``. A part in square brackets is left out where one of its slots is empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, TypeAlias

from rules.engine.deck_checks import CatalogIndex
from rules.engine.deck_rules.filters import column_of

Values: TypeAlias = Mapping[str, Any]
Part: TypeAlias = Callable[[Values], str]

NUMBERS: Final = (
    *("found", "least", "most", "missing", "surplus", "gap", "able", "first", "second"),
)
_HAVE: Final = tuple(name for name in NUMBERS if name not in ("able", "first", "second"))
WORDS: Final = ("card", "section", "home", "deck", "format", "bounds", "groups", "others")
_SLOT: Final = re.compile(r"\{([^{}]*)\}")
_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")


class Sentence:
    """A template, read once. Raises ``ValueError`` for a slot that does not exist."""

    def __init__(
        self,
        template: str,
        index: CatalogIndex,
        words: Mapping[str, Mapping[str, str]],
        sections: Collection[str] = (),
        more: Collection[str] = (),
    ) -> None:
        self._index, self._words, self._sections, self._more = index, words, sections, more
        self.slots = frozenset(_SLOT.findall(template))
        self._parts = self._read(template)

    def __call__(self, **values: Any) -> str:
        return "".join([part(values) for part in self._parts])

    def _read(self, template: str) -> list[Part]:
        # Texts stand at even places, optional parts between them.
        read: list[Part] = []
        for place, piece in enumerate(_OPTIONAL.split(template)):
            parts = self._parts_of(piece)
            read += [_optional(parts)] if place % 2 else parts
        return read

    def _parts_of(self, text: str) -> list[Part]:
        # Texts stand at even places, slots between them.
        pieces = enumerate(_SLOT.split(text))
        return [self._slot(piece) if place % 2 else _text(piece) for place, piece in pieces]

    def _slot(self, slot: str) -> Part:
        if "|" in slot:
            below, _, above = slot.partition("|")
            return lambda values: below if values["gap"] < 0 else above
        name, _, noun = slot.partition(":")
        if name in NUMBERS:
            return _number(name, noun)
        word = self._worded(noun or name)
        if name in self._more:
            return lambda values: str(values["more"](name))
        if not noun and name == "card":
            return lambda values: self._title(values["card"])
        if not noun and name in ("section", "home"):
            return lambda values: word(values[name])
        if not noun and name in WORDS:
            return lambda values: str(values[name])
        if name == "value":
            return lambda values: word(values["value"])
        if not noun and name == "cards":
            return lambda values: ", ".join(
                f"{self._title(slug)} x{count}" if count > 1 else self._title(slug)
                for slug, count in ((slug, values["held"][slug]) for slug in values["cards"])
            )
        if not noun and name in self._sections:
            return lambda values: self._title(values["heads"][name])
        part, _, column = name.partition(".")
        if not noun and part == "of":
            return lambda values: str(values["of"].get(column, 0))
        word = self._worded(noun or column)
        if part == "option":
            return lambda values: _listed(values["settings"].get(column), word)
        if part == "card":
            return lambda values: word(self._held(values["card"], column))
        if part in ("cards", "versions"):
            return lambda values: _listed(self._values(values[part], column), word)
        if part in self._sections:
            return lambda values: word(self._held(values["heads"][part], column))
        if name.startswith("cards+"):
            column = name.removeprefix("cards+")
            return lambda values: ", ".join(
                f"{self._title(slug)} {self._held(slug, column)}" for slug in values["cards"]
            )
        raise ValueError(f"a sentence has no slot {{{slot}}}")

    def _title(self, slug: str) -> str:
        return self._index.title(slug) if slug in self._index else slug

    def _held(self, slug: str, column: str) -> str:
        held = column_of(self._index[slug], column)
        return str(held[0] if isinstance(held, tuple) else held)

    def _values(self, slugs: Iterable[str], column: str) -> list[str]:
        """The values that cards have in a column, in the order of its words."""
        values = dict.fromkeys(self._held(slug, column) for slug in slugs)
        ordered = [value for value in self._words.get(column, {}) if value in values]
        return list(dict.fromkeys((*ordered, *values)))

    def _worded(self, table: str) -> Callable[[object], str]:
        words = self._words.get(table, {})
        return lambda value: words.get(str(value), str(value))


_ORGANISERS: Final = ("card", "value", "deck", "format")
_OF_CARD: Final = ("card.kind", "card.rarity", "card.colour", "card.set")


class PlainSentence(Sentence):
    """A sentence of an organiser: with the slots that have a value in every rule.

    These are numbers, each with a noun if one likes (``{found:card}``), ``{Add|Take out}``,
    ``{card}`` and its ``{card.kind}``, ``{card.rarity}``, ``{card.colour}`` and ``{card.set}``,
    ``{value}``, ``{deck}`` and ``{format}``; ``numbers`` are those that its own rule has beside
    them. Square brackets are what was typed, no more.
    """

    def __init__(
        self,
        template: str,
        index: CatalogIndex,
        sets: Mapping[str, str],
        numbers: Collection[str] = (),
    ) -> None:
        self._numbers = (*_HAVE, *numbers)
        super().__init__(template, index, {"set": sets})

    def _read(self, template: str) -> list[Part]:
        return self._parts_of(template)

    def _slot(self, slot: str) -> Part:
        number = slot.partition(":")[0] in self._numbers or "|" in slot
        if not number and slot not in (*_ORGANISERS, *_OF_CARD):
            raise ValueError(f"a sentence has no slot {{{slot}}}")
        if slot in _ORGANISERS and slot != "card":
            return lambda values: str(values[slot])
        return super()._slot(slot)


def _listed(values: object, word: Callable[[object], str]) -> str:
    if isinstance(values, (list, tuple, frozenset)):
        return ", ".join(map(word, values))
    return word(values)


def _text(text: str) -> Part:
    return lambda values: text


def _optional(parts: list[Part]) -> Part:
    def optional(values: Values) -> str:
        texts = [part(values) for part in parts]
        # Slots stand between the texts around them.
        return "".join(texts) if all(texts[1::2]) else ""

    return optional


def _number(name: str, noun: str) -> Part:
    if not noun:
        return lambda values: str(abs(values[name]))
    if noun.startswith("="):
        single, _, more = noun[1:].partition("/")
        return lambda values: single if abs(values[name]) == 1 else f"{abs(values[name])} {more}"
    return lambda values: number_of(abs(values[name]), noun)


def number_of(number: int, noun: str) -> str:
    """``1 card``, ``2 cards``; for ``Spy/Spies`` ``1 Spy``, ``2 Spies``."""
    singular, _, plural = noun.partition("/")
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"
