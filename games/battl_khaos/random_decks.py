"""Random legal armies, for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from games.battl_khaos.legality import (
    COPIES,
    FIELD,
    FLAGS,
    LEAN,
    MUSTER,
    SPECIALS,
    TILES_NEEDED,
    TOKENS,
    TOKENS_NEEDED,
    TOWER_POINTS,
    TOWERS,
    TOWERS_NEEDED,
)
from games.battl_khaos.state import catalog
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.game import Mode
from rules.engine.legality import Decklist
from rules.engine.random_decks import counted, one_of, shuffled


def sample_decks(
    mode: Mode, options: Mapping[str, Any], seats: int, chance: Chance
) -> list[Decklist]:
    """An army for each seat, or none in ``classic``; in ``warband`` the tokens are enough."""
    if not mode.own_decks:
        return []
    core_only = options["core_only"]
    if mode.slug == "warband":
        return [{TOKENS: _tokens(chance)} for _ in range(seats)]
    return [
        {
            TOKENS: _tokens(chance),
            TOWERS: _towers(chance, core_only),
            FIELD: _field(chance, options),
        }
        for _ in range(seats)
    ]


def _pieces(*kinds: str, core_only: bool) -> list[CardType]:
    return [
        card
        for card in catalog().values()
        if card.kind in kinds and ("core" in card.sets or not core_only)
    ]


def _tokens(chance: Chance) -> dict[str, int]:
    """Five tokens within the muster; all are of the Core set."""
    fives = [
        five
        for five in combinations(_pieces("token", core_only=False), TOKENS_NEEDED)
        if sum(card["muster"] for card in five) <= MUSTER
    ]
    return {card.slug: 1 for card in one_of(chance, fives)}


def _towers(chance: Chance, core_only: bool) -> dict[str, int]:
    """Four towers worth ten points, two flags of each side."""
    fours = [
        four
        for four in combinations(_pieces("tower", core_only=core_only), TOWERS_NEEDED)
        if sum(card["value"] for card in four) == TOWER_POINTS
        and sum(card["flag"] == "O" for card in four) == FLAGS
    ]
    return {card.slug: 1 for card in one_of(chance, fours)}


def _field(chance: Chance, options: Mapping[str, Any]) -> dict[str, int]:
    """29 tiles with few specials, then swaps until both sides stand on them alike."""
    core_only = options["core_only"]
    pool = []
    for card in _pieces("field", core_only=core_only):
        copies = 1 if options["singleton"] or card.rarity == "rare" else COPIES
        pool += [card] * copies
    pool = shuffled(chance, pool)
    specials = _pieces("special", core_only=core_only) if options["specials"] else []
    specials = shuffled(chance, specials)
    chosen = specials[: chance.pick(SPECIALS + 1)]
    size = TILES_NEEDED - len(chosen)
    tiles, spare = pool[:size], pool[size:]
    while abs(lean := sum(map(_lean, tiles))) > LEAN:
        place = chance.pick(size)
        other = chance.pick(len(spare))
        if (_lean(spare[other]) - _lean(tiles[place])) * lean < 0:
            tiles[place], spare[other] = spare[other], tiles[place]
    return counted(card.slug for card in (*tiles, *chosen))


def _lean(tile: CardType) -> int:
    """By how many warriors a tile leans to the orcs."""
    return int(tile["orcs"]) - int(tile["knights"])
