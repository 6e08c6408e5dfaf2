"""Where in a deck cards belong, from what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import rules


@lru_cache(maxsize=64)
def homes_of(game: str, sections: tuple[str, ...]) -> Mapping[str, str]:
    """The section for each kind of a game's cards in decks of these sections.

    Empty where there is nothing to sort: all kinds belong to one section.
    """
    known = rules.game(game)
    mode = next((mode for mode in known.modes.values() if mode.sections == sections), None)
    homes = known.sections_of_kinds(mode) if mode and len(sections) > 1 else {}
    return homes if len(set(homes.values())) > 1 else {}


def home_of(card: str, game: str, sections: Sequence[str]) -> str:
    """The section for a card; the first where nothing else is known."""
    known = rules.game(game).catalog.get(card)
    homes = homes_of(game, tuple(sections))
    return homes.get(known.kind, sections[0]) if known else sections[0]
