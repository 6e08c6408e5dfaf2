"""Where a tile may go, and where a token may (BKH-T-03 to BKH-T-07, section 5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from games.battl_khaos.control import all_near, tower_cells
from games.battl_khaos.grid import NEAR, beside, near, xy
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
    if s.edge is None:
        s.edge = sorted(set[int]().union(*map(beside, s.tiles)).difference(s.tiles))
    return s.edge


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


def near_towers(s: Khaos) -> frozenset[int]:
    """BKH-T-05: the cells too near a tower for another."""
    if s.by_towers is None:
        s.by_towers = frozenset[int]().union(*map(near, tower_cells(s)))
    return s.by_towers


def legal_cells(s: Khaos, seat: int) -> list[int]:
    """Where the seat may place a battlefield tile."""
    shut = closed(s, seat)
    cells = frontier(s)
    return [cell for cell in cells if cell not in shut] if shut else cells


def for_towers(s: Khaos, cells: Iterable[int]) -> list[int]:
    """Those of the cells that a tower may go on, too."""
    near = near_towers(s)
    return [cell for cell in cells if cell not in near]


def any_for_towers(s: Khaos, cells: Iterable[int]) -> bool:
    """True if a tower may go on one of the cells, too."""
    return not near_towers(s).issuperset(cells)


# -- tokens ----------------------------------------------------------------------------------------


def reservable(s: Khaos, cell: int) -> list[int]:
    """The cells near a tile that a Wizard or Shaman may be put on."""
    stony = all_near(s, STONES)
    return [place for place in sorted(near(cell)) if _is_free(s, place, stony)]


def in_range(s: Khaos, cell: int) -> list[int]:
    """The cells whose tile a Catapult played with the tile on ``cell`` may hit (BKH-R-20)."""
    stony = all_near(s, STONES)
    return [
        target
        for target in battlefield(s)
        if target != cell and _may_be_hit(s, target, s.tiles[target] >> 2, stony)
    ]


def _may_be_hit(s: Khaos, target: int, card: int, stony: Collection[int]) -> bool:
    """BKH-P-26, BKH-R-20, BKH-R-28: the battlefield tile on a cell may be hit by a Catapult."""
    return target not in s.ground and target not in stony and s.cards.effect[card] != STONES


def _may_hit(s: Khaos, cell: int, stony: Collection[int]) -> bool:
    """A Catapult played with the tile on ``cell`` has a target (BKH-R-20)."""
    battlefield = s.cards.battlefield
    for target, lies in s.tiles.items():
        card = lies >> 2
        if target != cell and battlefield[card] and _may_be_hit(s, target, card, stony):
            return True
    return False


def battlefield(s: Khaos) -> list[int]:
    """The cells with a field tile or a special tile, by y then x."""
    cards = s.cards
    return sorted(cell for cell, lies in s.tiles.items() if cards.battlefield[lies >> 2])


def playable(s: Khaos, seat: int, cells: Iterable[int]) -> list[list[int]]:
    """For a field tile on each of these cells the tokens of a seat that have a legal place then.

    BKH-R-22: what counts is where the token itself comes to lie.
    """
    stony = all_near(s, STONES)
    return [
        [token for token in s.ready[seat] if _has_place(s, token, cell, stony)] for cell in cells
    ]


def _has_place(s: Khaos, token: int, cell: int, stony: Collection[int]) -> bool:
    """A token played with the tile on ``cell`` has a place to lie on."""
    effect = s.cards.effect
    if effect[token] == MAGE:
        return any(_is_free(s, place, stony) for place in near(cell))
    if effect[token] == CATAPULT:
        return _may_hit(s, cell, stony)
    below = s.ground.get(cell)  # BKH-P-25, BKH-X-10
    return cell not in stony and (below is None or effect[below] != CATAPULT)


def _is_free(s: Khaos, cell: int, stony: Collection[int]) -> bool:
    """BKH-P-17, BKH-R-19, BKH-R-28: no tile, no ground token, no Stone Circle near."""
    return cell not in s.tiles and cell not in s.ground and cell not in stony


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
    free_cells = frontier(s)
    cells = []
    for free, tokens in zip(free_cells, playable(s, seat, free_cells), strict=True):
        why = shut.get(free, "")
        x, y = xy(free)
        cells.append(
            {
                "x": x,
                "y": y,
                "tile": why,
                "tower": why or (TOO_NEAR if free in near else ""),
                "tokens": [] if why else tokens,
            }
        )
    x, y = xy(cell)
    return {
        "cells": cells,
        "picked": None if card == NONE else card,
        "cell": None if cell == NONE else {"x": x, "y": y},
        "rotation": None if turns == NONE else turns,
    }
