"""Special tiles beyond the worked scenarios."""

from __future__ import annotations

import pytest

from games.battl_khaos.grid import at
from tests.games.battl_khaos.table import POSITION_A, K, O, lay

START = "        x=0\ny=0     [t2k]\n"
TWO_TOWERS = """
        x=-1      x=0       x=1       x=2       x=3
y=-1    f28 r1    f25o r0   f06o r1   f04o r2   f25k r3
y=0     f23o r1   [t4k]     f24k r3   [t2k]     .
y=1     f02k r2   f04k r0   f01k r1   f12o r2   f14o r2
"""


@pytest.mark.rules("BKH-X-05", "BKH-R-29", "BKH-X-03")
def test_a_temple_makes_the_great_small_until_it_goes() -> None:
    t = lay(
        TWO_TOWERS.replace("f28 r1", ".     "),
        specials=True,
        orcs="temple f08o f07o",
        orcs_tokens="",
        knights="f29 f02o f03o",
        knights_tokens="catapult",
    )
    assert t.score == "0:0"
    t.take("place temple", "cell -1,-1")
    assert t.score == "0:3"
    tower = t.state.tiles[at(0, 0)] >> 2
    assert t.history[-2:] == [
        ("tower_gained", K, tower, 0, 0, 3),
        ("value_changed", tower, 0, 0, 3),
    ]
    t.take("stack").put("f29", "4,1", 0, "catapult").take("catapult temple")
    assert t.history[-2:] == [("tower_lost", K, tower, 0, 0), ("value_changed", tower, 0, 0, 4)]
    t.take("stack").put("f08o", "-1,-1")
    assert t.score == "0:4"
    t.done(O, "draw-tile")


@pytest.mark.rules("BKH-X-05", "BKH-R-29", "BKH-R-15")
def test_a_tower_placed_near_a_temple_is_worth_three() -> None:
    t = lay(
        """
        x=0       x=1       x=2       x=3
y=0     [t2k]     f28 r0    f27 r0    .
y=1     .         .         f30 r0    <temple>
""",
        orcs="f01o f02o f03o",
        supply="t1o",
        specials=True,
    )
    t.take("place t1o", "cell 3,0")
    (cell,) = [tile for tile in t.match.view(K)["board"] if (tile["x"], tile["y"]) == (3, 0)]
    assert (cell["tower"]["value"], cell["tower"]["printed"]) == (3, 1)
    assert cell["tower"]["temple"]
    t.done(K, "place-tile")


@pytest.mark.rules("BKH-R-24", "BKH-X-06", "BKH-X-09", "BKH-X-12")
@pytest.mark.parametrize("tile", ["circle", "crystal", "graveyard"])
def test_without_a_target_nothing_happens(tile: str) -> None:
    t = lay(START, specials=True, orcs=f"{tile} f02o f03o")
    t.take(f"place {tile}", "cell 1,0").done(O, "draw-tile")


@pytest.mark.rules("BKH-R-24", "BKH-X-09")
def test_an_effect_is_an_order_even_to_ones_own_harm() -> None:
    t = lay(START, on={"1,0": "f28 leader/O"}, specials=True, orcs="crystal f02o f03o")
    t.take("place crystal", "cell 0,1")
    assert t.names(t.state.spent[O]) == "leader"
    t.done(O, "draw-tile")


@pytest.mark.rules("BKH-R-25", "BKH-X-08", "BKH-R-14")
def test_with_an_empty_hand_the_cell_stays_empty() -> None:
    t = lay(
        POSITION_A,
        specials=True,
        orcs="circle",
        row="f10o f11o f12o",
        stack="f13o f14o f15o",
        supply="",
    )
    t.take("cell 1,0", "circle f27")
    assert t.corner(0, 0, "NE") == "open"
    t.take("stack", "stack", "stack")
    assert t.hand(O) == "f13o f14o f15o"
    t.done(K, "place-tile")


