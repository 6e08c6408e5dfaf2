"""A turn of Match Play: KAO-M-10, KAO-M-12 and KAO-M-16 to KAO-M-30, with the rulings about it."""

from __future__ import annotations

import pytest

from tests.games.kaolan.table import lay, seat


@pytest.mark.rules("KAO-M-16", "KAO-M-17", "KAO-R-05")
def test_all_six_options_of_a_turn() -> None:
    t = lay(
        seat("red Claw", "r2", hand="red Flame, r3, Keen Eye, Ambush"),
        seat("blue Claw", "red Stinger"),
    )
    assert t.offered() == ["place", "add_power", "add_ability", "opportunity", "challenge", "pass"]
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-M-16", "KAO-R-04")
@pytest.mark.parametrize(
    ("moves", "board"),
    [
        (("place", "position guard-1", "discard"), ["red Claw", "red Flame", "r4"]),
        (("add_power", "power r3"), ["red Claw [r3]", "r2", "r4"]),
        (("add_ability",), ["red Claw [| Keen Eye]", "r2", "r4"]),
    ],
)
def test_an_option_handles_one_card_and_the_turn_is_over(
    moves: tuple[str, ...], board: list[str]
) -> None:
    t = lay(
        seat("red Claw", "r2", "r4", hand="red Flame, r3, r8, Keen Eye"), seat("b2"), draw="g12"
    )
    t.take(*moves)
    assert t.board(0)[:3] == board
    assert t.events("action") == [(0, moves[0])]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-17")
@pytest.mark.parametrize("option", ["place", "add_power", "add_ability", "opportunity", "pass"])
def test_these_options_begin_with_drawing_one_card(option: str) -> None:
    t = lay(
        seat("red Claw", "r2", hand="red Flame, r3, Keen Eye, Sabotage"),
        seat("blue Claw [b5]", "red Stinger"),
        draw="g12",
    )
    card = t.state.draw[0][-1]
    t.take(option)
    kinds = [event[0] for event in t.history]
    assert kinds[kinds.index("action") + 1] == "drew"
    assert t.events("drew") == [(0, (card,))]
    assert t.asked is not None
    t.done(*t.asked)


@pytest.mark.rules("KAO-M-17")
def test_a_challenge_does_not_draw() -> None:
    t = lay(seat("red Claw"), seat("blue Claw", "red Stinger"), dice=[1])
    t.take("challenge")
    assert t.events("drew") == []
    t.done(1, "turn_action")


# -- Place -------------------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-10", "KAO-M-18", "KAO-M-19", "KAO-R-12")
def test_without_a_leader_character_only_the_leader_position_can_be_filled() -> None:
    t = lay(seat("r7", "g3", "blue Claw", hand="red Flame"), seat("b2"), draw="g12")
    t.take("place", "hand")
    assert t.board(0) == ["red Flame", "g3", "blue Claw", ""]
    assert t.hand(0) == "g12, r7"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-10", "KAO-M-20", "KAO-R-15")
def test_with_a_leader_characters_take_guard_positions_of_other_cards() -> None:
    t = lay(seat("red Claw", "g3", "", "Ambush", hand="red Flame"), seat("b2"), draw="g12")
    t.take("place")
    assert t.asked == (0, "choose_position")
    assert t.offered() == ["position guard-1", "position guard-3"]
    t.take("position guard-3", "discard")
    assert t.board(0) == ["red Claw", "g3", "", "red Flame"]
    assert t.discard == "Ambush"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-21", "KAO-R-15")
@pytest.mark.parametrize(
    "board", [("red Claw", "blue Claw", "red Stinger", "green Claw"), ("red Claw", "", "blue Claw")]
)
def test_place_needs_a_card_that_is_no_character(board: tuple[str, ...]) -> None:
    t = lay(seat(*board, hand="red Flame"), seat("b2"))
    assert "place" not in t.offered()
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-M-18", "KAO-R-05")
def test_the_drawn_character_can_be_placed_but_is_not_enough_to_choose_place() -> None:
    t = lay(seat("red Claw", "g3", hand="r2"), seat("b2"), draw="red Flame")
    assert "place" not in t.offered()
    t.done(0, "turn_action")
    t = lay(seat("red Claw", "g3", hand="blue Flame"), seat("b2"), draw="red Flame")
    t.take("place")
    assert t.offered() == ["character blue Flame", "character red Flame"]
    t.done(0, "choose_character")


