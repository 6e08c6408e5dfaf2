"""The worked scenarios W01 to W09 of the rules specification, with all their variants."""

from __future__ import annotations

import pytest

from tests.games.kaolan.table import Table, lay, seat

W01 = (
    "r7, blue Claw, red Flame, g5, Ambush, b9, g12, red Stinger, r2, Keen Eye, green Flame, b3, "
    "g6, r11, Twin Fangs, blue Starmaster, red Starmaster"
)


@pytest.mark.rules(
    *("KAO-M-07", "KAO-M-11", "KAO-M-13", "KAO-M-15", "KAO-M-18", "KAO-M-19", "KAO-M-22"),
    *("KAO-M-23", "KAO-R-02", "KAO-R-03", "KAO-R-05", "KAO-R-12"),
)
def test_w01_preparation_and_first_placement() -> None:
    t = lay(seat(), seat(), deck=W01, starter=0)
    assert t.board(0) == ["r7", "red Flame", "Ambush", "g12"]
    assert t.hand(0) == "r2, green Flame, g6, Twin Fangs"
    assert t.board(1) == ["blue Claw", "g5", "b9", "red Stinger"]
    assert t.hand(1) == "Keen Eye, b3, r11, blue Starmaster"
    assert len(t.state.draw[0]) == 44
    assert t.draw.startswith("red Starmaster, ")
    assert t.asked == (0, "turn_action")
    assert t.offered() == ["place"]

    t.take("place")
    assert t.asked == (0, "choose_character")
    assert t.offered() == ["character green Flame", "character red Starmaster"]

    t.take("character red Starmaster")
    assert t.asked == (0, "replaced_card"), "the position is forced"
    assert t.offered() == ["hand", "discard"]

    t.take("hand")
    assert t.hand(0) == "r2, green Flame, g6, Twin Fangs, r7"
    assert t.asked == (0, "discard_down")
    cards = ("r2", "green Flame", "g6", "Twin Fangs", "r7")
    assert t.offered() == [f"discard {card}" for card in cards]

    t.take("discard g6")
    assert t.board(0)[0] == "red Starmaster"
    assert t.discard == "g6"
    assert t.hand(0) == "r2, green Flame, Twin Fangs, r7"
    t.done(1, "turn_action")


@pytest.mark.rules(
    *("KAO-M-31", "KAO-M-32", "KAO-M-34", "KAO-M-35", "KAO-M-37", "KAO-M-39", "KAO-M-41"),
    *("KAO-M-42", "KAO-M-44", "KAO-M-17", "KAO-M-20", "KAO-R-15", "KAO-R-16", "KAO-R-21"),
)
def test_w02_a_full_challenge_and_the_vacated_position_stays_empty() -> None:
    t = lay(
        seat("red Claw [r6, r8]"),
        seat(
            *("green Stinger [g5, g9 | Shadow Step]", "blue Flame [b7]", "b2", "red Diamondback"),
            hand="red Flame, g3, g10, r12",
        ),
        draw="b5",
        dice=[4, (6, 2), (3, 3)],
    )
    before = t.draw
    t.take("challenge")
    assert t.dice == [
        ("qualification", 0, (4,), True),
        ("defense", 1, (6, 2), False),
        ("volley", 0, (3, 3), True),
    ]
    assert t.discard == "Shadow Step, g9, g5, green Stinger"
    assert t.asked == (1, "step_up")
    assert t.offered() == ["step_up blue Flame", "step_up red Diamondback"]

    t.take("step_up blue Flame")
    assert t.board(1) == ["blue Flame [b7]", "", "b2", "red Diamondback"]
    assert t.hand(0) == ""
    assert t.draw == before, "the Attacker has drawn nothing"
    assert t.asked == (1, "turn_action")
    assert t.offered() == ["place", "add_power", "challenge", "pass"]

    t.take("place")
    assert t.asked == (1, "replaced_card"), "red Flame and guard-2 are forced"
    t.take("discard")
    assert t.discard.startswith("b2, Shadow Step")
    assert t.hand(1) == "g3, g10, r12, b5"
    assert t.board(1) == ["blue Flame [b7]", "", "red Flame", "red Diamondback"]
    t.done(0, "turn_action")


