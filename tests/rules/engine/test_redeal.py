"""Dealing anew from zones and their visibility alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from rules.engine.chance import Chance, named_seed
from rules.engine.events import NOBODY
from rules.engine.fields import LIST, each_seat, field
from rules.engine.moves import Move, Prompt
from rules.engine.redeal import ALL_ALIKE, TRIES, Redeal
from rules.engine.rulebook import Rulebook
from rules.engine.state import OWNER, Slot, State, Zone

BOOK: Rulebook[Any] = Rulebook()


DISCARD = BOOK.card_move("discard")


@BOOK.prompt("Discard an even card.")
def discard(s: Few, seat: int) -> list[Move]:
    return [DISCARD[card] for card in s.hands[seat] if card % 2 == 0]


@discard.answer
def discarded(s: Few, seat: int, move: Move) -> None:
    """Never given here."""


@dataclass(init=False, eq=False, slots=True)
class Few(State):
    hidden_zones: ClassVar = {"hand": OWNER, "stock": NOBODY, "prize": NOBODY}

    hands: list[list[int]] = each_seat(LIST)
    stock: list[int] = field(LIST)
    prizes: list[int] = each_seat(-1)
    board: list[int] = field(LIST)

    def zones(self) -> Iterator[Zone]:
        yield "board", None, self.board
        yield "stock", None, self.stock
        for seat in range(self.seats):
            yield "hand", seat, self.hands[seat]
            yield "prize", seat, Slot(self.prizes, seat)


def few() -> Few:
    s = Few.new(2, Chance(bytes(32)))
    s.hands = [[0, 1, 2], [3, 4, 6]]
    s.stock = list(range(7, 15))
    s.prizes = [15, -1]
    s.board = [16, 17]
    return s


def all_cards(s: Few) -> list[int]:
    return sorted(card for _name, _owner, cards in s.zones() for card in cards)


def dealt(s: Few, seat: int | None, deal: Redeal = ALL_ALIKE) -> list[Few]:
    twins = []
    for number in range(30):
        twin = s.copy()
        deal(twin, seat, Chance(named_seed(f"deal {number}")), BOOK)
        assert all_cards(twin) == all_cards(s)
        twins.append(twin)
    return twins


def test_what_lies_open_or_in_the_own_hand_stays_and_all_else_moves() -> None:
    s = few()
    twins = dealt(s, 0)
    assert all(twin.hands[0] == [0, 1, 2] and twin.board == [16, 17] for twin in twins)
    seen_elsewhere = {card for twin in twins for card in twin.hands[1]}
    assert seen_elsewhere == {3, 4, 6, *range(7, 16)}
    assert {twin.prizes[0] for twin in twins} > {15}
    assert all(twin.prizes[1] == -1 for twin in twins)
    assert len({tuple(twin.hands[0]) for twin in dealt(s, None)}) > 1, "a spectator sees no hand"


def test_what_the_seat_knows_stays_and_what_others_know_belongs_to_the_place() -> None:
    s = few()
    s.reveal(3)
    s.show(4, 0)
    s.show(7, 1)
    for twin in dealt(s, 0):
        assert twin.hands[1][:2] == [3, 4]
        assert twin.known[3] == -1
        assert twin.known[4] == 1
        assert twin.known[twin.stock[0]] == 2, "seat 2 knows the first card of the stock"
        assert len(twin.known) == 3


def test_groups_do_not_mix() -> None:
    odd = Redeal(lambda s, owner, card: card % 2)
    for twin in dealt(few(), 0, odd):
        assert [card % 2 for card in twin.stock] == [card % 2 for card in few().stock]


def test_a_seat_that_is_asked_still_has_a_choice_and_its_own_cards_to_choose_from() -> None:
    s = few()
    s.prompts[1] = Prompt(1, 1, "discard", tuple(discard.options(s, 1)))
    for twin in dealt(s, 0):
        options = twin.prompts[1].options
        assert len(options) >= 2
        assert {move.card for move in options} <= set(twin.hands[1])
    assert any(twin.hands[1] != s.hands[1] for twin in dealt(s, 0))


def test_where_no_other_deal_is_found_all_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    s = few()
    s.prompts[1] = Prompt(1, 1, "discard", tuple(discard.options(s, 1)))
    imagined = []

    def imagine(s: Any, others: Any, hidden: Any, chance: Any) -> None:
        imagined.append(list(others))
        s.hands[1] = [3, 3, 3]

    twin = s.copy()
    Redeal(imagine=imagine)(twin, 0, Chance(bytes(32)), BOOK)
    assert twin.hands == s.hands
    assert twin.prompts == s.prompts
    assert imagined == [[1]] * TRIES
