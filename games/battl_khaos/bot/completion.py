"""Who could complete a tower that lacks one tile, and whose it would be then.

Whoever is to move lays the last tile, so such a tower is as good as theirs if a tile of theirs
turns it. The bot counts by that what it leaves to the enemy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from games.battl_khaos.control import Tower, under_token
from games.battl_khaos.grid import MEETING, NEAR
from games.battl_khaos.state import NONE, NOT_ONE, Change, Khaos, catalog, printed

Units = tuple[int, ...]
"""The unit of a tile at the one corner that it decides, or those at both, clockwise."""


class Gap(NamedTuple):
    """The one empty cell round a tower, and what the tile that comes there decides.

    ``decided`` are the other corners, ``leads`` by how much each open one is ahead: orcs above 0.
    """

    cell: int
    decided: int
    leads: Units
    flag: int


# -- the gap ---------------------------------------------------------------------------------------


def gap_of(s: Khaos, cell: int, tower: Tower) -> Gap | None:
    """The gap in the ring of a tower that lacks exactly one tile."""
    free = NONE
    for step in NEAR:
        if cell + step not in s.tiles:
            if free != NONE:
                return None
            free = cell + step
    if free == NONE:
        return None
    decided = sum(corner.winner for corner in tower.corners if not corner.missing)
    leads = tuple(
        tower.corners[corner].orcs - tower.corners[corner].knights
        for corner in DECIDED_BY[free - cell]
    )
    return Gap(free, decided, leads, s.cards.flag[s.tiles[cell] >> 2])


def _decided_by(step: int) -> tuple[int, ...]:
    """The tower's corners that a tile there belongs to, clockwise as seen from the tile."""
    parts = {dict(meeting)[step]: n for n, meeting in enumerate(MEETING) if step in dict(meeting)}
    first = next(part for part in parts if (part - 1) % 4 not in parts)
    return tuple(parts[part] for part in (first, (first + 1) % 4) if part in parts)


DECIDED_BY: Final[Mapping[int, tuple[int, ...]]] = {step: _decided_by(step) for step in NEAR}


# -- the tiles that fit ----------------------------------------------------------------------------


@cache
def shown(slug: str, corners: int) -> frozenset[Units]:
    """The units that a tile can show at this many neighbouring corners, over all rotations."""
    look = printed(catalog()[slug])
    return frozenset(
        tuple(look[(first + part) % 4] for part in range(corners)) for first in range(4)
    )


STRENGTHS: Final = range(-3, 4)


@lru_cache(maxsize=20_000)
def winning(gap: Gap, side: int, tokens: tuple[Change, ...]) -> frozenset[Units]:
    """The units that give the tower to a side, some with one of the tokens."""
    return frozenset(
        units
        for units in product(STRENGTHS, repeat=len(gap.leads))
        if any(_owner(gap, units, side, token) == side for token in (None, *tokens))
    )


def _owner(gap: Gap, units: Units, side: int, token: Change | None) -> int:
    """Whose the tower is once a tile of this side shows these units there."""
    more = gap.decided
    for lead, unit in zip(gap.leads, units, strict=True):
        strength = lead + (unit if token is None else under_token(unit, side, token))
        more += (strength > 0) - (strength < 0)
    return (more > NOT_ONE) - (more < NOT_ONE) or gap.flag


def changes(s: Khaos, seat: int) -> tuple[Change, ...]:
    """The changes of strength that a seat's unused tokens can make."""
    every = (s.cards.change[token] for token in s.ready[seat])
    return tuple(change for change in every if change is not None)


# -- how likely ------------------------------------------------------------------------------------


class Tiles(NamedTuple):
    """The tiles that a seat could place: those known, and the number of hidden ones."""

    known: tuple[str, ...]
    hidden: int
    unseen: Mapping[str, int]


def likelihood(tiles: Tiles, corners: int, wanted: frozenset[Units]) -> float:
    """How likely it is that one of the tiles can show what is wanted."""
    if any(not shown(slug, corners).isdisjoint(wanted) for slug in tiles.known):
        return 1.0
    if not tiles.hidden:
        return 0.0
    return 1.0 - (1.0 - _share(tiles.unseen.items(), corners, wanted)) ** tiles.hidden


def _share(unseen: Iterable[tuple[str, int]], corners: int, wanted: frozenset[Units]) -> float:
    fitting = every = 0
    for slug, number in unseen:
        every += number
        if not shown(slug, corners).isdisjoint(wanted):
            fitting += number
    return fitting / every if every else 0.0
