"""Match Play's Challenge (KAO-M-31 to KAO-M-45), and the fourteen Special Abilities (6.3)."""

from __future__ import annotations

import pytest

from tests.games.kaolan.table import Table, lay, seat


def fight(attacker: str, defender: str, *dice: int | tuple[int, int]) -> Table:
    """One Challenge between two Leaders; the Defender has a Guard to step up."""
    return lay(seat(attacker), seat(defender, "blue Starmaster"), dice=dice).take("challenge")


# -- the three rolls ---------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-31", "KAO-M-33", "KAO-R-11", "KAO-R-32")
def test_everybody_with_a_leader_can_be_challenged_whatever_the_colour() -> None:
    t = lay(
        seat("red Claw"), seat("red Flame"), seat("r3", "blue Claw"), seat("green Claw"), dice=[1]
    )
    t.take("challenge")
    assert t.asked == (0, "choose_defender")
    assert t.offered() == ["seat 2", "seat 4"]
    t.take("seat 2")
    assert t.events("challenge_announced") == [(0, 1)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-11", "KAO-R-10")
@pytest.mark.parametrize(("own", "other"), [("r3", "red Flame"), ("red Claw", "g9"), ("r3", "g9")])
def test_a_challenge_needs_a_leader_character_on_both_sides(own: str, other: str) -> None:
    t = lay(seat(own, "blue Claw"), seat(other, "green Claw"))
    assert "challenge" not in t.offered()
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-M-35", "KAO-M-36", "KAO-C-21")
@pytest.mark.parametrize("die", range(1, 7))
def test_qualification_needs_an_attack_face(die: int) -> None:
    qualifies = die in (3, 4, 5, 6)
    t = fight("red Claw", "green Flame", die, *([(1, 1), (1, 1)] if qualifies else []))
    assert t.dice[0] == ("qualification", 0, (die,), qualifies)
    assert len(t.dice) == (3 if qualifies else 1)
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-34", "KAO-M-37", "KAO-M-38")
def test_an_escape_ends_the_challenge_before_the_volley() -> None:
    t = fight("red Claw [r6]", "green Claw [g7]", 3, (3, 4))
    assert [roll[0] for roll in t.dice] == ["qualification", "defense"]
    assert t.events("escaped") == [(1,)]
    assert t.state.battle is None
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-39", "KAO-M-40")
def test_a_miss_changes_nothing() -> None:
    t = fight("red Claw [r6]", "green Claw [g7]", 3, (1, 1), (1, 1))
    assert t.dice[-1] == ("volley", 0, (1, 1), False)
    assert t.discard == ""
    assert t.board(1)[0] == "green Claw [g7]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-41", "KAO-M-42", "KAO-R-16", "KAO-R-21")
def test_a_hit_discards_the_group_and_the_only_guard_steps_up_with_all_under_it() -> None:
    t = lay(
        seat("red Claw [r6]"),
        seat("green Claw [g9, g2 | Keen Eye]", "r3", "blue Flame [b5, b2 | Twin Fangs]"),
        dice=[3, (1, 2), (3, 3)],
    )
    t.take("challenge")
    assert t.discard == "Keen Eye, g2, g9, green Claw"
    assert t.board(1) == ["blue Flame [b5, b2 | Twin Fangs]", "r3", "", ""]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-04", "KAO-M-06", "KAO-M-43", "KAO-R-14", "KAO-R-22")
def test_the_last_player_left_wins_at_once() -> None:
    t = lay(
        seat("red Claw [r6]"),
        seat("green Claw", "r3", "Ambush", "g4", hand="red Flame, b2"),
        dice=[3, (1, 2), (3, 3)],
    )
    t.take("challenge")
    assert t.discard == "b2, red Flame, g4, Ambush, r3, green Claw"
    assert t.match.outcome is not None
    assert t.match.outcome.winners == (0,)
    assert t.match.prompts == {}
    t.done()


