"""Who controls what: the function of section 2.4, pure and without a memory (BKH-R-08).

Strengths are signed: orcs count above 0, knights below. So are sides, which leaves 0 for neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from games.battl_khaos.grid import NE, NEAR, NW, SE, SW, near
from games.battl_khaos.state import (
    KNIGHTS,
    NO_TILE,
    NONE,
    NOT_ONE,
    ORCS,
    TOWER,
    Change,
    Khaos,
    Look,
)

TEMPLE_VALUE: Final = 3


OPEN: Final = 0
MARKER: Final[Mapping[int, int]] = {ORCS: 1, KNIGHTS: 2, NOT_ONE: 3}
"""BKH-S-10, BKH-M-09: the kinds of control markers, as they are noted."""


class Corner(NamedTuple):
    """A tower's corner: the sums of both sides, how many of its three cells are empty, its marker.

    The marker is ``OPEN``, none, while a cell is empty.
    """

    orcs: int
    knights: int
    missing: int
    marker: int

    @property
    def winner(self) -> int:
        """BKH-M-06 to BKH-M-08, BKH-R-07: who controls it if it is resolved."""
        return (self.orcs > self.knights) - (self.orcs < self.knights)


class Tower(NamedTuple):
    """A tower's four corners (NW, NE, SE, SW), its owner and its value."""

    corners: tuple[Corner, ...]
    owner: int
    value: int


class Totals(NamedTuple):
    """A side's points, towers, and corners of all towers (BKH-R-11 compares them in turn)."""

    score: int
    towers: int
    corners: int


# -- strength --------------------------------------------------------------------------------------


def shown(s: Khaos, cell: int) -> Look:
    """The strengths of the units on a cell's tile, with its token."""
    look = s.cards.looks[s.tiles.get(cell, NONE)]
    token = s.tokens.get(cell)
    if token is None:
        return look
    change = s.cards.change[token]
    return look if change is None else _all_under(look, s.side(s.owner(token)), change)


@cache
def _all_under(look: Look, side: int, change: Change) -> Look:
    return tuple([under_token(unit, side, change) for unit in look])


def under_token(unit: int, side: int, change: Change) -> int:
    """A unit on a tile with a token of this side; it never falls below 0.

    BKH-P-07 to BKH-P-09, BKH-P-19 to BKH-P-21, BKH-P-27, BKH-R-05 to BKH-R-07.
    """
    if not unit or change.own != (unit * side > 0):
        return unit
    whose = ORCS if unit > 0 else KNIGHTS
    match change.how:
        case "add":
            return whose * max(0, whose * unit + change.number)
        case "times":
            return unit * change.number
        case _:
            return whose * change.number


# -- corners and towers ----------------------------------------------------------------------------


def towers(s: Khaos) -> dict[int, Tower]:
    """All towers in play, by y then x."""
    return {cell: tower_at(s, cell) for cell in tower_cells(s)}


def tower_cells(s: Khaos) -> list[int]:
    """Where towers stand, by y then x."""
    kind = s.cards.kind
    return sorted(cell for cell, lies in s.tiles.items() if kind[lies >> 2] == TOWER)


def towers_by(s: Khaos, cells: Sequence[int]) -> list[int]:
    """Where towers stand on these cells or near them, by y then x."""
    kind, tiles = s.cards.kind, s.tiles
    standing = set()
    for cell in cells:
        for step in (0, *NEAR):
            lies = tiles.get(cell + step)
            if lies is not None and kind[lies >> 2] == TOWER:
                standing.add(cell + step)
    return sorted(standing)


def tower_at(s: Khaos, cell: int) -> Tower:
    """The tower on a cell, as the tiles around it make it."""
    corners = corners_at(s, cell)
    return Tower(corners, owned_by(s, cell, corners), value(s, cell))


def owned_by(s: Khaos, cell: int, corners: Sequence[Corner]) -> int:
    """The side whose a tower is: four resolved corners give it to who has more, or to its flag.

    BKH-M-10, BKH-M-11.
    """
    more = 0
    for corner in corners:
        if corner.missing:
            return NOT_ONE
        more += corner.winner
    return (more > 0) - (more < 0) or s.cards.flag[s.tiles[cell] >> 2]


def around(s: Khaos, cell: int) -> list[Look]:
    """The strengths on the 8 cells around, by y then x."""
    tiles, tokens, looks = s.tiles, s.tokens, s.cards.looks
    looks_around = [looks[tiles.get(cell + step, NONE)] for step in NEAR]
    if not tokens.keys().isdisjoint(near(cell)):
        for place, step in enumerate(NEAR):
            if cell + step in tokens:
                looks_around[place] = shown(s, cell + step)
    return looks_around


def corners_at(s: Khaos, cell: int) -> tuple[Corner, ...]:
    """At each corner of a tower on a cell the three tiles that meet there, and no others.

    BKH-M-01, BKH-M-02, BKH-R-30.
    """
    nw, n, ne, w, e, sw, south, se = around(s, cell)
    return (
        meeting(nw[SE], n[SW], w[NE]),
        meeting(n[SE], ne[SW], e[NW]),
        meeting(e[SW], se[NW], south[NE]),
        meeting(w[SE], sw[NE], south[NW]),
    )


@cache
def meeting(*units: int) -> Corner:
    """A corner where these units meet (BKH-M-04, BKH-M-05)."""
    on_tiles = [unit for unit in units if unit != NO_TILE]
    orcs = sum(unit for unit in on_tiles if unit > 0)
    knights = -sum(unit for unit in on_tiles if unit < 0)
    missing = len(units) - len(on_tiles)
    winner = (orcs > knights) - (orcs < knights)
    return Corner(orcs, knights, missing, OPEN if missing else MARKER[winner])


def value(s: Khaos, tower: int) -> int:
    """BKH-W-02, BKH-X-05, BKH-R-29: the printed value, or 3 while a Temple is near."""
    return TEMPLE_VALUE if is_near(s, tower, "temple") else s.cards.value[s.tiles[tower] >> 2]


def is_near(s: Khaos, cell: int, effect: str) -> bool:
    """True if a special tile with this effect lies on one of the 8 cells around (BKH-R-15)."""
    if effect not in s.cards.in_the_box:
        return False
    tiles, effects = s.tiles, s.cards.effect
    for step in NEAR:
        lies = tiles.get(cell + step)
        if lies is not None and effects[lies >> 2] == effect:
            return True
    return False


def all_near(s: Khaos, effect: str) -> frozenset[int]:
    """The 8 cells around each special tile with this effect."""
    if effect not in s.cards.in_the_box:
        return frozenset()
    effects = s.cards.effect
    return frozenset().union(
        *(near(cell) for cell, lies in s.tiles.items() if effects[lies >> 2] == effect)
    )


def totals(all_towers: Iterable[Tower], side: int) -> Totals:
    """A side's totals over these towers (BKH-R-11: corners of owned towers count, too)."""
    score = owned = corners = 0
    for tower in all_towers:
        if tower.owner == side:
            score += tower.value
            owned += 1
        for corner in tower.corners:
            if not corner.missing and corner.winner == side:
                corners += 1
    return Totals(score, owned, corners)


def score(all_towers: Iterable[Tower], side: int) -> int:
    """The sum of the present values of the towers that a side controls."""
    return sum(tower.value for tower in all_towers if tower.owner == side)
