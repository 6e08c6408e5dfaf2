"""Divisions of a league: who plays in which this season. Pure; players are named by keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

MIN_DIVISION = 4
MAX_DIVISION = 10
MAX_MOVING = 3
"""So many at most are promoted and relegated between two divisions."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody came in the season before: division and place count from 1."""

    division: int
    place: int
    players: int
    """How many the division had."""


def places(ranked: Iterable[tuple[int, int]]) -> dict[int, Place]:
    """The place of each player; ``ranked`` are keys with their divisions, the best first."""
    rows = list(ranked)
    players = Counter(division for _, division in rows)
    counted: Counter[int] = Counter()
    result = {}
    for key, division in rows:
        counted[division] += 1
        result[key] = Place(division, counted[division], players[division])
    return result


def sizes(players: int, size: int) -> list[int]:
    """How many play in each division, as near to ``size`` as possible; the larger ones first.

    From four players on each has 4 to 10.
    """
    count = max(1, round(players / size))
    while -(-players // count) > MAX_DIVISION:
        count += 1
    while count > 1 and players // count < MIN_DIVISION:
        count -= 1
    small, larger = divmod(players, count)
    return [small + 1] * larger + [small] * (count - larger)


def movement(place: Place, divisions: int, moving: int) -> int:
    """-1 for who is promoted, 1 for who is relegated, else 0.

    In a division too small for both, fewer move.
    """
    moving = min(moving, place.players // 2)
    if place.division > 1 and place.place <= moving:
        return -1
    if place.division < divisions and place.place > place.players - moving:
        return 1
    return 0


def divided(
    returning: Mapping[int, Place], newcomers: Sequence[int], *, size: int, moving: int
) -> list[list[int]]:
    """The players of each division, the first division first.

    Who was there goes where the last season sent them; newcomers begin at the bottom, in the order
    given. Places of those who do not return go to the next in line.
    """
    last = max((place.division for place in returning.values()), default=1)

    def order(key: int) -> tuple[int, int, int]:
        place = returning[key]
        return place.division + movement(place, last, moving), place.division, place.place

    line = [*sorted(returning, key=order), *newcomers]
    divisions = []
    for count in sizes(len(line), size):
        divisions.append(line[:count])
        line = line[count:]
    return divisions