@pytest.mark.rules("KAO-M-44")
def test_the_turn_is_over_with_the_challenge() -> None:
    t = fight("red Claw [r6]", "green Claw", 1)
    assert t.events("turn_ended") == [(0,)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-32", "KAO-M-45", "KAO-R-29")
def test_cards_under_guards_and_those_of_others_do_not_count() -> None:
    t = lay(
        seat("red Claw [r6]", "red Flame [r3 | Twin Fangs]"),
        seat("green Claw [g9]", "green Flame [g5 | Shadow Step]"),
        seat("blue Claw [b5]"),
        dice=[3, (1, 4), (1, 2)],
    )
    t.take("challenge", "seat 2")
    assert [roll[3] for roll in t.dice] == [True, False, False]
    t.done(1, "turn_action")
    t = lay(
        seat("red Claw [r6]", "red Flame [r3 | Twin Fangs]"),
        seat("green Claw [g9]", "green Flame [g5 | Shadow Step]"),
        dice=[3, (2, 2), (2, 2)],
    )
    t.take("challenge")
    assert [roll[3] for roll in t.dice] == [True, False, False]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-18", "KAO-R-19")
def test_hopeless_dice_are_rolled() -> None:
    t = fight("red Claw", "green Claw", 3, (5, 6), (6, 6))
    assert [roll[3] for roll in t.dice] == [True, False, False]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_the_events_of_a_challenge_come_in_order() -> None:
    t = fight("red Claw [r6]", "green Claw", 3, (1, 1), (3, 3))
    kinds = [event[0] for event in t.history if event[0] not in ("turn_started", "action")]
    assert kinds == [
        *("challenge_announced", "rolled", "rolled", "rolled", "defeated", "discarded"),
        *("stepped_up", "turn_ended"),
    ]
    t.done(1, "turn_action")


# -- abilities about Qualification -------------------------------------------------------------


@pytest.mark.rules("KAO-M-35", "KAO-R-20")
@pytest.mark.parametrize(
    ("leader", "qualifying"),
    [
        ("blue Starmaster [| Keen Eye]", {1, 2, 3, 4}),
        ("red Claw [| Keen Eye]", {2, 3, 4, 5, 6}),
        ("gold Sunmane [| Keen Eye]", {1, 2, 5, 6}),
        ("gold Diamondback [| Keen Eye]", {4, 5, 6}),
        ("red Flame [| Keen Eye]", {1, 2, 3, 4, 5, 6}),
    ],
)
def test_keen_eye_counts_one_higher_and_one_lower_without_wrapping(
    leader: str, qualifying: set[int]
) -> None:
    for die in range(1, 7):
        t = fight(leader, "green Claw", die, *([(1, 1), (1, 1)] if die in qualifying else []))
        assert t.dice[0][3] is (die in qualifying)
        t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-18", "KAO-R-20")
def test_war_drums_qualify_without_a_roll() -> None:
    t = fight("red Claw [r6 | War Drums]", "green Claw", (1, 2), (1, 2))
    assert t.events("qualified") == [(0, "war_drums")]
    assert [roll[0] for roll in t.dice] == ["defense", "volley"]
    t.done(1, "turn_action")


# -- abilities about the Defense ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("defender", "dice", "escapes"),
    [
        ("green Claw [g5 | Shadow Step]", (4, 4), True),
        ("green Claw [g5 | Shadow Step]", (2, 3), True),
        ("green Claw [g5 | Shadow Step]", (3, 5), False),
        ("green Claw [| Shadow Step]", (1, 1), True),
        ("green Claw [g5 | Steel Scales]", (3, 4), True),
        ("green Claw [g5 | Steel Scales]", (2, 3), True),
        ("green Claw [g5 | Steel Scales]", (4, 4), False),
        ("green Claw [g5 | Mirror Scales]", (4, 2), True),
        ("green Claw [g5 | Mirror Scales]", (5, 6), True),
        ("green Claw [g5 | Mirror Scales]", (2, 3), True),
        ("green Claw [g5 | Mirror Scales]", (5, 5), False),
        ("green Claw [g5 | Twin Fangs]", (4, 4), False),
        ("green Claw [g5 | Hunter's Mark]", (3, 4), False),
    ],
)
@pytest.mark.rules("KAO-M-37", "KAO-R-20", "KAO-R-29")
def test_abilities_that_help_to_escape(defender: str, dice: tuple[int, int], escapes: bool) -> None:
    attacker = seat("red Claw [r6, gold 3/5/11]", "red Flame [r10]")
    t = lay(attacker, seat(defender), dice=[3, dice, *([] if escapes else [(1, 1)])])
    t.take("challenge")
    assert t.events("escaped") == ([(1,)] if escapes else [])
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_second_wind_may_be_refused() -> None:
    t = fight("red Claw [r6]", "green Claw [g5 | Second Wind]", 3, (1, 1), (1, 1))
    assert t.offered() == ["spend g5", "no"]
    t.take("no")
    assert t.board(1)[0] == "green Claw [g5 | Second Wind]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_second_wind_needs_a_power_card() -> None:
    t = fight("red Claw [r6]", "green Claw [| Second Wind]", 3, (1, 1), (1, 1))
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_second_wind_is_not_asked_after_an_escape_or_of_the_attacker() -> None:
    t = fight("red Claw [r6 | Second Wind]", "green Claw [g5 | Second Wind]", 3, (2, 3))
    assert t.events("escaped") == [(1,)]
    t.done(1, "turn_action")
    t = fight("red Claw [r6 | Second Wind]", "green Claw", 3, (2, 3), (1, 1))
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_second_wind_spends_the_only_card_and_works_once() -> None:
    t = fight("red Claw", "green Claw [g5, g9 | Second Wind]", 3, (1, 1), (2, 3), (1, 1))
    t.take("spend g5")
    assert t.events("escaped") == [], "5 was spent"
    assert t.board(1)[0] == "green Claw [g9 | Second Wind]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_thorn_hide_costs_the_attacker_a_power_card_of_choice() -> None:
    t = fight("red Claw [r6, r8]", "green Claw [g5 | Thorn Hide]", 3, (2, 3))
    assert t.asked == (0, "thorn_discard")
    assert t.offered() == ["discard r6", "discard r8"]
    t.take("discard r8")
    assert t.discard == "r8"
    assert t.board(0)[0] == "red Claw [r6]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20", "KAO-R-21")