@pytest.mark.rules("KAO-M-22", "KAO-M-23")
@pytest.mark.parametrize(
    ("to", "hand"), [("hand", "r2, r3, r4, r12, g3"), ("discard", "r2, r3, r4, r12")]
)
def test_the_replaced_card_goes_where_the_player_chooses(to: str, hand: str) -> None:
    t = lay(seat("red Claw", "g3", hand="r2, r3, r4, red Flame"), seat("b2"), draw="r12")
    t.take("place", to)
    assert t.hand(0) == hand
    if to == "hand":
        t.done(0, "discard_down")
    else:
        assert t.discard == "g3"
        t.done(1, "turn_action")


# -- the hand limit ----------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-12", "KAO-R-03")
def test_the_hand_limit_counts_at_the_end_of_the_turn_one_card_at_a_time() -> None:
    t = lay(
        seat("r2", hand="r3, r4, r5, r6, r7, r8, red Flame"),
        seat("b2", hand="g2, g3, g4, g5, g6"),
        draw="r12",
    )
    t.take("place", "discard")
    for card in ("r3", "r4"):
        assert t.asked == (0, "discard_down")
        t.take(f"discard {card}")
    assert t.asked == (0, "discard_down"), "six and the drawn card are three too many"
    t.take("discard r5")
    assert len(t.state.hands[0]) == 4
    assert len(t.state.hands[1]) == 5, "only the turn player's hand is counted"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-03")
def test_the_turn_is_counted_only_after_the_hand_limit() -> None:
    t = lay(
        seat("red Claw", "r2", hand="r3, r4, r5, red Flame"),
        seat("b2"),
        draw="r12",
        turn_limit=20,
        turns=39,
    )
    t.take("place", "hand")
    assert t.match.outcome is None
    t.take("discard r3")
    assert t.match.outcome is not None
    t.done()


# -- Add Power, Add Ability --------------------------------------------------------------------


