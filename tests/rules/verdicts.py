"""The parts of tables of deck rules: tests/games/<game>/verdicts.py has one for each game.

``CASES`` has, for each rule that judges decks (``ABC-D-01``), its lists; ``PERMITS`` lists for
rules that allow something, with all that other rules say of them. ``JUDGES`` names what judges
where it is not the game's ``check``; ``FAR`` are rules whose lists just beside are further off than
by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import rules

MANY = 1_000_000
STRANGERS = {f"no-such-card-{number}": MANY for number in range(300)}

Cards = Mapping[str, int]


@dataclass(frozen=True)
class Bad:
    """A list, and what the rule says of it: the two numbers, and how often it says so.

    ``rule`` is the rule that is reported, where it is not the one whose case this is.
    """

    deck: Any
    found: int | None
    allowed: int | None
    times: int = 1
    owned: Cards | None = None
    rule: str = ""
    format: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cases:
    """A rule's lists, judged in a mode and a format.

    ``just`` are one beside what is allowed. Where the rule judges no list, ``deck`` is what it does
    judge: the decks of a match, or a format.
    """

    mode: str
    legal: Any
    just: list[Bad]
    absurd: list[Bad]
    format: Mapping[str, Any] = field(default_factory=dict)
    owned: Cards | None = None


def merged(*parts: Cards) -> dict[str, int]:
    """Later counts stand in place of earlier ones; 0 takes a card out."""
    cards: dict[str, int] = {}
    for part in parts:
        cards |= part
    return {slug: count for slug, count in cards.items() if count}


def main(*parts: Cards) -> dict[str, dict[str, int]]:
    """A list of one section."""
    return {"main": merged(*parts)}


def of(game: str, *kinds: str, **attributes: Any) -> list[str]:
    """The cards of these kinds (all kinds if none is named) with these attributes."""
    return [
        slug
        for slug, card in rules.game(game).catalog.items()
        if (not kinds or card.kind in kinds)
        and all(card.attributes.get(key) == value for key, value in attributes.items())
    ]


def each(slugs: Any, count: int = MANY) -> dict[str, int]:
    return dict.fromkeys(slugs, count)
