"""The worked scenarios of the specification, section 10 (BKH-SC-01 to BKH-SC-19).

BKH-SC-20 is about armies: ``test_legality.py``.
"""

from __future__ import annotations

import pytest

import rules
from tests.games.battl_khaos.table import POSITION_A, K, O, Table, lay

GAME = rules.game("battl-khaos")
BASIC = "drums drums2 leader banner halberd"
ALL = f"{BASIC} mage archer archer2 giant catapult"
START = "        x=0\ny=0     [t2k]\n"


@pytest.mark.rules("BKH-S-02", "BKH-S-03", "BKH-S-05", "BKH-S-06", "BKH-S-07", "BKH-S-08")
@pytest.mark.rules("BKH-S-09", "BKH-S-11", "BKH-S-16", "BKH-R-33", "BKH-X-01")
@pytest.mark.parametrize(
    ("options", "stack", "tokens"),
    [({}, 49, 5), ({"specials": True}, 54, 5), ({"advanced": True}, 49, 10)],
)
def test_sc_01_set_up_counts(options: dict[str, bool], stack: int, tokens: int) -> None:
    match = GAME.new_match("classic", seats=2, seed=bytes(32), options=options)
    view = match.view(None)
    assert view["stack"] == stack
    assert len(view["row"]) == 3
    assert all(view["row"])
    assert len(view["supply"]) == 7
    assert [(cell["x"], cell["y"]) for cell in view["board"]] == [(0, 0)]
    assert view["board"][0]["tower"] is not None
    for player in view["players"]:
        assert player["hand"]["count"] == 3
        assert len(player["tokens"]) == tokens
    (orcs,) = [player["seat"] for player in view["players"] if player["side"] == "O"]
    assert {seat: prompt.kind for seat, prompt in match.prompts.items()} == {orcs: "place-tile"}


@pytest.mark.rules("BKH-T-02", "BKH-T-03", "BKH-T-05", "BKH-R-02", "BKH-R-03", "BKH-R-20")
@pytest.mark.rules("BKH-R-31", "BKH-R-33")
def test_sc_02_the_first_turn() -> None:
    for advanced, tokens in ((False, f"none {BASIC}"), (True, f"none {ALL}")):
        more = {"orcs_tokens": ALL} if advanced else {}
        t = lay(START, orcs="f01o f27 f31", advanced=advanced, turn=1, **more)
        assert t.offered() == "f01o f27 f31"  # each cell beside the tower is near it
        for tile, turns in (("f01o", "0 1 2 3"), ("f27", "0 1"), ("f31", "0 1 2 3")):
            again = lay(START, orcs="f01o f27 f31").take(f"place {tile}")
            assert again.offered() == "0,-1 -1,0 1,0 0,1"
            again.take("cell 0,-1")
            assert again.offered() == turns
            again.done(O, "place-rotation")
        t.take("place f01o", "cell 1,0", "turn 1")
        (cell,) = [tile for tile in t.match.view(O)["board"] if tile["x"] == 1]
        units = [f"{unit['side']}{unit['strength']}" for unit in cell["corners"]]
        assert units == ["K1", "O1", "O1", "O1"]
        assert t.tokens() == tokens.removesuffix(" catapult")
        t.done(O, "play-token")


@pytest.mark.rules("BKH-M-01", "BKH-M-02", "BKH-M-05", "BKH-M-06", "BKH-M-09", "BKH-M-10")
@pytest.mark.rules("BKH-M-11", "BKH-M-12", "BKH-T-06", "BKH-R-02", "BKH-T-08")
@pytest.mark.parametrize(
    ("turns", "corners", "score"),
    [
        (0, "NW 2:3 K  NE 2:1 O  SE 2:1 O  SW 2:2 N", "2:0"),
        (1, "NW 2:3 K  NE 3:0 O  SE 1:2 K  SW 2:2 N", "0:2"),
        (2, "NW 2:3 K  NE 2:1 O  SE 1:2 K  SW 2:2 N", "0:2"),
    ],
)
def test_sc_03_turning_decides_a_tower(turns: int, corners: str, score: str) -> None:
    t = lay(POSITION_A, orcs="f01k f02o f03o")
    t.put("f01k", "1,0", turns)
    assert t.corners(0, 0) == corners
    assert t.score == score
    assert t.owner(0, 0) == ("O" if score == "2:0" else "K")
    t.take("stack").done(K, "place-tile")