@pytest.mark.parametrize(("under", "discard"), [("[r6]", "r6"), ("", "")])
def test_thorn_hide_with_one_power_card_or_none(under: str, discard: str) -> None:
    t = fight(f"red Claw {under}", "green Claw [g5 | Thorn Hide]", 3, (2, 3))
    assert t.discard == discard
    assert t.board(0)[0] == "red Claw"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_thorn_hide_does_nothing_without_an_escape_or_under_a_guard() -> None:
    t = fight("red Claw [r6, r8]", "green Claw [g5 | Thorn Hide]", 3, (1, 1), (1, 1))
    assert t.discard == ""
    t.done(1, "turn_action")
    t = lay(
        seat("red Claw [r6, r8]"),
        seat("green Claw [g5]", "red Flame [| Thorn Hide]"),
        dice=[3, (2, 3)],
    )
    t.take("challenge")
    assert t.discard == ""
    t.done(1, "turn_action")


# -- abilities about the Volley ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "dice", "hits"),
    [
        (("red Claw [r6 | Twin Fangs]",), (4, 4), True),
        (("red Claw [r6 | Twin Fangs]",), (2, 4), True),
        (("red Claw [r6 | Twin Fangs]",), (3, 5), False),
        (("red Claw [| Twin Fangs]",), (1, 1), True),
        (("red Claw [r6 | Hunter's Mark]",), (3, 4), True),
        (("red Claw [r6 | Hunter's Mark]",), (2, 4), True),
        (("red Claw [r6 | Hunter's Mark]",), (4, 4), False),
        (("red Claw [r6 | Pack Tactics]", "blue Flame [b4]", "", "green Claw [g9]"), (1, 3), True),
        (("red Claw [r6 | Pack Tactics]", "blue Flame [b4]", "", "green Claw [g9]"), (4, 5), True),
        (("red Claw [r6 | Pack Tactics]", "blue Flame [b4]", "", "green Claw [g9]"), (2, 4), True),
        (("red Claw [r6 | Pack Tactics]", "blue Flame [b4]", "", "green Claw [g9]"), (3, 4), False),
        (("red Claw [r6]", "blue Flame [b4 | Pack Tactics]"), (1, 3), False),
        (("red Claw [r6 | Shadow Step]",), (4, 4), False),
        (("red Claw [r6 | Steel Scales]",), (3, 4), False),
        (("red Claw [r6 | Mirror Scales]",), (5, 4), False),
    ],
)
@pytest.mark.rules("KAO-M-39", "KAO-M-45", "KAO-R-20", "KAO-R-29")
def test_abilities_that_help_to_hit(
    attacker: tuple[str, ...], dice: tuple[int, int], hits: bool
) -> None:
    t = lay(seat(*attacker), seat("green Diamondback [g9]", "blue Claw"), dice=[4, (1, 1), dice])
    t.take("challenge")
    assert len(t.events("defeated")) == hits
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-39", "KAO-R-20")
@pytest.mark.parametrize(
    ("dice", "defeated"),
    [
        ([(2, 4)], 1),
        ([(1, 1), (2, 4)], 1),
        ([(1, 1), (1, 1)], 0),
    ],
    ids=["a hit is not rolled again", "the second roll hits", "no third roll"],
)
def test_battle_fury_rolls_a_miss_once_more(dice: list[tuple[int, int]], defeated: int) -> None:
    t = fight("red Claw [r6 | Battle Fury]", "green Claw [g9]", 3, (1, 1), *dice)
    assert len(t.events("defeated")) == defeated
    assert len(t.dice) == 2 + len(dice)
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_phoenix_heart_replaces_the_defeat_powers_first() -> None:
    t = fight("red Claw [r6]", "green Claw [g9, g2 | Phoenix Heart]", 3, (1, 2), (3, 3))
    assert t.events("defeated") == []
    assert t.board(1)[:2] == ["green Claw", "blue Starmaster"]
    assert t.discard == "Phoenix Heart, g2, g9"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20", "KAO-M-43")