def w03(*dice: int | tuple[int, int]) -> Table:
    t = lay(seat("blue Starmaster [b7 | Keen Eye]"), seat("red Flame"), dice=dice)
    return t.take("challenge")


@pytest.mark.rules("KAO-M-35", "KAO-M-36", "KAO-M-40", "KAO-M-44", "KAO-R-18", "KAO-R-20")
def test_w03_keen_eye() -> None:
    t = w03(4, (1, 1), (2, 6))
    assert t.dice == [
        ("qualification", 0, (4,), True),
        ("defense", 1, (1, 1), False),
        ("volley", 0, (2, 6), False),
    ]
    assert t.discard == ""
    assert t.board(1)[0] == "red Flame"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-36", "KAO-M-44")
def test_w03_variant_a_failed_qualification() -> None:
    t = w03(5)
    assert t.dice == [("qualification", 0, (5,), False)]
    assert t.state.battle is None
    t.done(1, "turn_action")


@pytest.mark.rules(
    *("KAO-M-24", "KAO-M-26", "KAO-C-09", "KAO-C-10", "KAO-R-05", "KAO-R-10", "KAO-R-11")
)
def test_w04_colour_limit_and_drawn_card_when_adding_power() -> None:
    t = lay(
        seat(*("red Flame [r7, r5]", "green Stinger [g4]", "b3", "g9"), hand="r9, b2, g3, Ambush"),
        seat("r10", "blue Claw"),
        draw="g6",
    )
    assert t.offered() == ["add_power", "pass"]
    t.take("add_power")
    assert t.asked == (0, "choose_power")
    assert t.offered() == ["power g3", "power g6"]
    t.take("power g6")
    assert t.board(0) == ["red Flame [r7, r5]", "green Stinger [g4, g6]", "b3", "g9"]
    assert t.hand(0) == "r9, b2, g3, Ambush"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-28", "KAO-M-29", "KAO-C-12", "KAO-C-13", "KAO-R-17", "KAO-R-30")
def test_w05_new_teaching_replaces_an_ability_and_the_limit_shrinks() -> None:
    t = lay(
        seat(
            *("green Claw [g2, g4, g6, g7, g10 | Deep Reserves]", "blue Flame"),
            hand="New Teaching, Twin Fangs, r3, b5",
        ),
        seat("r10"),
        draw="Keen Eye",
    )
    t.take("opportunity")
    assert t.names_of(t.state.play) == "New Teaching"
    assert t.asked == (0, "choose_ability")
    assert t.offered() == ["ability Twin Fangs", "ability Keen Eye"]
    t.take("ability Keen Eye")
    assert t.asked == (0, "trim_power")
    assert t.offered() == [f"discard {power}" for power in ("g2", "g4", "g6", "g7", "g10")]
    t.take("discard g2", "discard g10")
    assert t.board(0)[0] == "green Claw [g4, g6, g7 | Keen Eye]"
    assert t.discard == "New Teaching, g10, g2, Deep Reserves"
    assert t.hand(0) == "Twin Fangs, r3, b5"
    t.done(1, "turn_action")


@pytest.mark.rules(
    *("KAO-M-06", "KAO-M-43", "KAO-M-38", "KAO-R-14", "KAO-R-22", "KAO-R-01"),
)
def test_w06_elimination_in_a_game_of_three() -> None:
    t = lay(
        seat("green Flame"),
        seat("blue Claw [b3]", "g7", "Sabotage", hand="r2, g4"),
        seat("red Diamondback [r8]"),
        turn=2,
        dice=[5, (4, 4), (6, 2)],
    )
    t.take("challenge", "seat 2")
    assert t.dice[-1] == ("volley", 2, (6, 2), True)
    assert t.discard == "g4, r2, Sabotage, g7, b3, blue Claw"
    assert t.state.out == [1]
    assert t.match.outcome is None
    assert t.asked == (0, "turn_action")
    t.take("pass")
    t.done(2, "turn_action")


