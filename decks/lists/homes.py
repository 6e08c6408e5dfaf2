"""Where in a deck cards belong, from what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import rules
from rules.engine.game import Game, Mode


def sections_of_kinds(game: Game, mode: Mode) -> dict[str, str]:
    """The section for cards of each kind: where the game's ready-made decks have most of them.

    A kind that is in none of them goes where the game's own check would move it.
    """
    seen: dict[str, Counter[str]] = {}
    for deck in game.starter_decks.values():
        for section, counts in deck.cards.items():
            if section in mode.sections:
                for slug in counts:
                    seen.setdefault(game.catalog[slug].kind, Counter())[section] += 1
    homes: dict[str, str] = {}
    for slug, card in game.catalog.items():
        if card.kind in seen:
            homes[card.kind] = seen[card.kind].most_common(1)[0][0]
        elif card.kind not in homes:
            homes[card.kind] = _moved_to(game, mode, slug)
    return homes


def _moved_to(game: Game, mode: Mode, card: str) -> str:
    """The section that a report moves a card to from the first one; the first where it stays."""
    first = mode.sections[0]
    if len(mode.sections) == 1:
        return first
    report = game.check_deck(mode.slug, {first: {card: 1}})
    fixes = [problem.fix for problem in report.problems if problem.fix]
    moved = [fix.to for fix in fixes if fix.to in mode.sections and card in fix.changes]
    return moved[0] if moved else first


@lru_cache(maxsize=64)
def homes_of(game: str, sections: tuple[str, ...]) -> dict[str, str]:
    """The section for each kind of a game's cards in decks of these sections.

    Empty where there is nothing to sort: all kinds belong to one section.
    """
    known = rules.game(game)
    mode = next((mode for mode in known.modes.values() if mode.sections == sections), None)
    homes = sections_of_kinds(known, mode) if mode and len(sections) > 1 else {}
    return homes if len(set(homes.values())) > 1 else {}


def home_of(card: str, game: str, sections: Sequence[str]) -> str:
    """The section for a card; the first where nothing else is known."""
    known = rules.game(game).catalog.get(card)
    homes = homes_of(game, tuple(sections))
    return homes.get(known.kind, sections[0]) if known else sections[0]
