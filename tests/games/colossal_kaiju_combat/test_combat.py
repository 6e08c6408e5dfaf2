"""Laying, paying, answering and what comes of it; what the worked scenarios leave out."""

from __future__ import annotations

from typing import Any

import pytest

from games.colossal_kaiju_combat.state import ATTRIBUTES, catalog
from tests.games.colossal_kaiju_combat.table import DEEP, EMBER, IRON, SKIN, STORM, lay, seat


@pytest.mark.rules("CKC-C-02", "CKC-C-03", "CKC-C-04", "CKC-C-08", "CKC-C-30", "CKC-R-22")
def test_one_exchange_card_by_card() -> None:
    t = lay(
        seat(EMBER, "obsidrake", "haymaker trade-blows brace grapple", energy=5),
        seat(STORM, "galehorn", "brace straight-jab riposte"),
    )
    t.take("attack galehorn")
    assert t.offered() == ["pay haymaker", "pay grapple", "done"]
    assert t.why_not() == {
        "trade-blows": ("A Counterattack can only answer an attack.", "CKC-C-20"),
        "brace": ("It is a Shield card.", "CKC-C-08"),
    }
    t.take("pay haymaker")
    assert t.offered() == ["pay brace", "pay riposte", "none"]
    assert t.events("turned_up") == []
    fighter = t.match.view(1)["combat"]["fighters"][0]
    assert fighter["ferocity"] == [5, 5]  # reserved, not yet seen
    t.take("pay brace")
    assert [event[3] for event in t.events("turned_up")] == ["paid", "paid"]
    assert t.match.view(1)["combat"]["fighters"][0]["ferocity"] == [2, 5]
    t.done()


@pytest.mark.rules("CKC-C-06", "CKC-H-01", "CKC-C-14", "CKC-R-30")
def test_red_icons_lower_damage_which_stays_until_a_side_falls() -> None:
    t = lay(
        seat(IRON, "bastion-prime", "shoulder-cannon shoulder-cannon"),
        seat(IRON, "bastion-prime", "shoulder-cannon", damage={"bastion-prime": 6}),
    )
    t.take("attack bastion-prime", "pay shoulder-cannon")
    assert t.hits() == [("bastion-prime", 4)]  # 5 + 1 (weapon) − Armor − Shield
    assert t.damage("bastion-prime", 1) == 10
    t.take("pay shoulder-cannon").take("pay shoulder-cannon")
    assert t.damage("bastion-prime", 1) == 14
    t.fight_on()
    t.done()
    t = lay(
        seat(EMBER, "magmaul", "spiteful-sting needle-volley"),
        seat(DEEP),
        city=[("tank-column", 1), ("tank-column", 1)],
    )
    t.take("rampage", "pay needle-volley")  # no Spikes: 2 − Armor 1 − 1
    assert t.events("hit") == []
    t.take("pay spiteful-sting")  # 1 − Armor 1 = 0
    assert t.hits() == [("magmaul", 3)]
    t.done()


@pytest.mark.rules("CKC-C-12")
def test_there_are_eight_attributes() -> None:
    attributes = {attr for card in catalog().values() for attr in card.attributes.get("attr", ())}
    assert attributes == set(ATTRIBUTES)
    assert len(ATTRIBUTES) == 8


@pytest.mark.rules("CKC-E-04", "CKC-R-21", "CKC-R-38")
def test_yellow_is_energy_and_points_that_are_spent_stay_spent() -> None:
    t = lay(
        seat(EMBER, "obsidrake", "plasma-breath rend", energy=3),
        seat(STORM, "galehorn", plans="old-limp"),
    )
    t.take("attack galehorn", "pay plasma-breath")
    assert t.energy[0] == 0
    assert t.events("turned_up")[0][4] == (0, 0, 3)
    t.take("pay rend", "none", "scar old-limp")
    assert t.stat("obsidrake", "agility") == 2
    t.done()
    t = lay(
        seat(EMBER, "pyroklast", "brace", scars={"pyroklast": ["old-limp"]}),
        seat(STORM, "galehorn", "straight-jab", scars={"galehorn": ["torn-wing"]}),
    )
    assert t.stat("pyroklast", "agility") == 1
    t.done()