@pytest.mark.rules("BKH-M-08", "BKH-M-10", "BKH-M-11")
def test_sc_04_the_flag() -> None:
    t = lay(POSITION_A, orcs="f11k f02o f03o").put("f11k", "1,0")
    assert t.corners(0, 0) == "NW 2:3 K  NE 2:2 N  SE 2:1 O  SW 2:2 N"
    assert t.owner(0, 0) == "K"
    t.done(O, "draw-tile")


@pytest.mark.rules("BKH-P-01", "BKH-P-06", "BKH-P-07", "BKH-P-08", "BKH-P-09", "BKH-P-19")
@pytest.mark.rules("BKH-P-20", "BKH-P-21", "BKH-P-27", "BKH-R-05", "BKH-R-06", "BKH-R-07")
@pytest.mark.rules("BKH-M-07", "BKH-S-15")
@pytest.mark.parametrize(
    ("tile", "turns", "seat", "token", "north_east", "south_east", "owner"),
    [
        ("f01k", 0, K, "drums", "2:2 N", "2:1 O", "K"),
        ("f01k", 0, K, "drums2", "2:3 K", "2:1 O", "K"),
        ("f01k", 0, O, "leader", "2:1 O", "3:1 O", "O"),
        ("f18k", 0, O, "none", "2:3 K", "1:1 N", "K"),
        ("f18k", 0, O, "drums", "2:3 K", "1:1 N", "K"),
        ("f18k", 0, O, "giant", "2:1 O", "1:1 N", "K"),
        ("f19k", 0, O, "none", "2:3 K", "3:1 O", "K"),
        ("f19k", 0, O, "drums", "2:3 K", "4:1 O", "K"),
        ("f19k", 0, O, "archer", "2:2 N", "3:1 O", "K"),
        ("f19k", 0, O, "archer2", "2:1 O", "3:1 O", "O"),
        ("f19k", 0, O, "giant", "2:1 O", "3:1 O", "O"),
        ("f01k", 2, O, "archer2", "2:0 O", "1:1 N", "K"),
    ],
    ids="abcdefghijkl",
)
def test_sc_05_strength_tokens(
    tile: str, turns: int, seat: int, token: str, north_east: str, south_east: str, owner: str
) -> None:
    hands = {"orcs": f"{tile} f02o f03o"} if seat == O else {"knights": f"{tile} f02o f03o"}
    t = lay(POSITION_A, active=seat, orcs_tokens=ALL, knights_tokens=ALL, **hands)
    t.put(tile, "1,0", turns, token)
    assert t.corners(0, 0) == f"NW 2:3 K  NE {north_east}  SE {south_east}  SW 2:2 N"
    assert t.owner(0, 0) == owner
    t.done(seat, "draw-tile")


@pytest.mark.rules("BKH-T-05", "BKH-T-12", "BKH-T-13", "BKH-P-04")
def test_sc_06_spacing_of_towers_and_no_draw_for_one() -> None:
    board = """
        x=0       x=1       x=2
y=0     [t1k]     f30 r0    f28 r0
"""
    t = lay(board, orcs="f01o f02o f03o")
    t.take("place f01o")
    assert t.offered() == "0,-1 1,-1 2,-1 -1,0 3,0 0,1 1,1 2,1"
    t.done(O, "place-cell")
    t = lay(board, orcs="f01o f02o f03o").take("place t4o")
    assert t.offered() == "2,-1 3,0 2,1"
    t.take("cell 3,0")
    assert t.hand(O) == "f01o f02o f03o"
    t.done(K, "place-tile")


@pytest.mark.rules("BKH-M-03", "BKH-M-04", "BKH-M-10", "BKH-M-13", "BKH-T-02")
def test_sc_07_a_tower_into_a_ready_gap() -> None:
    t = lay("""
        x=0       x=1       x=2       x=3       x=4
y=-1    .         .         f04o r2   f27 r0    f05k r1
y=0     [t1k]     f30 r0    f04k r1   .         f01k r0
y=1     .         .         f06k r1   f28 r0    f05o r2
""")
    t.put("t2o", "3,0")
    assert t.corners(3, 0) == "NW 2:3 K  NE 2:1 O  SE 2:1 O  SW 2:2 N"
    assert t.owner(3, 0) == "O"
    assert t.score == "2:0"
    t.done(K, "place-tile")


BANNER = """
        x=0       x=1
y=0     [t1k]     f30 r0
"""


