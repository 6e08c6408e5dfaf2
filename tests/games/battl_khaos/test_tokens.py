"""Power tokens beyond the worked scenarios: where they lie, whom they bind, and for how long."""

from __future__ import annotations

import pytest

from tests.games.battl_khaos.table import POSITION_A, K, O, lay

START = "        x=0\ny=0     [t2k]\n"
BASIC = "drums drums2 leader banner halberd"
ALL = f"{BASIC} mage archer archer2 giant catapult"
ROW_OF_THREE = """
        x=0       x=1       x=2
y=0     [t2k]     f28 r0    f27 r0
"""


# -- general ---------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-P-01", "BKH-P-02", "BKH-P-03", "BKH-P-05")
def test_a_token_lies_on_its_tile_for_good_and_is_used_once() -> None:
    t = lay(START, orcs="f01o f02o f03o", knights="f04o f05o f06o", stack="f07o f08o f09o")
    t.put("f01o", "1,0", 0, "leader").take("stack").put("f04o", "0,1").take("stack")
    t.put("f02o", "0,-1", 0, None)
    assert t.tokens() == "none drums drums2 banner halberd"
    assert t.names(t.state.tokens.values()) == "leader"
    t.take("token drums", "stack")
    assert t.names(t.state.tokens.values()) == "leader drums"
    t.done(K, "place-tile")


@pytest.mark.rules("BKH-P-01", "BKH-R-31")
def test_without_tokens_nothing_is_asked() -> None:
    t = lay(START, orcs="f01o f02o f03o", orcs_tokens="")
    t.take("place f01o", "cell 1,0", "turn 0").done(O, "draw-tile")


@pytest.mark.rules("BKH-P-06", "BKH-P-09", "BKH-P-19")
def test_a_token_works_for_the_side_of_its_player() -> None:
    """A Leader doubles the units of the seat that played it."""
    for side, units in (("O", ["O1", "O1", "K2", "-"]), ("K", ["O1", "O1", "K2", "-"])):
        t = lay(START, on={"1,0": f"f02o leader/{side}"})
        (cell,) = [tile for tile in t.match.view(None)["board"] if tile["x"] == 1]
        printed = [unit and f"{unit['side']}{unit['printed']}" for unit in cell["corners"]]
        assert printed == [unit if unit != "-" else None for unit in units]
        strong = [unit["strength"] if unit else 0 for unit in cell["corners"]]
        assert strong == ([2, 2, 2, 0] if side == "O" else [1, 1, 4, 0])
        t.done(O, "place-tile")


@pytest.mark.rules("BKH-P-28", "BKH-P-29")
def test_a_token_changes_a_corner_and_with_it_the_tower() -> None:
    t = lay(POSITION_A, orcs="f19k f02o f03o", orcs_tokens="archer2")
    t.put("f19k", "1,0", 0, None)
    assert t.owner(0, 0) == "K"  # the board as it lies
    t.take("token archer2")
    assert t.owner(0, 0) == "O"
    assert [event[0] for event in t.history if event[0].startswith("tower")] == ["tower_gained"]
    t.done(O, "draw-tile")


# -- Banner ----------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-R-17", "BKH-R-13")
def test_a_banner_with_nothing_to_place_is_over() -> None:
    t = lay(START, orcs="f01o", row="", stack="", supply="")
    t.take("cell 1,0", "turn 0", "token banner").done(K, "place-tile")


@pytest.mark.rules("BKH-R-17", "BKH-R-24", "BKH-X-02")
def test_a_banner_may_bring_a_special_tile() -> None:
    t = lay(
        START,
        on={"1,0": "f28 drums/K"},
        specials=True,
        orcs="f01o crystal f03o",
        orcs_tokens="banner",
    )
    t.put("f01o", "0,1", 0, "banner").take("place crystal", "cell 0,-1")
    # its own Banner is a token, too: there are two to choose from
    assert t.offered() == "drums banner"
    t.take("crystal drums", "stack", "stack")
    assert t.names(t.state.spent[K]) == "drums"
    t.done(K, "place-tile")


# -- Halberd ---------------------------------------------------------------------------------------


HALBERD = {"on": {"1,0": "halberd/O"}, "halberd": "1,0", "active": K}


@pytest.mark.rules("BKH-R-18", "BKH-P-13", "BKH-R-25")
def test_a_halberd_binds_towers_second_tiles_and_the_circle_not_tokens() -> None:
    t = lay(
        ROW_OF_THREE,
        **HALBERD,
        specials=True,
        knights="circle f01o f02o",
        knights_tokens="mage banner",
        supply="t1o",
    )
    t.take("place t1o")  # the one cell that is left for it is not asked about
    assert t.match.view(None)["last"] == [{"x": 3, "y": 0}]
    t.done(O, "place-tile")
    t = lay(ROW_OF_THREE, **HALBERD, knights="f03o f01o f02o", knights_tokens="mage banner")
    t.put("f03o", "3,0", 0, "banner").take("place f01o")
    assert t.offered() == "3,-1 -1,0 4,0 3,1"
    t.take("cell 3,-1", "turn 0", "token mage")
    assert "2,-1" in t.offered()  # tokens may lie in the zone
    t.done(K, "reserve-cell")


