"""Points and tie-breaks, counted by hand."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments import scoring
from tournaments.pairing import POD_POINTS
from tournaments.scoring import TableResult, points_for, standings


def result(players: tuple[int, ...], places: tuple[int, ...], *, pods: bool = False) -> TableResult:
    return TableResult(players, places, tuple(points_for(places, pods=pods)))


def test_points_of_two() -> None:
    assert points_for([1, 2], pods=False) == [3, 0]
    assert points_for([2, 1], pods=False) == [0, 3]
    assert points_for([1, 1], pods=False) == [1, 1]
    assert points_for([1], pods=False) == [3]


@given(st.lists(st.integers(1, 8), min_size=2, max_size=8))
def test_a_pod_gives_half_of_its_points_on_average(places: list[int]) -> None:
    points = points_for(places, pods=True)
    assert 2 * sum(points) == POD_POINTS * len(places)
    assert all(0 <= each <= POD_POINTS for each in points)


def test_every_tie_break_is_told() -> None:
    # 1 beats 2 and 3; 2 beats 4; 3 beats 4. 2 and 3 are level in all but the lot.
    results = [
        result((1, 2), (1, 2)),
        result((3, 4), (1, 2)),
        result((1, 3), (1, 2)),
        result((2, 4), (1, 2)),
    ]
    first, second, third, last = standings([1, 2, 3, 4], results, pods=False, seed=b"")
    assert (first.key, last.key) == (1, 4) and {second.key, third.key} == {2, 3}
    assert (first.points, first.won, first.decided_by) == (6, 2, "points")
    assert first.opponents_win == Fraction(1, 2) and first.own_win == 1
    assert second.opponents_win == (1 + Fraction(1, 3)) / 2  # the loser counts for a third
    assert second.opponents_own == Fraction(1, 2)
    assert second.decided_by == "draw" and second.head_to_head is None
    assert second.draw < third.draw


def test_who_beat_whom_decides_only_where_all_tied_have_met() -> None:
    results = [result((1, 2), (2, 1)), result((1, 3), (1, 2)), result((2, 4), (2, 1))]
    ranked = standings([1, 2], [results[0]], pods=False, seed=b"")
    assert [row.key for row in ranked] == [2, 1]
    results = [result((1, 2), (1, 1)), result((1, 2), (2, 1)), result((1, 2), (1, 2))]
    ranked = standings([1, 2], results, pods=False, seed=b"")
    assert [row.head_to_head for row in ranked] == [3, 3] and ranked[0].decided_by == "draw"


def test_a_bye_counts_for_points_and_for_nothing_else() -> None:
    results = [result((1,), (1,)), result((2, 3), (1, 2))]
    by_key = {row.key: row for row in standings([1, 2, 3], results, pods=False, seed=b"")}
    assert (by_key[1].points, by_key[1].byes, by_key[1].played) == (3, 1, 0)
    assert by_key[1].opponents_win == 0 and by_key[3].opponents_win == 1
    extra = standings([1, 2], [], pods=False, seed=b"", extra={2: scoring.WIN})
    assert extra[0].key == 2 and extra[0].points == 3
