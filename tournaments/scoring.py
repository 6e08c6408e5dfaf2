"""Points, tie-breaks and the order that follows from them. Pure.

A table of two gives 3, 1 or 0 points. At a larger one a player has 2 for each opponent beaten and 1
for each who came level, as a share of the most that the table gives, in steps of 1/840.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tournaments.pairing import POD_POINTS, lot

WIN, DRAW, LOSS = 3, 1, 0
FLOOR = Fraction(1, 3)
"""No opponent counts for less, however badly they have played."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table that was decided: who sat there, their places (1 is first), and their points."""

    players: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


def points_for(places: Sequence[int], *, pods: bool) -> list[int]:
    """The points for these places; a single player has a bye and the points of a win."""
    if not pods:
        if len(places) == 1:
            return [WIN]
        drawn = len(set(places)) == 1
        return [DRAW if drawn else WIN if place == min(places) else LOSS for place in places]
    most = 2 * (len(places) - 1)
    if most == 0:
        return [POD_POINTS]
    return [
        (2 * sum(other > place for other in places) + places.count(place) - 1) * POD_POINTS // most
        for place in places
    ]


def most_points(*, pods: bool) -> int:
    """The points for beating everyone at a table."""
    return POD_POINTS if pods else WIN


@dataclass(slots=True)
class Standing:
    """A player's place in the standings, with every number that decided it."""

    key: int
    rank: int = 0
    points: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    opponents_win: Fraction = Fraction()
    own_win: Fraction = Fraction()
    opponents_own: Fraction = Fraction()
    head_to_head: int | None = None
    """Points against those who are tied up to here; None where not all of them have met."""
    draw: int = 0
    opponents: list[int] = field(default_factory=list)
    decided_by: str = ""
    """The first number in which the player behind differs."""


CRITERIA = ("points", "opponents_win", "own_win", "opponents_own", "head_to_head", "draw")


def standings(
    keys: Iterable[int],
    results: Iterable[TableResult],
    *,
    pods: bool,
    seed: bytes,
    extra: Mapping[int, int] | None = None,
) -> list[Standing]:
    """Everybody in their order, the best first.

    ``extra`` are points that no table gave, such as those of a bye before a late entry. Points
    decide; then the opponents' average share of points (one third at least each, byes left out),
    one's own share, the opponents' own share without that floor, what those who are still tied did
    against each other where all of them have met, and the random draw.
    """
    rows = {key: Standing(key, draw=lot(seed, "standing", key)) for key in keys}
    for key, points in (extra or {}).items():
        rows[key].points += points
    earned = dict.fromkeys(rows, 0)
    against: dict[tuple[int, int], int] = {}
    for result in results:
        _count(result, rows, earned, against)
    most = most_points(pods=pods)
    for row in rows.values():
        row.own_win = Fraction(earned[row.key], most * row.played) if row.played else Fraction()
    for row in rows.values():
        met = [rows[key].own_win for key in row.opponents if key in rows]
        if met:
            row.opponents_win = sum((max(FLOOR, share) for share in met), Fraction()) / len(met)
            row.opponents_own = sum(met, Fraction()) / len(met)
    return _ordered(list(rows.values()), against)


def _count(
    result: TableResult,
    rows: Mapping[int, Standing],
    earned: dict[int, int],
    against: dict[tuple[int, int], int],
) -> None:
    for number, key in enumerate(result.players):
        row = rows.get(key)
        if row is None:
            continue
        row.points += result.points[number]
        if len(result.players) == 1:
            row.byes += 1
            continue
        row.played += 1
        earned[key] += result.points[number]
        first = result.places[number] == min(result.places)
        level = result.places.count(result.places[number]) > 1
        row.won += first and not level
        row.drawn += first and level
        row.lost += not first
        for other, place in zip(result.players, result.places, strict=True):
            if other != key:
                row.opponents.append(other)
                won = 2 * (result.places[number] < place) + (result.places[number] == place)
                against[key, other] = against.get((key, other), 0) + won


def _ordered(rows: list[Standing], against: Mapping[tuple[int, int], int]) -> list[Standing]:
    groups: dict[tuple[object, ...], list[Standing]] = {}
    for row in rows:
        shares = (row.points, row.opponents_win, row.own_win, row.opponents_own)
        groups.setdefault(shares, []).append(row)
    ordered: list[Standing] = []
    for _, tied in sorted(groups.items(), key=lambda item: item[0], reverse=True):
        if len(tied) > 1:
            _compare_directly(tied, against)
        ordered += sorted(tied, key=lambda row: (-(row.head_to_head or 0), row.draw))
    for rank, row in enumerate(ordered, start=1):
        row.rank = rank
        if rank < len(ordered):
            behind = ordered[rank]
            row.decided_by = next(
                name for name in CRITERIA if getattr(row, name) != getattr(behind, name)
            )
    return ordered


def _compare_directly(tied: Sequence[Standing], against: Mapping[tuple[int, int], int]) -> None:
    keys = [row.key for row in tied]
    if any((a, b) not in against for a in keys for b in keys if a < b):
        return
    for row in tied:
        row.head_to_head = sum(against.get((row.key, key), 0) for key in keys)
