"""How many packs bring some cards: against every sequence of packs, and against packs opened."""

from __future__ import annotations

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


def packs_of(contents: Contents) -> list[tuple[frozenset[str], Fraction]]:
    """Every pack with its chance, where slots draw evenly or from sheets of their own."""
    packs = []
    for first, second, third in product("abc", "abc", "de"):
        if contents.unique and first == second:
            continue
        pairs = Fraction(1, 6 if contents.unique else 9)
        chance = pairs * (Fraction(3, 4) if third == "d" else Fraction(1, 4))
        packs.append((frozenset((first, second, third)), chance))
    return packs


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


def test_nothing_to_get_and_nothing_random() -> None:
    contents = Contents("none", "small", SLOTS, SHEETS, unique=True)
    assert pack_goal(contents, []) is None
    assert pack_goal(contents, ["f"]) is None
    assert pack_goal(Contents("none", "fixed", cards=(("a", 1),)), ["a"]) is None
    some = pack_goal(contents, ["a", "f"])
    assert some and some.wanted == 1


@pytest.mark.slow
def test_a_whole_set_takes_as_many_packs_as_opening_them_does() -> None:
    """Slots that choose between sheets tie groups together; that shifts the number by little."""
    contents = contents_of(GAME, rules.game(GAME).products[PACK])
    cards = {card for sheet in contents.sheets.values() for card, _ in sheet}
    goal = pack_goal(contents, cards)
    assert isinstance(goal, PackGoal)
    tries = []
    for run in range(sized(200, large=2000)):
        left, number = set(cards), 0
        while left:
            number += 1
            left -= {
                drawn.card for drawn in open_pack(contents, Chance(named_seed(f"{run} {number}")))
            }
        tries.append(number)
    assert fmean(tries) == pytest.approx(goal.expected, rel=0.06)
