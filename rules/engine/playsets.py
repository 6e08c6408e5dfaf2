"""How many copies of a card make a playset: as many as some deck of the game may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.engine.game import Game

NO_LIMIT = 4
"""A playset where the game limits no card."""
_MANY = 99


def playsets(game: Game) -> dict[str, int]:
    """Copies of each card by the game's own limits: those of a deck, else of its default format.

    The rules are asked about a list with too many of every card: what they allow of each is said
    in their answer.
    """
    limits: dict[str, int] = {}
    for mode in game.modes.values():
        for section in mode.sections:
            crowded = {section: dict.fromkeys(game.catalog, _MANY)}
            allowed: dict[str, int] = {}
            for problem in game.check_deck(mode.slug, crowded).problems:
                if (
                    len(problem.cards) == 1
                    and problem.found == _MANY
                    and problem.allowed is not None
                ):
                    (card,) = problem.cards
                    allowed[card] = min(problem.allowed, allowed.get(card, _MANY))
            for card, copies in allowed.items():
                if copies < _MANY:
                    limits[card] = max(copies, limits.get(card, 1))
    restricted = next((row.restricted for row in game.deck_formats if row.default), {})
    return {card: limits.get(card, restricted.get(card, NO_LIMIT)) for card in game.catalog}
