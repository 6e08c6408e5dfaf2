"""The columns of a game's cards that forms offer for house rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.engine.cards import CardType
from rules.engine.definition import GameDefinition
from rules.engine.house_rules.words import RARITIES, spoken
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


def facets(game: GameDefinition, mode: Mode) -> tuple[Facet, ...]:
    """Kind, colour, rarity and set, then columns with a few words, of cards that a mode takes.

    A column that tells no cards apart is left out.
    """
    cards = cards_of(game, mode)
    sets = {card_set.slug: card_set.name for card_set in game.sets}
    present = {slug for card in cards for slug in card.sets}
    columns = [
        Facet("kind", "Type", _worded(dict.fromkeys(card.kind for card in cards))),
        Facet("colour", "Colour", _worded(dict.fromkeys(card.colour for card in cards))),
        Facet("rarity", "Rarity", _rarities(cards)),
        Facet("set", "Set", tuple((slug, name) for slug, name in sets.items() if slug in present)),
    ]
    for column in _attributes(cards):
        held = [card.attributes.get(column) for card in cards]
        words = dict.fromkeys(value for value in held if isinstance(value, str))
        few = len(words) <= MAX_VALUES and all(len(word) <= MAX_LENGTH for word in words)
        if few and sum(isinstance(value, str) for value in held) * _SHARE >= len(cards):
            columns.append(Facet(column, named(game, column), _worded(words)))
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
    text = spoken(game.words.get(column, column))
    return text[:1].upper() + text[1:]


def _attributes(cards: list[CardType]) -> dict[str, None]:
    return dict.fromkeys(column for card in cards for column in card.attributes)


def _worded(values: dict[str, None]) -> tuple[tuple[str, str], ...]:
    return tuple((value, _capital(spoken(value))) for value in values if value)


def _rarities(cards: list[CardType]) -> tuple[tuple[str, str], ...]:
    present = {card.rarity for card in cards}
    ranked = [word for word in RANKS if word in present] + sorted(present - set(RANKS))
    return tuple((word, _capital(RARITIES.get(word, spoken(word)))) for word in ranked)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