def test_phoenix_heart_saves_the_last_character_once() -> None:
    t = lay(seat("red Claw [r6]"), seat("green Claw [| Phoenix Heart]"), dice=[3, (1, 2), (3, 3)])
    t.take("challenge")
    assert t.match.outcome is None
    assert t.board(1)[0] == "green Claw"
    assert t.discard == "Phoenix Heart"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-29")
def test_phoenix_heart_under_a_guard_does_not_help_the_leader() -> None:
    t = lay(
        seat("red Claw [r6]"),
        seat("green Claw", "red Flame [| Phoenix Heart]"),
        dice=[3, (1, 2), (3, 3)],
    )
    t.take("challenge")
    assert t.board(1)[:2] == ["red Flame [| Phoenix Heart]", ""]
    t.done(1, "turn_action")


# -- abilities about what a Character can hold -------------------------------------------------


@pytest.mark.rules("KAO-R-29", "KAO-C-10")
def test_deep_reserves_work_on_a_guard() -> None:
    t = lay(
        seat("blue Claw", "red Flame [r2, r3 | Deep Reserves]", hand="r4"), seat("b2"), draw="g12"
    )
    t.take("add_power")
    assert t.board(0)[1] == "red Flame [r2, r3, r4 | Deep Reserves]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-29", "KAO-C-09")
def test_prism_heart_works_on_a_guard() -> None:
    t = lay(seat("blue Claw", "red Flame [r2 | Prism Heart]", hand="g4"), seat("b2"), draw="r12")
    t.take("add_power", "power g4")
    assert t.board(0)[1] == "red Flame [r2, g4 | Prism Heart]"
    t.done(1, "turn_action")


# -- what is told of a roll --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "defender", "dice", "matched"),
    [
        ("red Claw [r6]", "green Claw", [3, (1, 1), (2, 4)], ["red Claw", "", "r6"]),
        ("red Claw [r6]", "green Claw [g6]", [3, (2, 4)], ["red Claw", "g6"]),
        ("red Claw [| Keen Eye]", "green Claw [g6]", [2, (2, 4)], ["keen_eye", "g6"]),
        ("red Claw", "green Claw [g5 | Shadow Step]", [3, (4, 4)], ["red Claw", "shadow_step"]),
        ("red Claw", "green Claw [g5 | Shadow Step]", [3, (2, 3)], ["red Claw", "g5"]),
        ("red Claw", "green Claw [| Steel Scales]", [3, (3, 4)], ["red Claw", "steel_scales"]),
        (
            "red Claw [r6]",
            "green Claw [| Mirror Scales]",
            [3, (2, 4)],
            ["red Claw", "r6 mirror_scales"],
        ),
        (
            "red Claw [| Twin Fangs]",
            "green Claw",
            [3, (1, 2), (1, 1)],
            ["red Claw", "", "twin_fangs"],
        ),
        ("red Claw", "green Claw", [1], [""]),
    ],
)
def test_a_roll_tells_what_made_it_a_success(
    attacker: str, defender: str, dice: list[int | tuple[int, int]], matched: list[str]
) -> None:
    t = fight(attacker, defender, *dice)
    assert t.matched == matched
    t.done(1, "turn_action")


def test_the_pack_lends_its_numbers() -> None:
    t = lay(
        seat("red Claw [| Pack Tactics]", "red Flame [r5]"),
        seat("green Claw", "blue Flame"),
        dice=[3, (1, 1), (2, 3)],
    ).take("challenge")
    assert t.matched == ["red Claw", "", "r5 pack_tactics"]
    t.done(1, "turn_action")


def test_the_view_of_a_challenge_has_its_dice() -> None:
    t = fight("red Claw [r6]", "green Claw [g9 | Second Wind]", 3, (1, 1))
    assert t.asked == (1, "second_wind")
    leader = t.match.card(t.state.leader(0))
    for who in (None, 0, 1):
        assert t.match.view(who)["challenge"]["rolls"] == [
            {
                "stage": "qualification",
                "seat": 0,
                "dice": [3],
                "success": True,
                "matched_cards": [leader],
                "matched_ability": "",
            },
            {
                "stage": "defense",
                "seat": 1,
                "dice": [1, 1],
                "success": False,
                "matched_cards": [],
                "matched_ability": "",
            },
        ]
    data = t.match.dump()
    assert t.match.game.load(data).view(None) == t.match.view(None)
    t.done(1, "second_wind")