@pytest.mark.rules("BKH-P-03", "BKH-P-05", "BKH-P-10", "BKH-P-11", "BKH-P-12", "BKH-R-09")
@pytest.mark.rules("BKH-R-14", "BKH-R-17")
def test_sc_08_banner() -> None:
    def with_a_banner() -> Table:
        t = lay(BANNER, orcs="f05o f13o f21o").put("f05o", "2,0", 1, "banner")
        towers = "t1o t2k t2o t3k t3o t4k t4o"
        assert t.offered().replace("place ", "") == f"f13o f21o {towers} stop"
        return t

    t = with_a_banner().put("f13o", "0,1", 0, None)
    assert t.tokens() == "none drums drums2 leader halberd"
    t.take("token leader", "stack", "stack").done(K, "place-tile")
    with_a_banner().put("t3k", "3,0").take("stack").done(K, "place-tile")
    with_a_banner().take("stop", "stack").done(K, "place-tile")


@pytest.mark.rules("BKH-P-13", "BKH-P-14", "BKH-P-15", "BKH-R-18", "BKH-R-31", "BKH-T-07")
def test_sc_09_halberd() -> None:
    t = lay(
        """
        x=0       x=1
y=0     [t2k]     f28 r0
""",
        on={"1,0": "halberd/O"},
        halberd="1,0",
        active=K,
        knights="f01o f02o f03o",
    )
    assert t.offered() == "f01o f02o f03o"  # no tower can be placed
    t.take("place f01o")
    assert t.asked == (K, "place-rotation")  # the only cell
    t.take("turn 0", "none", "stack")
    assert t.match.view(None)["board"][0]["x"] == -1
    assert t.asked == (O, "place-tile")
    t.take(next(iter(t.options())))
    assert "1,-1" in t.offered()
    t.take("cell 2,0", "turn 0", "none", "stack")
    t.take(next(iter(t.options())))
    assert "0,-1" in t.offered()
    t.done(K, "place-cell")


@pytest.mark.rules("BKH-P-16", "BKH-P-17", "BKH-P-18", "BKH-R-16", "BKH-R-19")
def test_sc_10_shaman() -> None:
    t = lay(START, orcs="f28 f30 f02o", orcs_tokens=ALL, knights="f03o f04o f05o")
    t.put("f28", "0,1", 0, "mage")
    assert t.offered() == "-1,0 1,0 -1,1 1,1 -1,2 0,2 1,2"
    t.take("reserve -1,0", "stack")
    t.take("place f03o")
    assert t.offered() == "0,-1 1,0 -1,1 1,1 0,2"
    t.take("cell 0,-1", "turn 0", "none", "stack")
    t.take("place f30")
    assert "-1,0" in t.offered().split()
    t.take("cell -1,0", "turn 0")
    assert t.tokens() == f"none {BASIC} archer archer2 giant catapult"
    (cell,) = [tile for tile in t.match.view(K)["board"] if (tile["x"], tile["y"]) == (-1, 0)]
    assert cell["ground"]["slug"] == "bkh-p-mage"
    assert cell["tile"]["slug"] == "bkh-f30"
    t.done(O, "play-token")


@pytest.mark.rules("BKH-P-22", "BKH-P-23", "BKH-P-24", "BKH-P-25", "BKH-P-26", "BKH-P-28")
@pytest.mark.rules("BKH-P-29", "BKH-R-08", "BKH-R-16", "BKH-R-20", "BKH-R-21", "BKH-R-22")
@pytest.mark.parametrize("more", [False, True])
def test_sc_11_catapult(more: bool) -> None:
    t = lay(
        POSITION_A,
        on={"1,0": "f19k r0 giant/O"},
        active=K,
        knights="f30 f02o f03o",
        knights_tokens=ALL,
        orcs="f01k f07o f08o",
        orcs_tokens=f"{BASIC} mage catapult" if more else BASIC,
    )
    assert t.owner(0, 0) == "O"
    assert t.score == "2:0"
    t.put("f30", "2,0", 0, "catapult")
    assert t.offered() == "f04o f27 f05k f04k f19k f06k f28 f05o"
    t.take("catapult f19k")
    assert t.names(t.state.discards) == "f19k"
    assert t.names(t.state.spent[O]) == "giant"
    assert t.corner(0, 0, "NE") == t.corner(0, 0, "SE") == "open"
    assert t.owner(0, 0) == "-"
    assert t.score == "0:0"
    t.take("stack").put("f01k", "1,0", 0, None)
    if more:
        assert t.tokens() == "none mage catapult"
        again = t.match.clone()
        t.take("token mage")
        assert t.offered() == "2,-1 2,1"
        (prompt,) = again.prompts.values()
        again.play(O, prompt.options[-1])
        (prompt,) = again.prompts.values()
        assert " ".join(map(t.text, prompt.options)).replace("catapult ", "") == (
            "f04o f27 f05k f04k f30 f06k f28 f05o"
        )
        t.take("reserve 2,-1")
    assert t.corner(0, 0, "NE") == t.corner(0, 0, "SE") == "2:1 O"
    assert t.owner(0, 0) == "O"
    t.done(O, "draw-tile")