@pytest.mark.rules("CKC-C-31", "CKC-O-04", "CKC-R-20", "CKC-E-10")
def test_an_illegal_card_is_turned_up_without_effect() -> None:
    t = lay(
        seat(EMBER, "obsidrake", "brace haymaker", energy=1),
        seat(STORM, "galehorn", "straight-jab energy-barrier", energy=0),
        illegal_cards="discard",
    )
    t.take("attack galehorn")
    assert t.offered() == ["lay brace", "pay haymaker", "done"]
    t.take("lay brace")
    assert t.offered() == ["lay straight-jab", "bluff energy-barrier", "none"]
    t.take("bluff energy-barrier")  # takes effect against an illegal card
    marks = [(event[3]) for event in t.events("turned_up")]
    assert marks == ["illegal", "bluff"]
    assert t.hits() == []
    assert t.energy == [1, 0]
    assert t.state.combat.passes == 0  # it was no pass
    t.take("pay straight-jab", "lay haymaker")
    assert t.hits() == [("obsidrake", 3)]
    t.done()


@pytest.mark.rules("CKC-Y-17", "CKC-Y-14", "CKC-R-35")
def test_a_counterattack_hits_the_card_that_strikes() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab trade-blows plasma-breath tail-trip", energy=0),
        seat(DEEP, hand="brace"),
        city=[("tank-column", 1)],
    )
    t.take("rampage")
    assert "bluff plasma-breath" not in t.offered()
    t.take("pay straight-jab", "pay trade-blows")
    assert t.hits() == [("tank-column", 3), ("magmaul", 3), ("tank-column", 4)]
    assert t.hand(1) == "brace"
    t.done()


@pytest.mark.rules("CKC-H-05", "CKC-X-06", "CKC-R-27", "CKC-R-24", "CKC-R-44")
def test_a_rage_attack_needs_the_threshold_of_its_team_and_ends_a_row_of_passes() -> None:
    t = lay(seat(IRON, "gearhorn", fury=10), seat(EMBER, "magmaul", fury=8))
    t.take("attack magmaul")
    assert t.asked == {1: "rage"}  # 8 are enough for The Ember Court, 10 not for Iron Menagerie
    t.take("no")
    assert t.asked == {1: "rage"}  # the roles have swapped: another window
    t.take("rage")
    assert t.hits() == [("gearhorn", 3)]
    assert t.events("sword_passed") == [(0,), (1,), (0,)]  # two in a row after it end the combat
    assert t.state.combat is None
    t.done()


@pytest.mark.rules("CKC-R-44", "CKC-Y-16")
def test_rage_in_a_rampage_hits_the_head_whatever_its_toughness() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab", fury=8, plans="boiling-over"),
        seat(DEEP),
        city=[("office-complex", 1, 2), ("tank-column", 1)],
    )
    t.take("rampage", "rage", "play boiling-over")
    assert t.hits() == [("office-complex", 4)]
    assert t.city == "tank-column"
    assert t.glory(0) == 1
    t.take("pay straight-jab")
    assert t.asked == {0: "shield"}  # the new head strikes: three Braces were drawn
    t.done()


@pytest.mark.rules("CKC-R-26", "CKC-R-32")
def test_an_ally_that_is_no_kaiju_is_enraged_by_attacks_alone() -> None:
    t = lay(
        seat(EMBER, plans="air-strike air-strike"),
        seat(DEEP, allies="drone-swarm"),
        phase="planning",
    )
    t.take("play air-strike", "character drone-swarm")
    assert t.fury == [0, 0]
    t.play("play air-strike").take("character coralisk")
    assert t.fury == [0, 1]
    t.done()


