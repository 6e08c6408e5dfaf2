"""Filters: which cards a rule concerns.

A filter is a table of keys, all of which must fit: ``card`` (its slug), ``name``, ``kind``,
``set``, ``rarity``, ``colour`` or a column of the cards. A value is a word or number, a list of
them (any fits), or a table with ``not``, ``has`` (for columns that are lists), ``least``, ``most``
and ``none`` (true: nothing is in the column).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from rules.engine.cards import CardType
from rules.engine.deck_checks import CatalogIndex

Cards: TypeAlias = Mapping[str, CardType]
Test: TypeAlias = Callable[[Any], bool]

MAX_NAMED: Final = 500
"""So many cards or values may be named by one filter."""
MAX_DEPTH: Final = 8
"""So many tests may stand within each other, as ``not`` in ``not``."""
_FIELDS: Final = ("name", "kind", "rarity", "colour")
_TESTS: Final = ("not", "has", "least", "most", "none")


def column_of(card: CardType, column: str) -> Any:
    """A field or attribute of a card, of a table in it by ``table.key``; None where it has none of
    that name."""
    if column == "set":
        return card.sets
    if column == "card":
        return card.slug
    if column in _FIELDS:
        return getattr(card, column)
    table, _, inner = column.partition(".")
    held = card.attributes.get(table)
    return held.get(inner) if inner and isinstance(held, Mapping) else None if inner else held


def values_of(cards: Cards, column: str) -> Mapping[str, Any]:
    """Each card's value in a column, as :func:`column_of` says it."""
    kept = cards.columns if isinstance(cards, CatalogIndex) else {}
    if column in kept:
        return kept[column]
    values = {slug: column_of(card, column) for slug, card in cards.items()}
    if any(held is not None for held in values.values()):
        kept[column] = values
    return values


def known_column(cards: Cards, column: object) -> None:
    """Raises ``ValueError`` for a column that no card has."""
    if not isinstance(column, str):
        raise ValueError(f'a column is named like "kind", not {column!r}')
    if all(held is None for held in values_of(cards, column).values()):
        raise ValueError(f"no card has a column “{column}”")


def selected(cards: Cards, where: object) -> tuple[str, ...]:
    """The cards that a filter fits, in the order of the catalog.

    Raises ``ValueError`` for a column, value or test that cannot be.
    """
    if not isinstance(where, Mapping):
        raise ValueError(f'a filter is a table like {{ kind = "unit" }}, not {where!r}')
    tests = {column: _test(cards, column, value) for column, value in where.items()}
    fitting = tuple(cards)
    for column, fits in tests.items():
        held = values_of(cards, column)
        fitting = tuple([slug for slug in fitting if fits(held[slug])])
    return fitting


def known_cards(cards: Cards, slugs: Iterable[Any]) -> None:
    """Raises ``ValueError`` for a slug that is not a card's."""
    for slug in sorted(map(str, slugs)):
        if slug not in cards:
            raise ValueError(f"no card is called “{slug}”")


def _test(cards: Cards, column: str, value: object, depth: int = 0) -> Test:
    known_column(cards, column)
    if depth > MAX_DEPTH:
        raise ValueError(f"“{column}” has more than {MAX_DEPTH} tests within each other")
    if not isinstance(value, Mapping):
        wanted = _plain_values(column, value)
        _known_values(cards, column, wanted)
        return lambda held: not wanted.isdisjoint(held if column == "set" else (held,))
    if not value:
        raise ValueError(f"“{column}” has an empty table: say not, has, least or most")
    tests = [_one_test(cards, column, word, number, depth) for word, number in value.items()]
    return lambda held: all(fits(held) for fits in tests)


def _one_test(cards: Cards, column: str, word: str, value: Any, depth: int) -> Test:
    if word not in _TESTS:
        raise ValueError(f"“{word}” is not a test of “{column}”; there are {', '.join(_TESTS)}")
    columns = values_of(cards, column).values()
    listed = column != "set" and any(isinstance(held, (list, tuple)) for held in columns)
    if word == "none":
        if type(value) is not bool:
            raise ValueError(f"“none” of “{column}” is true or false, not {value!r}")
        return lambda held: (held is None) is value
    if word == "has":
        if not listed and column != "set":
            raise ValueError(f"“has” is for columns that are lists; {column} is not")
        (wanted, *more) = _plain_values(column, value)
        if more:
            raise ValueError(f"“has” of “{column}” is one word")
        _known_values(cards, column, frozenset((wanted,)))
        return lambda held: held is not None and wanted in held
    if listed:
        raise ValueError(f"“{column}” is a list: write {column} = {{ has = … }}")
    if word == "not":
        fits = _test(cards, column, value, depth + 1)
        return lambda held: not fits(held)
    if not all(held is None or isinstance(held, int) for held in columns):
        raise ValueError(f"“{word}” is for numbers; {column} is not one")
    if type(value) is not int:
        raise ValueError(f"“{word}” of “{column}” is a whole number, not {value!r}")
    if word == "least":
        return lambda held: held is not None and held >= value
    return lambda held: held is not None and held <= value


def _plain_values(column: str, value: object) -> frozenset[Any]:
    values = value if isinstance(value, list) else [value]
    if not values or len(values) > MAX_NAMED:
        raise ValueError(f"“{column}” has 1 to {MAX_NAMED} values")
    if not all(isinstance(each, (str, int)) for each in values):
        raise ValueError(f"“{column}” is a word, a number or a list of them")
    return frozenset(values)


def _known_values(cards: Cards, column: str, wanted: frozenset[Any]) -> None:
    """A value that no card has is a slip of the pen, never a rule."""
    if column == "card":
        known_cards(cards, wanted)
        return
    unseen = set(wanted)
    for held in values_of(cards, column).values():
        unseen.difference_update(held if isinstance(held, (tuple, list)) else (held,))
        if not unseen:
            return
    for value in unseen:
        what = "the name" if column == "name" else column
        raise ValueError(f"no card has {what} “{value}”")
