"""Random legal decks, for tests and benchmarks: they fit the match's options and each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.battle_krabz.legality import DECK_RULES
from games.battle_krabz.state import SIDES, catalog
from rules.engine.chance import Chance
from rules.engine.game import Mode
from rules.engine.legality import Decklist
from rules.engine.random_decks import one_of

MORE_CARDS: Final = 60


def sample_decks(
    mode: Mode, options: Mapping[str, Any], seats: int, chance: Chance
) -> list[Decklist]:
    """A deck for each seat, or none where the common pack is played with."""
    if mode.slug == "battle":
        first = chance.pick(2)
        sides = [SIDES[(first + seat) % 2] for seat in range(seats)]
        if options["factions"] == "any":
            sides = [one_of(chance, SIDES) for _ in range(seats)]
        return [_deck(side, options["target"], chance) for side in sides]
    return DECK_RULES.sample_decks(mode, options, seats, chance)


def _deck(side: str, target: int | str, chance: Chance) -> Decklist:
    """Enough Warriors for the target, and up to so many cards more: small decks run out."""
    pool = {
        slug: 1 for slug, card in catalog().items() if card.attributes.get("side", side) == side
    }
    least = target if isinstance(target, int) else 1
    size = least + chance.pick(min(MORE_CARDS, len(pool) - least) + 1)
    format = {"target": target, "set_size": size}
    return DECK_RULES.random_deck("battle", format, chance, owned=pool) or {}
