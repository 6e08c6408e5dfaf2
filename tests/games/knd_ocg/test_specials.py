"""Every Special Card: what it requires, costs and does, and where it goes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.knd_ocg.table import (
    active,
    attacks,
    characters,
    deck_count,
    discard,
    duel,
    energies,
    fallen,
    go,
    hand,
    hp,
    marks,
    offered,
    reserve,
    seat_of,
    told,
    under,
    verbs,
)

ROSA = {"active": "relay-rosa"}
TESS = {"active": "trashcan-lid-tess"}


def holding(slug: str, seat: dict[str, Any], *more: str) -> dict[str, Any]:
    return {**seat, "hand": [slug, *more]}


# Who may play it, and who may not: the own seat, the opponent's
SPY = {"active": "numbuh-5", "under active": ["S"]}
ATTACKER = {"active": "numbuh-4", "under active": energies("3A")}
FULL = {"active": "relay-rosa", "reserve-1": "numbuh-1"}
NUMBUHS = {
    "active": "numbuh-1",
    **{f"reserve-{n - 1}": f"numbuh-{n}" for n in range(2, 6)},
}
REQUIRED: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("power-of-the-knd", NUMBUHS, ROSA, {**NUMBUHS, "reserve-2": "relay-rosa"}, ROSA),
    ("rewire", {**FULL, "under reserve-1": ["N"]}, ROSA, FULL, ROSA),
    ("rewire", {**FULL, "under active": ["N"]}, ROSA, {**ROSA, "under active": ["N"]}, ROSA),
    ("bandage-brigade", ROSA, ROSA, {}, ROSA),
    ("fire-drill", FULL, ROSA, ROSA, ROSA),
    ("fire-drill", FULL, ROSA, {**FULL, "marks active": ["stuck"]}, ROSA),
    ("called-to-the-office", FULL, FULL, ROSA, FULL),
    ("called-to-the-office", FULL, FULL, FULL, ROSA),
    ("called-to-the-office", FULL, FULL, FULL, {"reserve-1": "numbuh-1"}),
    ("called-to-the-office", FULL, FULL, FULL, {**FULL, "active": "bus-stop-bruno"}),
    ("detention-slip", {"reserve-1": "numbuh-3"}, ROSA, ROSA, ROSA),
    (
        "detention-slip",
        {"active": "numbuh-3"},
        ROSA,
        {"active": "numbuh-3"},
        {"reserve-1": "numbuh-1"},
    ),
    ("radio-silence", {"active": "numbuh-1"}, ROSA, FULL, ROSA),
    ("milk-money-shakedown", {"reserve-1": "numbuh-5"}, ROSA, ROSA, ROSA),
    ("shredding-party", SPY, ROSA, {"active": "numbuh-5"}, ROSA),
    ("shredding-party", SPY, ROSA, {**ROSA, "under active": ["S"]}, ROSA),
    ("loose-floorboard", SPY, ROSA, ROSA, ROSA),
    ("loose-floorboard", SPY, ROSA, SPY, {"reserve-1": "numbuh-1"}),
    ("through-the-air-vent", SPY, ROSA, ROSA, ROSA),
    ("crowbar-lesson", SPY, ROSA, {"active": "numbuh-5"}, ROSA),
    ("crowbar-lesson", SPY, ROSA, SPY, {"reserve-1": "numbuh-1"}),
    ("tattletale", SPY, {**ROSA, "hand": ["N"]}, SPY, ROSA),
    ("tattletale", SPY, {**ROSA, "hand": ["N"]}, ROSA, {**ROSA, "hand": ["N"]}),
    ("pep-rally", ATTACKER, ROSA, SPY, ROSA),
    ("second-wind", ATTACKER, ROSA, {**ATTACKER, "under active": energies("2A")}, ROSA),
    ("second-wind", {**ATTACKER, "under active": energies("1A 2N")}, ROSA, SPY, ROSA),
    (
        "wrecking-swing",
        ATTACKER,
        {**FULL, "hp reserve-1": 20},
        ATTACKER,
        {**FULL, "hp reserve-1": 25},
    ),
    (
        "wrecking-swing",
        ATTACKER,
        {**FULL, "hp reserve-1": 20},
        {**ATTACKER, "under active": energies("1A 2N")},
        {**FULL, "hp reserve-1": 20},
    ),
    (
        "wrecking-swing",
        ATTACKER,
        {**FULL, "hp reserve-1": 5},
        ATTACKER,
        {**ROSA, "hp active": 5, "reserve-1": "numbuh-3", "hp reserve-1": 5},
    ),
    ("take-one-for-the-team", FULL, ROSA, ROSA, ROSA),
    ("blanket-fort", {"reserve-1": "numbuh-2"}, ROSA, ROSA, ROSA),
    (
        "snow-day",
        {"active": "numbuh-3", "reserve-4": "numbuh-3"},
        ROSA,
        {"active": "numbuh-3"},
        ROSA,
    ),
    ("count-to-twenty", {"active": "numbuh-3"}, ROSA, ROSA, ROSA),
    ("pushed-too-far", {"active": "numbuh-3"}, ROSA, ROSA, ROSA),
    ("no-more-mr-nice", {"reserve-1": "numbuh-1"}, ROSA, ROSA, ROSA),
    ("snack-break", {"reserve-1": "numbuh-1"}, ROSA, {}, ROSA),
    ("bike-helmet", {"reserve-1": "numbuh-1"}, ROSA, {}, ROSA),
    ("giant-slingshot", {"reserve-1": "numbuh-1"}, ROSA, {}, ROSA),
    ("walkie-talkie", {"reserve-1": "numbuh-1"}, ROSA, {}, ROSA),
    (
        "confiscated",
        ROSA,
        {**ROSA, "under active": ["bike-helmet"]},
        ROSA,
        {**ROSA, "under active": ["A"]},
    ),
    ("confiscated", ROSA, {**ROSA, "specials": ["snow-day"]}, ROSA, ROSA),
    ("lost-and-found", {**ROSA, "discard": ["N"]}, ROSA, {**ROSA, "discard": ["snow-day"]}, ROSA),
    ("recycling-bin", {**ROSA, "discard": ["snow-day"]}, ROSA, ROSA, ROSA),
]


@pytest.mark.rules("KND-X-07", "KND-R-30", "KND-X-04")
@pytest.mark.parametrize(
    ("slug", "seat", "against", "less", "less_against"), REQUIRED, ids=[row[0] for row in REQUIRED]
)
def test_a_special_card_has_its_requirement(
    slug: str, seat: Any, against: Any, less: Any, less_against: Any
) -> None:
    assert f"special {slug}" in offered(duel(holding(slug, seat), against))
    assert f"special {slug}" not in offered(duel(holding(slug, less), less_against))


@pytest.mark.rules("KND-X-05", "KND-X-34", "KND-T-07")
def test_emergency_recess_once_a_turn() -> None:
    recess = "emergency-recess"
    t = go(
        duel({**ROSA, "hand": [recess, recess], "deck": [recess, *["N"] * 9]}, ROSA),
        f"special {recess}",
    )
    assert hand(t, 0) == [recess, recess, "normal-energy"]
    assert "special" not in verbs(t)
    assert t.match.view(None)["turn"]["once"] == [recess]
    go(t, "end", "end")
    assert f"special {recess}" in offered(t)


@pytest.mark.rules("KND-E-06")
def test_double_shifts_add_up() -> None:
    shift = "double-shift"
    t = duel({**ROSA, "hand": [shift, shift, *["A"] * 4]}, ROSA)
    go(t, f"special {shift}", f"special {shift}")
    go(t, *["attach attacker-energy relay-rosa"] * 3)
    assert "attach" not in verbs(t)
    assert under(t, 0, "relay-rosa") == ["A", "A", "A"]


@pytest.mark.rules("KND-R-54", "KND-E-08")
def test_rewire_moves_energy() -> None:
    seat = {**FULL, "under active": ["A", "N", "A"], "under reserve-1": ["L"]}
    t = go(duel(holding("rewire", seat, "N"), ROSA), "special rewire")
    assert offered(t) == {
        "take attacker-energy relay-rosa",
        "take normal-energy relay-rosa",
        "take leader-energy numbuh-1",
    }
    go(t, "take attacker-energy relay-rosa")
    assert (under(t, 0, "relay-rosa"), under(t, 0, "numbuh-1")) == (["A", "N"], ["L", "A"])
    assert "attach" in verbs(t)


@pytest.mark.rules("KND-X-29", "KND-R-30", "KND-R-31")
def test_bandage_brigade_heals_even_the_healthy() -> None:
    t = duel({**FULL, "hp active": 30, "hand": ["bandage-brigade"] * 2}, ROSA)
    go(t, "special bandage-brigade", "pick relay-rosa")
    assert hp(t, 0, "relay-rosa") == 40
    go(t, "special bandage-brigade", "pick numbuh-1")
    assert "heal" not in told(t)
    assert discard(t, 0) == ["bandage-brigade"] * 2


def test_fire_drill_switches() -> None:
    seat = {"active": "relay-rosa", "reserve-3": "numbuh-1", "reserve-5": "numbuh-2"}
    t = go(duel(holding("fire-drill", seat), ROSA), "special fire-drill", "pick numbuh-2")
    assert (active(t, 0), reserve(t, 0)) == (
        "numbuh-2",
        [None, None, "numbuh-1", None, "relay-rosa"],
    )


@pytest.mark.rules("KND-X-26", "KND-R-38")
def test_called_to_the_office_brings_in_another() -> None:
    foe = {
        "active": "relay-rosa",
        "marks active": ["stuck"],
        "reserve-1": "numbuh-3",
        "reserve-2": "numbuh-1",
    }
    t = go(
        duel(holding("called-to-the-office", {"active": "numbuh-1"}), foe),
        "special called-to-the-office",
    )
    assert offered(t) == {"pick numbuh-3", "pick numbuh-1"}
    go(t, "pick numbuh-3")
    assert active(t, 1) == "numbuh-3"


@pytest.mark.rules("KND-X-21", "KND-X-22")
def test_detention_slip() -> None:
    t = go(
        duel(holding("detention-slip", {"active": "numbuh-3"}), ROSA),
        "special detention-slip",
        "end",
    )
    assert not attacks(t)
    go(t, "end")
    assert marks(t, 1, "relay-rosa") == set()


@pytest.mark.rules("KND-X-25", "KND-R-36", "KND-R-35")
def test_radio_silence() -> None:
    foe = {"active": "keyhole-kay", "under active": ["S"], "reserve-1": "numbuh-1"}
    t = go(duel(holding("radio-silence", {"active": "numbuh-1"}), foe), "special radio-silence")
    assert (marks(t, 1, "keyhole-kay"), marks(t, 1, "numbuh-1")) == ({"shushed"}, set())
    go(t, "end")
    assert "effect" not in verbs(t)


@pytest.mark.rules("KND-X-34", "KND-R-42")
def test_milk_money_shakedown() -> None:
    money = "milk-money-shakedown"
    t = duel(
        {"active": "numbuh-5", "hand": [money, money]}, {**ROSA, "hand": ["L", "D"]}, picks=[1]
    )
    go(t, f"special {money}")
    assert (hand(t, 1), discard(t, 1)) == (["leader-energy"], ["defender-energy"])
    assert "special" not in verbs(t)


def test_shredding_party() -> None:
    t = go(
        duel(holding("shredding-party", SPY), {**ROSA, "deck": ["L", "D", "A", "S"]}),
        "special shredding-party",
    )
    assert discard(t, 1) == ["attacker-energy", "defender-energy", "leader-energy"]
    assert deck_count(t, 1) == 1


@pytest.mark.rules("KND-X-21", "KND-Y-12", "KND-R-21")
def test_loose_floorboard() -> None:
    foe = {**TESS, "under active": ["bike-helmet"]}
    t = go(duel(holding("loose-floorboard", SPY), foe), "special loose-floorboard")
    assert characters(t, 1)["trashcan-lid-tess"]["dp"] == 0
    go(t, "basic numbuh-5 trashcan-lid-tess")
    assert hp(t, 1, "trashcan-lid-tess") == 20
    assert characters(t, 1)["trashcan-lid-tess"]["dp"] == 35


def test_through_the_air_vent() -> None:
    foe = {
        **TESS,
        "reserve-1": "numbuh-3",
        "reserve-2": "relay-rosa",
        "marks reserve-2": ["+hiding"],
    }
    t = go(duel(holding("through-the-air-vent", SPY), foe), "special through-the-air-vent")
    assert attacks(t) == {"basic numbuh-5 trashcan-lid-tess", "basic numbuh-5 numbuh-3"}
    go(t, "basic numbuh-5 numbuh-3")
    assert hp(t, 1, "numbuh-3") == 15
    shielded = {**foe, "reserve-3": "crossing-guard-gus"}
    t = go(duel(holding("through-the-air-vent", SPY), shielded), "special through-the-air-vent")
    assert attacks(t) == {"basic numbuh-5 trashcan-lid-tess"}


def test_crowbar_lesson() -> None:
    t = go(duel(holding("crowbar-lesson", SPY), TESS), "special crowbar-lesson", "end")
    assert characters(t, 1)["trashcan-lid-tess"]["dp"] == 15
    go(t, "end")
    assert characters(t, 1)["trashcan-lid-tess"]["dp"] == 30


@pytest.mark.rules("KND-R-43", "KND-Y-11")
def test_tattletale() -> None:
    foe = {**ROSA, "hand": ["snow-day", "L", "rewire"]}
    t = go(duel(holding("tattletale", SPY), foe), "special tattletale")
    assert offered(t) == {"discard snow-day", "discard rewire"}
    assert len(t.match.outlook(t.match.prompts[0])["hand"]) == 3
    go(t, "discard rewire")
    assert hand(t, 1) == ["snow-day", "leader-energy"]
    t = go(duel(holding("tattletale", SPY), {**ROSA, "hand": ["L"]}), "special tattletale")
    t.done(0, "play")
    assert seat_of(t, 1, 0)["hand"]["cards"][0]["slug"] == "leader-energy"


@pytest.mark.rules("KND-X-27", "KND-R-35")
def test_pep_rallies_add_up() -> None:
    t = duel({**ATTACKER, "hand": ["pep-rally"] * 2}, {"active": "numbuh-1"})
    go(t, "special pep-rally", "special pep-rally")
    assert characters(t, 0)["numbuh-4"]["ap"] == 65
    go(t, "basic numbuh-4 numbuh-1")
    assert fallen(t) == [0, 1]


@pytest.mark.rules("KND-R-23", "KND-A-12")
def test_second_wind_with_basic_attacks() -> None:
    seat = {**ATTACKER, "hand": ["second-wind"]}
    t = go(duel(seat, {"active": "numbuh-1"}), "special second-wind", "basic numbuh-4 numbuh-1")
    assert offered(t) == {"basic numbuh-4 numbuh-1", "end"}
    go(t, "basic numbuh-4 numbuh-1")
    assert hp(t, 1, "numbuh-1") == 5
    t.done(1, "play")
    t = go(
        duel(seat, {"active": "numbuh-1"}), "special second-wind", "basic numbuh-4 numbuh-1", "end"
    )
    t.done(1, "play")
    mo = {**seat, "reserve-1": "mudball-mo", "under reserve-1": ["A", "A"]}
    t = go(duel(mo, {"active": "numbuh-1"}), "special second-wind", "attack1 mudball-mo numbuh-1")
    t.done(1, "play")
    t = go(
        duel(seat, {"active": "numbuh-3", "hp active": 5, "reserve-1": "numbuh-1"}),
        "special second-wind",
        "basic numbuh-4 numbuh-3",
    )
    t.done(1, "play")


@pytest.mark.rules("KND-A-18", "KND-R-38")
def test_wrecking_swing() -> None:
    foe = {
        "active": "relay-rosa", "hp active": 5,
        "reserve-1": "numbuh-1", "hp reserve-1": 20, "under reserve-1": ["L", "bike-helmet"],
        "reserve-2": "numbuh-2", "hp reserve-2": 10,
        "reserve-3": "numbuh-3", "hp reserve-3": 5,
    }  # fmt: skip
    t = go(duel(holding("wrecking-swing", ATTACKER), foe), "special wrecking-swing")
    assert offered(t) == {"pick numbuh-1", "pick numbuh-2"}
    go(t, "pick numbuh-1")
    assert discard(t, 1) == ["leader-energy", "bike-helmet", "numbuh-1"]
    assert fallen(t) == [0, 0]


@pytest.mark.rules("KND-R-58", "KND-R-59", "KND-X-34")
def test_cooties_outbreak_costs_a_card() -> None:
    cooties = "cooties-outbreak"
    assert "special" not in verbs(duel({**ROSA, "hand": [cooties]}, ROSA))
    t = go(duel({**ROSA, "hand": [cooties, "L", "L", cooties]}, FULL), f"special {cooties}")
    assert t.asked == (0, "pick-hand")
    assert len(t.offered()) == 3
    go(t, "discard leader-energy")
    assert (hp(t, 1, "relay-rosa"), hp(t, 1, "numbuh-1")) == (35, 50)
    assert "special" not in verbs(t)


@pytest.mark.rules("KND-R-38", "KND-X-29", "KND-A-18")
def test_take_one_for_the_team() -> None:
    seat = {
        "active": "numbuh-1",
        "hp active": 5,
        "reserve-1": "numbuh-3",
        "reserve-2": "relay-rosa",
    }
    t = go(duel(holding("take-one-for-the-team", seat), ROSA), "special take-one-for-the-team")
    assert t.asked == (0, "pick-reserve")
    go(t, "pick numbuh-3")
    assert (hp(t, 0, "numbuh-1"), fallen(t)) == (55, [0, 0])
    assert discard(t, 0) == ["take-one-for-the-team", "numbuh-3"]


@pytest.mark.rules("KND-X-33", "KND-R-31")
def test_blanket_fort_stays_until_the_next_turn() -> None:
    seat = {"active": "numbuh-2", "reserve-1": "relay-rosa", "hand": ["blanket-fort"] * 2}
    t = go(duel(seat, ROSA), "special blanket-fort")
    assert (characters(t, 0)["numbuh-2"]["dp"], characters(t, 0)["relay-rosa"]["dp"]) == (35, 15)
    go(t, "special blanket-fort")
    assert characters(t, 0)["numbuh-2"]["dp"] == 35
    assert discard(t, 0) == ["blanket-fort"]
    go(t, "end")
    assert [card["slug"] for card in seat_of(t, 0)["specials"]] == ["blanket-fort"]
    go(t, "end")
    assert seat_of(t, 0)["specials"] == []
    assert characters(t, 0)["numbuh-2"]["dp"] == 25


@pytest.mark.rules("KND-X-09", "KND-X-33")
def test_snow_day_beats_pushed_too_far() -> None:
    seat = {"active": "numbuh-3", "reserve-1": "numbuh-3", "hand": ["pushed-too-far", "snow-day"]}
    t = go(duel(seat, ROSA), "special pushed-too-far")
    assert attacks(t) == {"basic numbuh-3 relay-rosa"}
    go(t, "special snow-day")
    assert not attacks(t)
    go(t, "end")
    assert not attacks(t)
    go(t, "end")
    assert "snow-day" in discard(t, 0)


def test_count_to_twenty() -> None:
    t = go(
        duel(holding("count-to-twenty", {"active": "numbuh-3"}), ROSA),
        "special count-to-twenty",
        "end",
    )
    assert not attacks(t)


@pytest.mark.rules("KND-Y-14", "KND-R-37")
def test_pushed_too_far() -> None:
    t = go(duel(holding("pushed-too-far", {"active": "numbuh-3"}), ROSA), "special pushed-too-far")
    assert characters(t, 0)["numbuh-3"]["ap"] == 30
    go(t, "basic numbuh-3 relay-rosa")
    assert hp(t, 1, "relay-rosa") == 15


@pytest.mark.rules("KND-Y-10")
def test_no_more_mr_nice() -> None:
    seat = {"active": "numbuh-1", "marks active": ["grounded", "stuck", "shushed"]}
    foe = {
        **ROSA,
        "marks active": ["+hiding"],
        "reserve-1": "numbuh-3",
        "marks reserve-1": ["+safe"],
    }
    t = go(duel(holding("no-more-mr-nice", seat), foe), "special no-more-mr-nice")
    assert marks(t, 0, "numbuh-1") == {"shushed"}
    assert (marks(t, 1, "relay-rosa"), marks(t, 1, "numbuh-3")) == (set(), set())
    assert attacks(t) == {"basic numbuh-1 relay-rosa"}


def test_snack_break_ends_what_was_given_but_nothing_that_lasts() -> None:
    seat = {"active": "numbuh-5", "marks active": ["grounded", "shushed", "+hiding"]}
    t = go(
        duel(holding("snack-break", seat), {"active": "treehouse-marshal"}), "special snack-break"
    )
    assert marks(t, 0, "numbuh-5") == {"shushed", "hiding"}
    t = go(duel(holding("snack-break", seat), ROSA), "special snack-break")
    assert marks(t, 0, "numbuh-5") == {"hiding"}


@pytest.mark.rules("KND-X-32", "KND-R-34")
def test_gear() -> None:
    t = duel({**FULL, "hand": ["bike-helmet", "giant-slingshot"]}, ROSA)
    go(t, "special bike-helmet", "pick relay-rosa")
    assert (characters(t, 0)["relay-rosa"]["ap"], characters(t, 0)["relay-rosa"]["dp"]) == (30, 10)
    go(t, "special giant-slingshot", "pick relay-rosa")
    assert (characters(t, 0)["relay-rosa"]["ap"], characters(t, 0)["relay-rosa"]["dp"]) == (35, 5)
    assert characters(t, 0)["relay-rosa"]["gear"]["slug"] == "giant-slingshot"
    assert discard(t, 0) == ["bike-helmet"]


@pytest.mark.rules("KND-X-32")
@pytest.mark.parametrize("gear", ["bike-helmet", "giant-slingshot", "walkie-talkie"])
def test_gear_does_nothing_for_those_who_do_not_carry_it(gear: str) -> None:
    """Not even as the last of all cards, which is where a lookup of “no card” would find it."""
    seat = {"active": "relay-rosa", "reserve-1": "head-cadet-hazel"}
    carrying = {**seat, "under active": ["L"], "under reserve-1": ["L"]}
    t = duel(carrying, {**FULL, "deck": [gear]})
    assert (characters(t, 0)["relay-rosa"]["ap"], characters(t, 0)["relay-rosa"]["dp"]) == (30, 5)
    assert not characters(t, 0)["head-cadet-hazel"]["works"]


@pytest.mark.rules("KND-X-03", "KND-X-36", "KND-R-34")
def test_walkie_talkie() -> None:
    seat = {
        "active": "relay-rosa",
        "reserve-1": "numbuh-2",
        "under reserve-1": ["D"],
        "hp active": 10,
    }
    assert "effect" not in verbs(duel(seat, ROSA))
    t = go(duel(holding("walkie-talkie", seat), ROSA), "special walkie-talkie", "pick numbuh-2")
    go(t, "effect numbuh-2", "pick relay-rosa")
    assert hp(t, 0, "relay-rosa") == 30
    drum = {"active": "sergeant-sprocket", "under active": ["walkie-talkie"]}
    assert not characters(duel(drum, ROSA), 0)["sergeant-sprocket"]["works"]


def test_confiscated() -> None:
    foe = {**FULL, "under reserve-1": ["bike-helmet", "L"], "specials": ["blanket-fort"]}
    t = go(duel({**ROSA, "hand": ["confiscated"] * 2}, foe), "special confiscated")
    assert offered(t) == {"discard bike-helmet", "discard blanket-fort"}
    go(t, "discard bike-helmet")
    assert (discard(t, 1), under(t, 1, "numbuh-1")) == (["bike-helmet"], ["L"])
    go(t, "special confiscated")
    assert discard(t, 1) == ["blanket-fort", "bike-helmet"]


@pytest.mark.rules("KND-R-44", "KND-R-30")
def test_roll_call() -> None:
    deck = ["N", "relay-rosa", "L", "numbuh-1", "relay-rosa"]
    t = go(duel({**ROSA, "hand": ["roll-call"], "deck": deck}, ROSA), "special roll-call")
    texts = [text.partition("~")[0] for text in t.offered()]
    assert texts == ["take numbuh-1", "take relay-rosa", "none"]
    looked = t.match.outlook(t.match.prompts[0])["deck"]
    assert [card["slug"] for card in looked] == [
        "leader-energy", "normal-energy", "numbuh-1", "relay-rosa", "relay-rosa",
    ]  # fmt: skip
    assert not t.match.can_undo(0)
    go(t, "take numbuh-1")
    assert hand(t, 0) == ["numbuh-1"]
    assert [card["slug"] for card in seat_of(t, 0, 1)["hand"]["cards"]] == ["numbuh-1"]
    assert seat_of(t, 0)["hand"]["cards"] == []
    assert "shuffle" in told(t)
    t = go(duel({**ROSA, "hand": ["roll-call"], "deck": ["N", "N"]}, ROSA), "special roll-call")
    assert offered(t) == {"none"}
    go(t, "none")
    assert (hand(t, 0), told(t).count("shuffle")) == ([], 1)


@pytest.mark.rules("KND-R-44")
def test_juice_box_stash() -> None:
    deck = ["N", "relay-rosa", "L", "L"]
    stash = {**ROSA, "hand": ["juice-box-stash"], "deck": deck}
    t = go(duel(stash, ROSA), "special juice-box-stash", "take leader-energy")
    assert offered(t) == {"take leader-energy", "take normal-energy", "none"}
    go(t, "take leader-energy")
    assert hand(t, 0) == ["leader-energy", "leader-energy"]
    t = go(duel(stash, ROSA), "special juice-box-stash", "none")
    assert hand(t, 0) == []
    t.done(0, "play")


@pytest.mark.rules("KND-R-31", "KND-R-44")
def test_lost_and_found() -> None:
    pile = ["lost-and-found", "numbuh-1", "N", "N"]
    t = go(
        duel(holding("lost-and-found", {**ROSA, "discard": pile}), ROSA), "special lost-and-found"
    )
    assert offered(t) == {"take numbuh-1", "take normal-energy"}
    go(t, "take numbuh-1")
    assert hand(t, 0) == ["numbuh-1"]
    assert seat_of(t, 0, 1)["hand"]["cards"][0]["slug"] == "numbuh-1"
    assert discard(t, 0)[0] == "lost-and-found"


@pytest.mark.rules("KND-X-35", "KND-R-48", "KND-R-31")
def test_recycling_bin() -> None:
    pile = {**ROSA, "discard": ["numbuh-1", "N", "snow-day", "N"], "deck": 5}
    t = go(duel(holding("recycling-bin", pile), ROSA), "special recycling-bin")
    assert offered(t) == {"take numbuh-1", "take normal-energy", "take snow-day"}
    go(t, "take normal-energy")
    assert "done" in offered(t)
    go(t, "take normal-energy", "take snow-day")
    assert (deck_count(t, 0), discard(t, 0)) == (8, ["numbuh-1"])
    assert [card["slug"] for card in seat_of(t, 0)["removed"]] == ["recycling-bin"]
    t = go(
        duel(holding("recycling-bin", pile), ROSA), "special recycling-bin", "take numbuh-1", "done"
    )
    assert deck_count(t, 0) == 6
