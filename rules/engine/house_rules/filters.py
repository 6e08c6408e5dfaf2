"""Filters of house rules: those of deck rules, as far as people write them without a slip.

``card`` and ``name`` are words or lists of words, without tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rules.engine.cards import CardType
from rules.engine.deck_rules.filters import column_of, selected

MAX_NAMED: Final = 500
"""So many cards may be named by one rule."""
_BY_SLUG: Final = "card"
_BY_NAME: Final = "name"
_TESTS: Final = ("not", "has", "least", "most")


def fitting(cards: Mapping[str, CardType], where: Mapping[str, Any]) -> tuple[str, ...]:
    """The cards that a filter fits, in the order of the catalog.

    Raises ``ValueError`` for a column, value or test that cannot be, and for too many named cards.
    """
    others = {key: value for key, value in where.items() if key not in (_BY_SLUG, _BY_NAME)}
    for column, value in others.items():
        _readable(cards, column, value)
    slugs: Iterable[str] = selected(cards, others)
    if _BY_SLUG in where:
        named = named_cards(cards, where[_BY_SLUG])
        slugs = [slug for slug in slugs if slug in named]
    if _BY_NAME in where:
        names = _words(where[_BY_NAME], _BY_NAME)
        for name in names - {card.name for card in cards.values()}:
            raise ValueError(f"no card has the name “{name}”")
        slugs = [slug for slug in slugs if cards[slug].name in names]
    return tuple(slugs)


def named_cards(cards: Mapping[str, CardType], value: object) -> frozenset[str]:
    """Cards that are named by their slugs; raises ``ValueError``."""
    slugs = _words(value, _BY_SLUG)
    for slug in sorted(slugs - cards.keys()):
        raise ValueError(f"no card is called “{slug}”")
    return slugs


def _words(value: object, key: str) -> frozenset[str]:
    words = value if isinstance(value, (list, tuple)) else [value]
    if not words or not all(isinstance(word, str) for word in words):
        raise ValueError(f"“{key}” is a word or a list of words")
    if len(words) > MAX_NAMED:
        raise ValueError(f"“{key}” names {len(words)} cards; at most {MAX_NAMED} are allowed")
    return frozenset(words)


def _readable(cards: Mapping[str, CardType], column: str, value: object) -> None:
    """Raises ``ValueError`` for a value that is neither a word, a number, a list of them nor a
    table of tests, and for a test that the column's values cannot be put to."""
    if not isinstance(value, Mapping):
        _plain_values(column, value)
        return
    held = [column_of(card, column) for card in cards.values()]
    listed = any(isinstance(each, (list, tuple)) for each in held)
    if not value:
        raise ValueError(f"“{column}” has an empty table: say not, has, least or most")
    for test, wanted in value.items():
        if test not in _TESTS:
            raise ValueError(f"“{test}” is not a test of “{column}”; there are {', '.join(_TESTS)}")
        if test in ("not", "has"):
            _plain_values(column, wanted)
        if test == "has" and not listed:
            raise ValueError(f"“has” is for columns that are lists; {column} is not")
        if test in ("least", "most") and not all(
            each is None or isinstance(each, int) for each in held
        ):
            raise ValueError(f"“{test}” is for numbers; {column} is not one")
        if listed and column != "set" and test != "has":
            raise ValueError(f"“{column}” is a list: write {column} = {{ has = … }}")


def _plain_values(column: str, value: object) -> None:
    values = value if isinstance(value, list) else [value]
    if not values or len(values) > MAX_NAMED:
        raise ValueError(f"“{column}” has 1 to {MAX_NAMED} values")
    if not all(isinstance(each, (str, int)) for each in values):
        raise ValueError(f"“{column}” is a word, a number or a list of them")
