"""The unbounded grid: cells, what is beside and near them, and where corners meet (BKH-S-16).

A cell is one number, so that a board is a plain dict and cells sort by y, then x. No match lays
more tiles than the pool and the towers, so 8 bits each way are more than enough (BKH-R-36).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from rules.engine.moves import Cell, Target

WIDTH: Final = 256
MIDDLE: Final = 128 * WIDTH + 128
"""The cell (0,0)."""

NEAR: Final[tuple[int, ...]] = (-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1)
"""Steps to the 8 cells around."""

NW, NE, SE, SW = range(4)
CORNERS: Final = ("NW", "NE", "SE", "SW")

MEETING: Final = (
    ((-WIDTH - 1, SE), (-WIDTH, SW), (-1, NE)),
    ((-WIDTH, SE), (-WIDTH + 1, SW), (1, NW)),
    ((1, SW), (WIDTH + 1, NW), (WIDTH, NE)),
    ((-1, SE), (WIDTH - 1, NE), (WIDTH, NW)),
)
"""BKH-M-01: for each corner of a tower the steps to the three cells, and which of their corners
count."""


def at(x: int, y: int) -> int:
    """The cell (x,y)."""
    return MIDDLE + y * WIDTH + x


@cache
def xy(cell: int) -> tuple[int, int]:
    """Where a cell lies: x grows to the east, y to the south."""
    y, x = divmod(cell, WIDTH)
    return x - 128, y - 128


@cache
def beside(cell: int) -> frozenset[int]:
    """The 4 cells that share an edge."""
    return frozenset((cell - WIDTH, cell - 1, cell + 1, cell + WIDTH))


@cache
def near(cell: int) -> frozenset[int]:
    """The 8 cells around; where their order matters, ``NEAR`` has the steps by y, then x."""
    return frozenset(cell + step for step in NEAR)


@cache
def cell(number: int) -> Cell:
    """The cell of this number, as what a move points at."""
    return Cell(*xy(number))


def pointed_at(place: Target | None) -> int:
    """The cell that a move points at."""
    assert isinstance(place, Cell)
    return at(place.x, place.y)
