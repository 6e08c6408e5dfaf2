"""Random legal decks, for tests and benchmarks: every team, every kaiju, every card comes up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.colossal_kaiju_combat.legality import DECK_RULES
from rules.engine.chance import Chance
from rules.engine.game import Mode
from rules.engine.legality import Decklist


def sample_decks(
    mode: Mode, options: Mapping[str, Any], seats: int, chance: Chance
) -> list[Decklist]:
    """A deck for each seat."""
    return [DECK_RULES.random_deck(mode.slug, None, chance) or {} for _ in range(seats)]