@pytest.mark.rules("BKH-T-08", "BKH-T-09", "BKH-T-10", "BKH-T-11", "BKH-R-12", "BKH-R-31")
@pytest.mark.rules("BKH-R-32")
def test_sc_12_drawing() -> None:
    t = lay(START, orcs="f01o f03o f05o", row="f02o f07k f25k", stack="f16o f17o")
    t.put("f01o", "1,0")
    assert t.offered() == "stack draw f02o draw f07k draw f25k"
    t.take("draw f25k")
    assert t.hand(O) == "f25k f03o f05o"
    assert t.names(t.state.row) == "f02o f07k f16o"
    orcs = t.match.view(K)["players"][O]["hand"]
    assert orcs["count"] == 3
    assert [card["slug"] for card in orcs["cards"]] == ["bkh-f25k"]
    t.done(K, "place-tile")

    t = lay(START, orcs="f01o f03o f05o", row="f02o f07k f25k", stack="f16o f17o")
    t.put("f01o", "1,0").take("stack")
    assert t.hand(O) == "f16o f03o f05o"
    assert t.names(t.state.row) == "f02o f07k f25k"
    assert not t.match.view(K)["players"][O]["hand"]["cards"]
    (drew,) = [event for event in t.history if event[0] == "tile_drawn"]
    assert "Twin Fires" in (t.match.narrate(drew, O) or "")
    assert "Twin Fires" not in (t.match.narrate(drew, K) or "")
    t.done(K, "place-tile")

    t = lay(START, orcs="f01o f03o f05o", row="f02o", stack="")
    t.put("f01o", "1,0")
    assert t.hand(O) == "f02o f03o f05o"
    assert t.match.view(None)["row"] == [None, None, None]
    t.done(K, "place-tile")


@pytest.mark.rules("BKH-X-02", "BKH-X-05", "BKH-W-01", "BKH-W-02", "BKH-W-03", "BKH-R-15")
@pytest.mark.rules("BKH-R-23", "BKH-R-29")
def test_sc_13_a_temple_wins() -> None:
    t = lay(
        """
        x=-1      x=0       x=1       x=2       x=3
y=-1    f28 r1    f25o r0   f06o r1   f04o r2   f25k r3
y=0     f23o r1   [t4k]     f24k r3   [t2k]     .
y=1     f02k r2   f04k r0   f01k r1   f12o r2   f14o r2
""",
        specials=True,
        active=K,
        knights="temple f02o f03o",
    )
    assert t.corners(0, 0) == "NW 4:1 O  NE 2:3 K  SE 2:3 K  SW 1:2 K"
    assert t.score == "0:4"
    t.put("temple", "3,0")
    assert t.corners(2, 0) == "NW 0:2 K  NE 2:3 K  SE 1:1 N  SW 2:2 N"
    assert t.score == "0:7"
    assert t.result == ((K,), (O,), "target")
    t.done()


@pytest.mark.rules("BKH-X-01", "BKH-X-03", "BKH-X-04", "BKH-X-06", "BKH-X-07", "BKH-X-08")
@pytest.mark.rules("BKH-R-14", "BKH-R-25")
def test_sc_14_magic_circle() -> None:
    t = lay(POSITION_A, on={"1,0": "f19k r0"}, specials=True, orcs="circle f01k f30")
    assert t.owner(0, 0) == "K"
    t.take("place circle", "cell 2,0")
    assert t.asked == (O, "circle-target")
    assert t.offered() == "f04o f27 f05k f04k f19k f06k f28 f05o"
    t.take("circle f19k")
    assert t.names(t.state.discards) == "f19k"
    assert t.offered() == "f01k f30"
    t.take("lay f01k", "turn 0")
    assert t.corner(0, 0, "NE") == t.corner(0, 0, "SE") == "2:1 O"
    assert t.score == "2:0"
    t.take("stack", "stack").done(K, "place-tile")


@pytest.mark.rules("BKH-X-03", "BKH-X-09", "BKH-R-24", "BKH-R-26")
def test_sc_15_crystal_field() -> None:
    t = lay(
        POSITION_A,
        on={"1,0": "f19k r0 giant/O", "-2,0": "mage/O"},
        specials=True,
        active=K,
        knights="crystal f02o f03o",
    )
    assert t.owner(0, 0) == "O"
    t.put("crystal", "2,0")
    assert t.names(t.state.spent[O]) == "giant"
    assert t.names(t.state.ground.values()) == "mage"
    assert t.corner(0, 0, "NE") == "2:3 K"
    assert t.corner(0, 0, "SE") == "3:1 O"
    assert t.owner(0, 0) == "K"
    t.done(K, "draw-tile")


