"""The turn, elimination and the end of a match; what the worked scenarios leave out."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from games.colossal_kaiju_combat.rules.glory import conscious_glory, finish
from rules.engine.chance import named_seed
from rules.testing.playouts import Setup
from tests.games.colossal_kaiju_combat.table import DEEP, EMBER, IRON, SKIN, STORM, lay, seat

GAME = rules.game("colossal-kaiju-combat")


# -- modes and options -----------------------------------------------------------------------------


@pytest.mark.rules("CKC-G-01", "CKC-G-05", "CKC-O-01", "CKC-O-05")
def test_two_to_five_play_each_with_a_team_and_two_decks() -> None:
    for seats in (2, 5):
        match = Setup(GAME, GAME.modes["standard"], seats, named_seed("five")).start()
        s: Any = match.state
        assert [s.cards.prints[first].kind for first in s.starts] == ["team"] * seats
        assert all(s.combat_decks)
        assert all(s.planning_decks)
        assert all(s.rows)
    assert GAME.modes["standard"].seats == range(2, 6)
    options = GAME.modes["standard"].checked_options({})
    assert (options["glory_target"], options["turn_cap"], options["quiet_limit"]) == (20, 30, 5)


@pytest.mark.rules("CKC-O-02", "CKC-R-64")
def test_basic_has_no_planning_and_no_city() -> None:
    match = Setup(GAME, GAME.modes["basic"], 2, named_seed("basic")).start()
    s: Any = match.state
    assert s.phase == "selection"
    assert not any((*s.planning_decks, *s.planning_hands))
    assert match.view(0)["players"][0]["planning_hand"] is None
    t = lay(
        seat(DEEP, "pelagor"),
        seat(SKIN, "giraffish", set_aside="loodicriz", changed="loodicriz"),
        mode="basic",
    )
    assert "rampage" not in t.offered()
    t.take("attack giraffish")  # Pelagor's step needs a city: nobody is asked
    assert t.events("returned")  # the combat was over at once, and the next turn has begun
    t.done()


# -- phases ----------------------------------------------------------------------------------------


@pytest.mark.rules("CKC-T-01", "CKC-T-09", "CKC-T-10", "CKC-R-11", "CKC-R-13")
def test_the_phases_follow_one_another_and_the_active_go_back() -> None:
    t = lay(seat(DEEP), seat(EMBER, damage={"magmaul": 2}), phase="turn")
    assert t.state.phase == "selection"  # nobody has a planning card
    t.take("select pyroklast", "select pelagor")
    assert {t.state.cards.slugs[character] for character in t.state.active} == {
        "pyroklast",
        "pelagor",
    }
    t.take("challenge coralisk", "accept").fight_on()
    assert t.state.cards.slugs[t.state.active[-1]] == "coralisk"
    assert "attack pyroklast" in t.offered()
    t.take("pass")
    assert t.state.turn == 2
    assert not t.state.active
    assert t.damage("magmaul") == 1
    t.done()


@pytest.mark.rules("CKC-R-03", "CKC-R-05", "CKC-G-06")
def test_discards_of_phase_1_stay_hidden_until_all_are_done() -> None:
    t = lay(
        seat(
            DEEP, plans="taunt ambush", planning_deck="bad-blood power-surge old-limp taunt taunt"
        ),
        seat(EMBER, plans="oil-refinery taunt front-page wolf-pack air-strike"),
        phase="discard",
    )
    assert t.asked == {0: "plan_discard", 1: "plan_discard"}
    before = t.match.view(1)
    t.take("discard taunt", "discard ambush", by=0)
    assert t.match.view(1) == before  # still counted in the hand
    assert t.offered(0) == ["done"]  # asked all the same, for something was thrown away
    t.take("done", by=0)
    assert not t.state.planning_discards[0]
    t.take("done", by=1)
    assert t.names(t.state.planning_discards[0]) == "taunt ambush"
    assert t.plans(0).split() == ["bad-blood", "power-surge", "old-limp", "taunt", "taunt"]
    assert len(t.state.planning_hands[1]) == 5  # above the Planning Draw: nothing is drawn
    t.done()


@pytest.mark.rules("CKC-R-04", "CKC-R-55")
def test_the_planning_discard_is_shuffled_in_phase_1_alone() -> None:
    pile = "taunt bad-blood old-limp"
    t = lay(
        seat(DEEP, planning_deck="ambush", planning_discard=pile),
        seat(EMBER, plans="reconnaissance", planning_discard=pile, planning_deck="taunt"),
        phase="discard",
    )
    t.take("done", by=1)
    assert len(t.state.planning_hands[0]) == 4  # five were to be drawn
    assert [event[:2] for event in t.events("shuffled")] == [(1, "planning"), (0, "planning")]
    t.done()
    t = lay(
        seat(DEEP), seat(EMBER, plans="reconnaissance", planning_discard=pile), phase="planning"
    )
    t.take("play reconnaissance")
    assert t.plans(1) == ""
    t.done()


@pytest.mark.rules("CKC-R-01", "CKC-S-06")
def test_equal_initiative_goes_by_lot_and_a_dawn_raid_before_all() -> None:
    for ties in ((0, 1), (1, 0)):
        t = lay(seat(DEEP), seat(DEEP), phase="turn", ties=ties)
        assert t.state.order == list(ties)
        t.done()
    t = lay(seat(DEEP, plans="dawn-raid"), seat(STORM), seat(EMBER), phase="planning")
    t.ask("plan_play").play("play dawn-raid")
    assert t.state.order == [1, 2, 0]
    t.turn(2)
    assert t.state.order == [0, 1, 2]
    t.turn(3)
    assert t.state.order == [1, 2, 0]
    t.done()


@pytest.mark.rules("CKC-R-07", "CKC-R-08", "CKC-R-48", "CKC-K-05")
def test_who_is_set_aside_can_not_be_chosen_and_loses_its_action() -> None:
    t = lay(
        seat(EMBER, "magmaul", "haymaker"),
        seat(
            "second-skin", "loodicriz", kaiju="loodicriz giraffish", damage={"loodicriz": 10},
            scars={"loodicriz": ["old-limp"]},
        ),
        acting=(0, 1),
    )  # fmt: skip
    t.take("attack loodicriz", "pay haymaker")
    assert t.events("set_aside")
    assert t.events("action_lost") == [(1,)]
    assert t.glory(0) == 0
    assert [t.names(cards) for _seat, cards in t.events("scars_lost")] == ["old-limp"]
    assert t.damage("loodicriz") == 7  # back at the start of the next phase 3
    assert t.state.outcome is None
    t.ask("select_active")
    t.done()


@pytest.mark.rules("CKC-K-05", "CKC-R-08", "CKC-R-13", "CKC-R-41")
def test_giraffish_gets_up_once() -> None:
    t = lay(
        seat(DEEP, "maelgrath", "bone-crusher"),  # ABYSSAL: it works against immune ones, too
        seat(SKIN, "giraffish", damage={"giraffish": 12}, scars={"giraffish": ["killers-eye"]}),
        acting=(0, 1),
    )
    t.take("attack giraffish", "pay bone-crusher")
    assert t.events("revived")
    assert t.events("action_lost") == [(1,)]
    assert t.damage("giraffish") == 7  # it was active this turn and does not heal
    assert [t.names([scar]) for _one, scar in t.state.scars] == ["killers-eye"]
    assert t.glory(0) == 0
    t.done()
    t = lay(
        seat(DEEP, "maelgrath", "bone-crusher"),
        seat(SKIN, "giraffish", damage={"giraffish": 12}, changed="giraffish"),
    )
    t.take("attack giraffish", "pay bone-crusher")
    assert t.glory(0) == 5
    t.done()


@pytest.mark.rules("CKC-A-02", "CKC-R-09", "CKC-C-01", "CKC-R-66")
def test_whom_one_may_fight() -> None:
    t = lay(
        seat(DEEP, "pelagor", "snap-bite"),
        seat(EMBER, "magmaul", active="obsidrake"),
        seat(IRON, kaiju="gearhorn"),
        acting=(0,),
    )
    assert t.offered() == [
        "attack magmaul", "attack obsidrake", "challenge pyroklast", "challenge gearhorn",
        "roar", "pass",
    ]  # fmt: skip
    refused = t.match.outlook(t.match.prompts[0])["refused"]
    assert refused == {"rampage": ["The city is empty.", "CKC-R-09"]}
    t.take("attack magmaul")
    combat = t.state.combat
    assert (combat.fighters, combat.foes) == ([t.card("pelagor")], [t.card("magmaul")])
    assert combat.sword == 0
    t.done()


# -- glory and the end -----------------------------------------------------------------------------


@pytest.mark.rules("CKC-G-02", "CKC-G-03", "CKC-W-01", "CKC-R-52", "CKC-W-06", "CKC-R-16")
def test_who_reaches_the_glory_wins_in_mid_effect() -> None:
    t = lay(
        seat(DEEP, "pelagor", "wrecking-tail", tokens=19, plans="old-limp"),
        seat(EMBER, "magmaul"),
        city=[("oil-refinery", 0)],
    )
    t.take("rampage", "pay wrecking-tail")  # one's own city card counts, too
    assert t.glory(0) == 21
    assert t.result == ((0,), (1,), "glory")
    assert t.hits() == [("oil-refinery", 7), ("pelagor", 2)]  # its own text belongs to the check
    assert not t.events("combat_ended")
    t.done()


@pytest.mark.rules("CKC-W-02", "CKC-W-03", "CKC-W-04", "CKC-R-33", "CKC-R-51")
@pytest.mark.parametrize(
    ("tokens", "allies", "winners"),
    [((15, 17), "", (1,)), ((17, 17), "hired-strider", (0,)), ((17, 17), "", (0, 1))],
)
def test_several_reach_it_in_one_moment(
    tokens: tuple[int, int], allies: str, winners: tuple[int, ...]
) -> None:
    t = lay(
        seat(
            "ember-court", "obsidrake", "straight-jab", kaiju="obsidrake magmaul",
            damage={"obsidrake": 12}, tokens=tokens[0], allies=allies,
        ),
        seat(
            "stormcrest-flight", "galehorn", "trade-blows", kaiju="galehorn zephyrix",
            damage={"galehorn": 11}, tokens=tokens[1],
        ),
    )  # fmt: skip
    t.take("attack galehorn", "pay straight-jab", "pay trade-blows")
    assert t.match.outcome is not None
    assert t.match.outcome.winners == winners
    assert conscious_glory(t.state, 0) == 5 + (2 if allies else 0)
    t.done()


@pytest.mark.rules("CKC-W-05", "CKC-R-47", "CKC-R-34", "CKC-R-39", "CKC-R-15")
def test_who_has_no_characters_left_is_out() -> None:
    t = lay(
        seat(EMBER, "magmaul", "haymaker", fury=3),
        seat(
            "open-alliance", "drone-swarm", kaiju="", allies="drone-swarm",
            scars={"drone-swarm": ["hardened-hide"]}, damage={"drone-swarm": 3}, tokens=4,
        ),
        seat(IRON, "gearhorn"),
        acting=(0, 1, 2),
        city=[("tank-column", 1)],
    )  # fmt: skip
    t.take("attack drone-swarm", "pay haymaker")
    assert t.state.out == [1]
    assert t.names(t.state.planning_discards[1]) == "hardened-hide"
    assert t.city == "tank-column"  # it stays in the row
    assert t.match.outcome is None
    assert t.asked == {2: "action"}
    # its city card knocks out a character: no glory for anybody
    t.done()
    t = lay(
        seat(EMBER, "magmaul", "straight-jab", damage={"magmaul": 12}),
        seat(DEEP),
        city=[("tank-column", 0)],
    )  # fmt: skip
    t.take("rampage", "pay straight-jab")
    assert t.events("knocked_out") == [(-1, t.state.removed[0], 0, 0)]
    assert t.glory(1) == 0  # the victim's own Tank Column
    t.done()


@pytest.mark.rules("CKC-R-15", "CKC-R-32")
def test_a_city_card_scores_for_its_owner() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab", damage={"magmaul": 12}),
        seat(DEEP),
        city=[("tank-column", 1)],
    )
    t.take("rampage", "pay straight-jab")
    assert t.glory(1) == 5
    t.done()


@pytest.mark.rules("CKC-R-46", "CKC-R-47")
def test_whose_last_character_falls_may_still_win_in_that_moment() -> None:
    t = lay(
        seat(
            "ember-court", "obsidrake", "straight-jab", kaiju="obsidrake",
            damage={"obsidrake": 12}, tokens=16,
        ),
        seat(STORM, "galehorn", "trade-blows", damage={"galehorn": 11}),
        seat(IRON),
    )  # fmt: skip
    t.take("attack galehorn", "pay straight-jab", "pay trade-blows")
    assert t.match.outcome is not None
    assert t.match.outcome.winners == (0,)
    t.done()


@pytest.mark.rules("CKC-R-49")
def test_who_resigns_leaves_a_combat_that_ends_at_once() -> None:
    t = lay(
        seat(EMBER, "magmaul", "haymaker brace", energy=3),
        seat(DEEP, "pelagor", "brace"),
        seat(IRON, "gearhorn"),
        acting=(0, 1, 2),
    )
    t.take("attack pelagor", "pay haymaker")
    assert t.asked == {1: "shield"}
    t.concede(1)
    assert t.state.combat is None
    assert t.state.out == [1]
    assert t.glory(0) == 0
    haymaker = t.state.buried[0]
    assert t.names([haymaker]) == "haymaker"  # unrevealed, in the discard
    mine, yours = (t.match.view(who)["players"][0]["combat_discard"] for who in (0, 2))
    assert mine["count"] == yours["count"]
    assert len(mine["cards"]) == len(yours["cards"]) + 1
    assert t.energy[0] == 3
    assert t.asked == {2: "action"}
    t.concede(2)
    assert t.result[-1] == "last_standing"
    t.done()


@pytest.mark.rules("CKC-R-49")
@pytest.mark.parametrize("who", [0, 1])
def test_a_challenge_is_over_when_either_leaves(who: int) -> None:
    t = lay(seat(EMBER, "magmaul"), seat(DEEP), seat(IRON, "gearhorn"), acting=(0, 2))
    t.take("challenge pelagor")
    assert t.asked == {1: "challenge_reply"}
    t.concede(who)
    assert t.asked == {2: "action"}
    t.done()


@pytest.mark.rules("CKC-R-50", "CKC-O-05")
def test_a_match_ends_with_the_last_turn_or_after_quiet_ones() -> None:
    t = lay(seat(DEEP, tokens=1), seat(EMBER), phase="healing", turn=10, turn_cap=10)
    assert t.result == ((0,), (1,), "turn_cap")
    t.done()
    t = lay(seat(DEEP), seat(EMBER), phase="healing", quiet=2, quiet_limit=3)
    assert t.result == ((0, 1), "quiet")
    t.done()
    t = lay(
        seat(DEEP, "pelagor"), seat(EMBER, "magmaul"), phase="healing", quiet=2, quiet_limit=3,
        city=[("missile-battery", 0)],
    )  # fmt: skip
    assert t.state.quiet == 0  # damage was dealt
    t.done()


@pytest.mark.rules("CKC-W-02")
def test_the_others_are_ranked_by_glory_and_when_they_went() -> None:
    t = lay(seat(DEEP, tokens=3), seat(EMBER, tokens=7), seat(IRON, tokens=9), seat(STORM))
    t.concede(2)
    finish(t.state, (0,), "turn_cap")
    assert t.state.outcome.ranking == ((0,), (1,), (3,), (2,))
    t.done()
