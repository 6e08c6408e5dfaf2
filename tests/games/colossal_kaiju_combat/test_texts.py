"""The texts of teams, kaiju, planning cards and city cards (section 6), one by one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.colossal_kaiju_combat.table import DEEP, EMBER, IRON, SKIN, STORM, lay, seat


def sums(t: Any) -> list[tuple[int, int, int]]:
    return [event[5] for event in t.events("worked_out")]


# -- kaiju and teams -------------------------------------------------------------------------------

BONUSES = [
    # kaiju, team, card, target's team, target, damage before toughness
    ("maelgrath", "from-the-deep", "snap-bite", EMBER, "obsidrake", 2 + 2 + 1),
    ("pyroklast", "ember-court", "gore", STORM, "galehorn", 4 + 2 + 1 + 1),
    ("magmaul", "ember-court", "straight-jab", STORM, "galehorn", 3 + 1),
    ("magmaul", "ember-court", "straight-jab", DEEP, "maelgrath", 3),
    ("bastion-prime", "iron-menagerie", "shoulder-cannon", STORM, "galehorn", 5 + 1),
    ("tempestra", "stormcrest-flight", "wing-buffet", EMBER, "magmaul", 3 + 2 + 1),
    ("tempestra", "stormcrest-flight", "wing-buffet", DEEP, "coralisk", 3 + 2),
    ("galehorn", "stormcrest-flight", "straight-jab", EMBER, "magmaul", 3 + 1),
    ("galehorn", "stormcrest-flight", "straight-jab", DEEP, "coralisk", 3),
    ("splicehide", "second-skin", "rend", EMBER, "magmaul", 5 + 2),
]


@pytest.mark.rules("CKC-K-01", "CKC-K-04", "CKC-R-53", "CKC-C-13", "CKC-C-15")
@pytest.mark.parametrize(("kaiju", "team", "card", "other", "target", "damage"), BONUSES)
def test_bonuses_of_kaiju(
    kaiju: str, team: str, card: str, other: str, target: str, damage: int
) -> None:
    t = lay(seat(team, kaiju, card, kaiju=kaiju), seat(other, target))
    t.take(f"attack {target}").play(f"pay {card}")
    assert sums(t)[0][0] == damage
    t.fight_on()
    t.done()


@pytest.mark.rules("CKC-K-01")
def test_toughness_of_tempestra_works_against_immune_ones_and_zephyrix_dodges() -> None:
    for kaiju, card, toughness in (
        ("tempestra", "wing-cloak", 3 + 2 + 1),
        ("zephyrix", "sidestep", 2 + 1),
        ("zephyrix", "take-wing", 3 + 2 + 1),
    ):
        t = lay(seat(DEEP, "maelgrath", "straight-jab"), seat(STORM, kaiju, card))
        t.take(f"attack {kaiju}", "pay straight-jab", f"pay {card}")
        assert sums(t)[0][1] == toughness
        t.fight_on()
        t.done()


@pytest.mark.rules("CKC-K-01", "CKC-R-42", "CKC-R-37")
def test_pelagor_may_move_the_city_one_step_at_the_start() -> None:
    t = lay(
        seat(DEEP, "pelagor"), seat(EMBER, "magmaul"),
        city=[("harbor-docks", 0), ("suspension-bridge", 0)],
    )  # fmt: skip
    t.take("attack magmaul")
    assert t.offered() == ["move 0", "move 1"]
    t.take("move 1")
    assert t.city == "suspension-bridge harbor-docks"
    t.done()


@pytest.mark.rules("CKC-K-01", "CKC-R-53", "CKC-R-58")
def test_lanternjaw_is_shown_a_card_that_others_do_not_see() -> None:
    lantern = seat("from-the-deep", "lanternjaw", "snap-bite", kaiju="lanternjaw")
    t = lay(lantern, seat(EMBER, "magmaul", "brace haymaker"), seat(IRON), picks=[1])
    t.take("attack magmaul")
    views = [t.match.event_view(event, who) for event in t.history for who in (0, 1, 2)
             if event[0] == "hand_glimpsed"]  # fmt: skip
    assert [("card" in view) for view in views if view] == [True, False, False]
    assert len(t.events("was_shown")) == 1
    hand = t.match.view(0)["players"][1]["combat_hand"]
    assert [card["slug"] for card in hand["cards"]] == ["haymaker"]
    assert not t.match.view(2)["players"][1]["combat_hand"]["cards"]
    t.take("pay snap-bite", "pay brace")  # it might have been the other: but it is turned up now
    hand = t.match.view(0)["players"][1]["combat_hand"]
    assert [card["slug"] for card in hand["cards"]] == ["haymaker"]
    t.done()
    t = lay(lantern, seat(DEEP, "maelgrath", "brace"))
    t.take("attack maelgrath")
    assert not t.events("hand_glimpsed")  # all foes are immune
    t.done()


@pytest.mark.rules("CKC-R-58", "CKC-R-59")
def test_a_card_that_was_shown_is_not_recognized_face_down() -> None:
    t = lay(
        seat("from-the-deep", "lanternjaw", "snap-bite brace", kaiju="lanternjaw"),
        seat(EMBER, "magmaul", "haymaker straight-jab"),
        picks=[0],
    )
    t.take("attack magmaul", "done", "pay haymaker")
    assert not t.match.view(0)["players"][1]["combat_hand"]["cards"]
    down = t.match.view(0)["combat"]["fighters"][1]["down"]
    assert down[0]["card"] is None
    assert down[0]["mark"] is None
    t.done()


@pytest.mark.rules("CKC-K-01")
def test_cinderwing_has_combo_once_and_voltstrider_and_ratchetclaw_pay_less() -> None:
    t = lay(
        seat("ember-court", "cinderwing", "straight-jab raking-claw", kaiju="cinderwing"),
        seat(STORM, "galehorn", "straight-jab"),
    )
    t.take("attack galehorn", "pay straight-jab", "pay raking-claw")
    assert t.events("combo") == [(0,)]
    assert t.asked == {1: "sword"}
    t.done()
    t = lay(
        seat("iron-menagerie", "voltstrider", "plasma-breath", kaiju="voltstrider"),
        seat("iron-menagerie", "ratchetclaw", "riposte riposte", kaiju="ratchetclaw"),
    )
    t.take("attack ratchetclaw", "pay plasma-breath", "pay riposte")
    assert [event[4] for event in t.events("turned_up")] == [(0, 0, 2), (1, 0, 0)]
    t.done()


@pytest.mark.rules("CKC-K-01", "CKC-R-35")
def test_gearhorn_stands_and_stand_firm_steadies() -> None:
    for kaiju, card, lost in (("gearhorn", "brace", 0), ("ratchetclaw", "stand-firm", 0),
                              ("ratchetclaw", "brace", 1)):  # fmt: skip
        t = lay(seat(EMBER, "magmaul", "axe-heel"), seat(IRON, kaiju, f"{card} haymaker"))
        t.take(f"attack {kaiju}", "pay axe-heel", f"pay {card}")
        assert len(t.events("knocked_down")) == lost
        t.fight_on()
        t.done()


@pytest.mark.rules("CKC-K-01", "CKC-K-05")
def test_evo_eira_changes_her_form_once() -> None:
    t = lay(seat(SKIN, "evo-eira", damage={"evo-eira": 5}), seat(EMBER, "magmaul"))
    t.take("attack magmaul")
    assert t.asked == {0: "evolve"}
    t.take("yes")
    stats = [t.stat("evo-eira", name) for name in ("ferocity", "agility", "power", "fortitude")]
    assert stats == [7, 6, 5, 16]
    assert t.attributes("evo-eira") == {"claws", "tail", "wings"}
    assert t.damage("evo-eira") == 3
    t.done()
    t = lay(seat(SKIN, "evo-eira", changed="evo-eira"), seat(EMBER, "magmaul"))
    t.take("attack magmaul")
    assert t.state.combat is None  # never asked again: both have passed
    t.done()


@pytest.mark.rules("CKC-K-01", "CKC-R-43")
def test_splicehide_feeds_on_damage_and_obsidrake_is_enraged() -> None:
    t = lay(
        seat("second-skin", "splicehide", "rend", kaiju="splicehide", damage={"splicehide": 4}),
        seat(EMBER, "obsidrake", scars={"obsidrake": ["bitter-grudge"]}),
    )
    t.take("attack obsidrake", "pay rend")
    assert t.damage("splicehide") == 3
    assert t.fury == [0, 3]
    t.done()


@pytest.mark.rules("CKC-K-01", "CKC-G-02", "CKC-Y-16")
def test_iron_menagerie_is_paid_once_a_rampage() -> None:
    t = lay(
        seat(IRON, "gearhorn", "haymaker haymaker", energy=9),
        seat(EMBER),
        city=[("suspension-bridge", 1), ("field-hospital", 1)],
    )
    t.take("rampage", "pay haymaker", "pay haymaker")
    assert t.glory(0) == 3
    assert t.state.tokens[0] == 1
    t.done()


@pytest.mark.rules("CKC-K-01", "CKC-P-06")
def test_second_skin_carries_two_scars() -> None:
    t = lay(
        seat(SKIN, "giraffish", "straight-jab", plans="old-limp battle-sense killers-eye"),
        seat(EMBER, "magmaul"),
    )
    t.take("attack magmaul", "pay straight-jab", "scar battle-sense", "scar killers-eye")
    assert t.offered() == ["scar old-limp", "none"]  # no longer onto the own one
    assert len(t.state.scars) == 2
    t.fight_on()
    t.done()


# -- combat cards ----------------------------------------------------------------------------------

TEXTS = [
    # Sword, its card, Shield, its card, hits
    ("straight-jab", "spined-curl", [("obsidrake", 1), ("magmaul", 1)]),
    ("haymaker", "sidestep", [("obsidrake", 2)]),
    ("straight-jab", "sidestep", [("obsidrake", 2)]),
    ("one-two", "slip-under", []),
    ("gore", "burrow", []),
    ("gore", "catch-on-the-horns", [("obsidrake", 5), ("magmaul", 5)]),
    ("sonic-scream", "back-off", [("obsidrake", 4)]),
    ("sonic-scream", "brace", [("obsidrake", 1)]),
    ("straight-jab", "absorb-impact", []),
    ("siphon-bite", "none", [("obsidrake", 4)]),
    ("stampede", "horn-lock", [("obsidrake", 1)]),
    ("straight-jab", "read-the-moves", [("obsidrake", 1)]),
    ("feint", "desperate-guard", []),
]


@pytest.mark.rules("CKC-R-25", "CKC-R-29", "CKC-R-30", "CKC-C-21", "CKC-E-10")
@pytest.mark.parametrize(("sword", "shield", "hits"), TEXTS)
def test_texts_of_combat_cards(sword: str, shield: str, hits: list[tuple[str, int]]) -> None:
    answers = "" if shield == "none" else shield
    t = lay(
        seat(EMBER, "magmaul", f"{sword} brace"),
        seat(EMBER, "obsidrake", f"{answers} tail-whip", energy=6),
    )
    t.take("attack obsidrake", f"pay {sword}")
    energy, hand = t.energy[:], len(t.state.combat_hands[1])
    if shield != "none":
        t.take(f"pay {shield}")
    assert t.hits() == hits
    if shield == "absorb-impact":
        assert t.energy[1] == energy[1] - 1 + 2
    if sword == "siphon-bite":
        assert t.events("energy_gained") == [(0, 2)]
    if shield == "read-the-moves":
        assert len(t.state.combat_hands[1]) == hand - 1 + 1
    if shield == "horn-lock":
        assert t.events("knocked_down")[0][0] == 0
    t.fight_on()
    t.done()


# -- Locations and Opponents -----------------------------------------------------------------------


@pytest.mark.rules("CKC-Y-05", "CKC-Y-06", "CKC-R-19", "CKC-Y-12")
def test_office_complexes_add_up_and_harbor_docks_help_tails() -> None:
    t = lay(
        seat(DEEP, "pelagor", "thrashing-coils"),
        seat(EMBER, "magmaul"),
        city=[("harbor-docks", 1), ("office-complex", 0), ("office-complex", 1)],
    )
    t.take("rampage", "move 0", "pay thrashing-coils")
    assert sums(t) == [(3 + 1 + 1, 1 + 2, 2)]
    t.done()


@pytest.mark.rules("CKC-Y-05", "CKC-R-38")
def test_old_quarter_tesla_grid_and_battleship_while_adjacent() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab"), seat(STORM, "galehorn", "back-off"),
        city=[("old-quarter", 0)],
    )  # fmt: skip
    t.take("attack galehorn", "pay straight-jab", "pay back-off")
    assert sums(t) == [(4, 5, 0)]
    t.done()
    t = lay(
        seat(EMBER, "magmaul", "plasma-breath"), seat(STORM, "galehorn"),
        city=[("tesla-grid", 0)],
    )  # fmt: skip
    t.take("attack galehorn")
    assert t.stat("magmaul", "power") == 1
    assert t.offered() == ["bluff plasma-breath", "done"]
    t.done()
    t = lay(
        seat("ember-court", "magmaul", "straight-jab", kaiju="magmaul obsidrake",
             damage={"magmaul": 13}),
        seat(STORM, "galehorn"), city=[("battleship", 1)],
    )  # fmt: skip
    t.take("attack galehorn")
    assert t.hits() == [("magmaul", 1), ("galehorn", 1)]
    assert t.glory(1) == 5
    assert t.state.combat is None  # a side is empty: straight to the end
    t.done()


@pytest.mark.rules("CKC-Y-05", "CKC-W-08", "CKC-R-33")
def test_grand_stadium_and_scavenger_pack_reward_a_knock_out() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab", allies="scavenger-pack"),
        seat(STORM, "galehorn", damage={"galehorn": 11}),
        city=[("grand-stadium", 1)],
    )
    energy = t.energy[0]
    t.take("attack galehorn", "pay straight-jab")
    assert t.glory(0) == 6
    assert t.energy[0] == energy + 2
    t.done()


@pytest.mark.rules("CKC-Y-06", "CKC-Y-07", "CKC-R-33")
def test_nuclear_power_plant_gives_energy_and_bursts() -> None:
    t = lay(
        seat(EMBER, "magmaul", "haymaker", energy=0), seat(DEEP, energy=0), phase="actions",
        city=[("nuclear-power-plant", 1, 5), ("tank-column", 1)],
    )  # fmt: skip
    assert t.energy == [1, 1]
    t.take("rampage", "pay haymaker")
    assert t.hits() == [("nuclear-power-plant", 5), ("magmaul", 1), ("magmaul", 3)]
    t.done()


@pytest.mark.rules("CKC-Y-06", "CKC-T-03")
def test_broadcast_tower_lets_its_owner_draw_one_more() -> None:
    deck = "taunt " * 8
    t = lay(
        seat(DEEP, planning_deck=deck), seat(DEEP, planning_deck=deck), phase="discard",
        city=[("broadcast-tower", 0)],
    )  # fmt: skip
    assert [len(hand) for hand in t.state.planning_hands] == [6, 5]
    t.done()


@pytest.mark.rules("CKC-R-56", "CKC-Y-06", "CKC-R-13")
def test_assaults_run_from_head_to_tail() -> None:
    t = lay(
        seat(DEEP, "pelagor", tokens=1, damage={"pelagor": 1}),
        seat(EMBER, "pyroklast", active="magmaul"),
        phase="healing",
        city=[("fighter-squadron", 0), ("missile-battery", 1), ("guardian-mech", 0),
              ("gunship-patrol", 0)],
    )  # fmt: skip
    assert t.hits() == [("pelagor", 1), ("pelagor", 1), ("pyroklast", 2)]
    assert t.offered() == ["character pyroklast", "character magmaul"]
    t.take("character magmaul")
    assert t.hits()[-1] == ("magmaul", 1)
    assert t.fury == [2, 2]
    t.done()


# -- Allies, Scars, Events -------------------------------------------------------------------------


@pytest.mark.rules("CKC-P-09", "CKC-R-62", "CKC-P-10")
@pytest.mark.parametrize(
    ("ally", "team", "kaiju", "more", "plays"),
    [
        ("drone-swarm", IRON, "gearhorn", {}, True),
        ("drone-swarm", EMBER, "magmaul", {}, False),
        ("ashling-brood", EMBER, "magmaul", {}, True),
        ("hired-strider", EMBER, "obsidrake", {}, True),
        ("hired-strider", EMBER, "magmaul", {}, False),
        ("hired-strider", EMBER, "magmaul", {"scars": {"magmaul": ["battle-sense"]}}, True),
        ("storm-hawk", STORM, "zephyrix", {}, True),
        ("storm-hawk", STORM, "zephyrix", {"scars": {"zephyrix": ["torn-wing"]}}, False),
        ("chained-behemoth", IRON, "gearhorn", {}, True),
        ("chained-behemoth", IRON, "ratchetclaw", {}, False),
        ("scavenger-pack", EMBER, "magmaul", {}, False),
        ("scavenger-pack", EMBER, "magmaul", {"damage": {"magmaul": 3}}, True),
    ],
)
def test_allies_ask_for_a_member(
    ally: str, team: str, kaiju: str, more: dict[str, Any], plays: bool
) -> None:
    t = lay(seat(team, kaiju=kaiju, plans=f"{ally} bad-blood", **more), seat(DEEP),
            phase="planning")  # fmt: skip
    t.ask("plan_play").until(lambda: 0 in t.asked)
    assert (f"play {ally}" in t.offered()) == plays
    if plays:
        t.take(f"play {ally}")
        assert t.row(0) == f"{kaiju} {ally}"
    else:
        assert t.why_not()[ally][1] == "CKC-P-09"
    t.done()


EVENTS = [
    ("evacuation-order", "evacuate_which", "city harbor-docks"),
    ("feeding-grounds", "feed_whom", "character coralisk"),
    ("panic-in-the-streets", "how_far", "move 2"),
    ("sabotage", "sabotage_whom", "seat seat-3"),
    ("air-strike", "strike_whom", "character magmaul"),
    ("demolition", "demolish_which", "city harbor-docks"),
]


@pytest.mark.rules("CKC-P-02", "CKC-R-57", "CKC-Y-04", "CKC-C-11")
@pytest.mark.parametrize(("event", "kind", "choice"), EVENTS)
def test_events_that_ask_for_something(event: str, kind: str, choice: str) -> None:
    damage = {"coralisk": 4, "maelgrath": 1}
    t = lay(
        seat(DEEP, plans=event, damage=damage),
        seat(EMBER, plans="taunt"),
        seat(IRON, plans="ambush"),
        phase="planning",
        city=[("harbor-docks", 1), ("tank-column", 1), ("old-quarter", 0)],
    )
    t.play(f"play {event}")
    assert t.asked == {0: kind}
    t.take(choice)
    s = t.state
    done = {
        "evacuation-order": t.city == "tank-column old-quarter" and t.glory(0) == 1,
        "feeding-grounds": s.damage.get(t.card("coralisk")) == 1,
        "panic-in-the-streets": t.city == "old-quarter harbor-docks tank-column",
        "sabotage": t.plans(2) == "",
        "air-strike": t.damage("magmaul") == 2,
        "demolition": s.damage.get(s.city[0]) == 3,
    }
    assert done[event]
    assert t.names(s.planning_discards[0]).endswith(event)
    t.done()


@pytest.mark.rules("CKC-P-02", "CKC-R-57")
def test_events_that_simply_happen() -> None:
    t = lay(
        seat(
            DEEP, plans="power-surge bad-blood training-footage reconnaissance",
            planning_deck="taunt taunt taunt", energy=1,
        ),
        seat(EMBER), phase="planning",
    )  # fmt: skip
    t.take("play power-surge", "play bad-blood", "play training-footage", "play reconnaissance")
    assert t.energy[0] == 5
    assert t.fury[0] == 3
    assert t.hand(0) == "brace brace"
    assert t.plans(0) == "taunt taunt"
    t.done()


@pytest.mark.rules("CKC-P-03", "CKC-W-06", "CKC-R-63", "CKC-R-58")
def test_trophy_hall_and_front_page_are_glory() -> None:
    t = lay(
        seat(DEEP, plans="trophy-hall trophy-hall", pile="trophy-hall"), seat(EMBER),
        phase="planning",
    )  # fmt: skip
    assert t.state.phase == "selection"  # nothing could be played
    t.done()
    t = lay(
        seat(EMBER, "magmaul", "straight-jab", plans="front-page front-page"),
        seat(STORM, "galehorn", damage={"galehorn": 11}),
    )
    t.take("attack galehorn", "pay straight-jab", "play front-page")
    assert t.asked != {0: "react_end"}  # at most one a combat
    assert t.glory(0) == 6
    pile = t.match.view(1)["players"][0]["glory_pile"]
    assert [row["worth"] for row in pile["cards"]] == [5, 1]
    t.done()


@pytest.mark.rules("CKC-W-07", "CKC-R-63")
def test_spoils_of_war_lie_face_down_and_nobody_sees_them() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab", plans="spoils-of-war"),
        seat(STORM, "galehorn", damage={"galehorn": 11}, plans="taunt ambush"),
        picks=[0],
    )
    t.take("attack galehorn", "pay straight-jab", "play spoils-of-war")
    assert t.glory(0) == 6
    for who in (None, 0, 1):
        view = t.match.view(who)
        assert view["players"][0]["glory_pile"]["face_down"] == 1
        taken = [event for event in t.history if event[0] == "spoils_taken"]
        seen = t.match.event_view(taken[0], who)
        assert seen is not None
        assert "card" not in seen
    t.done()


@pytest.mark.rules("CKC-A-06", "CKC-R-54", "CKC-P-02")
def test_a_taunt_makes_a_kaiju_fight() -> None:
    t = lay(seat(EMBER, "magmaul", "haymaker", plans="taunt"), seat(DEEP, "pelagor"))
    t.take("challenge coralisk", "play taunt")
    assert t.asked == {0: "sword"}
    assert t.names(t.state.planning_discards[0]) == "taunt"
    assert t.card("coralisk") in t.state.active
    t.done()


@pytest.mark.rules("CKC-G-07", "CKC-G-08", "CKC-R-58")
def test_what_everybody_sees() -> None:
    t = lay(
        seat(DEEP, "pelagor", "snap-bite", damage={"pelagor": 2}, fury=3, energy=4,
             scars={"pelagor": ["hardened-hide"]}, discard="brace", plans="taunt"),
        seat(EMBER, "magmaul"),
    )  # fmt: skip
    me = t.match.view(None)["players"][0]
    assert (me["energy"], me["fury"], me["threshold"], me["glory"]) == (4, 3, 10, 0)
    assert me["combat_hand"] == {"count": 1, "cards": []}
    assert me["planning_hand"]["count"] == 1
    assert [card["slug"] for card in me["combat_discard"]["cards"]] == ["brace"]
    pelagor = next(member for member in me["team"] if member["card"]["slug"] == "pelagor")
    assert (pelagor["damage"], pelagor["fortitude"]) == (2, 12 + 2 + 2)
    assert pelagor["why"]["fortitude"] == [
        ["Printed", 12], ["Fortitude Bonus", 2], ["Hardened Hide", 2]
    ]  # fmt: skip
    assert pelagor["attributes"] == ["Teeth", "Tail"]
    t.done()
