"""Divisions of a league, as pure functions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tournaments.divisions import MAX_DIVISION, MIN_DIVISION, Place, divided, movement, sizes


@given(st.integers(4, 400), st.integers(MIN_DIVISION, MAX_DIVISION))
def test_divisions_have_four_to_ten_players_and_are_as_equal_as_possible(
    players: int, size: int
) -> None:
    counts = sizes(players, size)
    assert sum(counts) == players
    assert all(MIN_DIVISION <= count <= MAX_DIVISION for count in counts)
    assert counts == sorted(counts, reverse=True) and counts[0] - counts[-1] <= 1


def test_two_or_three_play_in_one_division() -> None:
    assert sizes(2, 8) == [2] and sizes(3, 4) == [3]


def season(*counts: int) -> dict[int, Place]:
    """Everybody of a season: keys by division and place, 101 is the first of the first."""
    return {
        100 * division + place: Place(division, place, count)
        for division, count in enumerate(counts, start=1)
        for place in range(1, count + 1)
    }


def test_the_best_are_promoted_and_the_last_relegated() -> None:
    first, second, third = divided(season(5, 5, 5), [], size=5, moving=2)
    assert set(first) == {101, 102, 103, 201, 202}
    assert set(second) == {104, 105, 203, 301, 302}
    assert set(third) == {204, 205, 303, 304, 305}


def test_who_is_missing_makes_room_and_newcomers_begin_at_the_bottom() -> None:
    returning = season(4, 4)
    del returning[101], returning[203]
    first, second = divided(returning, [900, 901], size=4, moving=1)
    # 104 goes down and 201 comes up; the free place goes to the next in line, who is 104.
    assert first == [102, 103, 201, 104]
    assert second == [202, 204, 900, 901]


def test_in_a_small_division_fewer_move() -> None:
    assert [movement(Place(2, place, 3), 3, 2) for place in (1, 2, 3)] == [-1, 0, 1]


@given(st.lists(st.integers(4, 10), min_size=1, max_size=6), st.integers(0, 3), st.data())
def test_everybody_plays_once_and_nobody_moves_further_than_sent(
    counts: list[int], moving: int, data: st.DataObject
) -> None:
    everybody = season(*counts)
    keys = data.draw(st.lists(st.sampled_from(sorted(everybody)), unique=True, min_size=4))
    returning = {key: everybody[key] for key in keys}
    newcomers = list(range(1000, 1000 + data.draw(st.integers(0, 12))))
    groups = divided(returning, newcomers, size=5, moving=moving)
    assert sorted(key for group in groups for key in group) == sorted([*returning, *newcomers])
    line = [key for group in groups for key in group]
    assert line[len(returning) :] == newcomers
    last = max(place.division for place in returning.values())
    sent = [
        returning[key].division + movement(returning[key], last, moving)
        for key in line[: len(returning)]
    ]
    assert sent == sorted(sent)
