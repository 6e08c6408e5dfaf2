"""A turn: where tiles go, drawing, passes, taking back, resigning, and who wins."""

from __future__ import annotations

import pytest

import rules
from rules.engine.chance import named_seed
from rules.engine.errors import IllegalMove
from tests.games.battl_khaos.table import POSITION_A, K, O, Table, lay

GAME = rules.game("battl-khaos")
START = "        x=0\ny=0     [t2k]\n"
TWO = """
        x=0       x=1
y=0     [t2k]     f28 r0
"""


def kinds(t: Table) -> list[str]:
    return [event[0] for event in t.history]


# -- phases ----------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-T-01", "BKH-T-13", "BKH-M-13", "BKH-S-02")
def test_a_turn_has_three_phases_in_their_order() -> None:
    t = lay(POSITION_A, orcs="f01k f02o f03o", row="f10o f11o f12o")
    t.put("f01k", "1,0", 0, "drums").take("draw f11o")
    assert kinds(t) == [
        "turn_started",
        "tile_placed",
        "token_played",
        "corner_resolved",
        "corner_resolved",
        "tower_gained",
        "row_taken",
        "row_filled",
        "turn_started",
    ]
    t.done(K, "place-tile")


@pytest.mark.rules("BKH-T-03", "BKH-T-04", "BKH-S-16")
def test_a_tile_goes_on_an_empty_cell_beside_any_tile() -> None:
    for tile in ("[t2k]", "f28 r0", "<temple>"):
        t = lay(f"        x=-1      x=0\ny=0     f27 r0    {tile}\n", orcs="f01o f02o f03o")
        t.take("place f01o")
        assert t.offered() == "-1,-1 0,-1 -2,0 1,0 -1,1 0,1"
        t.done(O, "place-cell")


@pytest.mark.rules("BKH-T-05")
def test_only_towers_keep_clear_of_towers() -> None:
    t = lay(TWO, orcs="f01o f02o f03o", supply="t1o t1k")
    assert t.offered() == "f01o f02o f03o t1k t1o"
    t.take("place t1k")  # (2,0) is the only cell beside a tile and not near the tower
    assert t.match.view(None)["board"][-1]["tile"]["slug"] == "bkh-t1k"
    t.done(K, "place-tile")
    t = lay(START, orcs="f01o f02o f03o")
    assert "t1k" not in t.offered()
    t.done(O, "place-tile")


@pytest.mark.rules("BKH-T-06", "BKH-R-02")
def test_a_quarter_turn_moves_each_corner_clockwise() -> None:
    t = lay(START, orcs="f32 f02o f03o").take("place f32", "cell 1,0")
    printed = ["O2", "O1", "K2", "K1"]
    for turns in range(4):
        twin = t.match.clone()
        (prompt,) = twin.prompts.values()
        twin.play(O, prompt.options[turns])
        (cell,) = [cell for cell in twin.view(O)["board"] if cell["x"] == 1]
        units = [f"{unit['side']}{unit['printed']}" for unit in cell["corners"]]
        assert units == [printed[(corner - turns) % 4] for corner in range(4)]
        assert cell["rotation"] == turns
    t.done(O, "place-rotation")


@pytest.mark.rules("BKH-R-31", "BKH-T-06", "BKH-X-04")
def test_towers_and_special_tiles_are_not_turned_and_take_no_token() -> None:
    t = lay(TWO, orcs="temple f02o f03o", supply="t1o", specials=True)
    t.take("place temple", "cell 0,1")
    assert t.asked == (O, "draw-tile")
    t.take("stack", "place t1o", "cell 2,0").done(O, "place-tile")


@pytest.mark.rules("BKH-T-02")
def test_towers_are_offered_by_id_after_the_hand() -> None:
    t = lay("        x=0       x=1\ny=0     [t1k]     f30 r0", orcs="f28 f02o f03o")
    assert list(t.options()) == [
        "place f28", "place f02o", "place f03o",
        "place t1o", "place t2k", "place t2o", "place t3k", "place t3o", "place t4k", "place t4o",
    ]  # fmt: skip
    t.done(O, "place-tile")


@pytest.mark.rules("BKH-T-05")
def test_a_tower_is_itself_where_hardly_a_tile_is_in_the_match() -> None:
    """Its number is that of a slot of the hand."""
    empty = {"row": "", "stack": "", "knights": ""}
    t = lay("        x=0       x=1\ny=0     [t1k]     f30 r0", orcs="f28", supply="t4o", **empty)
    t.take("place t4o")
    placed = next(event for event in t.history if event[0] == "tile_placed")
    assert (t.names([placed[2]]), *placed[3:]) == ("t4o", 2, 0, 0, "supply")
    t.done(O, "place-cell")