def w07(*, draw: str, discard: str) -> Table:
    return lay(
        seat("red Flame [r7, r5]", hand="r3, g2, b6, b8"),
        seat("red Claw [r6, r8, r9]", hand="g4, g7, b9, b10"),
        draw=draw,
        discard=discard,
        rest="removed",
    )


@pytest.mark.rules("KAO-M-14", "KAO-M-30", "KAO-R-08", "KAO-R-09")
def test_w07_the_draw_pile_runs_out() -> None:
    t = w07(draw="g5", discard="Sabotage, r4, b2").take("pass")
    assert t.hand(0) == "r3, g2, b6, b8, g5"
    t.take("discard b6")
    assert t.draw == ""
    assert t.discard == "b6, Sabotage, r4, b2"
    t.take("pass")
    assert t.events("recycled")
    assert len(t.state.draw[0]) == 3
    assert t.discard == ""
    drawn = t.state.hands[1][-1]
    assert t.names_of([drawn]) in {"b6", "Sabotage", "r4", "b2"}
    t.take("discard g4")
    assert t.discard == "g4"
    assert len(t.state.hands[1]) == 4
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-08", "KAO-M-30")
def test_w07_variant_both_piles_empty() -> None:
    t = lay(
        seat("red Flame [r7, r5]", hand="r3, g2, b6, b8"),
        seat("red Claw [r6, r8, r9]", hand="g4, g7, b9, b10"),
        rest="removed",
        turn=1,
    )
    t.take("pass")
    assert t.events("drew") == [(1, ())]
    t.take("discard g4")
    assert t.hand(1) == "g7, b9, b10"
    t.done(0, "turn_action")


def w08(*dice: int | tuple[int, int]) -> Table:
    t = lay(
        seat("green Stinger [g8, g9]"),
        seat("blue Diamondback [b4, b6 | Second Wind]", "red Flame"),
        dice=dice,
    )
    t.take("challenge")
    assert t.asked == (1, "second_wind")
    assert t.offered() == ["spend b4", "spend b6", "no"]
    return t.take("spend b4")


@pytest.mark.rules("KAO-M-37", "KAO-M-38", "KAO-R-20")
def test_w08_second_wind() -> None:
    t = w08(2, (1, 2), (3, 3))
    assert t.discard == "b4"
    assert t.events("escaped") == [(1,)]
    assert t.board(1)[0] == "blue Diamondback [b6 | Second Wind]"
    assert t.state.battle is None
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-37", "KAO-R-20")
def test_w08_variant_the_spent_card_does_not_count_and_there_is_no_third_roll() -> None:
    t = w08(2, (1, 2), (1, 3), (1, 1))
    assert t.dice[2:] == [("defense", 1, (1, 3), False), ("volley", 0, (1, 1), False)]
    assert t.events("escaped") == []
    t.done(1, "turn_action")


def w09(*b: str) -> Table:
    return lay(
        seat("red Flame [r6]", "green Claw"), seat(*b), turn_limit=20, turn=1, turns=39, ask=False
    )


@pytest.mark.rules("KAO-R-24")
@pytest.mark.parametrize(
    ("b", "ranking"),
    [
        (
            ("b2", "blue Starmaster [b7, b8]", "red Diamondback", "green Stinger"),
            ((0,), (1,)),
        ),
        (("blue Starmaster [b7, b8]", "red Diamondback", "green Stinger"), ((1,), (0,))),
    ],
    ids=["a Leader comes first", "variant: three Characters against two"],
)
def test_w09_the_turn_limit(b: tuple[str, ...], ranking: tuple[tuple[int, ...], ...]) -> None:
    t = w09(*b)
    assert t.state.turns == 40
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ranking
    assert t.match.outcome.winners == ranking[0]
    assert t.match.outcome.reason == "turn_limit"
    t.done()