@pytest.mark.rules("BKH-R-25", "BKH-R-18", "BKH-R-19")
def test_the_circle_spares_cells_that_are_closed() -> None:
    t = lay(
        """
        x=0       x=1       x=2       x=3
y=0     [t2k]     f28 r0    f27 r0    f30 r0
y=1     .         .         .         f29 r0
""",
        on={"1,0": "halberd/O", "3,1": "mage/O"},
        halberd="1,0",
        active=K,
        specials=True,
        knights="circle f01o f02o",
    )
    t.take("place circle", "cell 4,0")
    # (2,0) is in the zone and (3,1) reserved; the Halberd's own tile is in neither
    assert t.offered() == "f28 f30"
    t.take("circle f28")
    assert t.names(t.state.spent[O]) == "halberd"
    assert ("halberd_over", O, 1, 0) in t.history
    assert t.match.view(None)["halberd"] is None
    t.done(K, "circle-tile")


@pytest.mark.rules("BKH-R-18", "BKH-P-15")
def test_a_halberd_that_leaves_its_tile_closes_nothing() -> None:
    t = lay(
        ROW_OF_THREE,
        **HALBERD,
        knights="f01o f02o f03o",
        knights_tokens="catapult banner",
        specials=True,
    )
    assert t.match.view(None)["halberd"] == {"x": 1, "y": 0, "seat": O}
    t.put("f01o", "3,0", 0, "catapult").take("catapult f28")
    assert t.match.view(None)["halberd"] is None
    assert t.match.view(None)["hit"] == {"x": 1, "y": 0}
    t.take("stack")
    assert t.match.view(None)["hit"] is None
    t.done(O, "place-tile")


@pytest.mark.rules("BKH-P-14", "BKH-P-15", "BKH-R-18")
def test_a_halberd_is_live_for_the_enemys_next_turn_alone() -> None:
    t = lay(START, orcs="f01o f02o f03o", knights="f04o f05o f06o", supply="")
    t.put("f01o", "1,0", 0, "halberd")
    assert t.match.view(None)["halberd"] is None  # not before the end of the turn
    t.take("stack")
    assert t.match.view(None)["halberd"] == {"x": 1, "y": 0, "seat": O}
    t.put("f04o", "-1,0").take("stack")
    assert t.match.view(None)["halberd"] is None
    assert [event for event in t.history if event[0].startswith("halberd")] == [
        ("halberd_live", O, 1, 0),
        ("halberd_over", O, 1, 0),
    ]
    t.take("place f02o")
    assert "2,0" in t.offered()
    t.done(O, "place-cell")


# -- Wizard / Shaman -------------------------------------------------------------------------------


@pytest.mark.rules("BKH-R-19", "BKH-P-17", "BKH-R-16")
def test_a_reservation_asks_for_a_bare_cell() -> None:
    t = lay(
        ROW_OF_THREE,
        on={"1,1": "mage/K", "3,1": "catapult/K"},
        orcs="f01o f02o f03o",
        orcs_tokens="mage",
    )
    t.put("f01o", "2,1", 0, "mage")
    assert t.offered() == "3,0 1,2 2,2 3,2"
    t.take("reserve 3,2").done(O, "draw-tile")


@pytest.mark.rules("BKH-R-19", "BKH-P-18")
def test_a_reservation_outlasts_the_tile_on_it() -> None:
    t = lay(
        POSITION_A,
        on={"1,0": "f01k mage/K"},
        specials=True,
        knights="circle f02o f03o",
        active=K,
        orcs="f04k f07o f08o",
    )
    t.take("place circle", "cell 2,0", "circle f01k", "lay f02o", "turn 0", "stack", "stack")
    assert t.names(t.state.ground.values()) == "mage"
    t.done(O, "place-tile")
    t = lay(POSITION_A, on={"1,0": "mage/K"}, orcs="f04k f07o f08o")
    t.take("place f07o")
    assert "1,0" not in t.offered().split()
    t.done(O, "place-cell")


# -- Catapult --------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-R-20", "BKH-P-26", "BKH-R-22")
def test_a_catapult_spares_towers_and_cells_with_a_ground_token() -> None:
    t = lay(
        ROW_OF_THREE,
        on={"1,0": "mage/K", "2,0": "leader/K"},
        orcs="f01o f02o f03o",
        orcs_tokens="catapult",
    )
    t.put("f01o", "3,0", 0, "catapult")  # one target: taken unasked
    assert t.names(t.state.discards) == "f27"
    assert t.names(t.state.spent[K]) == "leader"
    t.done(O, "draw-tile")
    t = lay(START, orcs="f01o f02o f03o", orcs_tokens="catapult")
    t.put("f01o", "1,0", 0, None).done(O, "draw-tile")  # nothing to aim at


@pytest.mark.rules("BKH-P-24", "BKH-P-25", "BKH-R-21")
def test_a_tower_may_stand_where_a_catapult_lies() -> None:
    t = lay(
        ROW_OF_THREE,
        on={"3,0": "f29 r0", "4,0": "f30 r0"},
        orcs="f01o f02o f03o",
        orcs_tokens="catapult",
        knights="f04o f05o f06o",
        supply="t1k",
    )
    t.put("f01o", "0,1", 0, "catapult").take("catapult f29", "stack", "place t1k")
    assert "3,0" in t.offered().split()
    t.take("cell 3,0").done(O, "place-tile")
