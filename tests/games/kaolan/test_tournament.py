"""Tournament Play (KAO-T-01 to KAO-T-40) and its rulings (KAO-R-40 to KAO-R-53)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import rules
from rules.engine.chance import Chance
from rules.engine.errors import BadSetup
from rules.engine.match import Match
from rules.testing.playouts import check_secrecy
from tests.games.kaolan.table import Table, lay
from tests.games.kaolan.table import tournament_seat as seat

KAOLAN = rules.game("kaolan")
READY = [deck.cards for deck in KAOLAN.starter_decks.values() if "tournament" in deck.modes]


def start(seats: int = 2, seed: int = 0, decks: Any = None, **options: Any) -> Match:
    if decks is None:
        decks = [READY[n % len(READY)] for n in range(seats)]
    return KAOLAN.new_match(
        "tournament", seats=seats, seed=bytes([seed]) * 32, options=options, decks=decks
    )


def table(*seats: dict[str, Any], **layout: Any) -> Table:
    return lay(*seats, mode="tournament", **layout)


def slugs(match: Match, cards: list[int]) -> list[str]:
    return [match.state.cards.slugs[card] for card in cards]


# -- preparation -------------------------------------------------------------------------------


@pytest.mark.rules("KAO-T-01")
@pytest.mark.parametrize("seats", range(1, 10))
def test_two_to_eight_players(seats: int) -> None:
    if 2 <= seats <= 8:
        assert start(seats).seats == seats
    else:
        with pytest.raises(BadSetup):
            start(seats)


@pytest.mark.rules("KAO-T-02")
def test_every_seat_brings_a_legal_deck() -> None:
    with pytest.raises(BadSetup, match="2 needed, not 1"):
        start(2, decks=READY[:1])
    with pytest.raises(BadSetup, match="The deck of seat 2"):
        start(2, decks=[READY[0], {"main": {"kao-pow-red-07": 2}}])


@pytest.mark.rules("KAO-T-02", "KAO-T-03", "KAO-R-52", "KAO-R-26")
def test_forty_cards_of_each_own_deck_are_used() -> None:
    master = KAOLAN.starter_decks["kaolan-master"].cards
    match = start(2, decks=[master, READY[0]])
    s = match.state
    in_use = [len(s.board[n] + s.hands[n] + s.draw[n]) + 1 for n in range(2)]
    assert in_use == [40, 40]
    assert [len(s.removed[n]) for n in range(2)] == [20, 0]
    for n, deck in enumerate((master, READY[0])):
        own = [*s.board[n], *s.hands[n], *s.draw[n], *s.removed[n], s.prizes[n]]
        assert Counter(slugs(match, own)) == Counter(deck["main"])
    left = {
        frozenset(slugs(m, m.state.removed[0]))
        for m in (start(2, n, [master, master]) for n in range(3))
    }
    assert len(left) == 3, "the surplus is drawn by lot"
    for viewer in (0, 1, None):
        assert match.view(viewer)["players"][0]["removed"] == {"count": 20}


@pytest.mark.rules("KAO-T-05", "KAO-T-10", "KAO-T-12", "KAO-T-14", "KAO-R-09", "KAO-R-51")
def test_what_lies_before_each_player() -> None:
    match = start(5)
    for viewer in (None, *range(5)):
        for player in match.view(viewer)["players"]:
            assert [place["slot"] for place in player["board"]] == ["leader", "guard-1", "guard-2"]
            assert all(place["card"] for place in player["board"]), "turned face up"
            assert player["prize"] == {"count": 1, "card": None}
            assert player["hand"]["count"] == 4
            assert len(player["hand"]["cards"]) == (4 if player["seat"] == viewer else 0)
            assert player["draw"] == {"count": 32}
            assert player["discard"] == {"count": 0, "cards": []}
            assert player["pledged"] is False


@pytest.mark.rules("KAO-T-08", "KAO-T-09", "KAO-R-53", "KAO-R-52")
def test_every_deck_is_shuffled_and_counted_out() -> None:
    match = start(3, decks=[READY[0]] * 3)
    boards = [tuple(slugs(match, board)) for board in match.state.board]
    assert len(set(boards)) == 3
    shuffled = [event for event in match.opening if event[0] == "shuffled"]
    for _kind, who, pile in shuffled:
        s = match.state
        assert s.board[who] == [pile[0], pile[10], pile[20]]
        assert s.prizes[who] == pile[30]
        assert s.hands[who] == [pile[1], pile[11], pile[21], pile[31]]
    assert len(shuffled) == 3


@pytest.mark.rules("KAO-R-51", "KAO-T-09", "KAO-T-39")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_nobody_can_tell_a_prize_from_a_card_to_draw(viewer: int | None) -> None:
    match = start(2)
    moved = check_secrecy(match, viewer, Chance(bytes(32)), deals=6)
    assert set(match.state.prizes) <= moved
    visible = json.dumps([match.view(viewer), [match.event_view(e, viewer) for e in match.opening]])
    for prize in match.state.prizes:
        assert f'"id": {prize},' not in visible


def test_a_cards_number_says_nothing_about_its_deck() -> None:
    order = {tuple(start(2, n, [READY[0]] * 2).state.cards.slugs[:40]) for n in range(3)}
    assert len(order) == 3


# -- a turn ------------------------------------------------------------------------------------


@pytest.mark.rules("KAO-T-15")
def test_the_options_of_a_turn() -> None:
    t = table(
        seat("red Claw", "r4", hand="Ambush, Keen Eye, r5, red Flame"),
        seat("blue Claw"),
    )
    assert t.offered() == [
        *("place", "add_power", "add_ability", "opportunity", "challenge", "pass", "pledge"),
    ]
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-T-16", "KAO-T-18", "KAO-T-11", "KAO-R-15")
def test_a_character_may_fill_an_empty_guard_position() -> None:
    t = table(
        seat("red Claw", "", "g3", hand="red Flame, r2, r3, r4", draw="r5, r6"), seat("blue Claw")
    )
    t.take("place")
    assert t.hand(0) == "red Flame, r2, r3, r4, r5"
    assert t.offered() == ["position guard-1", "position guard-2"]
    t.take("position guard-1")
    assert t.board(0) == ["red Claw", "red Flame", "g3"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-16", "KAO-T-18", "KAO-T-11", "KAO-R-03")
@pytest.mark.parametrize("goes", ["hand", "discard"])
def test_the_replaced_card_goes_to_the_hand_or_to_the_own_pile(goes: str) -> None:
    t = table(
        seat("red Claw", "g3", "r9", hand="red Flame, r2, r3, r4", draw="r5"), seat("blue Claw")
    )
    t.take("place", "position guard-2", goes)
    if goes == "hand":
        assert t.asked == (0, "discard_down")
        assert t.hand(0) == "r2, r3, r4, r5, r9"
        t.take("discard r2")
        assert t.discard_of(0) == "r2"
    else:
        assert t.discard_of(0) == "r9"
    assert t.discard_of(1) == ""
    assert len(t.state.hands[0]) == 4
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-17")
def test_the_leader_position_is_filled_first() -> None:
    t = table(seat("g3", "", "r9", hand="red Flame", draw="r5"), seat("blue Claw"))
    assert t.offered() == ["place"]
    t.take("place")
    assert t.asked == (0, "replaced_card"), "the position is forced"
    t.take("discard")
    assert t.board(0)[0] == "red Flame"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-19")
def test_a_power_card_goes_under_leader_or_guard_of_its_colour() -> None:
    t = table(
        seat("red Claw [r2, r3]", "red Flame", "blue Flame", hand="r7", draw="g2"),
        seat("blue Claw"),
    )
    t.take("add_power")
    assert t.hand(0) == "r7, g2"
    assert t.offered() == ["under red Claw", "under red Flame"]
    t.take("under red Claw")
    assert t.board(0)[0] == "red Claw [r2, r3, r7]"
    place = t.match.view(None)["players"][0]["board"][0]
    assert (len(place["powers"]), place["limit"], place["numbers"]) == (3, 3, [2, 3, 7])
    t.take("pass")
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-T-20")
def test_an_ability_goes_under_a_character_without_one() -> None:
    t = table(
        seat("red Claw [| Keen Eye]", "red Flame", hand="Twin Fangs", draw="r2"),
        seat("blue Claw"),
    )
    t.take("add_ability")
    assert t.board(0) == ["red Claw [| Keen Eye]", "red Flame [| Twin Fangs]", ""]
    assert t.hand(0) == "r2"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-20")
def test_only_new_teaching_replaces_an_ability() -> None:
    t = table(seat("red Claw [| Keen Eye]", hand="Twin Fangs, New Teaching"), seat("blue Claw"))
    assert "add_ability" not in t.offered()
    t.take("opportunity")
    assert t.board(0)[0] == "red Claw [| Twin Fangs]"
    assert t.discard_of(0) == "New Teaching, Keen Eye"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-21", "KAO-R-40", "KAO-T-22")
def test_neither_an_opportunity_nor_a_challenge_draws() -> None:
    t = table(
        seat("red Claw", hand="Sabotage, Ambush", draw="r2, r3"),
        seat("blue Claw [b5]", draw="b2"),
        dice=[1],
    )
    t.take("opportunity", "play Sabotage")
    assert t.events("drew") == []
    assert (t.discard_of(0), t.discard_of(1)) == ("Sabotage", "b5"), "each to its owner's pile"
    t.take("challenge")
    assert t.events("drew") == []
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-T-23")
def test_pass_draws_and_discards() -> None:
    t = table(seat("red Claw", hand="r2", draw="r3, r4"), seat("blue Claw"))
    t.take("pass", "discard r2")
    assert (t.hand(0), t.draw_of(0), t.discard_of(0)) == ("r3", "r4", "r2")
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-13", "KAO-R-08")
def test_an_exhausted_draw_pile_is_not_refilled() -> None:
    t = table(
        seat("red Claw", hand="r2, r5", discard="r7, r8"), seat("blue Claw", hand="b2", draw="b3")
    )
    t.take("pass", "discard r2")
    assert t.events("recycled") == []
    assert (t.hand(0), t.discard_of(0)) == ("r5", "r2, r7, r8")
    t.take("pass", "discard b2", "pass")
    assert t.discard_of(0) == "r5, r2, r7, r8"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-13")
def test_windfall_needs_a_card_in_the_own_draw_pile() -> None:
    t = table(seat("red Claw", hand="Windfall", discard="r2"), seat("blue Claw", draw="b2"))
    assert "opportunity" not in t.offered()
    t.done(0, "turn_action")
    t = table(seat("red Claw", hand="Windfall", draw="r2, r3"), seat("blue Claw", draw="b2"))
    t.take("opportunity")
    assert t.hand(0) == "r2, r3", "as far as available"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-09", "KAO-T-12")
def test_other_players_cards_go_to_their_own_piles() -> None:
    t = table(
        seat("red Claw", hand="Night Raid, Spyglass, Silence, Salvage", draw="r2"),
        seat("blue Claw [| Keen Eye]", hand="b2, Ambush", draw="b3, b4", discard="b9"),
    )
    t.take("opportunity", "play Spyglass", "discard Ambush")
    assert t.discard_of(1) == "Ambush, b9"
    t.take("pass", "discard b2")
    assert t.discard_of(1) == "b2, Ambush, b9"
    t.take("opportunity", "play Silence")
    assert t.discard_of(1) == "Keen Eye, b2, Ambush, b9"
    t.take("pass", "discard b3", "opportunity")
    assert t.discard_of(1) == "b4, b3, Keen Eye, b2, Ambush, b9"
    assert t.discard_of(0) == "Night Raid, Silence, Spyglass"
    t.take("pass")
    assert t.hand(0) == "Salvage"
    assert "opportunity" not in t.offered(), "Salvage looks at the own pile only"
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-T-12", "KAO-R-09")
def test_salvage_takes_from_the_own_pile() -> None:
    t = table(
        seat("red Claw", hand="Salvage", discard="Ambush, r7, r8"),
        seat("blue Claw", discard="b7, b8"),
    )
    t.take("opportunity")
    assert t.offered() == ["take r7", "take r8"]
    t.take("take r8")
    assert (t.hand(0), t.discard_of(0)) == ("r8", "Salvage, Ambush, r7")
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-16", "KAO-T-21")
def test_reinforcements_place_two_without_a_draw() -> None:
    t = table(
        seat("red Claw", "", "g3", hand="Reinforcements, red Flame, blue Flame", draw="r2"),
        seat("blue Claw"),
    )
    t.take("opportunity", "character red Flame", "position guard-1")
    assert t.offered() == ["character blue Flame", "done"]
    t.take("character blue Flame", "discard")
    assert t.board(0) == ["red Claw", "red Flame", "blue Flame"]
    assert t.draw_of(0) == "r2"
    t.done(1, "turn_action")


# -- whom to challenge -------------------------------------------------------------------------


@pytest.mark.rules("KAO-T-24", "KAO-T-25", "KAO-R-41")
@pytest.mark.parametrize(
    ("own", "offered"),
    [
        ("red Claw", ["seat 3", "seat 4", "seat 5"]),
        ("green Claw", ["seat 2", "seat 4", "seat 5"]),
        ("blue Claw", ["seat 2", "seat 3", "seat 5"]),
        ("gold Claw", ["seat 2", "seat 3", "seat 4"]),
        ("red Claw [| Prism Heart]", ["seat 3", "seat 4", "seat 5"]),
    ],
)
def test_a_leader_cannot_challenge_its_own_colour(own: str, offered: list[str]) -> None:
    others = "red Flame", "green Flame", "blue Flame", "gold Flame", "r3"
    t = table(seat(own), *(seat(other) for other in others)).take("challenge")
    assert t.offered() == offered
    t.done(0, "choose_defender")


@pytest.mark.rules("KAO-R-42")
def test_with_two_players_left_the_ban_never_blocks() -> None:
    t = table(seat("red Claw"), seat("red Flame"), dice=[1]).take("challenge")
    assert t.events("challenge_announced") == [(0, 1)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-42", "KAO-R-44")
def test_while_all_leaders_share_a_colour_no_alliance_counts() -> None:
    t = table(
        seat("red Claw [r6]", pledged=True),
        seat("red Flame", "blue Flame", pledged=True),
        seat("red Stinger", pledged=True),
        dice=[3, (1, 1), (1, 1)],
    )
    t.take("challenge", "seat 2")
    assert t.match.view(None)["challenge"] is None
    assert [roll[1] for roll in t.dice] == [0, 1, 0], "only these two take part"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-42")
def test_the_ban_comes_back_with_another_colour() -> None:
    seats = seat("red Claw"), seat("red Flame"), seat("r5", hand="blue Claw", draw="b2")
    t = table(*seats, dice=[1], turn=2)
    t.take("place", "discard", "challenge")
    assert t.events("challenge_announced") == [(0, 2)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-41", "KAO-R-44", "KAO-R-47")
def test_truce_breaker_lifts_the_ban_for_its_challenge_and_repeats_the_qualification() -> None:
    t = table(
        seat("red Claw [r6]", hand="Truce Breaker", pledged=True),
        seat("red Flame", "blue Flame", pledged=True),
        seat("red Stinger", pledged=True),
        seat("blue Claw"),
        dice=[1, 3, (1, 1), (1, 1)],
    )
    t.take("opportunity")
    assert t.offered() == ["seat 2", "seat 3", "seat 4"]
    t.take("seat 2")
    assert [roll[:2] for roll in t.dice] == [
        *[("qualification", 0), ("qualification", 0), ("defense", 1), ("volley", 0)],
    ]
    t.done(1, "turn_action")


# -- alliances ---------------------------------------------------------------------------------


@pytest.mark.rules("KAO-R-43", "KAO-T-29")
def test_the_pledge_is_switched_once_a_turn_before_the_option() -> None:
    t = table(seat("red Claw", draw="r2, r3"), seat("blue Claw", draw="b2, b3"))
    t.take("pledge")
    assert t.asked == (0, "turn_action")
    assert t.offered() == ["challenge", "pass"], "neither pledge nor withdraw again"
    assert [p["pledged"] for p in t.match.view(1)["players"]] == [True, False]
    t.take("pass")
    t.take("pass")
    assert t.offered() == ["challenge", "pass", "withdraw"]
    t.take("withdraw")
    assert t.offered() == ["challenge", "pass"]
    assert t.events("pledge_changed") == [(0, True), (0, False)]
    assert [event[0] for event in t.events("drew")] == [0, 1], "at no cost"
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-43")
def test_a_pledge_needs_a_leader_character() -> None:
    t = table(seat("r2", "blue Flame", draw="r3"), seat("blue Claw"))
    assert t.offered() == ["pass"]
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-R-43")
@pytest.mark.parametrize(("guard", "stays"), [("red Flame", True), ("blue Flame", False)])
def test_the_pledge_goes_off_when_the_leader_changes_its_colour(guard: str, stays: bool) -> None:
    swapped = table(
        seat("red Claw", guard, hand="Change of Guard", pledged=True), seat("green Claw")
    ).take("opportunity")
    beaten = table(
        seat("green Claw [g6]"),
        seat("red Claw", guard, pledged=True),
        dice=[3, (1, 1), (3, 3)],
    ).take("challenge")
    for who, t in enumerate((swapped, beaten)):
        assert t.match.view(None)["players"][who]["pledged"] is stays
        assert t.events("pledge_changed") == ([] if stays else [(who, False)])
        t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-43")
def test_the_pledge_goes_off_with_who_is_out() -> None:
    t = table(seat("red Claw"), seat("green Claw", pledged=True), seat("green Flame"))
    t.concede(1)
    assert t.match.view(None)["players"][1]["pledged"] is False
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-T-27", "KAO-R-43")
def test_one_pledged_player_alone_is_no_alliance() -> None:
    t = table(
        seat("red Claw [r6]", pledged=True),
        seat("green Claw [g5]", pledged=True),
        seat("green Flame"),
        seat("red Flame"),
        dice=[3, (2, 3)],
    )
    t.take("challenge", "seat 2")
    assert [roll[1] for roll in t.dice] == [0, 1]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-28", "KAO-T-30", "KAO-R-44", "KAO-R-45")
def test_allies_attack_clockwise_from_the_announcer() -> None:
    t = table(
        seat("red Flame", pledged=True),
        seat("blue Claw"),
        seat("red Stinger", pledged=True),
        seat("red Claw", pledged=True),
        turn=2,
        dice=[6, 1, 1],
    )
    t.take("challenge")
    assert [roll[1] for roll in t.dice] == [2, 3, 0]
    t.done(3, "turn_action")


@pytest.mark.rules("KAO-T-28", "KAO-T-32", "KAO-R-44", "KAO-R-45")
def test_allies_defend_clockwise_from_the_challenged() -> None:
    t = table(
        seat("red Claw"),
        seat("green Flame", pledged=True),
        seat("green Stinger [g2]", pledged=True),
        seat("green Claw [g2]", pledged=True),
        dice=[3, (1, 1), (1, 1), (6, 6), (6, 6)],
    )
    t.take("challenge", "seat 3")
    assert [roll[:2] for roll in t.dice] == [
        *[("qualification", 0), ("defense", 2), ("defense", 3), ("defense", 1), ("volley", 0)],
    ]
    assert t.events("escaped") == [(2,), (3,)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-26", "KAO-T-31", "KAO-T-36", "KAO-R-45")
def test_nobody_qualifies_and_the_turn_is_over() -> None:
    t = table(
        seat("red Claw", pledged=True),
        seat("green Flame"),
        seat("red Stinger", pledged=True),
        dice=[1, 6],
    )
    t.take("challenge")
    assert [roll[3] for roll in t.dice] == [False, False]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-33", "KAO-T-36", "KAO-R-45")
def test_all_escape_and_the_turn_is_over() -> None:
    t = table(
        seat("red Claw [r6]"),
        seat("green Flame [g2]", pledged=True),
        seat("green Stinger [g2]", pledged=True),
        dice=[3, (1, 1), (1, 1)],
    )
    t.take("challenge", "seat 2")
    assert [roll[0] for roll in t.dice] == ["qualification", "defense", "defense"]
    t.done(1, "turn_action")


def two_against_two(*dice: int | tuple[int, int], **more: dict[str, Any]) -> Table:
    """Seats 1 and 3 (red) attack seats 2 and 4 (green); who defends has Guards of both colours."""
    laid = {
        "first": seat("red Claw [r6, r5]", "blue Flame", pledged=True),
        "challenged": seat("green Claw [g12]", "green Flame", "blue Claw", pledged=True),
        "ally": seat("red Stinger [r8, r3]", "blue Stinger", pledged=True),
        "defender": seat("green Stinger [g12]", "green Diamondback", "g4", pledged=True),
        **more,
    }
    return table(*laid.values(), dice=dice).take("challenge", "seat 2")


@pytest.mark.rules("KAO-T-34", "KAO-T-35", "KAO-R-46")
def test_each_qualified_attacker_names_who_remains() -> None:
    t = two_against_two(3, 1, (1, 1), (1, 1), (3, 3), (4, 4))
    assert t.asked == (0, "volley_target")
    assert t.offered() == ["seat 2", "seat 4"]
    challenge = t.match.view(None)["challenge"]
    assert [(roll["seat"], roll["dice"]) for roll in challenge.pop("rolls")] == [
        (0, [3]),
        (2, [1]),
        (1, [1, 1]),
        (3, [1, 1]),
    ]
    assert challenge == {
        "attacker": 0,
        "defender": 1,
        "attackers": [0, 2],
        "defenders": [1, 3],
        "qualified": [0, 2],
        "escaped": [],
        "hit": [],
        "stage": "volley",
    }
    t.take("seat 4")
    assert [roll[1] for roll in t.dice[-2:]] == [0, 2], "the last target is forced"
    assert t.asked == (1, "step_up"), "hit Defenders are handled in Defender order"
    t.take("step_up blue Claw")
    assert [event[0] for event in t.events("defeated")] == [1, 3]
    assert t.board(1) == ["blue Claw", "green Flame", ""]
    assert t.board(3) == ["green Diamondback", "", "g4"]
    assert t.discard_of(1) == "g12, green Claw"
    assert t.discard_of(3) == "g12, green Stinger"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-34", "KAO-R-46")
def test_a_defender_who_was_missed_may_be_named_again() -> None:
    t = two_against_two(3, 1, (1, 1), (1, 1), (6, 6), (4, 4))
    t.take("seat 4")
    assert t.asked == (2, "volley_target")
    assert t.offered() == ["seat 2", "seat 4"]
    t.take("seat 4")
    assert t.events("defeated")[0][0] == 3
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-46", "KAO-T-37", "KAO-R-18")
def test_when_no_target_is_left_the_other_attackers_do_not_roll() -> None:
    t = two_against_two(3, 1, (6, 6), (1, 1), (3, 3))
    assert t.events("escaped") == [(1,)]
    assert [roll[1] for roll in t.dice if roll[0] == "volley"] == [0]
    assert t.board(3)[0] == "green Diamondback", "the new Leader is not a target"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-47")
def test_ambush_helps_only_the_announcer() -> None:
    t = table(
        seat("red Claw", hand="Ambush", pledged=True),
        seat("green Claw [g2]"),
        seat("red Stinger", pledged=True),
        dice=[6, (1, 1)],
    )
    t.take("opportunity")
    assert t.events("qualified") == [(0, "ambush")]
    assert t.dice[0] == ("qualification", 2, (6,), False)
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-47", "KAO-R-20")
def test_truce_breaker_repeats_the_qualification_of_the_announcer_alone() -> None:
    t = table(
        seat("red Claw", hand="Truce Breaker", pledged=True),
        seat("green Claw [g2]"),
        seat("red Stinger", pledged=True),
        dice=[1, 3, 6, (1, 1)],
    )
    t.take("opportunity", "seat 2")
    assert [roll[:4] for roll in t.dice if roll[0] == "qualification"] == [
        ("qualification", 0, (1,), False),
        ("qualification", 0, (3,), True),
        ("qualification", 2, (6,), False),
    ]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-47")
def test_each_leaders_ability_works_for_that_leader() -> None:
    t = two_against_two(
        *(1, (1, 1), (6, 6), (6, 4)),
        ally=seat("red Stinger [r8 | War Drums]", pledged=True),
        challenged=seat("green Claw [| Shadow Step]", "green Flame", pledged=True),
        defender=seat("green Stinger [g7]", "green Diamondback", pledged=True),
    )
    assert t.events("qualified") == [(2, "war_drums")]
    assert t.events("escaped") == [(1,)], "the double of seat 4 is none for Shadow Step"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-47")
def test_mirror_scales_looks_at_the_announcer_qualified_or_not() -> None:
    t = two_against_two(
        *(1, 3, (3, 3), (4, 4), (6, 6)),
        challenged=seat("green Claw [| Mirror Scales]", "green Flame", pledged=True),
        defender=seat("green Stinger [| Mirror Scales]", "green Diamondback", pledged=True),
    )
    assert t.events("escaped") == [(1,)], "6 is under the announcer, 8 only under the ally"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-47")
def test_thorn_hide_hits_every_attacker_who_qualified_in_order() -> None:
    t = two_against_two(
        *(3, 1, (2, 2), (1, 1), (6, 6), (6, 6)),
        challenged=seat("green Claw [g4 | Thorn Hide]", "green Flame", pledged=True),
    )
    assert t.asked == (0, "thorn_discard")
    t.take("discard r6")
    assert t.asked == (2, "thorn_discard")
    t.take("discard r8")
    assert t.discard_of(0) == "r6"
    assert t.discard_of(2) == "r8"
    assert [roll[:2] for roll in t.dice[-3:]] == [("defense", 3), ("volley", 0), ("volley", 2)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-47")
def test_thorn_hide_spares_who_has_not_qualified() -> None:
    t = two_against_two(
        *(1, 1, (2, 2), (1, 1), (6, 6)),
        challenged=seat("green Claw [g4 | Thorn Hide]", "green Flame", pledged=True),
    )
    assert t.asked == (2, "thorn_discard")
    t.take("discard r8")
    assert t.board(0)[0] == "red Claw [r6, r5]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-T-32", "KAO-R-47")
def test_second_wind_of_one_defender_before_the_next_one_rolls() -> None:
    t = two_against_two(
        *(3, 6, (6, 6), (5, 6), (1, 1), (6, 6)),
        challenged=seat("green Claw [g2, g11 | Second Wind]", "green Flame", pledged=True),
    )
    assert t.asked == (1, "second_wind")
    t.take("spend g2")
    assert t.discard_of(1) == "g2"
    assert t.events("escaped") == [(1,)]
    assert [roll[:2] for roll in t.dice[-2:]] == [("defense", 3), ("volley", 0)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-46", "KAO-R-20")
def test_phoenix_heart_rises_and_is_no_target_any_more() -> None:
    t = two_against_two(
        *(3, 1, (1, 1), (1, 1), (3, 3), (6, 6)),
        challenged=seat("green Claw [g12 | Phoenix Heart]", "green Flame", pledged=True),
    )
    t.take("seat 2")
    assert [roll[1] for roll in t.dice if roll[0] == "volley"] == [0, 2]
    assert t.board(1) == ["green Claw", "green Flame", ""]
    assert t.discard_of(1) == "Phoenix Heart, g12"
    assert t.board(3)[0] == "green Stinger [g12]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-48")
def test_allies_keep_their_own_turns() -> None:
    t = two_against_two(1, 6)
    t.take("pass")
    assert t.asked == (2, "turn_action"), "the ally who attacked is on turn as ever"
    assert "challenge" in t.offered()
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-45", "KAO-T-25", "KAO-R-41")
def test_battle_horn_respects_the_ban_and_alliances_both_times() -> None:
    t = table(
        seat("red Claw [r6]", hand="Battle Horn", pledged=True),
        seat("green Claw [g2]", "blue Flame"),
        seat("red Stinger [r8]", pledged=True),
        seat("blue Claw [b2]", "blue Stinger"),
        dice=[1, 6, 1, 6],
    )
    t.take("opportunity", "seat 2")
    assert t.asked == (0, "horn_again")
    assert t.offered() == ["seat 2", "seat 4", "done"]
    t.take("seat 4")
    assert t.events("challenge_announced") == [(0, 1), (0, 3)]
    assert [roll[1] for roll in t.dice] == [0, 2, 0, 2]
    t.done(1, "turn_action")


# -- out ---------------------------------------------------------------------------------------


@pytest.mark.rules("KAO-T-06", "KAO-T-38", "KAO-R-22", "KAO-R-14", "KAO-T-39")
def test_who_is_hit_without_a_guard_is_out() -> None:
    t = table(
        seat("red Claw [r6]", prize="r2"),
        seat("green Claw [g5]", "r9", "g3", hand="green Flame, b2", draw="b3", prize="b4"),
        seat("blue Claw", prize="b5"),
        dice=[3, (1, 1), (3, 3)],
    )
    t.take("challenge", "seat 2")
    assert t.state.out == [1]
    assert t.discard_of(1) == "g3, r9, g5, green Claw"
    view = t.match.view(1)["players"][1]
    assert view["hand"] == {"count": 0, "cards": []}
    assert (view["draw"], view["removed"]) == ({"count": 0}, {"count": 3})
    assert view["prize"] == {"count": 1, "card": None}
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-T-04", "KAO-T-07", "KAO-T-40", "KAO-R-51", "KAO-T-39")
def test_the_last_player_with_characters_claims_all_prizes() -> None:
    t = table(
        seat("red Claw [r6]", prize="r2"),
        seat("green Claw", prize="b4"),
        seat("blue Claw", prize="b5"),
        dice=[3, (1, 1), (3, 3)],
    )
    t.concede(2)
    assert t.match.view(0)["players"][2]["prize"] == {"count": 1, "card": None}
    t.take("challenge")
    outcome = t.match.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "last_standing")
    assert outcome.ranking == ((0,), (1,), (2,))
    assert outcome.to_json()["prizes"] == [
        {"card": "kao-pow-red-02", "from": 0, "to": 0},
        {"card": "kao-pow-blue-04", "from": 1, "to": 0},
        {"card": "kao-pow-blue-05", "from": 2, "to": 0},
    ]
    for viewer in (0, 1, 2, None):
        visible = [p["prize"]["card"]["slug"] for p in t.match.view(viewer)["players"]]
        assert visible == ["kao-pow-red-02", "kao-pow-blue-04", "kao-pow-blue-05"], "turned up"
    assert [event[0] for event in t.events("prize_claimed")] == [0, 0, 0]
    t.done()


def prizes(t: Table) -> list[tuple[int, int]]:
    assert t.match.outcome is not None
    return [(prize["from"], prize["to"]) for prize in t.match.outcome.to_json()["prizes"]]


@pytest.mark.rules("KAO-R-51", "KAO-R-24")
def test_at_the_turn_limit_the_winner_claims_only_the_prizes_of_who_is_out() -> None:
    t = table(
        *(seat("red Claw", "red Flame", prize="r2"), seat("blue Claw", prize="r3")),
        seat("green Claw", prize="r4"),
        turn_limit=20,
        turns=59,
        turn=1,
    )
    t.concede(2)
    t.take("pass")
    assert t.match.outcome is not None
    assert t.match.outcome.reason == "turn_limit"
    assert prizes(t) == [(0, 0), (1, 1), (2, 0)]
    t.done()


@pytest.mark.rules("KAO-R-51", "KAO-R-24")
def test_in_a_draw_all_prizes_go_back() -> None:
    t = table(
        *(seat("red Claw", prize="r2"), seat("blue Claw", prize="r3")),
        seat("green Claw", prize="r4"),
        turn_limit=20,
        turns=59,
        turn=1,
    )
    t.concede(2)
    t.take("pass")
    assert t.match.outcome is not None
    assert t.match.outcome.winners == (0, 1)
    assert prizes(t) == [(0, 0), (1, 1), (2, 2)]
    t.done()


@pytest.mark.rules("KAO-R-51")
@pytest.mark.parametrize("ante", ["off", "on"])
def test_ante_changes_nothing_in_the_rules(ante: str) -> None:
    match = start(2, ante=ante)
    match.concede(0)
    assert match.outcome is not None
    assert [p["to"] for p in match.outcome.to_json()["prizes"]] == [1, 1]
    assert match.options["ante"] == ante


@pytest.mark.rules("KAO-R-25", "KAO-T-37")
def test_defenders_who_fall_in_one_battle_share_a_rank() -> None:
    t = two_against_two(
        *(3, 1, (1, 1), (1, 1), (3, 3), (4, 4)),
        challenged=seat("green Claw", pledged=True),
        defender=seat("green Stinger", pledged=True),
    )
    t.take("seat 2")
    assert t.state.out == [1, 3]
    t.concede(0)
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((2,), (0,), (1, 3))
    t.done()


@pytest.mark.rules("KAO-R-25", "KAO-R-23")
def test_who_resigns_shares_no_rank_with_who_falls_afterwards() -> None:
    t = table(
        seat("red Claw [r6, r8]", pledged=True),
        seat("green Claw", "blue Flame", "blue Claw", pledged=True),
        seat("red Stinger [r8, r3]", pledged=True),
        seat("green Stinger", pledged=True),
        seat("b2"),
        dice=[3, 1, (1, 1), (1, 1), (3, 3), (4, 4)],
    )
    t.take("challenge", "seat 2", "seat 2")
    assert t.asked == (1, "step_up")
    t.concede(4)
    t.take("step_up blue Claw")
    assert t.state.out == [4, 3]
    t.concede(0).concede(2)
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((1,), (2,), (0,), (3,), (4,))
    t.done()


@pytest.mark.rules("KAO-R-25", "KAO-R-23")
def test_a_resignation_between_them_does_not_part_who_fell_in_one_battle() -> None:
    t = table(
        seat("red Claw [r6, r8]", pledged=True),
        seat("green Claw", pledged=True),
        seat("red Stinger [r8, r3]", pledged=True),
        seat("green Stinger", "blue Flame", "blue Claw", pledged=True),
        seat("red Diamondback [r8, r3]", pledged=True),
        seat("green Flame", pledged=True),
        *(seat("b2"), seat("b3")),
        dice=[3, 1, 5, (1, 1), (1, 1), (1, 1), (3, 3), (4, 4), (4, 4)],
    )
    t.take("challenge", "seat 2", "seat 2", "seat 4")
    assert t.asked == (3, "step_up")
    assert t.state.out == [1]
    t.concede(6)
    t.concede(7)
    t.take("step_up blue Claw")
    assert t.state.out == [1, 6, 7, 5]
    t.concede(0).concede(2).concede(4)
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((3,), (4,), (2,), (0,), (7,), (6,), (1, 5))
    t.done()


# -- stuck players -----------------------------------------------------------------------------


@pytest.mark.rules("KAO-R-49", "KAO-R-25", "KAO-R-51")
def test_if_nobody_is_left_it_is_a_draw() -> None:
    t = table(
        seat("r3", hand="r4", prize="red Claw", discard="red Flame"),
        seat("b3", hand="b4", prize="blue Claw"),
        ask=False,
    )
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((0, 1),)
    assert t.match.outcome.winners == (0, 1)
    assert prizes(t) == [(0, 0), (1, 1)], "Discard Pile and Prize are not looked at"
    t.done()


@pytest.mark.rules("KAO-R-49")
@pytest.mark.parametrize(
    "hope",
    [{"hand": "red Claw"}, {"draw": "r7"}, {"hand": "r2", "draw": "red Claw"}],
    ids=["a Character in hand", "any card to draw", "both"],
)
def test_who_may_still_field_a_character_stays(hope: dict[str, str]) -> None:
    t = table(seat("blue Claw"), seat("r3", **hope), seat("green Claw"), ask=False)
    assert t.state.out == []
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-49", "KAO-R-50")
@pytest.mark.parametrize("hand", ["red Claw", "r2"])
def test_whether_another_is_stuck_is_not_found_out_by_taking_back(hand: str) -> None:
    """Two answers end that turn; the second cannot be taken back, whatever the other one holds."""
    t = table(
        seat("blue Claw", "blue Flame", hand="b2, b3", draw="b4"),
        seat("r3", hand=hand),
        seat("green Claw"),
        turn=0,
    )
    t.take("add_power", "power b2", "under blue Claw")
    assert t.state.out == ([] if hand == "red Claw" else [1])
    assert not t.match.can_undo(0)
    t.done(1 if hand == "red Claw" else 2, "turn_action")


@pytest.mark.rules("KAO-R-49", "KAO-R-25")
def test_several_stuck_players_share_a_rank_in_the_order_of_the_turn() -> None:
    t = table(seat("blue Claw"), seat("r3"), seat("green Claw"), seat("r4"), ask=False, turn=2)
    assert t.state.out == [3, 1], "the turn player first, then clockwise"
    t.concede(0)
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((2,), (0,), (1, 3))
    t.done()


EIGHT = "r2, r3, r4, r5, r6, r7, r8, r9"


@pytest.mark.rules("KAO-R-49", "KAO-T-13")
@pytest.mark.parametrize(
    ("hand", "discard", "stays"),
    [
        ("Salvage, r2", "b4, red Claw, b5", True),
        ("Salvage, r2", f"{EIGHT[4:]}, red Claw", True),
        ("Salvage, r2", f"{EIGHT}, red Claw", False),
        ("Salvage, r2", "b4, Keen Eye, b5", False),
        ("Salvage", "", False),
        ("r10, r2", "b4, red Claw, b5", False),
        ("r10, r2", "Salvage, red Claw", False),
    ],
    ids=["in reach", "the eighth", "the ninth", "no Character", "nothing", "no Salvage", "spent"],
)
def test_salvage_keeps_a_player_in_who_can_reach_a_character(
    hand: str, discard: str, stays: bool
) -> None:
    t = table(
        *(seat("blue Claw"), seat("r5", hand=hand, discard=discard), seat("green Claw")), ask=False
    )
    assert t.state.out == ([] if stays else [1])
    if stays:
        t.take("opportunity", "take red Claw")
        assert "red Claw" in t.hand(1)
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-49")
def test_salvage_looks_at_the_own_discard_pile() -> None:
    t = table(
        seat("blue Claw", discard="red Claw"),
        seat("r5", hand="Salvage", discard="b4"),
        seat("green Claw"),
        ask=False,
    )
    assert t.state.out == [1]
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-50", "KAO-R-49")
def test_a_guard_steps_up_also_where_salvage_is_in_hand() -> None:
    t = table(
        seat("red Claw"),
        seat("r5", "blue Claw", hand="Salvage", discard="green Claw"),
        ask=False,
    )
    assert t.board(1)[0] == "blue Claw"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-50")
def test_a_stuck_player_chooses_which_guard_steps_up() -> None:
    t = table(
        seat("red Claw"),
        seat("r5", "blue Claw [b6]", "green Flame"),
        seat("b5", "red Flame"),
        ask=False,
    )
    assert t.asked == (1, "step_up")
    assert t.match.question(t.match.prompts[1]).startswith("You can no longer place a Leader")
    assert t.offered() == ["step_up blue Claw", "step_up green Flame"]
    t.take("step_up green Flame")
    assert t.board(1) == ["green Flame", "blue Claw [b6]", ""]
    assert t.discard_of(1) == "r5"
    assert t.board(2)[0] == "red Flame", "and then the next player"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-50")
@pytest.mark.parametrize("hope", [{"hand": "red Claw"}, {"draw": "r7"}])
def test_no_guard_is_moved_while_a_leader_may_be_placed(hope: dict[str, str]) -> None:
    t = table(seat("red Claw"), seat("r5", "blue Claw", **hope), ask=False)
    assert t.board(1)[:2] == ["r5", "blue Claw"]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-50", "KAO-R-23")
@pytest.mark.parametrize("who", [0, 1, 2])
def test_resigning_while_a_stuck_player_chooses(who: int) -> None:
    t = table(
        seat("red Claw"), seat("r5", "blue Claw", "green Flame"), seat("green Claw"), ask=False
    )
    t.concede(who)
    if who != 1:
        assert t.asked == (1, "step_up")
        t.take("step_up blue Claw")
    assert t.events("turn_ended") == [(0,)], "the turn is counted once"
    t.done(2 if who == 1 else 1, "turn_action")


# -- resigning in a battle of several ----------------------------------------------------------


@pytest.mark.rules("KAO-R-23")
def test_the_announcer_resigns_and_the_battle_ends() -> None:
    t = two_against_two(3, 1, (1, 1), (1, 1))
    assert t.asked == (0, "volley_target")
    t.concede(0)
    assert t.match.view(None)["challenge"] is None
    assert t.events("defeated") == []
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23")
def test_the_announcer_resigns_while_an_ally_aims() -> None:
    t = two_against_two(3, 1, (1, 1), (1, 1), (6, 6))
    t.take("seat 4")
    assert t.asked == (2, "volley_target")
    t.concede(0)
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23")
def test_an_ally_resigns_and_just_leaves_the_battle() -> None:
    t = two_against_two(3, 1, (1, 1), (1, 1), (6, 6))
    t.take("seat 4").concede(2)
    assert t.events("defeated") == []
    t.done(1, "turn_action")
    t = two_against_two(3, 1, (1, 1), (1, 1), (6, 6))
    t.concede(2)
    assert t.asked == (0, "volley_target")
    t.take("seat 4")
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23", "KAO-R-21")
def test_a_defender_resigns_and_the_last_target_is_forced() -> None:
    t = two_against_two(3, 6, (1, 1), (1, 1), (3, 3))
    assert t.asked == (0, "volley_target")
    t.concede(1)
    assert [event[0] for event in t.events("defeated")] == [3]
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-23")
def test_no_defender_is_left() -> None:
    t = two_against_two(
        *(3, 6, (6, 6), (1, 1)),
        defender=seat("green Stinger [g2, g3 | Second Wind]", pledged=True),
        challenged=seat("green Claw [g3, g4 | Second Wind]", pledged=True),
    )
    assert t.asked == (1, "second_wind")
    t.concede(1)
    assert t.events("escaped") == [(3,)]
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-23", "KAO-R-46")
def test_a_hit_is_forgotten_when_its_defender_resigns_first() -> None:
    t = two_against_two(3, 1, (1, 1), (1, 1), (3, 3), (4, 4))
    t.take("seat 2")
    assert t.asked == (1, "step_up")
    t.concede(3)
    assert t.state.out == [3]
    t.take("step_up green Flame")
    assert [event[0] for event in t.events("defeated")] == [1]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23", "KAO-R-47")
@pytest.mark.parametrize("who", [0, 1, 2, 3])
def test_resigning_while_thorns_are_paid(who: int) -> None:
    t = two_against_two(
        *(3, 1, (2, 2)),
        challenged=seat("green Claw [g4 | Thorn Hide]", "green Flame", pledged=True),
        defender=seat("green Stinger [g7, g12]", "green Diamondback", pledged=True),
    )
    assert t.asked == (0, "thorn_discard")
    t.state.chance.dice += [] if who == 0 else [6, 6] if who != 3 else []
    t.concede(who)
    if who == 0:
        t.done(1, "turn_action")
        return
    t.take("discard r6")
    if who != 2:
        assert t.asked == (2, "thorn_discard"), "the thorns of who resigned still prick"
        t.take("discard r8")
    assert [roll[:2] for roll in t.dice[3:]] == ([] if who == 3 else [("defense", 3)])
    t.done(2 if who == 1 else 1, "turn_action")