@pytest.mark.rules("BKH-R-31", "BKH-R-38")
def test_equal_towers_are_one_option_and_equal_tiles_two() -> None:
    t = lay(TWO, "army", orcs="f01o f01o f03o", supply="t1o t1o t1k")
    (prompt,) = t.match.prompts.values()
    slugs = [t.state.cards.slugs[move.card] for move in prompt.options]
    assert slugs == ["bkh-f01o", "bkh-f01o", "bkh-f03o", "bkh-t1k", "bkh-t1o"]
    first, second = prompt.options[:2]
    t.history += t.match.play(O, second)
    t.take("cell 0,1", "turn 0", "none")
    assert t.state.hands[O] == [first.card, -1, prompt.options[2].card]
    t.done(O, "draw-tile")


# -- drawing ---------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-T-08", "BKH-T-10", "BKH-T-11", "BKH-R-12", "BKH-R-14")
def test_the_hand_fills_up_from_what_is_left() -> None:
    t = lay(START, orcs="f01o f02o f03o", row="f10o f11o f12o", stack="")
    t.put("f02o", "1,0").take("draw f11o")
    assert t.hand(O) == "f01o f11o f03o"  # into the lowest free slot
    assert t.names([card for card in t.state.row if card >= 0]) == "f10o f12o"
    t.done(K, "place-tile")
    t = lay(START, orcs="f01o f02o f03o", row="", stack="f10o")
    t.put("f02o", "1,0")
    assert t.hand(O) == "f01o f10o f03o"  # one source is not asked about
    t.done(K, "place-tile")
    t = lay(START, orcs="f01o f02o f03o", row="", stack="", knights="f04o f05o")
    t.put("f02o", "1,0")
    assert t.hand(O) == "f01o f03o"
    t.done(K, "place-tile")


# -- passes ----------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-R-13", "BKH-R-18", "BKH-P-14")
def test_a_pass_uses_a_halberd_up() -> None:
    t = lay(
        "        x=0\ny=0     f28\n",
        on={"0,0": "halberd/O"},
        halberd="0,0",
        active=K,
        knights="f01o f02o f03o",
        orcs="f04o f05o f06o",
    )
    assert kinds(t) == ["turn_started", "passed", "halberd_over", "turn_started"]
    assert t.match.view(None)["passes"] == 1
    assert t.hand(K) == "f01o f02o f03o"
    t.put("f04o", "1,0").take("stack")
    assert t.match.view(None)["passes"] == 0
    t.done(K, "place-tile")


BARE = {"orcs": "", "knights": "", "row": "", "stack": "", "supply": ""}


@pytest.mark.rules("BKH-R-11", "BKH-R-13")
@pytest.mark.parametrize(
    ("grid", "ranking", "details"),
    [
        (START, ((O, K),), ([0, 0], [0, 0], [0, 0])),
        (
            """
        x=-1      x=0
y=-1    f27 r0    f29 r0
y=0     f31 r0    [t2k]
""",
            ((K,), (O,)),
            ([0, 0], [0, 0], [0, 1]),
        ),
        (
            POSITION_A.replace(".", "f01k r1").replace("[t2k]", "[t1o]"),
            ((K,), (O,)),
            ([0, 1], [0, 1], [1, 2]),
        ),
    ],
    ids=["nothing", "corners", "score"],
)
def test_two_passes_end_the_match(
    grid: str, ranking: tuple[tuple[int, ...], ...], details: tuple[list[int], ...]
) -> None:
    t = lay(grid, **BARE)
    assert t.match.outcome is not None
    assert t.match.outcome.reason == "passes"
    assert tuple(value for _, value in t.match.outcome.details) == details
    assert t.match.outcome.ranking == ranking
    assert t.match.outcome.winners == ranking[0]
    t.done()


# -- winning ---------------------------------------------------------------------------------------


@pytest.mark.rules("BKH-W-01", "BKH-W-03", "BKH-R-09")
@pytest.mark.parametrize("target", [5, 7, 9])
def test_the_target_is_tested_in_phase_2_also_in_the_enemys_turn(target: int) -> None:
    """Orcs resolve a corner that gives the knights their fifth point."""
    t = lay(
        """
        x=-1      x=0       x=1       x=2       x=3
y=-1    f28 r1    f25o r0   f06o r1   f04o r2   f25k r3
y=0     f23o r1   [t4k]     f24k r3   [t2k]     .
y=1     f02k r2   f04k r0   f01k r1   f12o r2   f14o r2
""",
        target=target,
        orcs="f28 f02o f03o",
    )
    assert t.score == "0:4"
    t.put("f28", "3,0", 0)
    assert t.score == "0:6"
    if target == 5:
        assert t.result == ((K,), (O,), "target")
        line = t.match.narrate(t.history[-1], None)
        assert line == "Seat 2 wins: the target was reached with 6 points."
        view = t.match.view(None)
        reason = GAME.text.reason(view["outcome"], view)
        assert reason == "the knights reached the target of 5 points"
        assert "tile_drawn" not in kinds(t)
        t.done()
    else:
        t.done(O, "draw-tile")


