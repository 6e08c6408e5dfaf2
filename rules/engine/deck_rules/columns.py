"""The columns of a game's cards that forms offer for house rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rules.engine.cards import CardType
from rules.engine.deck_rules.words import capital, column_name, value_of
from rules.engine.definition import GameDefinition
from rules.engine.modes import Mode

RANKS: Final = ("common", "uncommon", "rare", "epic", "ultra", "legendary")
"""Rarities from the most common one on; a game has some of them."""
MAX_VALUES: Final = 8
MAX_LENGTH: Final = 16
_SHARE: Final = 6
"""A column counts for something if at least one card in so many has it."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A column with a few values, each with its word for people."""

    column: str
    name: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Columns:
    """The columns of the cards that a mode takes: for many rules of one form, looked for once."""

    game: GameDefinition
    mode: Mode

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        """Columns with a few values."""
        return facets(self.game, self.mode)

    @cached_property
    def numbers(self) -> tuple[tuple[str, str], ...]:
        """Columns of whole numbers, each with its name."""
        return numbers(self.game, self.mode)


def facets(game: GameDefinition, mode: Mode) -> tuple[Facet, ...]:
    """Kind, colour, rarity and set, then columns with a few words, of cards that a mode takes.

    A column that tells no cards apart is left out.
    """
    cards = cards_of(game, mode)
    present = {slug for card in cards for slug in card.sets}
    columns = [
        Facet("kind", "Type", _worded(game, "kind", [card.kind for card in cards])),
        Facet("colour", "Colour", _worded(game, "colour", [card.colour for card in cards])),
        Facet("rarity", "Rarity", _worded(game, "rarity", _ranked(cards))),
        Facet("set", "Set", _worded(game, "set", [s for s in game.set_names if s in present])),
    ]
    for column in _attributes(cards):
        held = [card.attributes.get(column) for card in cards]
        words = dict.fromkeys(value for value in held if isinstance(value, str))
        few = len(words) <= MAX_VALUES and all(len(word) <= MAX_LENGTH for word in words)
        if few and sum(isinstance(value, str) for value in held) * _SHARE >= len(cards):
            columns.append(Facet(column, named(game, column), _worded(game, column, words)))
    return tuple(facet for facet in columns if len(facet.values) > 1)


def numbers(game: GameDefinition, mode: Mode) -> tuple[tuple[str, str], ...]:
    """Columns of whole numbers, each with its name, of cards that a mode takes."""
    cards = cards_of(game, mode)
    columns = []
    for column in _attributes(cards):
        held = [value for card in cards if (value := card.attributes.get(column)) is not None]
        if all(type(value) is int for value in held) and len(held) * _SHARE >= len(cards):
            columns.append((column, named(game, column)))
    return tuple(columns)


def cards_of(game: GameDefinition, mode: Mode) -> list[CardType]:
    """The cards that a mode takes."""
    return [card for card in game.catalog.values() if mode.takes(card)]


def named(game: GameDefinition, column: str) -> str:
    """A column's name, with a capital."""
    return capital(column_name(game, column))


def _attributes(cards: list[CardType]) -> dict[str, None]:
    return dict.fromkeys(column for card in cards for column in card.attributes)


def _worded(
    game: GameDefinition, column: str, values: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Each value once, with its word."""
    present = dict.fromkeys(filter(None, values))
    return tuple((value, capital(value_of(game, column, value))) for value in present)


def _ranked(cards: list[CardType]) -> list[str]:
    """The rarities of cards, from the most common one on."""
    present = {card.rarity for card in cards}
    return [word for word in RANKS if word in present] + sorted(present - set(RANKS))
