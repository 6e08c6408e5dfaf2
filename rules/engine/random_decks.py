"""Random legal decks, for tests and benchmarks.

:func:`random_deck` does for most modes. A game whose decks must fit the options or each other makes
its own (``Game.sample_decks``) of the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist

T = TypeVar("T")


def one_of(chance: Chance, things: Sequence[T]) -> T:
    """Each equally likely."""
    return things[chance.pick(len(things))]


def shuffled(chance: Chance, things: Iterable[T]) -> list[T]:
    """In any order; what was given stays as it is."""
    mixed = list(things)
    chance.shuffle(mixed)
    return mixed


def counted(slugs: Iterable[str]) -> dict[str, int]:
    """A section of a deck: how often each card is there, in the order of the first ones."""
    counts: dict[str, int] = {}
    for slug in slugs:
        counts[slug] = counts.get(slug, 0) + 1
    return counts


def random_deck(game: Game, mode: Mode, chance: Chance) -> Decklist:
    """A ready-made deck of the mode with random cards added, as far as it stays legal."""
    ready = game.starters_for(mode)
    chosen = one_of(chance, ready).cards
    deck = {section: dict(cards) for section, cards in chosen.items()}
    slugs, sections = list(game.catalog), list(deck)
    for _ in range(chance.pick(40)):
        section = deck[one_of(chance, sections)]
        slug = one_of(chance, slugs)
        section[slug] = section.get(slug, 0) + 1
        if not game.check_deck(mode.slug, deck).legal:
            section[slug] -= 1
            if not section[slug]:
                del section[slug]
    return deck