@pytest.mark.rules("KAO-M-24", "KAO-M-25", "KAO-R-07", "KAO-R-16")
def test_power_goes_under_leader_or_guard_of_its_colour_never_under_an_opponents_character() -> (
    None
):
    t = lay(
        seat("red Claw [r5]", "red Stinger", "blue Flame", hand="r6"),
        seat("red Flame", "red Diamondback"),
        draw="g12",
    )
    t.take("add_power")
    assert t.asked == (0, "choose_power_host")
    assert t.offered() == ["under red Claw", "under red Stinger"]
    t.take("under red Stinger")
    assert t.board(0)[:2] == ["red Claw [r5]", "red Stinger [r6]"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-16")
def test_a_second_card_with_the_same_number_may_be_attached() -> None:
    t = lay(seat("gold Claw [r6]", hand="g6"), seat("b2"), draw="g12")
    t.take("add_power", "power g6")
    assert t.board(0)[0] == "gold Claw [r6, g6]"
    leader = t.match.view(1)["players"][0]["board"][0]
    assert (leader["numbers"], leader["ways"]) == ([6], 5)
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-26")
def test_a_full_character_is_no_host() -> None:
    t = lay(
        seat("red Flame [r2, r3]", "red Claw", "red Stinger", hand="r6"), seat("b2"), draw="g12"
    )
    t.take("add_power")
    assert t.offered() == ["under red Claw", "under red Stinger"]
    t.done(0, "choose_power_host")


@pytest.mark.rules("KAO-M-27", "KAO-C-12", "KAO-R-07")
def test_an_ability_goes_under_an_own_character_that_has_none() -> None:
    t = lay(
        seat("red Claw [| Keen Eye]", "blue Claw", "r3", "green Claw", hand="Twin Fangs"),
        seat("red Flame"),
        draw="g12",
    )
    t.take("add_ability")
    assert t.asked == (0, "choose_ability_host")
    assert t.offered() == ["under blue Claw", "under green Claw"]
    t.take("under green Claw")
    assert t.board(0)[3] == "green Claw [| Twin Fangs]"
    t.done(1, "turn_action")


# -- Opportunity -------------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-29", "KAO-R-30")
def test_an_opportunity_is_shown_carried_out_and_then_discarded() -> None:
    t = lay(
        seat("red Claw", hand="Sabotage"), seat("blue Claw [b5, b6]", "red Flame [r4]"), draw="r12"
    )
    t.take("opportunity")
    assert t.asked == (0, "sabotage_host")
    assert t.match.view(1)["play"] == [{"id": t.state.play[0], "slug": "kao-op-sabotage"}]
    t.take("host red Flame")
    kinds = [event[0] for event in t.history]
    assert [k for k in kinds if k in ("drew", "opportunity_shown", "discarded")] == [
        *("drew", "opportunity_shown", "discarded", "discarded")
    ]
    assert t.discard == "Sabotage, r4"
    assert t.state.play == []
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-05")
def test_an_option_is_offered_only_if_it_could_be_carried_out_before_the_draw() -> None:
    t = lay(seat("red Claw", hand="g3"), seat("b2"), draw="r5")
    assert t.offered() == ["pass"]
    t.done(0, "turn_action")
    t = lay(seat("red Claw", hand="Salvage, Sabotage"), seat("b2"), draw="r5")
    assert t.offered() == ["pass"]
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-05")
def test_the_drawn_opportunity_may_be_played() -> None:
    t = lay(seat("red Claw", hand="Sabotage"), seat("blue Claw [b5]"), draw="Silence", discard="r2")
    t.take("opportunity")
    assert t.events("opportunity_shown") == [(0, t.state.discard[0][-1])]
    assert t.discard.startswith("Sabotage"), "Silence can do nothing here"
    t.done(1, "turn_action")
    t = lay(seat("red Claw", hand="Sabotage"), seat("blue Claw [b5 | Keen Eye]"), draw="Silence")
    t.take("opportunity")
    assert t.offered() == ["play Sabotage", "play Silence"]
    t.take("play Silence")
    assert t.discard == "Silence, Keen Eye"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-06")
def test_salvage_is_discarded_without_effect_when_the_draw_recycles_the_pile() -> None:
    t = lay(seat("red Claw", hand="Salvage"), seat("b2"), discard="r2, r3", rest="removed")
    t.take("opportunity")
    assert t.events("recycled")
    assert t.events("taken") == []
    assert t.discard == "Salvage"
    assert len(t.state.hands[0]) == 1, "the drawn card"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-06")
def test_windfall_is_discarded_without_effect_when_the_draw_takes_the_last_card() -> None:
    t = lay(seat("red Claw", hand="Windfall"), seat("b2"), draw="r2", rest="removed")
    t.take("opportunity")
    assert t.events("drew") == [(0, (t.state.hands[0][0],))]
    assert t.discard == "Windfall"
    assert t.hand(0) == "r2"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-06")
def test_what_can_still_be_carried_out_goes_before_what_the_draw_has_spoilt() -> None:
    t = lay(
        seat("red Claw", hand="Salvage, Sabotage"),
        seat("blue Claw [b5]"),
        discard="r2, r3",
        rest="removed",
    )
    t.take("opportunity")
    assert t.discard == "Sabotage, b5"
    assert t.hand(0).startswith("Salvage, ")
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-06")
def test_of_two_spoilt_opportunities_the_player_chooses() -> None:
    t = lay(seat("red Claw", hand="Salvage, Windfall"), seat("b2"), discard="r2", rest="removed")
    t.take("opportunity")
    assert t.asked == (0, "choose_opportunity")
    assert t.offered() == ["play Salvage", "play Windfall"]
    t.take("play Windfall")
    assert t.discard == "Windfall"
    t.done(1, "turn_action")


# -- Pass --------------------------------------------------------------------------------------


@pytest.mark.rules("KAO-M-30")
def test_pass_draws_one_card_and_discards_one() -> None:
    t = lay(seat("red Claw", hand="r3, Ambush"), seat("b2"), draw="g12")
    t.take("pass")
    assert t.asked == (0, "pass_discard")
    assert t.offered() == ["discard r3", "discard Ambush", "discard g12"]
    t.take("discard g12")
    assert t.hand(0) == "r3, Ambush"
    assert t.discard == "g12"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-30", "KAO-R-08", "KAO-R-34")
def test_pass_with_nothing_to_draw_and_nothing_in_hand() -> None:
    t = lay(seat("red Claw"), seat("b2"), rest="removed")
    t.take("pass")
    assert t.events("discarded") == []
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-M-14", "KAO-R-08", "KAO-R-34")
def test_the_discard_pile_becomes_the_draw_pile_only_when_a_card_must_be_drawn() -> None:
    t = lay(
        seat("red Claw", hand="r2"), seat("b2", hand="r3"), draw="g5", rest="removed", discard="b6"
    )
    t.take("pass", "discard g5")
    assert t.events("recycled") == []
    assert (t.draw, t.discard) == ("", "g5, b6")
    t.take("pass")
    assert len(t.events("recycled")) == 1
    t.done(1, "pass_discard")


# -- no hiding ---------------------------------------------------------------------------------


@pytest.mark.rules("KAO-R-12")
@pytest.mark.parametrize(
    ("guard", "hand", "offered"),
    [
        ("r3", "red Flame, Ambush, r2", ["place"]),
        ("blue Claw", "red Flame, r2", ["place"]),
        ("blue Claw", "red Flame, Change of Guard", ["place", "opportunity"]),
        ("r3", "red Flame, Change of Guard", ["place"]),
        ("r3", "red Flame, Reinforcements", ["place", "opportunity"]),
        ("blue Claw", "Change of Guard, b2", ["add_power", "opportunity", "pass"]),
    ],
)
def test_no_hiding_without_a_leader(guard: str, hand: str, offered: list[str]) -> None:
    t = lay(seat("g7", guard, hand=hand), seat("red Claw [r4]"), draw="Sabotage")
    assert t.offered() == offered
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-12")
def test_then_only_change_of_guard_and_reinforcements_can_be_played() -> None:
    t = lay(
        seat("g7", "blue Claw", hand="red Flame, Change of Guard, Sabotage"),
        seat("red Claw [r4]"),
        draw="Reinforcements",
    )
    t.take("opportunity")
    assert t.offered() == ["play Change of Guard", "play Reinforcements"]
    t.take("play Change of Guard")
    assert t.board(0)[:2] == ["blue Claw", "g7"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-12", "KAO-R-05")
def test_a_character_drawn_later_does_not_forbid_the_chosen_opportunity() -> None:
    """KAO-R-12 speaks of the start of the turn."""
    t = lay(seat("g7", hand="Sabotage"), seat("red Claw [r4]"), draw="red Flame")
    assert t.offered() == ["opportunity", "pass"]
    t.take("opportunity")
    assert t.discard == "Sabotage, r4"
    assert t.hand(0) == "red Flame"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-12")
def test_without_a_leader_a_character_is_not_discarded_while_there_are_other_cards() -> None:
    t = lay(seat("g7", hand="Ambush, r2"), seat("red Claw"), draw="red Flame")
    t.take("pass")
    assert t.offered() == ["discard Ambush", "discard r2"]
    t.done(0, "pass_discard")
    t = lay(seat("g7"), seat("red Claw"), draw="red Flame")
    t.take("pass")
    assert t.discard == "red Flame", "it is the only card"
    t.done(1, "turn_action")
