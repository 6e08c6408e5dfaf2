"""Hands that all see but their owner, what is told of them, and other deals that keep it true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from rules.engine import events
from rules.engine.chance import Chance, named_seed
from rules.engine.events import NOBODY
from rules.engine.fields import DICT, LIST, each_seat, field
from rules.engine.redeal import ALL_ALIKE, Redeal
from rules.engine.rulebook import Rulebook
from rules.engine.state import ALL_BUT_OWNER, State, Zone

BOOK: Rulebook[Any] = Rulebook()
SEAT, CARD = events.seat(), events.card()
DRAWN = BOOK.event("drawn", SEAT, CARD.hidden_from(SEAT), says=("{seat} draws {card}.", "A card."))


@dataclass(init=False, eq=False, slots=True)
class Clues(State):
    """Cards 0 to 19; the red ones are even."""

    hidden_zones: ClassVar = {"hand": ALL_BUT_OWNER, "stock": NOBODY}

    hands: list[list[int]] = each_seat(LIST)
    stock: list[int] = field(LIST)
    clues: dict[int, bool] = field(DICT)

    def zones(self) -> Iterator[Zone]:
        for seat, hand in enumerate(self.hands):
            yield "hand", seat, hand
        yield "stock", None, self.stock


def is_as_told(s: Clues, red: bool, card: int) -> bool:
    return (card % 2 == 0) == red


REDEAL = Redeal(clues="clues", fits=is_as_told)


def table() -> Clues:
    s = Clues.new(2, Chance(bytes(32)))
    s.hands, s.stock = [[0, 1, 2, 3], [4, 5, 6, 7]], list(range(8, 20))
    s.clues = {0: True, 1: False, 2: True, 5: False}
    s.show(3, 0)
    return s


def deals(seat: int | None, deal: Redeal = REDEAL) -> list[Clues]:
    twins = []
    for number in range(40):
        twin = table().copy()
        deal(twin, seat, Chance(named_seed(f"clues {number}")), BOOK)
        assert sorted(twin.hands[0] + twin.hands[1] + twin.stock) == list(range(20))
        twins.append(twin)
    return twins


def test_all_but_the_owner_see_a_hand_and_no_spectator_does() -> None:
    s = table()
    assert [s.sees(seat, "hand", 0) for seat in (0, 1, None)] == [False, True, False]
    assert not any(s.sees(seat, "stock", None) for seat in (0, 1, None))
    twins = deals(0)
    assert all(twin.hands[1] == [4, 5, 6, 7] for twin in twins)
    assert {tuple(twin.hands[0]) for twin in twins} != {(0, 1, 2, 3)}


def test_what_was_told_stays_true_and_stays_with_its_place() -> None:
    for seat in (0, None):
        for twin in deals(seat):
            red = [twin.clues.get(card) for card in twin.hands[0]]
            assert red == [True, False, True, None]
            assert [card % 2 == 0 for card in twin.hands[0][:3]] == [True, False, True]
    assert all(twin.hands[0][3] == 3 for twin in deals(0)), "a card that its owner knows stays"
    places: list[set[int]] = [set(), set(), set()]
    for twin in deals(0):
        for place, card in zip(places, twin.hands[0], strict=False):
            place.add(card)
    assert [len(place) for place in places] == [8, 7, 8], "each card that fits lies there sometimes"


def test_without_saying_so_other_deals_would_make_clues_untrue() -> None:
    assert any(twin.hands[0][0] % 2 for twin in deals(0, ALL_ALIKE))


def test_clues_and_what_fits_them_are_said_together() -> None:
    with pytest.raises(ValueError, match="says which cards fit"):
        Redeal(clues="clues")


@pytest.mark.parametrize("reader", [0, 1, None])
def test_an_events_card_is_known_to_all_but_one_seat(reader: int | None) -> None:
    kinds = {"drawn": DRAWN}
    seen = events.event_view(("drawn", 0, 9), kinds, reader, lambda card: {"slug": f"c{card}"})
    assert seen is not None
    assert ("card" in seen) == (reader == 1)
    line = DRAWN.line(seen, ["Ann", "Bob"], str.upper)
    assert line == ("Ann draws C9." if reader == 1 else "A card.")