@pytest.mark.rules("BKH-X-12", "BKH-X-13", "BKH-X-14", "BKH-R-27")
def test_sc_16_graveyard() -> None:
    t = lay(
        START,
        on={"4,2": "f01o drums/O", "1,0": "f28 catapult/O"},
        specials=True,
        orcs="graveyard f02o f03o",
        orcs_tokens="leader",
        orcs_discarded="giant",
    )
    t.take("place graveyard", "cell 0,1")
    assert t.offered() == "drums giant"
    t.take("recover giant")
    assert t.names(t.state.ready[O]) == "leader giant"
    t.take("stack")
    t.take(next(iter(t.options())), "cell 0,-1", "turn 0", "none", "stack")
    t.put("f02o", "-1,0", 0, None)
    assert t.tokens() == "none leader giant"
    t.done(O, "play-token")


@pytest.mark.rules("BKH-X-10", "BKH-X-11", "BKH-R-15", "BKH-R-20", "BKH-R-22", "BKH-R-28")
def test_sc_17_stone_circle() -> None:
    t = lay(
        """
        x=-1      x=0       x=1
y=-1    .         f12k r0   .
y=0     f27 r0    [t2k]     .
y=1     .         <stones>  .
""",
        advanced=True,
        specials=True,
        orcs="f30 f02o f03o",
        orcs_tokens=ALL,
    )
    t.put("f30", "1,1", 0, None)
    assert t.tokens() == "none mage catapult"
    again = t.match.clone()
    t.take("token mage")
    assert t.offered() == "2,0 2,1 2,2"
    t.take("reserve 2,0").done(O, "draw-tile")
    (prompt,) = again.prompts.values()
    again.play(O, prompt.options[-1])
    assert t.names(again.state.discards) == "f12k"  # the only target, unasked


@pytest.mark.rules("BKH-M-13", "BKH-W-03", "BKH-R-10")
@pytest.mark.parametrize("seat", [O, K])
def test_sc_18_both_reach_seven(seat: int) -> None:
    hand = {"orcs" if seat == O else "knights": "f29 f02o f03o"}
    t = lay(
        """
        x=-1      x=0       x=1       x=2       x=3       x=4       x=5       x=6       x=7
y=-1    f26k r3   f19o r2   f22o r0   f23o r2   f17k r3   f04k r0   f08o r1   f17o r2   f14k r3
y=0     f14o r1   [t4o]     f06k r2   [t3o]     .         [t3k]     f09o r0   [t4k]     f03o r2
y=1     f16k r0   f22k r1   f31 r1    f25o r3   f08k r3   f28 r2    f05k r1   f11k r3   f10k r3
""",
        active=seat,
        **hand,
    )
    assert t.score == "4:4"
    assert (t.owner(0, 0), t.owner(6, 0)) == ("O", "K")
    t.put("f29", "3,0")
    assert t.corners(2, 0) == "NW 2:0 O  NE 5:3 O  SE 1:5 K  SW 5:2 O"
    assert t.corners(4, 0) == "NW 0:2 K  NE 3:0 O  SE 0:1 K  SW 2:2 N"
    assert t.score == "7:7"
    assert t.result == ((seat,), (1 - seat,), "target")
    t.done()


@pytest.mark.rules("BKH-R-11", "BKH-R-12", "BKH-R-13")
def test_sc_19_passes_end_the_match() -> None:
    t = lay(
        """
        x=-1      x=0       x=1       x=2       x=3
y=-1    f29 r0    f26k r1   f14o r0   f10k r0   f25o r1
y=0     f16o r2   [t2o]     f13o r0   [t2k]     f23o r1
y=1     f18o r1   f14k r0   f13k r0   f26o r0   f03o r1
""",
        orcs="",
        knights="",
        row="",
        stack="",
        supply="",
    )
    assert [event[1] for event in t.history if event[0] == "passed"] == [O, K]
    assert t.corners(0, 0) == "NW 2:1 O  NE 4:2 O  SE 0:3 K  SW 5:2 O"
    assert t.corners(2, 0) == "NW 3:0 O  NE 0:5 K  SE 0:5 K  SW 3:3 N"
    assert t.score == "2:2"
    assert t.match.outcome is not None
    assert dict(t.match.outcome.details) == {"scores": [2, 2], "towers": [1, 1], "corners": [4, 3]}
    assert t.result == ((O,), (K,), "passes")
    t.done()
