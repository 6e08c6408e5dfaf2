"""Laying out a table by hand: what is refused, and that a script must be used up."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.errors import BadSetup
from rules.testing import ScriptRanOut, position


def laid(*seats: dict[str, Any], **layout: Any) -> Any:
    return position("kaolan", "match", seats=list(seats), **layout)


@pytest.mark.parametrize(
    ("seat", "layout", "message"),
    [
        ({"leader": "red dragon"}, {}, "“red dragon” is not a Kaolan card"),
        ({"hand": ["r13"]}, {}, "“r13” is not a Kaolan card"),
        ({"guard-4": "r2"}, {}, "has no guard-4"),
        ({"guard-2": "r2"}, {"guards": 1}, "has no guard-2"),
        ({"under guard-1": ["r2"]}, {}, "has no under guard-1"),
        ({"hand": ["r2"]}, {"deck": ["r3"]}, "boards, hands and piles are dealt"),
        ({}, {"deck": ["r3"], "draw": ["r4"]}, "boards, hands and piles are dealt"),
        ({}, {"weather": "rain"}, "weather"),
    ],
)
def test_nonsense_is_refused(seat: dict[str, Any], layout: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSetup, match=message):
        laid(seat, {}, **layout)


def test_moves_may_use_short_names() -> None:
    p = laid(
        {"leader": "Red Claw", "hand": ["r6", "kao-pow-red-07"]}, {"leader": "b2"}, draw=["g12"]
    )
    p.take("add_power", "power r6")
    assert p.events[-1][0] == "turn_started"
    p.done(1, "turn_action")


def test_every_card_of_the_master_deck_is_somewhere() -> None:
    p = laid({"leader": "red claw", "under leader": ["r6", "keen eye"]}, {"hand": ["gold 2/7"]})
    cards = [card for _zone, _owner, cards in p.state.zones() for card in cards]
    assert len(cards) == len(set(cards)) == 61, "gold 2/7 comes on top of the sixty"


def test_the_rest_of_the_deck_may_stay_out() -> None:
    p = laid({"leader": "red claw"}, {}, draw=["r2"], rest="removed")
    assert len(p.state.draw[0]) == 1
    assert len(p.state.removed[0]) == 58


def test_dice_beyond_the_script_are_an_error() -> None:
    p = laid({"leader": "red claw"}, {"leader": "blue claw"}, dice=[3])
    with pytest.raises(ScriptRanOut, match="no more dice"):
        p.take("challenge")


def test_picks_beyond_the_script_are_an_error() -> None:
    p = laid({"leader": "red claw", "hand": ["night raid"]}, {"hand": ["r2", "r3"]}, draw=["g2"])
    with pytest.raises(ScriptRanOut, match="no more picks"):
        p.take("opportunity")


def test_dice_left_over_and_another_prompt_are_errors() -> None:
    p = laid({"leader": "red claw"}, {"leader": "blue claw"}, dice=[1, 5])
    p.take("challenge")
    with pytest.raises(AssertionError, match=r"dice \[5\] left over"):
        p.done(1, "turn_action")
    p = laid({"leader": "red claw"}, {"leader": "blue claw"})
    with pytest.raises(AssertionError, match="ends in"):
        p.done(0, "choose_defender")
    with pytest.raises(AssertionError, match="ends in"):
        p.done(None, None)
