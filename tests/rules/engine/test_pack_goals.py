"""How many packs bring some cards: against every sequence of packs, and against packs opened."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from statistics import fmean

import pytest

import rules
from rules.engine.chance import Chance, named_seed
from rules.engine.pack_goals import PackGoal, pack_goal
from rules.engine.packs import Contents, Slot, contents_of, open_pack
from tests.games.examples import GAME, PACK
from tests.support.sizes import sized

SHEETS = {"x": (("a", 1), ("b", 1), ("c", 1)), "y": (("d", 3), ("e", 1))}
SLOTS = (Slot("one", (("x", 1),)), Slot("two", (("x", 1),)), Slot("three", (("y", 1),)))


def packs_with_copies(contents: Contents) -> list[tuple[tuple[str, str, str], Fraction]]:
    """Every pack with its chance, where slots draw evenly or from sheets of their own."""
    packs = []
    for first, second, third in product("abc", "abc", "de"):
        if contents.unique and first == second:
            continue
        pairs = Fraction(1, 6 if contents.unique else 9)
        chance = pairs * (Fraction(3, 4) if third == "d" else Fraction(1, 4))
        packs.append(((first, second, third), chance))
    return packs


def packs_of(contents: Contents) -> list[tuple[frozenset[str], Fraction]]:
    return [(frozenset(pack), chance) for pack, chance in packs_with_copies(contents)]


@pytest.mark.parametrize("unique", [True, False])
@pytest.mark.parametrize("wanted", ["a", "ab", "abc", "e", "abcde"])
def test_chances_are_those_of_all_sequences_of_packs(unique: bool, wanted: str) -> None:
    contents = Contents("none", "small", SLOTS, SHEETS, unique=unique)
    goal = pack_goal(contents, wanted)
    assert goal and goal.wanted == len(wanted)
    states = {frozenset[str](): Fraction(1)}
    expected, need = Fraction(0), frozenset(wanted)
    for number in range(60):
        complete = states.get(need, Fraction(0))
        assert goal.chance(number) == pytest.approx(float(complete))
        expected += 1 - complete
        after: dict[frozenset[str], Fraction] = {}
        for state, likely in states.items():
            for cards, chance in packs_of(contents):
                reached = state | (cards & need)
                after[reached] = after.get(reached, Fraction(0)) + likely * chance
        states = after
    assert goal.expected == pytest.approx(float(expected), rel=1e-3)
    packs = goal.packs_for(0.9)
    assert goal.chance(packs - 1) < 0.9 <= goal.chance(packs)


@pytest.mark.parametrize("unique", [True, False])
@pytest.mark.parametrize(
    ("wanted", "off"),
    [
        ({"a": 2}, 1e-6),
        ({"a": 3, "b": 1}, 1e-6),
        ({"d": 2, "e": 3}, 1e-6),  # no pack has neither of them
        ({"a": 2, "e": 2}, 1e-6),
        ({"a": 2, "b": 2, "c": 2}, 0.06),  # a slot has but three cards: as tied as can be
        ({"a": 3, "b": 1, "c": 2, "e": 2}, 0.06),
    ],
)
def test_several_copies_are_those_of_all_sequences_of_packs(
    unique: bool, wanted: dict[str, int], off: float
) -> None:
    contents = Contents("none", "small", SLOTS, SHEETS, unique=unique)
    goal = pack_goal(contents, wanted)
    assert goal and goal.wanted == sum(wanted.values())
    states = {(0,) * len(wanted): Fraction(1)}
    sequences = [(Counter(pack), chance) for pack, chance in packs_with_copies(contents)]
    for number in range(25):
        complete = states.get(tuple(wanted.values()), Fraction(0))
        assert goal.chance(number) == pytest.approx(float(complete), abs=off)
        after: dict[tuple[int, ...], Fraction] = {}
        for state, likely in states.items():
            for cards, chance in sequences:
                reached = tuple(
                    min(have + cards[card], need)
                    for have, (card, need) in zip(state, wanted.items(), strict=True)
                )
                after[reached] = after.get(reached, Fraction(0)) + likely * chance
        states = after


def test_nothing_to_get_and_nothing_random() -> None:
    contents = Contents("none", "small", SLOTS, SHEETS, unique=True)
    assert pack_goal(contents, []) is None
    assert pack_goal(contents, ["f"]) is None
    assert pack_goal(Contents("none", "fixed", cards=(("a", 1),)), ["a"]) is None
    partial = pack_goal(contents, ["a", "f"])
    assert partial and partial.wanted == 1


@pytest.mark.slow
@pytest.mark.parametrize("playsets", [False, True])
def test_a_whole_set_takes_as_many_packs_as_opening_them_does(playsets: bool) -> None:
    """Slots that choose between sheets tie groups together; that shifts the number by little."""
    game = rules.game(GAME)
    contents = contents_of(GAME, game.products[PACK])
    cards = {card for sheet in contents.sheets.values() for card, _ in sheet}
    wanted = {card: game.playsets.get(card, 1) if playsets else 1 for card in cards}
    goal = pack_goal(contents, wanted)
    assert isinstance(goal, PackGoal)
    tries = []
    for run in range(sized(200, large=2000)):
        left, number = Counter(wanted), 0
        while left:
            number += 1
            pack = open_pack(contents, Chance(named_seed(f"{run} {number}")))
            left -= Counter(drawn.card for drawn in pack)
        tries.append(number)
    assert fmean(tries) == pytest.approx(goal.expected, rel=0.06)
    complete = sum(number <= goal.half for number in tries) / len(tries)
    assert complete == pytest.approx(goal.chance(goal.half), abs=0.1)