@pytest.mark.rules("BKH-R-25", "BKH-R-24", "BKH-X-07")
def test_an_extra_special_tile_does_what_it_does() -> None:
    t = lay(
        POSITION_A,
        on={"-1,-1": "giant/K", "1,-1": "drums/O"},
        specials=True,
        orcs="circle crystal f03o",
    )
    t.take("place circle", "cell 1,0", "circle f28", "lay crystal")
    assert t.asked == (O, "crystal-token")
    assert t.offered() == "giant drums"
    t.take("crystal giant")
    assert t.names(t.state.spent[K]) == "giant"
    placed = [event[-1] for event in t.history if event[0] == "tile_placed"]
    assert placed == ["hand", "extra"]
    t.take("stack", "stack").done(K, "place-tile")


@pytest.mark.rules("BKH-R-25", "BKH-P-01", "BKH-T-03")
def test_the_extra_tile_needs_no_neighbour_and_takes_no_token() -> None:
    """The Circle removes the only tile beside a far one, then the far one's place is filled."""
    t = lay(
        """
        x=0       x=1       x=2       x=3       x=4
y=0     [t2k]     .         .         .         f30 r0
""",
        specials=True,
        orcs="circle f01o f03o",
    )
    t.take("place circle", "cell 1,0", "lay f01o", "turn 2")
    (cell,) = [tile for tile in t.match.view(None)["board"] if tile["x"] == 4]
    assert (cell["tile"]["slug"], cell["rotation"], cell["token"]) == ("bkh-f01o", 2, None)
    t.done(O, "draw-tile")


@pytest.mark.rules("BKH-R-25", "BKH-X-06", "BKH-R-16")
def test_a_token_goes_with_the_tile_that_the_circle_removes() -> None:
    t = lay(
        POSITION_A,
        on={"1,1": "halberd/O"},
        specials=True,
        active=K,
        halberd="1,1",
        knights="circle f01o f03o",
    )
    t.take("place circle", "cell 2,-1", "circle f05o", "lay f01o", "turn 0")
    assert t.names(t.state.spent[O]) == "halberd"
    assert t.match.view(None)["halberd"] is None
    t.done(K, "draw-tile")


@pytest.mark.rules("BKH-X-10", "BKH-X-11", "BKH-R-28", "BKH-R-40")
def test_tokens_near_a_new_stone_circle_stay_and_do_not_return() -> None:
    t = lay(
        POSITION_A,
        on={"1,1": "leader/K", "2,2": "f29"},
        specials=True,
        orcs="stones crystal f03o",
        knights="f04k f07o f08o",
    )
    before = t.corner(0, 0, "SE")
    t.take("place stones", "cell 2,1", "stack")
    assert t.corner(0, 0, "SE") == before
    assert t.names(t.state.tokens.values()) == "leader"
    t.put("f04k", "3,1", 0, None)  # near the Stones: no token is offered
    t.take("stack", "place crystal", "cell -2,0")
    assert t.names(t.state.spent[K]) == "leader"
    assert not t.state.tokens
    t.take("stack").done(K, "place-tile")


@pytest.mark.rules("BKH-R-28", "BKH-X-10")
def test_the_stones_ban_lasts_while_they_lie() -> None:
    t = lay(
        """
        x=0       x=1       x=2
y=0     [t2k]     <stones>  f27 r0
""",
        specials=True,
        orcs="circle f02o f03o",
        knights="f04k f07o f08o",
    )
    t.take("place circle", "cell 3,0", "circle stones", "lay f02o", "turn 0", "stack", "stack")
    t.put("f04k", "1,1", 0, None)
    assert "drums" in t.tokens()
    t.done(K, "play-token")


@pytest.mark.rules("BKH-X-12", "BKH-X-13", "BKH-X-14", "BKH-R-17")
def test_a_token_taken_from_its_tile_works_no_more_and_may_be_played_again() -> None:
    t = lay(
        POSITION_A,
        on={"1,0": "f19k giant/O"},
        specials=True,
        orcs="graveyard f02o f03o",
        orcs_tokens="",
        knights_tokens="",
        knights="f04k f07o f08o",
    )
    assert t.owner(0, 0) == "O"
    t.take("place graveyard", "cell 2,0")  # the Giant alone: taken back unasked
    assert t.names(t.state.ready[O]) == "giant"
    assert t.owner(0, 0) == "K"
    assert [event[0] for event in t.history][-1] == "tower_taken"
    t.take("stack").put("f04k", "3,0").take("stack")
    t.put("f02o", "2,1", 0, "giant")
    assert t.names(t.state.tokens.values()) == "giant"
    t.done(O, "draw-tile")