@pytest.mark.rules("BKH-R-10")
def test_the_bigger_realm_wins_first() -> None:
    t = lay(
        """
        x=-1      x=0       x=1       x=2       x=3
y=-1    f28 r1    f25o r0   f06o r1   f04o r2   f25k r3
y=0     f23o r1   [t4k]     f24k r3   [t2k]     .
y=1     f02k r2   f04k r0   f01k r1   f12o r2   f14o r2
""",
        target=5,
        orcs="f28 f02o f03o",
    )
    t.put("f28", "3,0", 0)
    assert t.result == ((K,), (O,), "target")
    t.done()


@pytest.mark.rules("BKH-R-10")
def test_the_side_ahead_wins_even_if_the_other_is_active() -> None:
    """Both reach the target with one tile: the orcs place it, the knights have more."""
    t = lay(
        """
        x=-1      x=0       x=1       x=2       x=3       x=4       x=5       x=6       x=7
y=-1    f26k r3   f19o r2   f22o r0   f23o r2   f17k r3   f04k r0   f08o r1   f17o r2   f14k r3
y=0     f14o r1   [t4o]     f06k r2   [t2o]     .         [t3k]     f09o r0   [t4k]     f03o r2
y=1     f16k r0   f22k r1   f31 r1    f25o r3   f08k r3   f28 r2    f05k r1   f11k r3   f10k r3
""",
        target=5,
        orcs="f29 f02o f03o",
    )
    assert t.score == "4:4"
    t.put("f29", "3,0")
    assert t.score == "6:7"
    assert t.result == ((K,), (O,), "target")
    t.done()


@pytest.mark.rules("BKH-R-09", "BKH-P-11", "BKH-R-17")
def test_nobody_wins_in_mid_turn() -> None:
    """The first tile gives the orcs their target; the Banner comes before phase 2."""
    t = lay(POSITION_A, target=5, orcs="f01k f02o f03o", supply="")
    t.put("f01k", "1,0", 0, "banner")
    assert t.score == "2:0"
    assert "corner_resolved" not in kinds(t)
    assert t.asked == (O, "place-tile")
    t.take("stop")
    assert kinds(t)[-3:] == ["corner_resolved", "corner_resolved", "tower_gained"]
    t.done(O, "draw-tile")


# -- resigning and taking back ---------------------------------------------------------------------


@pytest.mark.rules("BKH-R-41")
@pytest.mark.parametrize("seat", [O, K])
def test_either_seat_may_resign_at_any_time(seat: int) -> None:
    t = lay(POSITION_A, orcs="f01k f02o f03o").take("place f01k", "cell 1,0", "turn 0")
    t.concede(seat)
    assert t.result == ((1 - seat,), (seat,), "resign")
    assert t.history[-1][0] == "match_ended"
    players = t.match.view(None)["players"]
    assert [len(player["hand"]["cards"]) for player in players] == [2, 3]
    with pytest.raises(IllegalMove):
        t.match.concede(1 - seat)
    t.done()


@pytest.mark.rules("BKH-R-37", "BKH-R-32")
def test_a_tile_that_was_placed_and_taken_back_stays_known() -> None:
    t = lay(POSITION_A, orcs="f01k f02o f03o").take("place f01k", "cell 1,0")
    assert t.match.can_undo(O)
    before = t.match.clone()
    t.take("turn 0")
    assert t.match.can_undo(O)  # placing tells the others of the tile, and nobody of anything else
    again = t.match.gone_back(before)
    assert {prompt.kind for prompt in again.prompts.values()} == {"place-rotation"}
    orcs = again.view(K)["players"][O]["hand"]
    assert [card["slug"] for card in orcs["cards"]] == ["bkh-f01k"]
    assert orcs["count"] == 3
    t.take("none", "stack")
    assert not t.match.can_undo(O)  # a tile was drawn
    t.done(K, "place-tile")


@pytest.mark.rules("BKH-R-36")
def test_tiles_leave_for_good_so_every_match_ends() -> None:
    for number in range(3):
        match = GAME.new_match(
            "classic", seats=2, seed=named_seed(f"end {number}"), options={"specials": True}
        )
        placed = 0
        while match.outcome is None:
            ((seat, prompt),) = match.prompts.items()
            move = prompt.options[-1 if prompt.kind == "place-tile" else 0]
            events = match.play(seat, move)
            placed += sum(event[0] == "tile_placed" for event in events)
        assert placed <= 70
        assert match.outcome.reason in ("target", "passes")


@pytest.mark.rules("BKH-R-35")
def test_a_board_in_parts_goes_on_in_all_of_them() -> None:
    t = lay(
        """
        x=0       x=1       x=2       x=3
y=0     [t2k]     f28 r0    f27 r0    f30 r0
""",
        orcs="f01o f02o f03o",
        orcs_tokens="catapult",
        knights="f04o f05o f06o",
    )
    t.put("f01o", "0,1", 0, "catapult").take("catapult f27", "stack", "place f04o")
    assert t.offered() == "0,-1 1,-1 3,-1 -1,0 2,0 4,0 -1,1 1,1 3,1 0,2"
    t.done(K, "place-cell")