@pytest.mark.rules("CKC-R-65", "CKC-F-02", "CKC-R-42", "CKC-R-59")
def test_to_the_rescue_brings_two_and_draws_two() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab thunderclap"),
        seat(DEEP, "pelagor", plans="to-the-rescue wolf-pack"),
    )
    t.take("attack pelagor")
    assert t.asked == {1: "react_start"}
    assert t.offered() == ["play to-the-rescue", "no"]
    t.take("play to-the-rescue", "join coralisk")
    assert t.offered() == ["join maelgrath", "done"]
    t.take("join maelgrath")
    assert len(t.state.combat_hands[1]) == 2
    assert t.names(t.state.combat.foes) == "pelagor coralisk maelgrath"
    t.take("pay thunderclap")
    assert t.offered() == ["target pelagor", "target coralisk", "target maelgrath"]
    t.take("target coralisk", "none")
    assert t.hits() == [("coralisk", 5), ("pelagor", 1), ("maelgrath", 1)]
    assert t.fury[1] == 3
    t.fight_on()
    t.done()


@pytest.mark.rules("CKC-F-05", "CKC-R-60", "CKC-C-10")
def test_hold_the_line_counts_the_cards_at_its_character() -> None:
    t = lay(
        seat(DEEP, "maelgrath", "straight-jab straight-jab", plans="wolf-pack"),
        seat(EMBER, "obsidrake", "hold-the-line"),
    )
    t.take("attack obsidrake", "play wolf-pack", "join pelagor", "fighter pelagor")
    t.take("pay straight-jab")
    assert t.asked == {0: "sword"}  # the other one
    t.take("pay straight-jab", "pay hold-the-line", "answer pelagor")
    sums = [event[5] for event in t.events("worked_out")]
    assert sums == [(3, 6, 0), (3, 0, 3)]
    t.done()


@pytest.mark.rules("CKC-R-23", "CKC-R-28", "CKC-R-59")
def test_nobody_learns_from_the_number_of_questions_what_was_laid() -> None:
    """Two cards, one with discards: until all is chosen the others see nothing at all."""
    t = lay(
        seat(SKIN, "giraffish", "relentless-barrage straight-jab brace"),
        seat(EMBER, "obsidrake", "brace"),
    )
    t.take("attack obsidrake")
    before: Any = t.match.view(1)
    start = len(t.history)
    t.take("pay relentless-barrage")
    assert t.match.view(1) == before
    t.take("discard brace")
    assert t.match.view(1) == before
    assert not [e for e in t.history[start:] if t.match.event_view(e, 1)]
    t.take("done")
    laid = [t.match.event_view(event, 1) for event in t.history[start:]]
    views = [event for event in laid if event is not None]
    assert [event["kind"] for event in views] == ["laid", "discarded_for"]
    assert "card" not in views[0]
    assert "how" not in views[0]
    t.done()


@pytest.mark.rules("CKC-R-28")
def test_fury_of_the_city_comes_by_itself_in_claim_mode() -> None:
    t = lay(
        seat(EMBER, "magmaul", "straight-jab"),
        seat(DEEP, "pelagor"),
        city=[("battleship", 1)],
        fury_mode="claim",
    )
    t.take("attack pelagor")
    assert t.fury == [1, 1]
    t.play("pay straight-jab").fight_on()
    assert t.fury == [1, 2]  # nobody could claim it: at the end its owner gets it
    t.done()


@pytest.mark.rules("CKC-R-28")
def test_fury_that_is_left_stays_pending() -> None:
    t = lay(
        seat(DEEP, "pelagor", "snap-bite brace"),
        seat(SKIN, "giraffish", "straight-jab"),
        fury_mode="claim",
    )
    t.take("attack giraffish", "pay snap-bite", "pay straight-jab", "pay brace", "leave")
    assert t.asked == {0: "steal_fury"}  # once more at the end of the combat
    assert t.state.pending == [0, 1]
    t.take("leave")
    assert t.fury == [0, 1]
    t.done()
