"""What lies on a Battle Krabz table (specification, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from rules.engine.cards import CardType, load_catalog

KINDS: Final = ("warrior", "booster", "power")
COLOURS: Final = ("silver", "gold", "platinum", "saphire", "emerald", "holo")
DOMAINS: Final = ("shore", "sky", "ember", "grove", "frost")


@lru_cache(maxsize=1)
def catalog() -> Mapping[str, CardType]:
    """The cards of Battle Krabz by slug."""
    return load_catalog("rules.battle_krabz")
