"""Where a tile may go, and where a token may (BKH-T-03 to BKH-T-07, section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from games.battl_khaos.control import is_near, tower_cells
from games.battl_khaos.grid import BESIDE, NEAR, xy
from games.battl_khaos.state import FIELD, NONE, Khaos

RESERVED: Final = "reserved"
HALBERD: Final = "halberd"
HIT: Final = "hit"
TOO_NEAR: Final = "tower"

MAGE: Final = "mage"
CATAPULT: Final = "catapult"
STONES: Final = "stones"


# -- tiles -----------------------------------------------------------------------------------------


def frontier(s: Khaos) -> list[int]:
    """BKH-T-03, BKH-T-04, BKH-R-35: the empty cells beside a tile, by y then x."""
    tiles = s.tiles
    north, west, east, south = BESIDE
    beside = {cell + north for cell in tiles}
    beside.update([cell + west for cell in tiles])
    beside.update([cell + east for cell in tiles])
    beside.update([cell + south for cell in tiles])
    return sorted(beside.difference(tiles))


def closed(s: Khaos, seat: int) -> dict[int, str]:
    """BKH-T-07: the cells closed to a seat, each with the reason."""
    cells: dict[int, str] = {}
    guarded = s.halberds[1 - seat] if s.turn == seat else NONE
    if guarded != NONE:  # BKH-P-13, BKH-P-15, BKH-R-18
        cells.update((guarded + step, HALBERD) for step in NEAR)
    for cell, token in s.ground.items():  # BKH-P-18, BKH-R-19
        if s.cards.effect[token] == MAGE and s.owner(token) != seat:
            cells[cell] = RESERVED
    if s.hit != NONE:  # BKH-P-24, BKH-R-21
        cells[s.hit] = HIT
    return cells


def near_towers(s: Khaos) -> set[int]:
    """BKH-T-05: the cells too near a tower for another."""
    return {cell + step for cell in tower_cells(s) for step in NEAR}


def legal_cells(s: Khaos, seat: int) -> list[int]:
    """Where the seat may place a battlefield tile."""
    shut = closed(s, seat)
    cells = frontier(s)
    return [cell for cell in cells if cell not in shut] if shut else cells


def for_towers(s: Khaos, cells: Iterable[int]) -> list[int]:
    """Those of the cells that a tower may go on, too."""
    near = near_towers(s)
    return [cell for cell in cells if cell not in near]


# -- tokens ----------------------------------------------------------------------------------------


def takes_tile_token(s: Khaos, cell: int) -> bool:
    """BKH-P-25, BKH-X-10: no Catapult under the tile, no Stone Circle near it."""
    lies = s.ground.get(cell)
    if lies is not None and s.cards.effect[lies] == CATAPULT:
        return False
    return not is_near(s, cell, STONES)


def reservable(s: Khaos, cell: int) -> list[int]:
    """Empty cells near the tile, with no ground token, not near Stones.

    BKH-P-17, BKH-R-19, BKH-R-28.
    """
    tiles, ground = s.tiles, s.ground
    return [
        near
        for near in (cell + step for step in NEAR)
        if near not in tiles and near not in ground and not is_near(s, near, STONES)
    ]


def in_range(s: Khaos, cell: int) -> list[int]:
    """The cells whose tile a Catapult played with the tile on ``cell`` may hit.

    BKH-P-26, BKH-R-20, BKH-R-28.
    """
    ground = s.ground
    return [
        target
        for target in battlefield(s)
        if target != cell and target not in ground and not _stony(s, target)
    ]


def _stony(s: Khaos, cell: int) -> bool:
    return s.cards.effect[s.tiles[cell] >> 2] == STONES or is_near(s, cell, STONES)


def battlefield(s: Khaos) -> list[int]:
    """The cells with a field tile or a special tile, by y then x."""
    cards = s.cards
    return sorted(cell for cell, lies in s.tiles.items() if cards.battlefield[lies >> 2])


def playable(s: Khaos, seat: int, cell: int) -> list[int]:
    """The tokens of a seat that have a legal place after a field tile on ``cell`` (BKH-R-22)."""
    effect, on_ground = s.cards.effect, s.cards.on_ground
    on_tile = takes_tile_token(s, cell)
    found = []
    for token in s.ready[seat]:
        if not on_ground[token]:
            may = on_tile
        elif effect[token] == MAGE:
            may = bool(reservable(s, cell))
        else:
            may = bool(in_range(s, cell))
        if may:
            found.append(token)
    return found


def rotations(s: Khaos, card: int) -> tuple[int, ...]:
    """BKH-T-06, BKH-R-02: only field tiles look different when they are turned."""
    return s.cards.turns[card] if s.cards.kind[card] == FIELD else (0,)


# -- all of it, for the table ----------------------------------------------------------------------


def outlook(
    s: Khaos, seat: int, card: int = NONE, cell: int = NONE, turns: int = NONE
) -> dict[str, Any]:
    """Every empty cell beside a tile, why a tile may not go there, and what token could come along.

    ``card``, ``cell`` and ``turns`` are what has been chosen already.
    """
    shut, near = closed(s, seat), near_towers(s)
    cells = []
    for free in frontier(s):
        why = shut.get(free, "")
        x, y = xy(free)
        cells.append(
            {
                "x": x,
                "y": y,
                "tile": why,
                "tower": why or (TOO_NEAR if free in near else ""),
                "tokens": [] if why else playable(s, seat, free),
            }
        )
    x, y = xy(cell)
    return {
        "cells": cells,
        "picked": None if card == NONE else card,
        "cell": None if cell == NONE else {"x": x, "y": y},
        "rotation": None if turns == NONE else turns,
    }
