"""Random legal armies, for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.battl_khaos.legality import DECK_RULES
from rules.engine.chance import Chance
from rules.engine.game import Mode
from rules.engine.legality import Decklist


def sample_decks(
    mode: Mode, options: Mapping[str, Any], seats: int, chance: Chance
) -> list[Decklist]:
    """An army for each seat, or none in ``classic``; in ``warband`` the tokens are enough."""
    if not mode.own_decks:
        return []
    judged = {option: options[option] for option in DECK_RULES.options if option in options}
    return [DECK_RULES.random_deck(mode.slug, judged, chance) or {} for _ in range(seats)]
