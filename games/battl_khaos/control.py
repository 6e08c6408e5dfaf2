"""Who controls what: the function of section 2.4, pure and without a memory (BKH-R-08).

Strengths are signed: orcs count above 0, knights below. So are sides, which leaves 0 for neither.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from games.battl_khaos.grid import MEETING, NEAR
from games.battl_khaos.state import KNIGHTS, NOT_ONE, ORCS, TOWER, Khaos

TEMPLE_VALUE: Final = 3


class Corner(NamedTuple):
    """A tower's corner: the sums of both sides, and how many of its three cells are empty."""

    orcs: int
    knights: int
    missing: int

    @property
    def winner(self) -> int:
        """BKH-M-06 to BKH-M-08, BKH-R-07: who controls it if it is resolved."""
        return (self.orcs > self.knights) - (self.orcs < self.knights)


class Tower(NamedTuple):
    """What a tower is worth and whose it is, with its four corners (NW, NE, SE, SW)."""

    corners: tuple[Corner, ...]
    owner: int
    value: int


class Totals(NamedTuple):
    """What a side has: points, towers, and corners of all towers (BKH-R-11 compares in turn)."""

    score: int
    towers: int
    corners: int


# -- strength --------------------------------------------------------------------------------------


def under_token(s: Khaos, unit: int, token: int) -> int:
    """A unit on a tile with this token.

    BKH-P-07 to BKH-P-09, BKH-P-19 to BKH-P-21, BKH-P-27, BKH-R-05 to BKH-R-07.
    """
    if not unit:
        return 0
    cards = s.cards
    change = cards.change[token]
    side = ORCS if unit > 0 else KNIGHTS
    if not change or cards.own[token] != (side == s.side(s.owner(token))):
        return unit
    return changed(unit, change, cards.number[token])


def changed(unit: int, change: str, number: int) -> int:
    """A unit that a token works on; it never falls below 0 (BKH-R-07)."""
    side = ORCS if unit > 0 else KNIGHTS
    match change:
        case "add":
            return side * max(0, side * unit + number)
        case "times":
            return unit * number
        case _:
            return side * number


def strength(s: Khaos, cell: int, corner: int) -> int:
    """What the unit in a corner of the tile on a cell counts for in a fight."""
    unit = s.cards.looks[s.tiles[cell]][corner]
    token = s.tokens.get(cell)
    return unit if token is None else under_token(s, unit, token)


# -- corners and towers ----------------------------------------------------------------------------


def corner_of(s: Khaos, tower: int, corner: int) -> Corner:
    """The three tiles that meet there, and no others.

    BKH-M-01, BKH-M-02, BKH-M-04, BKH-M-05, BKH-R-30.
    """
    tiles, tokens, looks = s.tiles, s.tokens, s.cards.looks
    orcs = knights = missing = 0
    for step, part in MEETING[corner]:
        cell = tower + step
        lies = tiles.get(cell)
        if lies is None:
            missing += 1
            continue
        unit = looks[lies][part]
        if unit and cell in tokens:
            unit = under_token(s, unit, tokens[cell])
        if unit > 0:
            orcs += unit
        else:
            knights -= unit
    return Corner(orcs, knights, missing)


def tower_at(s: Khaos, cell: int) -> Tower:
    """Four resolved corners give the tower to whoever has more, or to its flag.

    BKH-M-10, BKH-M-11.
    """
    corners = tuple(corner_of(s, cell, corner) for corner in range(4))
    return Tower(corners, _owner(s, cell, corners), value(s, cell))


def _owner(s: Khaos, cell: int, corners: Iterable[Corner]) -> int:
    more = 0
    for corner in corners:
        if corner.missing:
            return NOT_ONE
        more += corner.winner
    if more:
        return ORCS if more > 0 else KNIGHTS
    return s.cards.flag[s.tiles[cell] >> 2]


def value(s: Khaos, tower: int) -> int:
    """BKH-W-02, BKH-X-05, BKH-R-29: the printed value, or 3 while a Temple is near."""
    return TEMPLE_VALUE if is_near(s, tower, "temple") else s.cards.value[s.tiles[tower] >> 2]


def is_near(s: Khaos, cell: int, effect: str) -> bool:
    """True if a special tile with this effect lies on one of the 8 cells around (BKH-R-15)."""
    tiles, effects = s.tiles, s.cards.effect
    for step in NEAR:
        lies = tiles.get(cell + step)
        if lies is not None and effects[lies >> 2] == effect:
            return True
    return False


def tower_cells(s: Khaos) -> list[int]:
    """Where towers stand, by y then x."""
    kind = s.cards.kind
    return sorted(cell for cell, lies in s.tiles.items() if kind[lies >> 2] == TOWER)


def towers(s: Khaos) -> dict[int, Tower]:
    """All towers in play, by y then x."""
    return {cell: tower_at(s, cell) for cell in tower_cells(s)}


def totals(found: Iterable[Tower], side: int) -> Totals:
    """What a side has of these towers (BKH-R-11: corners of owned towers count, too)."""
    score = owned = corners = 0
    for tower in found:
        if tower.owner == side:
            score += tower.value
            owned += 1
        for corner in tower.corners:
            if not corner.missing and corner.winner == side:
                corners += 1
    return Totals(score, owned, corners)


def score(found: Iterable[Tower], side: int) -> int:
    """The sum of the present values of the towers that a side controls."""
    return sum(tower.value for tower in found if tower.owner == side)
