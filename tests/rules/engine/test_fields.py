"""Fields declared once: all that is declared is copied, stored and read back; no other is there."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from rules.engine.chance import Chance
from rules.engine.fields import DICT, LIST, LISTS, TUPLE, TUPLES, Record, each_seat, field, record
from rules.engine.state import Elimination, Slot, State, ranked

SEED = bytes(32)


@dataclass(eq=False, slots=True)
class Duel(Record):
    swords: list[int] = field(LIST)
    over: bool = False


@dataclass(init=False, eq=False, slots=True)
class Table(Elimination):
    name: str = field()
    hands: list[list[int]] = each_seat(LIST)
    scores: list[int] = each_seat(5)
    grid: list[list[int]] = field(LISTS)
    pairs: list[tuple[int, int]] = field(TUPLES)
    order: tuple[int, ...] = field(TUPLE)
    marks: dict[int, int] = field(DICT)
    duel: Duel | None = record(Duel)
    draft: list[int] = field(LIST, stored=False)
    round: int = 1


def table() -> Table:
    s = Table.new(2, Chance(SEED), mode="duel", name="round table")
    s.hands[0].append(3)
    s.grid.append([1, 2])
    s.pairs.append((1, 2))
    s.order = (1, 0)
    s.marks[7] = 8
    s.duel = Duel([4])
    s.draft.append(1)
    s.stack.append(("next", (1, 2)))
    s.show(3, 1)
    s.moment = 2
    s.drop(1)
    return s


def test_what_is_not_said_begins_as_it_is_declared() -> None:
    s = Table.new(3, Chance(SEED), name="x")
    assert (s.hands, s.scores, s.round, s.duel) == ([[], [], []], [5, 5, 5], 1, None)
    assert (s.asked, s.prompts, s.known, s.outcome, s.mode) == ([0, 0, 0], {}, {}, None, "")
    assert s.hands[0] is not s.hands[1]
    with pytest.raises(TypeError, match="Table has no start for name"):
        Table.new(2, Chance(SEED))
    with pytest.raises(TypeError, match="Table has no field nmae"):
        Table.new(2, Chance(SEED), nmae="x")


def test_a_copy_shares_nothing_that_changes() -> None:
    s = table()
    before = json.dumps(s.to_data())
    twin = s.copy()
    assert json.dumps(twin.to_data()) == before
    twin.hands[0].append(9)
    twin.scores[0] = 0
    twin.grid[0].append(3)
    twin.pairs.append((3, 4))
    twin.marks[1] = 1
    assert twin.duel is not None
    twin.duel.swords.append(5)
    twin.draft.append(2)
    twin.stack.append(("more", ()))
    twin.known.clear()
    twin.chance.die()
    twin.drop(0)
    assert json.dumps(s.to_data()) == before
    assert s.draft == [1]


def test_what_is_stored_is_read_back() -> None:
    s = table()
    data = json.loads(json.dumps(s.to_data()))
    assert data["out"] == [[1, 2]]
    assert "draft" not in data
    read = Table.load(data, "duel")
    assert (read.mode, read.draft, read.pairs, read.order) == ("duel", [], [(1, 2)], (1, 0))
    assert read.duel is not None
    assert (read.duel.swords, read.marks, read.out, read.moments) == ([4], {7: 8}, [1], [2])
    assert read.to_data() == s.to_data()
    del data["grid"]
    with pytest.raises(KeyError):
        Table.load(data)


def test_a_field_that_nobody_declared_cannot_be_set() -> None:
    s = table()
    with pytest.raises(AttributeError):
        s.forgotten = [1]  # type: ignore[attr-defined]


def test_a_class_that_declares_nothing_is_refused() -> None:
    class Plain(State):
        def __init__(self) -> None:
            self.forgotten: list[int] = []

    with pytest.raises(TypeError, match=r"Plain needs @dataclass\(init=False"):
        Plain().copy()


def test_a_field_whose_shape_is_not_said_is_refused() -> None:
    @dataclass(init=False, eq=False, slots=True)
    class Shapeless(State):
        hand: list[int]

    with pytest.raises(TypeError, match="say its shape, “hand: list.int. = field"):
        Shapeless.new(2, Chance(SEED))


def test_equal_seats_share_a_rank() -> None:
    assert ranked(range(4), [3, 5, 3, 1].__getitem__) == [(1,), (0, 2), (3,)]
    s = Table.new(5, Chance(SEED), name="x")
    s.drop(4)
    s.moment += 1
    s.drop(2, 0)
    assert s.still_in() == [1, 3]
    assert s.is_out(2)
    assert s.ranking([[3], [1]]) == ((3,), (1,), (0, 2), (4,))
    assert s.ranking([[2, 0]]) == ((2, 0), (4,)), "whom the rules put first is not put last, too"


def test_a_slot_is_a_zone_of_one_card() -> None:
    cards = [-1, 7]
    empty, full = Slot(cards, 0), Slot(cards, 1)
    assert (list(empty), len(empty), list(full), len(full), full[0]) == ([], 0, [7], 1, 7)
    full[0] = 9
    assert cards == [-1, 9]
