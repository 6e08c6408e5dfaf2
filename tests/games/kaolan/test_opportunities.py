"""Match Play's fourteen Opportunity Cards (section 6.4), with KAO-R-17, KAO-R-30, KAO-R-31."""

from __future__ import annotations

import pytest

from tests.games.kaolan.table import Table, lay, seat


def can_play(t: Table) -> bool:
    """Closes the table: is the option Opportunity offered?"""
    offered = "opportunity" in t.offered()
    t.done(0, "turn_action")
    return offered


# -- Change of Guard ---------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-29", "KAO-R-16")
def test_change_of_guard_exchanges_the_groups() -> None:
    t = lay(
        seat(
            *("red Claw [r6 | Keen Eye]", "r3", "blue Flame [b5, b6]", "green Claw"),
            hand="Change of Guard",
        ),
        seat("b2"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.asked == (0, "swap_guard")
    assert t.offered() == ["step_up blue Flame", "step_up green Claw"]
    t.take("step_up blue Flame")
    assert t.board(0) == ["blue Flame [b5, b6]", "r3", "red Claw [r6 | Keen Eye]", "green Claw"]
    assert t.discard == "Change of Guard"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-12")
def test_change_of_guard_moves_a_card_that_is_no_character_back() -> None:
    t = lay(seat("r3", "blue Flame [b5]", hand="Change of Guard"), seat("b2"), draw="r12")
    t.take("opportunity")
    assert t.board(0)[:2] == ["blue Flame [b5]", "r3"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
@pytest.mark.parametrize(("guard", "playable"), [("blue Flame", True), ("r3", False), ("", False)])
def test_change_of_guard_needs_a_guard_character(guard: str, playable: bool) -> None:
    assert can_play(lay(seat("red Claw", guard, hand="Change of Guard"), seat("b2"))) is playable


# -- Ambush, Truce Breaker, Battle Horn --------------------------------------------------------


@pytest.mark.rules("KAO-R-18", "KAO-R-20", "KAO-R-30", "KAO-R-31", "KAO-M-29")
def test_ambush_draws_challenges_without_qualification_and_ends_the_turn() -> None:
    t = lay(
        seat("red Claw [r6]", hand="Ambush"),
        seat("green Claw [g9, g5 | Second Wind]", "blue Flame"),
        draw="r12",
        dice=[(1, 1), (1, 2), (3, 3)],
    )
    t.take("opportunity")
    assert t.hand(0) == "r12"
    assert t.events("action") == [(0, "opportunity")]
    assert t.events("qualified") == [(0, "ambush")]
    assert t.asked == (1, "second_wind")
    assert t.names_of(t.state.play) == "Ambush"
    t.take("spend g5")
    assert t.discard == "Ambush, Second Wind, g9, green Claw, g5", "Ambush comes last"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-30")
def test_ambush_is_discarded_although_it_ended_the_match() -> None:
    t = lay(
        seat("red Claw [r6]", hand="Ambush"), seat("green Claw"), draw="r12", dice=[(1, 1), (3, 3)]
    )
    t.take("opportunity")
    assert t.match.outcome is not None
    assert t.discard == "Ambush, green Claw"
    assert t.state.play == []
    t.done()


@pytest.mark.rules("KAO-R-05", "KAO-R-11")
@pytest.mark.parametrize("card", ["Ambush", "Battle Horn", "Truce Breaker"])
@pytest.mark.parametrize(
    ("own", "other", "playable"),
    [("red Claw", "red Flame", True), ("r3", "red Flame", False), ("red Claw", "r3", False)],
)
def test_cards_that_challenge_need_two_leaders(
    card: str, own: str, other: str, playable: bool
) -> None:
    t = lay(seat(own, hand=card), seat(other, "blue Claw"))
    assert can_play(t) is playable


@pytest.mark.rules("KAO-R-20", "KAO-R-31")
@pytest.mark.parametrize(
    ("dice", "qualifies"),
    [
        ([3, (1, 1), (1, 1)], True),
        ([1, 3, (1, 1), (1, 1)], True),
        ([1, 2], False),
    ],
    ids=["a good roll stands", "a failed one is repeated", "once"],
)
def test_truce_breaker_repeats_a_failed_qualification_once(
    dice: list[int | tuple[int, int]], qualifies: bool
) -> None:
    t = lay(
        seat("red Claw", hand="Truce Breaker"),
        seat("red Flame", "blue Claw"),
        draw="r12",
        dice=dice,
    )
    t.take("opportunity")
    qualification = [roll for roll in t.dice if roll[0] == "qualification"]
    assert qualification[-1][3] is qualifies
    assert len(qualification) == sum(isinstance(die, int) for die in dice)
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_truce_breaker_with_war_drums_rolls_no_qualification() -> None:
    t = lay(
        seat("red Claw [| War Drums]", hand="Truce Breaker"),
        seat("red Flame", "blue Claw"),
        draw="r12",
        dice=[(1, 1), (1, 1)],
    )
    t.take("opportunity")
    assert t.events("qualified") == [(0, "war_drums")]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-30", "KAO-R-31")
def test_battle_horn_challenges_twice_if_its_player_wants() -> None:
    t = lay(
        seat("red Claw [r6]", hand="Battle Horn"),
        seat("green Claw", "blue Flame"),
        seat("blue Claw", "green Flame"),
        draw="r12",
        dice=[3, (1, 2), (3, 3), 3, (1, 2), (3, 3)],
    )
    t.take("opportunity", "seat 2")
    assert t.asked == (0, "horn_again")
    assert t.offered() == ["seat 2", "seat 3", "done"]
    assert t.names_of(t.state.play) == "Battle Horn"
    t.take("seat 2")
    assert t.state.out == [1], "both of its Characters are beaten"
    assert t.discard == "Battle Horn, blue Flame, green Claw"
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-31")
def test_battle_horn_may_stop_after_the_first_challenge() -> None:
    t = lay(
        seat("red Claw [r6]", hand="Battle Horn"),
        seat("green Claw", "blue Flame"),
        draw="r12",
        dice=[1],
    )
    t.take("opportunity")
    assert t.asked == (0, "horn_again"), "a failed Challenge is over, too"
    t.take("done")
    assert t.discard == "Battle Horn"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-31", "KAO-R-11")
def test_battle_horn_is_not_blown_again_when_nobody_is_left_to_challenge() -> None:
    t = lay(
        seat("red Claw [r6]", hand="Battle Horn"),
        seat("green Claw"),
        seat("r3", "green Flame"),
        draw="r12",
        dice=[3, (1, 2), (3, 3)],
    )
    t.take("opportunity")
    assert t.state.out == [1]
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-23", "KAO-R-30")
def test_battle_horn_is_blown_again_after_the_defender_has_resigned() -> None:
    t = lay(
        seat("red Claw [r6]", hand="Battle Horn"),
        seat("green Claw [g5, g6 | Second Wind]"),
        seat("blue Claw"),
        draw="r12",
        dice=[3, (1, 1)],
    )
    t.take("opportunity", "seat 2")
    assert t.asked == (1, "second_wind")
    t.concede(1)
    assert t.asked == (0, "horn_again")
    assert t.offered() == ["seat 3", "done"]
    assert t.names_of(t.state.play) == "Battle Horn"
    t.state.chance.dice += [1]
    t.take("seat 3")
    assert t.events("challenge_announced") == [(0, 1), (0, 2)]
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-20")
def test_second_wind_works_in_each_challenge_of_a_battle_horn() -> None:
    t = lay(
        seat("red Claw [r6]", hand="Battle Horn"),
        seat("green Diamondback [g2, g3 | Second Wind]", "blue Flame"),
        draw="r12",
        dice=[3, (5, 6), (1, 2), 3, (5, 6), (1, 1), (1, 1)],
    )
    t.take("opportunity", "spend g2", "seat 2")
    assert t.asked == (1, "second_wind")
    t.take("spend g3")
    assert t.board(1)[0] == "green Diamondback [| Second Wind]"
    t.done(1, "turn_action")


# -- New Teaching ------------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-28", "KAO-R-17", "KAO-R-21")
def test_new_teaching_asks_for_the_character_then_the_ability() -> None:
    t = lay(
        seat(
            *("red Claw [r6 | Keen Eye]", "blue Flame [| Shadow Step]", "green Claw"),
            hand="New Teaching, Twin Fangs",
        ),
        seat("b2"),
        draw="Second Wind",
    )
    t.take("opportunity")
    assert t.asked == (0, "teach_host")
    assert t.offered() == ["host red Claw", "host blue Flame"]
    t.take("host blue Flame")
    assert t.offered() == ["ability Twin Fangs", "ability Second Wind"]
    t.take("ability Second Wind")
    assert t.board(0)[1] == "blue Flame [| Second Wind]"
    assert t.discard == "New Teaching, Shadow Step"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-17")
def test_new_teaching_over_prism_heart_discards_other_colours_without_asking() -> None:
    t = lay(
        seat("red Flame [g4, r5 | Prism Heart]", hand="New Teaching, Twin Fangs"),
        seat("b2"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.board(0)[0] == "red Flame [r5 | Twin Fangs]"
    assert t.discard == "New Teaching, g4, Prism Heart"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-17")
def test_new_teaching_from_deep_reserves_to_itself_keeps_the_room() -> None:
    t = lay(
        seat("red Flame [r2, r3, r4 | Deep Reserves]", hand="New Teaching, Deep Reserves"),
        seat("b2"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.board(0)[0] == "red Flame [r2, r3, r4 | Deep Reserves]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
@pytest.mark.parametrize(
    ("leader", "hand", "playable"),
    [
        ("red Claw [| Keen Eye]", "New Teaching, Twin Fangs", True),
        ("red Claw [| Keen Eye]", "New Teaching", False),
        ("red Claw", "New Teaching, Twin Fangs", False),
    ],
)
def test_new_teaching_needs_an_ability_on_the_board_and_one_in_hand(
    leader: str, hand: str, playable: bool
) -> None:
    t = lay(seat(leader, hand=hand), seat("blue Claw [| Shadow Step]"))
    assert can_play(t) is playable


# -- Sabotage, Silence -------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-29")
def test_sabotage_discards_any_power_card_of_any_opponent() -> None:
    t = lay(
        seat("red Claw [r6]", hand="Sabotage"),
        seat("green Claw", "blue Flame [b5, b6]"),
        seat("r3", "green Flame [g2]", "blue Claw [| Keen Eye]"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.asked == (0, "sabotage_host")
    assert t.offered() == ["host blue Flame", "host green Flame"]
    t.take("host blue Flame")
    assert t.asked == (0, "sabotage_power")
    assert t.offered() == ["take b5", "take b6"]
    t.take("take b5")
    assert t.board(1)[1] == "blue Flame [b6]"
    assert t.discard == "Sabotage, b5"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
@pytest.mark.parametrize(
    ("other", "sabotage", "silence"),
    [
        ("green Claw", False, False),
        ("green Claw [g5]", True, False),
        ("green Claw [| Keen Eye]", False, True),
    ],
)
def test_sabotage_needs_a_power_card_and_silence_an_ability(
    other: str, sabotage: bool, silence: bool
) -> None:
    own = "red Claw [r6 | Twin Fangs]"
    assert can_play(lay(seat(own, hand="Sabotage"), seat(other))) is sabotage
    assert can_play(lay(seat(own, hand="Silence"), seat(other))) is silence


@pytest.mark.rules("KAO-R-17")
def test_silence_discards_an_ability_and_the_owner_trims() -> None:
    t = lay(
        seat("red Claw [| Twin Fangs]", hand="Silence"),
        seat("green Flame [g2, g3, g4, g5 | Deep Reserves]", "blue Claw [| Keen Eye]"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.asked == (0, "silence_host")
    assert t.offered() == ["host green Flame", "host blue Claw"]
    t.take("host green Flame")
    assert t.asked == (1, "trim_power")
    assert t.offered() == ["discard g2", "discard g3", "discard g4", "discard g5"]
    t.take("discard g3")
    assert t.offered() == ["discard g2", "discard g4", "discard g5"]
    t.take("discard g5")
    assert t.board(1)[0] == "green Flame [g2, g4]"
    assert t.discard == "Silence, g5, g3, Deep Reserves"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-17")
def test_silence_on_prism_heart_discards_other_colours_in_attachment_order() -> None:
    t = lay(
        seat("red Claw", hand="Silence"),
        seat("green Stinger [r2, g3, gold 6, b5 | Prism Heart]"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.board(1)[0] == "green Stinger [g3, gold 6]"
    assert t.discard == "Silence, b5, r2, Prism Heart"
    t.done(1, "turn_action")


# -- Salvage -----------------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-29", "KAO-R-30")
def test_salvage_reaches_eight_cards_deep_and_takes_no_opportunity() -> None:
    t = lay(
        seat("red Claw", hand="Salvage"),
        seat("b2"),
        draw="r12",
        discard="r2, Ambush, red Flame, Keen Eye, g4, Sabotage, b5, b6, g7, g8",
    )
    t.take("opportunity")
    assert t.asked == (0, "salvage_card")
    assert t.offered() == [
        *("take r2", "take red Flame", "take Keen Eye", "take g4", "take b5", "take b6")
    ]
    t.take("take b6")
    assert t.hand(0) == "r12, b6"
    assert t.discard == "Salvage, r2, Ambush, red Flame, Keen Eye, g4, Sabotage, b5, g7, g8"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
@pytest.mark.parametrize(
    ("discard", "playable"),
    [
        ("", False),
        ("Ambush, Sabotage", False),
        ("Ambush, r2", True),
        (
            "Ambush, Sabotage, Power Surge, Change of Guard, New Teaching, Windfall, Silence, "
            "Regroup, r2",
            False,
        ),
    ],
)
def test_salvage_needs_a_card_that_is_no_opportunity_among_eight(
    discard: str, playable: bool
) -> None:
    assert can_play(lay(seat("red Claw", hand="Salvage"), seat("b2"), discard=discard)) is playable


# -- Power Surge -------------------------------------------------------------------------------


@pytest.mark.rules("KAO-R-04", "KAO-C-09", "KAO-C-10", "KAO-C-16")
def test_power_surge_attaches_up_to_three() -> None:
    t = lay(
        seat(
            *("red Claw [r6]", "blue Stinger", "red Flame"),
            hand="Power Surge, r2, b3, gold 6, g9, r4",
        ),
        seat("green Claw"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.asked == (0, "surge_power")
    assert t.offered() == ["power r2", "power b3", "power gold 6", "power r4", "power r12"]
    t.take("power r2")
    assert t.asked == (0, "choose_power_host")
    t.take("under red Claw")
    assert t.offered() == ["power b3", "power gold 6", "power r4", "power r12", "done"]
    t.take("power b3", "power gold 6")
    assert t.offered() == ["under red Claw", "under blue Stinger", "under red Flame"]
    t.take("under red Claw")
    assert t.board(0)[:3] == ["red Claw [r6, r2, gold 6]", "blue Stinger [b3]", "red Flame"]
    assert t.hand(0) == "g9, r4, r12"
    assert t.discard == "Power Surge"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-04")
def test_power_surge_may_stop_early_and_stops_when_nothing_fits() -> None:
    t = lay(seat("red Claw", hand="Power Surge, r2, r3"), seat("b2"), draw="g12")
    t.take("opportunity", "power r2", "done")
    assert t.board(0)[0] == "red Claw [r2]"
    t.done(1, "turn_action")
    t = lay(seat("red Flame [r6]", hand="Power Surge, r2, r3"), seat("b2"), draw="g12")
    t.take("opportunity", "power r2")
    assert t.board(0)[0] == "red Flame [r6, r2]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
@pytest.mark.parametrize(("power", "playable"), [("r2", True), ("g2", False)])
def test_power_surge_needs_a_card_that_fits(power: str, playable: bool) -> None:
    t = lay(seat("red Claw", hand=f"Power Surge, {power}"), seat("green Claw"))
    assert can_play(t) is playable


# -- Reinforcements ----------------------------------------------------------------------------


@pytest.mark.rules("KAO-R-15", "KAO-R-04", "KAO-M-22")
def test_reinforcements_fill_empty_guard_positions_too() -> None:
    t = lay(
        seat("red Claw", "", "g3", hand="Reinforcements, red Flame, blue Flame, green Flame"),
        seat("b2"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.asked == (0, "choose_character")
    assert t.offered() == [f"character {c} Flame" for c in ("red", "blue", "green")]
    t.take("character blue Flame")
    assert t.offered() == ["position guard-1", "position guard-2", "position guard-3"]
    t.take("position guard-3")
    assert t.asked == (0, "choose_character"), "nothing was replaced; once more"
    assert t.offered() == ["character red Flame", "character green Flame", "done"]
    t.take("character red Flame", "position guard-2", "hand")
    assert t.board(0) == ["red Claw", "", "red Flame", "blue Flame"]
    assert t.hand(0) == "green Flame, r12, g3"
    assert t.discard == "Reinforcements"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-12", "KAO-M-19")
def test_reinforcements_bring_the_leader_first() -> None:
    t = lay(
        seat("r3", "", hand="Reinforcements, red Flame, blue Flame"),
        seat("b2"),
        draw="r12",
        guards=1,
    )
    t.take("opportunity", "character blue Flame", "discard")
    assert t.board(0) == ["blue Flame", ""]
    assert t.asked == (0, "choose_character")
    t.take("character red Flame")
    assert t.board(0) == ["blue Flame", "red Flame"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-21")
def test_reinforcements_may_stop_and_do_not_ask_when_there_is_no_second_placement() -> None:
    t = lay(seat("red Claw", hand="Reinforcements, red Flame, blue Flame"), seat("b2"), draw="r12")
    t.take("opportunity", "character red Flame", "position guard-1", "done")
    assert t.board(0) == ["red Claw", "red Flame", "", ""]
    t.done(1, "turn_action")
    t = lay(
        seat("red Claw", "", hand="Reinforcements, red Flame, blue Flame"),
        seat("b2"),
        draw="r12",
        guards=1,
    )
    t.take("opportunity", "character red Flame")
    assert t.board(0) == ["red Claw", "red Flame"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
@pytest.mark.parametrize(
    ("board", "hand", "playable"),
    [
        (("red Claw", "", "", ""), "Reinforcements, red Flame", True),
        (("red Claw", "blue Claw", "red Stinger", "g3"), "Reinforcements, red Flame", True),
        (
            ("red Claw", "blue Claw", "red Stinger", "green Claw"),
            "Reinforcements, red Flame",
            False,
        ),
        (("red Claw", "", "", ""), "Reinforcements, r2", False),
    ],
)
def test_reinforcements_need_a_character_and_a_position(
    board: tuple[str, ...], hand: str, playable: bool
) -> None:
    assert can_play(lay(seat(*board, hand=hand), seat("b2"))) is playable


# -- Spyglass, Night Raid ----------------------------------------------------------------------


@pytest.mark.rules("KAO-M-29")
def test_spyglass_shows_a_hand_and_may_discard_an_ability_or_opportunity() -> None:
    t = lay(
        seat("red Claw", hand="Spyglass"),
        seat("b2", hand="r2, Keen Eye, red Flame, Ambush"),
        seat("b3"),
        seat("b4", hand="g4, g5"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.asked == (0, "spy_seat")
    assert t.offered() == ["seat 2", "seat 4"]
    t.take("seat 2")
    assert t.asked == (0, "spy_card")
    assert t.offered() == ["discard Keen Eye", "discard Ambush", "none"]
    t.take("discard Ambush")
    assert t.hand(1) == "r2, Keen Eye, red Flame"
    assert t.discard == "Spyglass, Ambush"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-21")
def test_spyglass_without_such_a_card_or_without_wanting_to() -> None:
    t = lay(seat("red Claw", hand="Spyglass"), seat("b2", hand="r2, red Flame"), draw="r12")
    t.take("opportunity")
    assert t.discard == "Spyglass"
    assert len(t.events("hand_shown")) == 1
    t.done(1, "turn_action")
    t = lay(seat("red Claw", hand="Spyglass"), seat("b2", hand="Ambush"), draw="r12")
    t.take("opportunity", "none")
    assert t.hand(1) == "Ambush"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-29")
@pytest.mark.parametrize(("pick", "gone"), [(0, "red Flame"), (1, "r2"), (2, "Ambush")])
def test_night_raid_discards_a_card_picked_by_the_generator(pick: int, gone: str) -> None:
    """The pick counts in the order of the catalog, however the cards came to the hand."""
    t = lay(
        seat("red Claw", hand="Night Raid"),
        seat("b2", hand="r2, red Flame, Ambush"),
        seat("b3", hand="g4"),
        draw="r12",
        picks=[pick],
    )
    t.take("opportunity")
    assert t.asked == (0, "raid_seat")
    assert t.offered() == ["seat 2", "seat 3"]
    t.take("seat 2")
    assert t.discard == f"Night Raid, {gone}"
    assert len(t.state.hands[1]) == 2
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
@pytest.mark.parametrize("card", ["Spyglass", "Night Raid"])
@pytest.mark.parametrize(("hand", "playable"), [("r2", True), ("", False)])
def test_looking_and_raiding_need_a_hand_with_cards(card: str, hand: str, playable: bool) -> None:
    assert can_play(lay(seat("red Claw", hand=card), seat("b2", hand=hand))) is playable


# -- Regroup, Windfall -------------------------------------------------------------------------


@pytest.mark.rules("KAO-R-16", "KAO-R-17")
def test_regroup_takes_an_attached_card_and_draws_one() -> None:
    t = lay(
        seat("red Claw [r6, r8 | Keen Eye]", "blue Flame [b5]", hand="Regroup"),
        seat("green Claw [g4]"),
        draw="r12, g11",
    )
    t.take("opportunity")
    assert t.asked == (0, "regroup_card")
    assert t.offered() == ["take r6", "take r8", "take Keen Eye", "take b5"]
    t.take("take r8")
    assert t.board(0)[0] == "red Claw [r6 | Keen Eye]"
    assert t.hand(0) == "r12, r8, g11"
    assert t.discard == "Regroup"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-17")
def test_regroup_of_deep_reserves_trims_before_it_draws() -> None:
    t = lay(
        seat("red Flame [r2, r3, r4 | Deep Reserves]", hand="Regroup"), seat("b2"), draw="r12, g11"
    )
    t.take("opportunity", "take Deep Reserves")
    assert t.asked == (0, "trim_power")
    assert t.hand(0) == "r12, Deep Reserves"
    t.take("discard r3")
    assert t.board(0)[0] == "red Flame [r2, r4]"
    assert t.hand(0) == "r12, Deep Reserves, g11"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
@pytest.mark.parametrize(
    ("leader", "playable"),
    [("red Claw [r6]", True), ("red Claw [| Keen Eye]", True), ("red Claw", False)],
)
def test_regroup_needs_an_attached_card(leader: str, playable: bool) -> None:
    t = lay(seat(leader, hand="Regroup"), seat("green Claw [g5 | Twin Fangs]"))
    assert can_play(t) is playable


@pytest.mark.rules("KAO-R-03")
def test_windfall_draws_three_cards() -> None:
    t = lay(seat("red Claw", hand="Windfall, r2"), seat("b2"), draw="r12, g11, g10, g9")
    t.take("opportunity")
    assert t.hand(0) == "r2, r12, g11, g10, g9"
    assert t.asked == (0, "discard_down")
    t.take("discard g9")
    assert t.discard == "g9, Windfall"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-06", "KAO-R-08")
def test_windfall_draws_as_far_as_available_and_recycles_on_the_way() -> None:
    t = lay(
        seat("red Claw", hand="Windfall"), seat("b2"), draw="r12, g11", discard="g3", rest="removed"
    )
    t.take("opportunity")
    assert t.hand(0) == "r12, g11, g3"
    assert t.discard == "Windfall"
    assert len(t.events("drew")) == 3
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
def test_windfall_needs_a_card_to_draw() -> None:
    assert not can_play(lay(seat("red Claw", hand="Windfall"), seat("b2"), rest="removed"))
    assert can_play(
        lay(seat("red Claw", hand="Windfall"), seat("b2"), discard="r2", rest="removed")
    )
