"""Pairings against exact optima, and what every pairing keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments import pairing
from tournaments.pairing import Player, Table

SEED = bytes(32)


@st.composite
def halls(draw: st.DrawFn, most: int = 24) -> list[Player]:
    """Players after some rounds, with points and meetings as they may have come about."""
    count = draw(st.integers(2, most))
    rounds = draw(st.integers(0, min(6, count - 1)))
    met: dict[int, Counter[int]] = {key: Counter() for key in range(count)}
    points = dict.fromkeys(range(count), 0)
    byes = dict.fromkeys(range(count), 0)
    for _ in range(rounds):
        order = draw(st.permutations(range(count)))
        if count % 2:
            byes[order[-1]] += 1
            points[order[-1]] += 3
        for first, other in zip(order[::2], order[1::2], strict=False):
            met[first][other] += 1
            met[other][first] += 1
            won = draw(st.sampled_from(((3, 0), (0, 3), (1, 1))))
            points[first] += won[0]
            points[other] += won[1]
    return [Player(key, points[key], met[key], byes[key]) for key in range(count)]


def least(players: Sequence[Player], below: int | None = None) -> int | None:
    """The least sum of squared differences without a rematch, by trying; None where there is none.

    With ``below`` only what is cheaper is looked for.
    """
    ranked = sorted(players, key=lambda player: -player.points)
    everybody = (1 << len(ranked)) - 1
    limit = 10**9 if below is None else below

    def bound(free: int) -> int:
        """Neighbours in the standings, as if all of them might meet."""
        left = [p.points for n, p in enumerate(ranked) if free >> n & 1]
        return sum((a - b) ** 2 for a, b in zip(left[::2], left[1::2], strict=True))

    @cache
    def rest(free: int) -> int:
        if not free:
            return 0
        first = (free & -free).bit_length() - 1
        best = 10**9
        for other in range(first + 1, len(ranked)):
            if free >> other & 1 and ranked[other].key not in ranked[first].met:
                cost = (ranked[first].points - ranked[other].points) ** 2
                after = free & ~(1 << first) & ~(1 << other)
                if cost + bound(after) < min(best, limit):
                    best = min(best, cost + rest(after))
        return best

    cost_found = rest(everybody)
    return cost_found if cost_found < limit else None


def cost(tables: Sequence[Table], players: Sequence[Player]) -> int:
    points = {player.key: player.points for player in players}
    return sum(
        (points[table.players[0]] - points[table.players[1]]) ** 2
        for table in tables
        if not table.is_bye
    )


def rematches(tables: Sequence[Table], players: Sequence[Player]) -> int:
    by_key = {player.key: player for player in players}
    return sum(
        other in by_key[first].met
        for table in tables
        for first, other in combinations(table.players, 2)
    )


@settings(max_examples=60, deadline=None)
@given(halls(), st.binary(min_size=4, max_size=4))
def test_swiss_is_as_close_as_can_be_without_a_rematch(players: list[Player], seed: bytes) -> None:
    tables = pairing.swiss(players, seed=seed)
    seated = sorted(key for table in tables for key in table.players)
    assert seated == sorted(player.key for player in players)  # nobody twice, nobody forgotten
    assert tables == pairing.swiss(list(reversed(players)), seed=seed)
    byes = [table.players[0] for table in tables if table.is_bye]
    assert len(byes) == len(players) % 2
    paired = [player for player in players if player.key not in byes]
    cost_found = cost(tables, players)
    if rematches(tables, players):
        assert least(paired) is None
        assert any("Rematch" in table.reason for table in tables)
    else:
        assert least(paired, below=cost_found) is None


@settings(max_examples=40, deadline=None)
@given(halls(most=11))
def test_a_bye_is_fair(players: list[Player]) -> None:
    if len(players) % 2 == 0:
        players = players[:-1]
    (bye,) = [t.players[0] for t in pairing.swiss(players, seed=SEED) if t.is_bye]
    chosen = next(player for player in players if player.key == bye)
    fairer = [p for p in players if (p.byes, p.points) < (chosen.byes, chosen.points)]
    for player in fairer:  # each of them would leave somebody without an opponent
        assert least([other for other in players if other is not player]) is None


def played(count: int, rounds: int, seed: bytes) -> list[list[Table]]:
    """Whole Swiss events in which the lower key wins."""
    players = {key: Player(key) for key in range(count)}
    rounds_paired = []
    for number in range(rounds):
        tables = pairing.swiss(list(players.values()), seed=seed + bytes([number]))
        rounds_paired.append(tables)
        for table in tables:
            for key in table.players:
                old = players[key]
                won = 3 if key == min(table.players) else 0
                met = Counter(old.met) + Counter(k for k in table.players if k != key)
                players[key] = Player(key, old.points + won, met, old.byes + table.is_bye)
    return rounds_paired


@pytest.mark.parametrize("count", [7, 64, 600])
def test_nobody_meets_twice_or_sits_out_twice(count: int) -> None:
    rounds = played(count, 3 if count == 7 else 6, b"x")
    met = Counter(frozenset(table.players) for tables in rounds for table in tables)
    assert set(met.values()) == {1}
    assert all(sorted(k for t in tables for k in t.players) == list(range(count))
               for tables in rounds)  # fmt: skip


def test_once_all_have_met_a_rematch_says_so() -> None:
    everybody = [
        Player(key, 0, {other: 1 for other in range(4) if other != key}) for key in (range(4))
    ]
    tables = pairing.swiss(everybody, seed=SEED)
    assert len(tables) == 2 and all("Rematch" in table.reason for table in tables)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 8), st.booleans(), st.binary(max_size=4))
def test_a_round_robin_has_everybody_meet(count: int, twice: bool, seed: bytes) -> None:
    rounds = pairing.round_robin(range(count), twice=twice, seed=seed)
    met = Counter(frozenset(t.players) for tables in rounds for t in tables if not t.is_bye)
    assert met == dict.fromkeys(map(frozenset, combinations(range(count), 2)), 1 + twice)
    for tables in rounds:
        assert sorted(key for table in tables for key in table.players) == list(range(count))
    if twice:
        first = Counter(table.players[0] for tables in rounds for table in tables)
        assert len(set(first.values())) == 1 or count % 2


@given(st.integers(2, 64))
def test_the_best_seeds_meet_last(count: int) -> None:
    tables = pairing.bracket(range(count))
    rounds = 0
    while len(tables) > 1 or len(tables[0].players) == 2:
        for table in tables:
            if len(table.players) == 2 and rounds == 0:
                assert sum(table.players) == 2 * len(tables) - 1
        winners: list[int | None] = [min(table.players) for table in tables]
        assert winners[0] == 0  # and the best seed always comes through
        rounds += 1
        if len(tables) == 1:
            break
        tables = pairing.next_bracket(winners)
    assert rounds == pairing.rounds_proposed(count)


def test_third_place_and_an_empty_side() -> None:
    tables = pairing.next_bracket([1, None, 3, 4], [5, 6])
    assert [table.players for table in tables] == [(1,), (3, 4), (5, 6)]


@given(st.integers(1, 200), st.integers(3, 8))
def test_pods_are_as_equal_as_possible(players: int, size: int) -> None:
    sizes = pairing.pod_sizes(players, size)
    assert sum(sizes) == players and max(sizes) - min(sizes) <= 1 and max(sizes) <= size
    assert sizes == sorted(sizes, reverse=True)
    if 2 in sizes:  # no tables of 3 or more could hold them all
        assert not any(3 * tables <= players <= size * tables for tables in range(1, players))


def test_few_meet_again_in_pods() -> None:
    players = {key: Player(key) for key in range(64)}
    for number in range(5):
        tables = pairing.pods(list(players.values()), 4, seed=SEED + bytes([number]))
        assert sorted(key for table in tables for key in table.players) == list(range(64))
        for table in tables:
            for key in table.players:
                old = players[key]
                met = Counter(old.met) + Counter(k for k in table.players if k != key)
                points = sum(other > key for other in table.players) * 280
                players[key] = Player(key, old.points + points, met)
    again = sum(times > 1 for player in players.values() for times in player.met.values()) // 2
    assert again <= 2


def test_small_tables_go_round() -> None:
    players = {key: Player(key) for key in range(11)}
    for number in range(3):
        tables = pairing.pods(list(players.values()), 4, seed=bytes([number]))
        for table in tables:
            for key in table.players:
                old, small = players[key], len(table.players) < 4
                points = old.points + sum(other > key for other in table.players)
                met = Counter(old.met) + Counter(k for k in table.players if k != key)
                players[key] = Player(key, points, met, 0, old.small_tables + small)
    assert max(player.small_tables for player in players.values()) == 1
