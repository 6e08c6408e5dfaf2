"""The worked scenarios CKC-SC-01 to CKC-SC-20 of the rules specification, all variants."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.engine.chance import named_seed
from tests.games.colossal_kaiju_combat.table import (
    DEEP,
    EMBER,
    IRON,
    SKIN,
    STORM,
    Table,
    lay,
    seat,
)

GAME = rules.game("colossal-kaiju-combat")


@pytest.mark.rules(
    "CKC-S-01", "CKC-S-02", "CKC-S-03", "CKC-S-04", "CKC-S-05", "CKC-S-06", "CKC-S-07",
    "CKC-T-02", "CKC-T-03", "CKC-R-01", "CKC-R-02",
)  # fmt: skip
def test_scenario_1_set_up() -> None:
    decks = [GAME.starter_decks[name].cards for name in (DEEP, EMBER, IRON)]
    match = GAME.new_match("standard", seats=3, seed=named_seed("set-up"), decks=decks)
    s: Any = match.state
    assert s.energy == [14, 14, 15]
    assert [len(hand) for hand in s.combat_hands] == [5, 5, 5]
    assert s.fury == [0, 0, 0]
    assert not s.city
    assert not any((*s.combat_discards, *s.planning_discards))
    assert not any((s.active, s.damage))
    drawn = [event for event in match.opening if event[0] == "drew_planning"]
    assert [event[1] for event in drawn] == [1, 0, 2]  # nobody had a planning card before
    assert [len(hand) for hand in s.planning_hands] == [5, 4, 5]
    assert [len(deck) for deck in s.planning_decks] == [20, 21, 20]
    assert s.order == [1, 0, 2]
    assert [s.cards.slugs[card] for card in s.rows[0]] == ["maelgrath", "coralisk", "pelagor"]


@pytest.mark.rules(
    "CKC-C-09", "CKC-C-13", "CKC-C-15", "CKC-K-03", "CKC-K-04", "CKC-H-04", "CKC-R-53"
)
@pytest.mark.parametrize(
    ("victim", "sums", "damage"), [("maelgrath", (6, 5), 1), ("pelagor", (7, 3), 4)]
)
def test_scenario_2_icons_and_immunity(victim: str, sums: tuple[int, int], damage: int) -> None:
    t = lay(seat(EMBER, "magmaul", "haymaker"), seat(DEEP, victim, "plated-guard"))
    t.take(f"attack {victim}").play("pay haymaker", "pay plated-guard")
    assert [event[5][:2] for event in t.events("worked_out")] == [sums]
    assert t.damage(victim) == damage
    assert t.fury == [0, 1]
    t.done()


@pytest.mark.rules(
    "CKC-E-01", "CKC-E-02", "CKC-E-03", "CKC-E-05", "CKC-E-06", "CKC-E-07", "CKC-E-08",
    "CKC-E-10", "CKC-R-21", "CKC-R-22", "CKC-R-24", "CKC-H-02", "CKC-H-03",
)  # fmt: skip
def test_scenario_3_paying() -> None:
    cinderwing = seat(
        "ember-court", "cinderwing", "rend bone-crusher straight-jab raking-claw",
        kaiju="cinderwing", energy=6,
    )  # fmt: skip
    t = lay(cinderwing, seat(STORM, "zephyrix", "take-wing"))
    t.take("attack zephyrix")
    assert t.offered() == [
        "pay rend", "pay bone-crusher", "pay straight-jab", "pay raking-claw", "done"
    ]  # fmt: skip
    t.take("pay rend", "pay take-wing")
    assert t.damage("zephyrix") == 1
    assert t.offered() == [  # the other side has no Sword card and has passed
        "pay bone-crusher", "bluff bone-crusher", "pay straight-jab", "pay raking-claw", "done"
    ]  # fmt: skip
    t.take("pay bone-crusher")
    assert t.hits()[-1] == ("zephyrix", 6)
    assert t.energy[0] == 4
    assert t.offered() == [
        "pay straight-jab", "bluff straight-jab", "pay raking-claw", "bluff raking-claw", "done"
    ]  # fmt: skip
    t.take("pay straight-jab")
    assert t.hits()[-1] == ("zephyrix", 3)
    assert t.energy[0] == 3
    assert t.offered() == ["bluff raking-claw", "done"]  # by Combo, and Power 3 is used up
    t.take("bluff raking-claw")
    assert t.hits()[-1] == ("zephyrix", 4)
    assert t.events("knocked_out")[0][0] == 0
    assert t.glory(0) == 5
    assert t.fury == [0, 4]
    t.done()


SC_4: dict[str, tuple[str, str, list[tuple[str, int]]]] = {
    "a": ("bluff plasma-breath", "", [("galehorn", 7)]),
    "b": ("bluff plasma-breath", "pay brace", []),
    "c": ("bluff plasma-breath", "bluff energy-barrier", [("galehorn", 1)]),
    "d": ("pay haymaker", "bluff energy-barrier", [("galehorn", 6)]),
    "e": ("bluff plasma-breath", "pay trade-blows", [("obsidrake", 4)]),
}


@pytest.mark.rules(
    "CKC-E-06", "CKC-E-07", "CKC-E-08", "CKC-E-09", "CKC-E-10", "CKC-C-21", "CKC-R-21"
)
@pytest.mark.parametrize("case", SC_4)
def test_scenario_4_bluffs(case: str) -> None:
    laid, answer, hits = SC_4[case]
    t = lay(
        seat(EMBER, "obsidrake", laid.split()[1], energy=0),
        seat(STORM, "galehorn", answer.split()[1] if answer else "", energy=0),
    )
    t.take("attack galehorn", laid)
    if answer:
        t.take(answer)
    assert t.hits() == hits
    assert t.energy == [0, 0]
    if case == "e":
        assert t.fury == [2, 0]
    t.done()


@pytest.mark.rules("CKC-C-20", "CKC-C-21", "CKC-M-02", "CKC-M-03", "CKC-R-25", "CKC-R-26")
def test_scenario_5_a_counterattack() -> None:
    t = lay(
        seat(SKIN, "loodicriz", "gnash-and-hold straight-jab"),
        seat(DEEP, "coralisk", "tail-trip spined-curl snap-bite"),
    )
    t.take("attack coralisk", "pay gnash-and-hold", "pay tail-trip")
    assert t.hits() == [("coralisk", 5), ("loodicriz", 2), ("loodicriz", 1)]
    assert t.events("knocked_down")[0][0] == 0
    assert t.hand(0) == ""
    t.take("done")  # then the other side has nothing to lay, and the combat is over
    assert t.state.combat is None
    assert t.fury == [2, 1]
    t.done()


@pytest.mark.rules("CKC-C-22", "CKC-R-29", "CKC-C-15", "CKC-E-01")
def test_scenario_6_techniques_and_riposte() -> None:
    t = lay(seat(IRON, "bastion-prime", "shield-bash"), seat(EMBER, "obsidrake", "trade-blows"))
    t.take("attack obsidrake", "pay shield-bash", "pay trade-blows")
    assert t.hits() == [("obsidrake", 5), ("bastion-prime", 4)]
    t.done()
    t = lay(seat(EMBER, "obsidrake", "haymaker"), seat(IRON, "bastion-prime", "shield-bash"))
    t.take("attack bastion-prime", "pay haymaker", "pay shield-bash")
    assert t.hits() == [("bastion-prime", 2)]
    t.done()
    t = lay(seat(EMBER, "obsidrake", "haymaker"), seat(IRON, "ratchetclaw", "riposte"))
    t.take("attack ratchetclaw", "pay haymaker", "pay riposte")
    assert t.hits() == [("ratchetclaw", 4), ("obsidrake", 3)]
    assert t.events("turned_up")[1][4] == (1, 0, 0)
    t.done()


@pytest.mark.rules("CKC-M-01", "CKC-C-05", "CKC-C-22")
def test_scenario_7_combo() -> None:
    t = lay(
        seat(STORM, "tempestra", "feint flick-kick talon-flurry"),
        seat(EMBER, "magmaul", "straight-jab brace"),
    )
    t.take("attack magmaul")
    assert len(t.state.combat_hands[0]) == 4  # the team's ability
    t.take("pay talon-flurry", "pay brace")
    assert t.asked == {0: "sword"}
    t.take("pay flick-kick")  # nothing is left to answer it with
    assert t.asked == {0: "sword"}
    t.take("done", "pay straight-jab", "pay feint")
    assert t.state.combat is None  # the roles swapped, and neither side had a Sword card left
    assert t.hits() == [("magmaul", 1), ("magmaul", 2), ("tempestra", 2)]
    assert [event[0] for event in t.events("combo")] == [0, 0]
    assert t.fury == [1, 2]
    t.done()


@pytest.mark.rules(
    "CKC-M-02", "CKC-M-04", "CKC-C-10", "CKC-R-21", "CKC-R-23", "CKC-R-24", "CKC-R-35",
    "CKC-R-36", "CKC-E-10",
)  # fmt: skip
def test_scenario_8_discards() -> None:
    t = lay(
        seat(EMBER, "pyroklast", "axe-heel finishing-blow"),
        seat(DEEP, "pelagor", "brace snap-bite"),
    )
    t.take("attack pelagor", "pay axe-heel", "pay brace")
    assert t.hits() == [("pelagor", 3)]
    assert t.events("knocked_down")[0][0] == 1
    assert t.hand(1) == ""
    assert t.asked == {0: "sword"}  # the other side has passed
    t.take("pay finishing-blow")
    assert t.damage("pelagor") == 11
    assert t.fury[1] == 2
    t.done()

    t = lay(
        seat(EMBER, "magmaul", "all-out-assault brace"),
        seat(SKIN, "giraffish", "desperate-guard"),
    )
    t.take("attack giraffish", "pay all-out-assault")
    assert t.names(t.events("discarded_for")[0][1]) == "brace"  # seen before the answer
    assert t.offered() == ["bluff desperate-guard", "none"]
    t.take("bluff desperate-guard")
    assert t.hits() == [("giraffish", 7)]
    t.done()

    t = lay(
        seat(SKIN, "giraffish", "relentless-barrage brace sidestep back-off"),
        seat(EMBER, "obsidrake"),
    )
    t.take("attack obsidrake", "pay relentless-barrage")
    assert t.offered() == ["discard brace", "discard sidestep", "discard back-off", "done"]
    t.take("discard sidestep", "discard brace")
    assert t.hits() == [("obsidrake", 7)]
    assert t.fury[1] == 2
    t.done()


@pytest.mark.rules(
    "CKC-B-03", "CKC-P-02", "CKC-R-08", "CKC-R-11", "CKC-R-42", "CKC-R-43", "CKC-M-01", "CKC-M-03"
)
def test_scenario_9_ambush() -> None:
    t = lay(
        seat(STORM, "zephyrix", "flick-kick straight-jab take-wing"),
        seat(
            DEEP, "coralisk", "brace", plans="ambush",
            deck="bone-crusher snap-bite brace brace brace brace brace brace",
        ),
        picks=[0],
    )  # fmt: skip
    t.take("attack coralisk")
    assert t.hand(0).endswith("brace")
    t.take("pay flick-kick", "pay brace")
    assert t.hits() == []
    t.take("done")  # the Sword was kept by Combo; the other side has nothing to lay
    assert t.asked == {1: "ambush"}
    t.take("play ambush", "character maelgrath")
    assert t.hand(1).split() == ["bone-crusher", "snap-bite", "brace", "brace", "brace"]
    assert t.hand(0).split() == ["straight-jab", "take-wing", "brace"]  # no draw for first Sword
    t.take("pay bone-crusher", "pay take-wing")
    assert t.hits() == [("zephyrix", 3)]
    assert t.events("knocked_down")[0][0] == 0
    maelgrath = t.card("maelgrath")
    assert maelgrath in t.state.was_active
    t.fight_on()
    assert [who for who, _cards in t.events("cleared")] == [0, 1, 0, 1]
    assert not t.state.owing
    assert t.damage("zephyrix") == 3
    assert t.fury == [1, 0]
    assert t.events("action_lost") == []
    t.done()


@pytest.mark.rules("CKC-C-07", "CKC-C-11", "CKC-B-01", "CKC-B-02")
def test_scenario_10_new_hands() -> None:
    t = lay(
        seat(
            STORM, "zephyrix", "straight-jab brace sidestep", deck="take-wing feint",
            discard="haymaker back-off wing-cloak",
        ),
        seat(DEEP, "coralisk"),
    )  # fmt: skip
    t.take("attack coralisk")
    assert t.hand(0).endswith("take-wing")
    t.take("pay straight-jab")
    assert t.state.combat is None
    assert t.hits() == [("coralisk", 3), ("zephyrix", 1)]
    hand = t.hand(0).split()
    assert len(hand) == 5
    assert "feint" in hand
    assert len(t.state.combat_decks[0]) == 3
    assert not t.state.combat_discards[0]
    t.done()


@pytest.mark.rules(
    "CKC-X-01", "CKC-X-02", "CKC-X-03", "CKC-X-04", "CKC-X-05", "CKC-X-06", "CKC-X-07",
    "CKC-R-27", "CKC-R-44",
)  # fmt: skip
def test_scenario_11_a_rage_attack() -> None:
    t = lay(
        seat(
            EMBER, "pyroklast", "straight-jab", fury=9, energy=2,
            deck="haymaker gore brace brace brace brace brace brace",
        ),
        seat(IRON, "gearhorn"),
    )  # fmt: skip
    t.take("attack gearhorn")
    assert t.asked == {0: "rage"}
    t.take("rage")
    assert t.fury[0] == 0
    assert t.hits() == [("gearhorn", 3)]
    assert t.hand(0).split() == ["straight-jab", "haymaker", "gore", "brace"]
    assert t.energy[0] == 6
    assert t.state.combat.freed == [0]
    t.take("pay haymaker")
    assert t.damage("gearhorn") == 10
    assert t.fury == [0, 2]
    t.done()


@pytest.mark.rules(
    "CKC-A-04", "CKC-A-05", "CKC-A-06", "CKC-A-07", "CKC-K-02", "CKC-P-02", "CKC-P-10",
    "CKC-R-10", "CKC-R-40", "CKC-R-41", "CKC-R-54", "CKC-W-08",
)  # fmt: skip
def test_scenario_12_challenges() -> None:
    t = lay(
        seat(EMBER, "pyroklast", plans="taunt stare-down"),
        seat("stormcrest-flight", "zephyrix", kaiju="tempestra zephyrix skarrow"),
    )
    t.take("challenge skarrow", "play taunt")
    assert t.asked == {1: "challenge_reply"}
    t.take("decline", "play stare-down")
    assert t.glory(0) == 1
    assert t.state.combat is None
    assert not t.events("combat_started")
    assert t.state.turn == 2  # the action is used up
    t.done()

    t = lay(
        seat(EMBER, "pyroklast", "haymaker"),
        seat(STORM, "zephyrix", allies="storm-hawk"),
        acting=(1, 0),
    )
    assert t.stat("storm-hawk", "fortitude") == 7
    t.take("pass", "challenge storm-hawk")
    assert t.asked == {0: "sword"}  # nobody was asked whether it accepts
    t.take("pay haymaker")
    assert t.hits() == [("storm-hawk", 7)]
    assert t.row(1) == "tempestra zephyrix galehorn"
    assert t.glory(0) == 1
    assert t.fury[1] == 1
    t.done()


@pytest.mark.rules(
    "CKC-T-04", "CKC-T-05", "CKC-T-06", "CKC-T-07", "CKC-A-01", "CKC-A-08", "CKC-A-09",
    "CKC-P-01", "CKC-P-02", "CKC-P-07", "CKC-P-08", "CKC-P-09", "CKC-P-11", "CKC-Y-01",
    "CKC-R-06", "CKC-R-12", "CKC-R-57",
)  # fmt: skip
def test_scenario_13_planning_selecting_roar() -> None:
    t = lay(
        seat(
            DEEP, hand="snap-bite brace brace tail-trip bone-crusher", energy=14,
            plans="tidecaller-cult drone-swarm harbor-docks taunt",
        ),
        seat(EMBER, plans="oil-refinery killers-eye"),
        phase="planning",
    )  # fmt: skip
    assert t.asked == {1: "plan_play"}
    assert t.offered() == ["play oil-refinery", "pass"]
    t.take("pass")
    assert t.offered() == ["play tidecaller-cult", "play harbor-docks", "pass"]
    t.take("play harbor-docks", "play oil-refinery", "play tidecaller-cult")
    assert t.asked == {1: "select_active"}
    assert t.city == "harbor-docks oil-refinery"
    t.take("select magmaul")
    assert "select tidecaller-cult" in t.offered()
    t.take("select maelgrath")
    assert t.energy[0] == 15
    t.take("pass", "roar")
    assert t.energy[0] == 17
    t.take("redraw", "discard brace", "discard brace", "done")
    assert t.hand(0).split() == ["snap-bite", "tail-trip", "bone-crusher", "brace", "brace"]
    assert len(t.state.combat_decks[0]) == 6
    assert len(t.state.combat_discards[0]) == 2
    t.done()


@pytest.mark.rules(
    "CKC-A-03", "CKC-Y-07", "CKC-Y-08", "CKC-Y-10", "CKC-Y-11", "CKC-Y-12", "CKC-Y-13",
    "CKC-Y-14", "CKC-Y-15", "CKC-Y-16", "CKC-Y-18", "CKC-R-14", "CKC-R-26",
)  # fmt: skip
def test_scenario_14_a_rampage() -> None:
    t = lay(
        seat(DEEP, "pelagor", "snap-bite wrecking-tail brace thrashing-coils"),
        seat(EMBER, "magmaul", "haymaker"),
        city=[("tank-column", 1), ("siege-artillery", 1)],
    )
    t.take("rampage", "move 0", "pay snap-bite")
    assert t.asked == {0: "shield"}
    assert t.damage("tank-column") == 3
    t.take("none")
    assert t.hits()[-1] == ("pelagor", 3)
    t.take("pay wrecking-tail")
    assert t.city == "siege-artillery"
    assert t.glory(0) == 1
    t.take("pay brace")
    assert t.hits()[-1] == ("pelagor", 1)
    t.take("done")
    assert t.damage("pelagor") == 4
    assert t.fury[0] == 2
    assert len(t.state.combat_hands[0]) == 5
    assert t.hand(1) == "haymaker"
    t.done()


@pytest.mark.rules(
    "CKC-Y-01", "CKC-Y-02", "CKC-Y-03", "CKC-Y-04", "CKC-Y-05", "CKC-M-05", "CKC-R-18",
    "CKC-R-25", "CKC-R-37",
)  # fmt: skip
def test_scenario_15_moving() -> None:
    city = "harbor-docks suspension-bridge tank-column oil-refinery"
    t = lay(
        seat(STORM, "tempestra", "wing-buffet tail-whip"),
        seat(EMBER, "magmaul", "back-off"),
        city=[(name, 1) for name in city.split()],
    )
    t.take("attack magmaul", "pay wing-buffet", "pay back-off")
    assert t.hits() == [("magmaul", 2)]
    assert t.offered() == ["move 0", "move 1"]
    t.take("move 1")
    assert t.city.startswith("suspension-bridge")
    assert t.offered() == ["move 0", "move 1", "move 2", "move 3"]
    t.take("move 3")
    assert t.city == city
    t.done()


@pytest.mark.rules("CKC-T-08", "CKC-P-10", "CKC-R-13")
@pytest.mark.parametrize(
    ("city", "before", "after"),
    [
        ([], [[4, 2, 1, 3], [3, 1, 5, 2]], [[4, 1, 0, 2], [3, 0, 3, 2]]),
        ([("field-hospital", 0)], [[4, 1, 0, 2], [3, 0, 3, 2]], [[4, 0, 0, 1], [3, 0, 1, 1]]),
    ],
)
def test_scenario_16_healing(city: Any, before: list[list[int]], after: list[list[int]]) -> None:
    teams = [
        ["pyroklast", "magmaul", "obsidrake", "ashling-brood"],
        ["evo-eira", "giraffish", "loodicriz", "scavenger-pack"],
    ]
    seats = [
        seat(team, names[0], allies=names[3], damage=dict(zip(names, damage, strict=True)))
        for team, names, damage in zip((EMBER, SKIN), teams, before, strict=True)
    ]
    t = lay(*seats, phase="healing", city=city)
    assert [[t.damage(name) for name in names] for names in teams] == after
    t.done()


@pytest.mark.rules("CKC-P-04", "CKC-P-05", "CKC-P-06", "CKC-R-43", "CKC-R-45")
def test_scenario_17_scars() -> None:
    t = lay(
        seat(STORM, "tempestra", "straight-jab", plans="battle-sense old-limp patchwork-scars"),
        seat(EMBER, "magmaul", plans="torn-wing killers-eye"),
    )
    t.take("attack magmaul", "pay straight-jab")
    assert t.hits() == [("magmaul", 3)]
    assert t.offered() == ["scar battle-sense", "scar old-limp", "scar patchwork-scars", "none"]
    t.take("scar battle-sense")
    assert t.offered() == ["scar patchwork-scars", "none"]
    t.take("scar patchwork-scars")
    assert t.asked == {1: "scar"}
    assert t.offered() == ["scar killers-eye", "none"]
    t.take("scar killers-eye")
    assert t.state.combat is None  # nobody could play the others onto an enemy
    assert (t.stat("tempestra", "agility"), t.stat("tempestra", "power")) == (8, 5)
    assert t.stat("tempestra", "fortitude") == 15
    t.done()

    t = lay(
        seat(STORM, "tempestra", "straight-jab", plans="old-limp"),
        seat(EMBER, "magmaul", plans="torn-wing"),
    )
    t.take("attack magmaul", "pay straight-jab", "none", "scar old-limp", "scar torn-wing")
    assert t.stat("magmaul", "agility") == 2
    assert t.stat("tempestra", "agility") == 6
    assert "wings" not in t.attributes("tempestra")
    t.done()


@pytest.mark.rules(
    "CKC-F-01", "CKC-F-02", "CKC-F-03", "CKC-F-04", "CKC-F-05", "CKC-F-06", "CKC-F-07",
    "CKC-F-08", "CKC-F-09", "CKC-R-60", "CKC-C-21",
)  # fmt: skip
def test_scenario_18_a_team_fight() -> None:
    t = lay(
        seat(
            DEEP, "maelgrath", "snap-bite gnash-and-hold tail-trip", plans="wolf-pack",
            deck="wrecking-tail brace brace brace brace brace brace brace",
        ),
        seat(IRON, "gearhorn", "raise-shield straight-jab"),
    )  # fmt: skip
    t.take("attack gearhorn", "play wolf-pack", "join pelagor")
    assert t.hand(0).endswith("wrecking-tail")
    assert t.asked == {0: "fighter"}
    t.take("fighter maelgrath", "pay gnash-and-hold", "pay wrecking-tail")
    assert t.asked == {1: "shield"}
    t.take("pay raise-shield")
    assert t.offered() == ["answer maelgrath", "answer pelagor"]
    t.take("answer pelagor")
    assert t.hits() == [("gearhorn", 6), ("gearhorn", 4)]
    t.take("pay straight-jab", "target pelagor")
    assert t.offered() == ["pay tail-trip", "none"]
    t.take("pay tail-trip")
    assert t.hits()[2:] == [("pelagor", 3), ("gearhorn", 2)]
    assert not t.events("knocked_down")
    assert t.damage("gearhorn") == 12
    assert t.fury == [1, 3]
    t.done()


@pytest.mark.rules("CKC-G-04", "CKC-W-05", "CKC-R-31", "CKC-R-33", "CKC-R-46")
@pytest.mark.parametrize(
    ("ember", "tokens", "result"),
    [
        ({"kaiju": "obsidrake"}, (10, 11), ((1,), (0,), "all_fallen")),
        ({"kaiju": "magmaul obsidrake"}, (0, 16), ((0,), (1,), "last_standing")),
    ],
)
def test_scenario_19_the_end(
    ember: dict[str, str], tokens: tuple[int, int], result: tuple[Any, ...]
) -> None:
    t = lay(
        seat(
            "ember-court", "obsidrake", "straight-jab", damage={"obsidrake": 12},
            tokens=tokens[0], **ember,
        ),
        seat(
            "stormcrest-flight", "galehorn", "trade-blows", kaiju="galehorn",
            damage={"galehorn": 11}, tokens=tokens[1],
        ),
    )  # fmt: skip
    t.take("attack galehorn", "pay straight-jab", "pay trade-blows")
    assert t.result == result
    assert [t.glory(0), t.glory(1)] == [tokens[0] + 5, tokens[1] + 5]
    t.done()


def claiming(hand: str, other: str) -> Table:
    t = lay(seat(DEEP, "pelagor", hand), seat(SKIN, "giraffish", other), fury_mode="claim")
    return t.take("attack giraffish", "pay snap-bite")


@pytest.mark.rules("CKC-X-08", "CKC-O-03", "CKC-R-28")
def test_scenario_20_remember_your_fury() -> None:
    t = claiming("snap-bite brace", "straight-jab")
    assert t.hits() == [("giraffish", 4)]
    assert t.offered() == ["pay straight-jab", "done", "claim-fury"]
    t.take("pay straight-jab", "pay brace")
    assert t.asked == {0: "steal_fury"}
    t.take("steal").fight_on()
    assert t.fury == [1, 0]
    t.done()

    t = claiming("snap-bite brace", "straight-jab")
    t.take("claim-fury")
    assert t.fury == [0, 1]
    t.take("pay straight-jab", "pay brace")
    assert not t.events("fury_stolen")
    assert t.asked != {0: "steal_fury"}
    t.fight_on()
    assert t.fury == [0, 1]
    t.done()

    t = claiming("snap-bite", "brace")
    t.fight_on()
    assert t.fury == [0, 1]
    t.done()
