"""Random legal decks, for tests and benchmarks: they fit the match's options and each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.battle_krabz.legality import SECTION
from games.battle_krabz.state import SIDES, catalog
from rules.engine.chance import Chance
from rules.engine.game import Mode
from rules.engine.legality import Decklist
from rules.engine.random_decks import counted, one_of, shuffled

MORE_WARRIORS: Final = 20
MOST_SUPPORTS: Final = 24


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
    if mode.decks(options) != "own":
        return []
    return [_some(chance, options["trump_size"], "warrior") for _ in range(seats)]


def _deck(side: str, target: int | str, chance: Chance) -> Decklist:
    """Enough Warriors for the target and a few more, and any number of the rest."""
    least = target if isinstance(target, int) else 1 + chance.pick(MORE_WARRIORS)
    warriors = min(75, least + chance.pick(MORE_WARRIORS))
    chosen = dict(_some(chance, warriors, "warrior", side)[SECTION])
    chosen.update(_some(chance, chance.pick(MOST_SUPPORTS), "booster", side)[SECTION])
    chosen.update(_some(chance, chance.pick(MOST_SUPPORTS), "power", side)[SECTION])
    return {SECTION: chosen}


def _some(chance: Chance, number: int, kind: str, side: str = "") -> Decklist:
    """So many different cards of a kind (of one side only)."""
    pool = [
        slug
        for slug, card in catalog().items()
        if card.kind == kind and (not side or card.attributes.get("side", side) == side)
    ]
    return {SECTION: counted(shuffled(chance, pool)[:number])}
