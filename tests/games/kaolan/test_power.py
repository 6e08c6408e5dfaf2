"""Power Play (KAO-P-01 to KAO-P-32), its rulings (KAO-R-60 to KAO-R-67), its cards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import rules
from rules.engine.errors import BadSetup
from rules.engine.match import Match
from tests.games.kaolan.table import Table, lay
from tests.games.kaolan.table import power_seat as seat

KAOLAN = rules.game("kaolan")
BOOSTERS = tuple(f"booster-{n}" for n in range(1, 7))


def start(seats: int = 2, seed: int = 0, **options: Any) -> Match:
    return KAOLAN.new_match("power", seats=seats, seed=bytes([seed]) * 32, options=options)


def table(*seats: dict[str, Any], **layout: Any) -> Table:
    return lay(*seats, mode="power", **layout)


def fight(attacker: tuple[str, ...], defender: tuple[str, ...], *dice: Any) -> Table:
    return table(seat(*attacker), seat(*defender), dice=dice).take("challenge")


# -- preparation -------------------------------------------------------------------------------


@pytest.mark.rules("KAO-P-01")
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_exactly_two_players(seats: int) -> None:
    if seats == 2:
        assert start(seats).seats == 2
    else:
        with pytest.raises(BadSetup):
            start(seats)


@pytest.mark.rules("KAO-P-02", "KAO-P-04", "KAO-P-06", "KAO-P-07", "KAO-P-08", "KAO-P-09")
def test_one_board_card_and_four_hand_cards_from_one_deck() -> None:
    match = start()
    view = match.view(0)
    assert view["draw"] == {"count": 50}
    assert view["removed"] == {"count": 0}
    for player in view["players"]:
        assert [place["slot"] for place in player["board"]] == ["main"]
        assert player["board"][0]["card"] is not None, "turned face up"
        assert player["hand"]["count"] == 4
        assert len(player["hand"]["cards"]) == (4 if player["seat"] == 0 else 0)
    names = Counter(match.state.cards.slugs)
    assert names == Counter(KAOLAN.starter_decks["kaolan-master"].cards["main"])


@pytest.mark.rules("KAO-P-02", "KAO-R-26")
def test_boosters_are_shuffled_in_and_sixty_cards_stay() -> None:
    match = start(boosters=BOOSTERS)
    assert match.view(0)["removed"] == {"count": 60}
    assert match.view(0)["draw"] == {"count": 50}


@pytest.mark.rules("KAO-P-06", "KAO-P-07", "KAO-R-02")
def test_the_order_of_the_deal() -> None:
    t = table(seat(), seat(), deck="r7, blue Claw, r2, r3, r4, r5, r6, r8, r9, r10", starter=1)
    assert (t.board(1), t.board(0)) == (["r7"], ["blue Claw"])
    assert t.hand(1) == "r2, r4, r6, r9"
    assert t.hand(0) == "r3, r5, r8, r10"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-08", "KAO-R-08")
def test_the_empty_draw_pile_is_renewed() -> None:
    t = table(seat("red Claw", hand="r2"), seat("blue Claw"), discard="r7, r8, r9", rest="removed")
    t.take("pass")
    assert t.events("recycled") != []
    assert len(t.state.draw[0]) == 2
    t.take("discard r2")
    t.done(1, "turn_action")


# -- a turn ------------------------------------------------------------------------------------


@pytest.mark.rules("KAO-P-11", "KAO-R-66")
def test_the_options_of_a_turn() -> None:
    hand = "green Flame, blue Claw, r5, Keen Eye, Ambush"
    t = table(seat("red Stinger", "red Claw", hand=hand), seat("blue Flame"))
    assert t.offered() == [
        *("place", "replace_link", "add_power", "add_ability", "opportunity", "challenge", "pass")
    ]
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-P-10", "KAO-P-12", "KAO-P-13", "KAO-R-60", "KAO-R-10")
@pytest.mark.parametrize("goes", ["hand", "discard"])
def test_the_first_character_replaces_the_board_card(goes: str) -> None:
    t = table(seat("g7", hand="red Flame, r2, r3, r4"), seat("blue Flame"), draw="r5")
    assert t.offered() == ["place"], "compulsory as soon as a Character is in hand"
    t.take("place", goes)
    if goes == "hand":
        assert t.asked == (0, "discard_down"), "the hand is cut to four"
        t.take("discard g7")
    assert (t.board(0), t.discard) == (["red Flame"], "g7")
    assert t.hand(0) == "r2, r3, r4, r5"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-60", "KAO-R-12")
def test_only_reinforcements_field_a_main_character_besides_place() -> None:
    hand = "red Flame, Change of Guard, Windfall"
    t = table(seat("g7", hand=hand), seat("blue Flame"), draw="r5")
    assert t.offered() == ["place"], "Change of Guard only draws cards here"
    t.done(0, "turn_action")
    t = table(
        seat("g7", hand="red Flame, Change of Guard, Reinforcements"),
        seat("blue Flame"),
        draw="blue Stinger",
    )
    assert t.offered() == ["place", "opportunity"]
    t.take("opportunity")
    assert t.offered() == ["character red Flame", "character blue Stinger"]
    t.take("character blue Stinger", "discard", "character red Flame")
    assert t.board(0) == ["blue Stinger", "red Flame"], "the second one is linked"
    assert t.discard == "Reinforcements, g7"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-60", "KAO-R-11")
@pytest.mark.parametrize(("own", "other"), [("g7", "blue Flame"), ("red Flame", "g7")])
def test_a_challenge_needs_a_main_character_on_both_sides(own: str, other: str) -> None:
    t = table(seat(own, hand="Ambush"), seat(other))
    assert t.offered() == ["pass"]
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-60", "KAO-R-12")
def test_a_character_is_kept_while_there_is_no_main_character() -> None:
    t = table(seat("g7", hand="r2"), seat("blue Flame"), draw="red Flame")
    t.take("pass")
    assert t.hand(0) == "red Flame", "the only other card is discarded without a choice"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-14", "KAO-P-15", "KAO-P-04", "KAO-R-64")
def test_links_lie_by_level_and_each_level_once() -> None:
    t = table(
        seat("red Stinger", "blue Starmaster", hand="gold Sunmane, green Claw, red Starmaster"),
        seat("blue Flame"),
        draw="gold Diamondback",
    )
    t.take("place")
    assert t.offered() == ["character green Claw", "character gold Diamondback"]
    t.take("character green Claw")
    assert t.board(0) == ["red Stinger", "green Claw", "blue Starmaster"]
    slots = [place["slot"] for place in t.match.view(None)["players"][0]["board"]]
    assert slots == ["main", "link", "link"]
    assert t.match.view(None)["players"][0]["chain"]["count"] == 3
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-15")
def test_a_chain_of_five_is_full() -> None:
    links = "red Flame", "blue Claw", "green Diamondback", "red Starmaster"
    t = table(seat("red Stinger", *links, hand="gold Sunmane"), seat("blue Flame"))
    assert t.offered() == ["challenge", "pass"]
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-P-13", "KAO-P-17", "KAO-P-16", "KAO-R-63")
@pytest.mark.parametrize(
    ("held", "possible"),
    [
        ("blue Claw", True),
        ("gold Claw", True),
        ("red Claw", False),
        ("blue Stinger", False),
        ("blue Flame", False),
    ],
    ids=["another colour", "gold", "the same colour", "the level of the Main", "no such level"],
)
def test_only_a_link_of_the_same_level_and_another_colour_is_replaced(
    held: str, possible: bool
) -> None:
    t = table(seat("red Stinger", "red Claw", hand=held), seat("blue Flame"))
    assert ("replace_link" in t.offered()) is possible
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-63", "KAO-P-16")
def test_gold_for_gold_is_not_allowed() -> None:
    t = table(seat("red Claw", "gold Stinger", hand="gold Sunmane"), seat("blue Flame"))
    assert "replace_link" not in t.offered()
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-63", "KAO-R-17")
def test_a_smaller_limit_trims_what_the_new_link_holds() -> None:
    t = table(
        seat(
            *("red Claw", "gold Sunmane [b2, r3, b5, b8, gold 6]"),
            hand="blue Stinger, red Stinger",
        ),
        seat("blue Flame"),
        draw="r12",
    )
    t.take("replace_link")
    assert t.offered() == ["character blue Stinger", "character red Stinger"]
    t.take("character blue Stinger", "discard")
    assert t.board(0)[1] == "blue Stinger [b2, b5, b8, gold 6]", "r3 may not stay, four may"
    assert t.discard == "r3, gold Sunmane"
    assert t.events("drew") != []
    t.done(1, "turn_action")
    t = table(
        seat("red Claw", "gold Sunmane [b2, b3, b5, b8, gold 6]", hand="blue Stinger"),
        seat("blue Flame"),
        draw="r12",
    )
    t.take("replace_link", "hand")
    assert t.asked == (0, "trim_power")
    t.take("discard b3")
    assert t.board(0)[1] == "blue Stinger [b2, b5, b8, gold 6]"
    assert t.hand(0) == "r12, gold Sunmane"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-63")
def test_the_drawn_character_may_be_the_one_that_replaces() -> None:
    t = table(
        seat("red Claw", "red Stinger", hand="blue Stinger"),
        seat("blue Flame"),
        draw="gold Stinger",
    )
    t.take("replace_link")
    assert t.offered() == ["character blue Stinger", "character gold Stinger"]
    t.take("character gold Stinger", "discard")
    assert t.board(0) == ["red Claw", "gold Stinger"]
    t.done(1, "turn_action")


def test_of_two_copies_the_better_known_one_replaces_a_link() -> None:
    t = table(
        seat("red Claw", "red Stinger", hand="blue Stinger, blue Stinger, gold Stinger"),
        seat("blue Flame"),
        draw="r12",
    )
    known = t.state.hands[0][1]
    t.state.show(known, 1)
    t.take("replace_link", "character blue Stinger", "discard")
    assert t.state.board[0][1] == known
    seen = [card["slug"] for card in t.match.view(1)["players"][0]["hand"]["cards"]]
    assert seen == [], "nobody learns that there is another"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-19", "KAO-P-20")
def test_every_character_of_the_chain_holds_powers_up_to_its_own_limit() -> None:
    t = table(
        seat("red Stinger", "red Flame [r2, r3]", "red Claw", hand="r5"),
        seat("blue Flame"),
        draw="g2",
    )
    t.take("add_power")
    assert t.offered() == ["under red Stinger", "under red Claw"], "Flame is full"
    t.take("under red Claw")
    assert t.board(0) == ["red Stinger", "red Flame [r2, r3]", "red Claw [r5]"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-21", "KAO-P-22", "KAO-R-67")
def test_only_the_main_character_has_an_ability_and_only_one() -> None:
    t = table(
        seat("red Stinger", "red Flame", hand="Keen Eye, Twin Fangs"),
        seat("blue Flame"),
        draw="g2, g3",
    )
    t.take("add_ability", "ability Keen Eye")
    assert t.board(0) == ["red Stinger [| Keen Eye]", "red Flame"]
    t.take("pass")
    assert "add_ability" not in t.offered()
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-P-23", "KAO-P-25", "KAO-P-24", "KAO-P-07", "KAO-R-03")
def test_opportunity_and_pass_draw_and_a_challenge_does_not() -> None:
    t = table(
        seat("red Stinger", hand="Sabotage, r2, r3, r4"),
        seat("blue Flame [b5]", hand="b2, b3, b4, b6"),
        draw="r12, b12, r11",
        dice=[6],
    )
    t.take("opportunity")
    assert t.hand(0) == "r2, r3, r4, r12"
    assert t.discard == "Sabotage, b5"
    t.take("pass", "discard b12", "challenge")
    assert t.hand(0) == "r2, r3, r4, r12", "nothing was drawn"
    t.done(1, "turn_action")


# -- the Challenge -----------------------------------------------------------------------------

LINKS = "red Flame", "blue Claw", "green Diamondback", "red Starmaster"


@pytest.mark.rules("KAO-P-27", "KAO-P-28", "KAO-P-29", "KAO-R-61", "KAO-R-64", "KAO-P-26")
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("links", range(5))
def test_n_characters_qualify_with_n_or_less(links: int, die: int) -> None:
    succeeds = die <= 1 + links
    rest = [(1, 1), (1, 1)] if succeeds else []
    t = fight(("red Stinger", *LINKS[:links]), ("blue Stinger",), die, *rest)
    assert t.dice[0] == ("qualification", 0, (die,), succeeds)
    assert len(t.dice) == (3 if succeeds else 1)
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-62", "KAO-R-67")
@pytest.mark.parametrize("ability", ["Keen Eye", "Pack Tactics"])
@pytest.mark.parametrize(("die", "succeeds"), [(1, True), (3, True), (4, False)])
def test_keen_eye_and_pack_tactics_count_one_more(ability: str, die: int, succeeds: bool) -> None:
    rest = [(1, 1), (1, 1)] if succeeds else []
    attacker = f"red Stinger [| {ability}]", "red Flame"
    t = fight(attacker, ("blue Stinger",), die, *rest)
    assert t.dice[0][3] is succeeds
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-62")
def test_war_drums_need_no_roll() -> None:
    t = fight(("red Stinger [| War Drums]",), ("blue Stinger",), (1, 1), (1, 1))
    assert t.events("qualified") == [(0, "war_drums")]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-18", "KAO-P-29", "KAO-R-65")
@pytest.mark.parametrize(
    ("chain", "crowned"),
    [
        (("red Stinger", "red Flame", "red Claw", "red Diamondback", "red Starmaster"), True),
        (("red Stinger", "gold Flame", "red Claw", "gold Diamondback", "red Starmaster"), True),
        (("gold Sunmane", "gold Flame", "gold Claw", "gold Diamondback", "blue Starmaster"), True),
        (
            ("gold Sunmane", "gold Flame", "gold Claw", "gold Diamondback", "gold Starmaster"),
            True,
        ),
        (("red Stinger", "gold Flame", "blue Claw", "red Diamondback", "red Starmaster"), False),
        (("red Stinger", "red Flame", "red Claw", "red Diamondback"), False),
    ],
    ids=["one colour", "with gold", "one of four", "all gold", "two colours", "only four"],
)
def test_who_is_a_grandmaster(chain: tuple[str, ...], crowned: bool) -> None:
    t = table(seat(*chain), seat("blue Flame"), dice=[(1, 1), (1, 1)] if crowned else [6])
    player = t.match.view(None)["players"][0]["chain"]
    assert player["unrolled"] == ("grandmaster" if crowned else "")
    t.take("challenge")
    assert t.events("qualified") == ([(0, "grandmaster")] if crowned else [])
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-30")
def test_any_number_of_the_chain_escapes() -> None:
    t = fight(("red Stinger [r6]",), ("blue Stinger [b2]", "red Flame [r9]"), 1, (4, 5))
    assert t.events("escaped") == [(1,)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-31", "KAO-P-03", "KAO-P-05")
def test_a_hit_with_any_number_of_the_chain_wins_at_once() -> None:
    t = table(
        seat("red Stinger [r6]", "blue Flame [b9]"),
        seat("blue Stinger [b2 | Keen Eye]", "red Flame [r8]", hand="g2"),
        dice=[2, (1, 2), (4, 5)],
    ).take("challenge")
    assert t.match.outcome is not None
    assert t.match.outcome.winners == (0,)
    assert t.match.outcome.reason == "main_defeated"
    assert t.board(1) == ["", ""], "and with it everything linked to it"
    groups = "r8, red Flame, Keen Eye, b2, blue Stinger"
    assert groups in t.discard
    t.done()


@pytest.mark.rules("KAO-P-32")
def test_a_volley_that_misses_ends_the_challenge() -> None:
    t = fight(("red Stinger [r6]",), ("blue Stinger [b2]",), 1, (6, 6), (6, 6))
    assert t.board(1) == ["blue Stinger [b2]"]
    t.done(1, "turn_action")


# -- Special Abilities in Power Play -----------------------------------------------------------


@pytest.mark.rules("KAO-R-67")
@pytest.mark.parametrize(
    ("attacker", "defender", "dice", "event"),
    [
        ("red Stinger [r3]", "blue Stinger [| Shadow Step]", [1, (5, 5)], "escaped"),
        ("red Stinger [r3]", "blue Stinger [| Steel Scales]", [1, (3, 4)], "escaped"),
        ("red Stinger [r3 | Twin Fangs]", "blue Stinger", [1, (1, 1), (5, 5)], "eliminated"),
        ("red Stinger [r3 | Hunter's Mark]", "blue Stinger", [1, (1, 1), (3, 4)], "eliminated"),
        (
            "red Stinger [r3 | Battle Fury]",
            "blue Stinger",
            [1, (1, 1), (6, 6), (1, 2)],
            "eliminated",
        ),
    ],
)
def test_abilities_that_are_the_same_in_all_contests(
    attacker: str, defender: str, dice: list[Any], event: str
) -> None:
    t = fight((attacker,), (defender,), *dice)
    assert t.events(event) == [(1,)]
    t.done(*(t.asked or (None, None)))


@pytest.mark.rules("KAO-R-67", "KAO-P-30")
def test_mirror_scales_look_at_the_whole_chain() -> None:
    t = fight(
        ("red Stinger [r3]", "blue Flame [b9]"), ("blue Stinger [| Mirror Scales]",), 1, (4, 5)
    )
    assert t.events("escaped") == [(1,)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-67")
def test_pack_tactics_adds_no_numbers_here() -> None:
    t = table(
        seat("red Stinger [r3 | Pack Tactics]", "blue Flame"),
        seat("blue Stinger"),
        dice=[3, (1, 1), (6, 6)],
    ).take("challenge")
    assert t.dice[-1][3] is False
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-67")
def test_second_wind_may_spend_a_card_of_the_whole_chain() -> None:
    t = fight(
        ("red Stinger [r3]",),
        ("blue Stinger [b2 | Second Wind]", "red Flame [r9]"),
        *(1, (6, 6), (4, 5)),
    )
    assert t.offered() == ["spend b2", "spend r9", "no"]
    t.take("spend b2")
    assert t.events("escaped") == [(1,)]
    assert t.board(1) == ["blue Stinger [| Second Wind]", "red Flame [r9]"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-67")
def test_second_wind_is_rolled_against_what_is_left() -> None:
    t = fight(
        ("red Stinger [r3]",),
        ("blue Stinger [b2 | Second Wind]", "red Flame [r9]"),
        *(1, (6, 6), (4, 5), (6, 6)),
    )
    t.take("spend r9")
    assert t.events("escaped") == []
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-67")
def test_thorn_hide_takes_a_card_of_the_whole_chain() -> None:
    t = fight(
        ("red Stinger [r3]", "blue Flame [b9]"), ("blue Stinger [b2 | Thorn Hide]",), 1, (1, 1)
    )
    assert t.asked == (0, "thorn_discard")
    assert t.offered() == ["discard r3", "discard b9"]
    t.take("discard b9")
    assert t.board(0) == ["red Stinger [r3]", "blue Flame"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-67", "KAO-P-05")
def test_phoenix_heart_saves_the_main_character_and_links_keep_their_cards() -> None:
    t = fight(
        ("red Stinger [r3]",),
        ("blue Stinger [b2, b4 | Phoenix Heart]", "red Flame [r9]"),
        *(1, (6, 6), (1, 2)),
    )
    assert t.board(1) == ["blue Stinger", "red Flame [r9]"]
    assert t.discard == "Phoenix Heart, b4, b2"
    assert t.match.outcome is None, "the game goes on"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-20", "KAO-R-67")
def test_deep_reserves_and_prism_heart_work_for_the_main_character_only() -> None:
    for ability, limits in (("Deep Reserves", [4, 3]), ("Prism Heart", [2, 3])):
        t = table(
            seat(f"red Flame [| {ability}]", "red Claw", hand="b5"), seat("blue Stinger"), draw="b6"
        )
        board = t.match.view(None)["players"][0]["board"]
        assert [place["limit"] for place in board] == limits
        assert ("add_power" in t.offered()) is (ability == "Prism Heart")
        if ability == "Prism Heart":
            t.take("add_power", "power b5")
            assert t.board(0)[0] == "red Flame [b5 | Prism Heart]", "the link may not hold it"
            t.done(1, "turn_action")
        else:
            t.done(0, "turn_action")


# -- Opportunities in Power Play ---------------------------------------------------------------


@pytest.mark.rules("KAO-P-23")
def test_change_of_guard_draws_two_cards() -> None:
    t = table(
        seat("red Stinger", "red Flame", hand="Change of Guard"),
        seat("blue Flame"),
        draw="r2, r3, r4, r5",
    )
    t.take("opportunity")
    assert t.hand(0) == "r2, r3, r4"
    assert t.board(0) == ["red Stinger", "red Flame"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-23", "KAO-R-06")
def test_change_of_guard_needs_a_card_that_can_be_drawn() -> None:
    t = table(seat("red Stinger", hand="Change of Guard"), seat("blue Flame"), rest="removed")
    assert "opportunity" not in t.offered()
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-P-23")
@pytest.mark.parametrize(
    ("card", "dice"),
    [("Ambush", [(1, 1), (1, 1)]), ("Truce Breaker", [6, 6]), ("Battle Horn", [6])],
)
def test_challenges_by_opportunity(card: str, dice: list[Any]) -> None:
    t = table(seat("red Stinger", hand=card), seat("red Flame"), draw="r12", dice=dice)
    t.take("opportunity")
    assert [roll[0] for roll in t.dice] == (
        ["defense", "volley"] if card == "Ambush" else ["qualification"] * len(dice)
    )
    if card == "Battle Horn":
        assert t.offered() == ["seat 2", "done"]
        t.take("done")
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-22", "KAO-P-23")
def test_new_teaching_and_silence_reach_the_main_character() -> None:
    t = table(
        seat("red Flame [r2, r3, r4 | Deep Reserves]", hand="New Teaching, Keen Eye"),
        seat("blue Flame [b2 | Twin Fangs]", hand="Silence"),
        draw="r12, b12",
    )
    t.take("opportunity")
    assert t.asked == (0, "trim_power")
    t.take("discard r2")
    assert t.board(0) == ["red Flame [r3, r4 | Keen Eye]"]
    t.take("opportunity")
    assert t.board(0) == ["red Flame [r3, r4]"]
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-P-23")
def test_sabotage_and_regroup_reach_the_whole_chain() -> None:
    t = table(
        seat("red Stinger [r3 | Keen Eye]", "blue Flame [b9]", hand="Sabotage, Regroup"),
        seat("blue Stinger [b2]", "green Flame [g9]"),
        draw="r12, r11, r10, r9",
    )
    t.take("opportunity", "play Sabotage")
    assert t.offered() == ["host blue Stinger", "host green Flame"]
    t.take("host green Flame", "pass", "opportunity")
    assert t.offered() == ["take r3", "take Keen Eye", "take b9"]
    t.take("take b9")
    assert t.board(0) == ["red Stinger [r3 | Keen Eye]", "blue Flame"]
    assert t.hand(0) == "r12, r10, b9, r9", "into the hand, then a card is drawn"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-23", "KAO-P-19")
def test_power_surge_reaches_the_whole_chain() -> None:
    t = table(
        seat("red Stinger", "blue Flame", hand="Power Surge, r3, b4, r5, r6"),
        seat("blue Stinger"),
        draw="g12",
    )
    t.take("opportunity", "power r3", "power b4", "power r5")
    assert t.board(0) == ["red Stinger [r3, r5]", "blue Flame [b4]"]
    assert t.hand(0) == "r6, g12", "three and no more"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-23", "KAO-P-15")
def test_reinforcements_link_two_of_different_levels() -> None:
    t = table(
        seat("red Stinger", hand="Reinforcements, red Flame, blue Flame, green Claw"),
        seat("blue Stinger"),
        draw="g12",
    )
    t.take("opportunity", "character blue Flame")
    assert t.offered() == ["character green Claw", "done"]
    t.take("done")
    assert t.board(0) == ["red Stinger", "blue Flame"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-23")
def test_spyglass_and_night_raid_are_the_same() -> None:
    t = table(
        seat("red Stinger", hand="Spyglass, Night Raid"),
        seat("blue Stinger", hand="b2, Ambush, b3"),
        draw="g2, g3, g4",
        picks=[1],
    )
    t.take("opportunity", "play Spyglass", "discard Ambush", "pass", "discard g3", "opportunity")
    assert t.hand(0) == "g2, g4"
    assert len(t.state.hands[1]) == 1, "one of the two was picked"
    assert t.discard.startswith("Night Raid, ")
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-P-23")
def test_salvage_and_windfall_are_the_same() -> None:
    t = table(
        seat("red Stinger", hand="Salvage, Windfall"),
        seat("blue Stinger"),
        draw="g2, g3, g4, g5, g6, g7",
        discard="Ambush, r9, r8",
    )
    t.take("opportunity", "play Salvage", "take r9", "pass")
    assert t.hand(0) == "Windfall, g2, r9"
    t.take("opportunity", "discard g2", "discard g4")
    assert t.hand(0) == "r9, g5, g6, g7", "one card for the option, three for the text"
    t.done(1, "turn_action")


# -- the end -----------------------------------------------------------------------------------


@pytest.mark.rules("KAO-P-03", "KAO-P-05", "KAO-R-23")
def test_resigning_loses() -> None:
    t = table(seat("red Stinger", "blue Flame"), seat("blue Stinger")).concede(0)
    assert t.match.outcome is not None
    assert (t.match.outcome.winners, t.match.outcome.reason) == ((1,), "resigned")
    t.done()


@pytest.mark.rules("KAO-R-24")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (seat("red Flame"), seat("b2")),
        (seat("red Flame", "red Claw"), seat("blue Starmaster [b7]")),
        (seat("red Claw", "red Stinger"), seat("blue Flame [b7]", "blue Claw")),
        (seat("red Flame", "red Claw [r2]"), seat("blue Flame", "blue Claw")),
        (seat("red Flame [r2]", "red Claw [r7]"), seat("blue Flame [b7]", "blue Claw [b7]")),
    ],
    ids=["a Main Character", "more Characters", "levels", "Power Cards", "ways of the chain"],
)
def test_ranking_at_the_turn_limit(better: dict[str, Any], worse: dict[str, Any]) -> None:
    limit = {"turn_limit": 20, "turns": 39, "turn": 1, "ask": False}
    for order, winner in (((better, worse), 0), ((worse, better), 1)):
        t = table(*order, **limit)
        assert t.match.outcome is not None
        assert t.match.outcome.winners == (winner,)
        t.done()
