"""Set-up, the field, the turn, Energy and the end: what the scenarios leave."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules
from rules.engine.chance import Chance, named_seed
from rules.engine.errors import BadSetup
from rules.testing import Position
from rules.testing.playouts import Setup, playout
from tests.games.knd_ocg.table import (
    active,
    attacks,
    characters,
    discard,
    duel,
    ended,
    energies,
    fallen,
    go,
    hand,
    hp,
    lines,
    marks,
    offered,
    reserve,
    seat_of,
    told,
    under,
    verbs,
)
from tests.games.knd_ocg.test_scenarios import stack_shuffles

GAME = rules.game("knd-ocg")
DUEL = GAME.modes["duel"]
ROSA = {"active": "relay-rosa"}
FULL = {
    "active": "relay-rosa",
    **{f"reserve-{n}": slug for n, slug in enumerate(["numbuh-1", "numbuh-2", "numbuh-3"], 1)},
}


def new_match(name: str, **options: Any) -> Any:
    decks = GAME.ready_decks("duel", 2)
    return GAME.new_match("duel", seats=2, seed=named_seed(name), options=options, decks=decks)


# -- set-up ----------------------------------------------------------------------------------------


@pytest.mark.rules("KND-S-01", "KND-S-04", "KND-S-13", "KND-D-01")
def test_two_seats_with_a_deck_each() -> None:
    match = new_match("one")
    view = match.view(None)
    assert [row["deck"]["count"] + row["hand"]["count"] for row in view["players"]] == [60, 60]
    assert [row["fallen"] for row in view["players"]] == [0, 0]
    assert [event[0] for event in match.opening][:2] == ["shuffle", "shuffle"]
    slugs = match.state.cards.slugs
    assert slugs[0:60] != tuple(sorted(slugs[0:60]))
    for decks in ([], GAME.ready_decks("duel", 1), [{"main": {"numbuh-1": 59}}] * 2):
        with pytest.raises(BadSetup):
            GAME.new_match("duel", seats=2, seed=bytes(32), decks=decks)
    with pytest.raises(BadSetup):
        GAME.new_match("duel", seats=3, seed=bytes(32), decks=GAME.ready_decks("duel", 3))


@pytest.mark.rules("KND-S-02")
def test_a_match_records_its_rules_version() -> None:
    assert new_match("one").dump()["rules_version"] == "2.0"


@pytest.mark.rules("KND-S-03", "KND-R-49")
def test_another_match_has_new_shuffles_and_its_own_order() -> None:
    decks = [[card["slug"] for card in _hand(new_match(name), 0)] for name in ("one", "two")]
    assert decks[0] != decks[1]
    firsts = set()
    for number in range(8):
        setup = Setup(GAME, DUEL, 2, named_seed(f"series {number}"), {"turn_cap": 20})
        for match, _ply, _events in playout(setup):
            if match.view(None)["turn"]["number"] == 1:
                firsts.add(match.view(None)["turn"]["first"])
                break
    assert firsts == {0, 1}


def _hand(match: Any, seat: int) -> list[dict[str, Any]]:
    cards: list[dict[str, Any]] = match.view(seat)["players"][seat]["hand"]["cards"]
    return cards


@pytest.mark.rules("KND-S-09", "KND-S-10")
def test_set_up_places_characters_only() -> None:
    decks = ["numbuh-1", "numbuh-1", "milo-the-mole", "L", "rewire", "numbuh-2"]
    t = duel(
        {"deck": [*decks, *["N"] * 9]},
        {"deck": [*["numbuh-4"] * 6, "N", "N"]},
        begin="setup",
        picks=[0],
    )
    assert verbs(t, 0) == {"place"}
    assert len(t.offered(0)) == 4
    go(t, "place milo-the-mole active", by=0)
    assert {text.split()[-1] for text in t.offered(0)} == {"reserve", "ready"}
    go(t, *["place numbuh-1 reserve"] * 2, by=0)
    assert seat_of(t, 0, 0)["active"]["card"]["slug"] == "milo-the-mole"
    assert len(hand(t, 0)) == 3
    go(t, "ready", by=0)
    go(t, "place numbuh-4 active", *["place numbuh-4 reserve"] * 5, by=1)
    assert t.offered(1) == ["ready"]
    go(t, "ready", by=1)
    assert reserve(t, 1) == ["numbuh-4"] * 5
    assert reserve(t, 0) == ["numbuh-1", "numbuh-1", None, None, None]
    assert hand(t, 0) == ["leader-energy", "rewire", "numbuh-2", "normal-energy"]


@pytest.mark.rules("KND-R-04")
def test_the_hundredth_redraw_finds_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = [*["N"] * 30, "milo-the-mole"]
    stack_shuffles(monkeypatch, deck, ["N"] * 6)
    t = duel({"deck": deck}, {"deck": ["numbuh-4", *["N"] * 9]}, begin="setup")
    assert [event[0] for event in t.match.opening].count("mulligan") == 100
    assert sorted(hand(t, 0)) == ["milo-the-mole", *["normal-energy"] * 5]


@pytest.mark.rules("KND-R-01", "KND-R-03")
def test_what_is_placed_unseen_does_nothing_yet() -> None:
    """A Marshal who Shushes Spies would tell by it that he is there."""
    spies = {"deck": [*["keyhole-kay"] * 6, "N", "N"]}
    marshals = {"deck": [*["treehouse-marshal"] * 6, "N", "N"]}
    t = duel(spies, marshals, begin="setup", picks=[0])
    go(t, "place keyhole-kay active", by=0)
    before = t.match.view(0)
    go(t, "place treehouse-marshal active", by=1)
    assert t.match.view(0) == before
    go(t, "ready", by=1)
    go(t, "ready", by=0)
    assert marks(t, 0, "keyhole-kay") == {"shushed"}


@pytest.mark.rules("KND-R-01", "KND-R-50")
def test_who_gives_up_while_placing_reveals_nothing() -> None:
    match = new_match("one")
    match.play(0, match.prompts[0].options[0])
    match.concede(0)
    assert match.outcome.winners == (1,)
    assert match.outcome.reason == "resign"
    assert match.view(1)["players"][0]["active"] is None
    assert match.view(1)["players"][0]["hand"] == {"count": 6, "cards": []}


@pytest.mark.rules("KND-R-50")
def test_giving_up_is_possible_in_the_others_turn() -> None:
    t = duel(ROSA, ROSA)
    t.match.concede(1)
    assert ended(t) == ((0,), "resign")


@pytest.mark.rules("KND-R-50")
def test_both_may_agree_on_a_draw_even_while_placing() -> None:
    match = new_match("one")
    match.play(0, match.prompts[0].options[0])
    events = match.agree_on_draw()
    words = match.narrate(events[0], None, ["Ann", "Bob"])
    assert words == "The match is a draw: both players agreed to it."
    assert (match.outcome.ranking, match.outcome.winners) == (((0, 1),), ())
    assert match.outcome.reason == "agreed"
    assert match.view(1)["players"][0]["active"] is None


# -- the field -------------------------------------------------------------------------------------


@pytest.mark.rules("KND-F-01", "KND-F-02", "KND-F-03", "KND-F-06", "KND-T-06", "KND-R-56")
def test_the_reserve_holds_five() -> None:
    t = duel({**FULL, "hand": ["milo-the-mole"] * 3}, ROSA)
    assert "place milo-the-mole active" not in offered(t)
    go(t, *["place milo-the-mole reserve"] * 2)
    assert reserve(t, 0)[3:] == ["milo-the-mole", "milo-the-mole"]
    assert "place" not in verbs(t)
    row = seat_of(t, 0)
    assert {"deck", "discard", "active", "reserve", "specials"} <= row.keys()


@pytest.mark.rules("KND-F-04", "KND-F-05", "KND-R-29", "KND-R-11")
def test_moving_up_takes_everything_along() -> None:
    seat = {
        "reserve-2": "numbuh-1",
        "under reserve-2": ["L", "L"],
        "hp reserve-2": 20,
        "marks reserve-2": [("+ap", 5)],
        "hand": ["relay-rosa"],
    }
    t = duel(seat, ROSA)
    assert "place relay-rosa active" not in offered(t)
    go(t, "place relay-rosa reserve", "move-up numbuh-1")
    row = characters(t, 0)["numbuh-1"]
    assert (active(t, 0), row["hp"], row["ap"]) == ("numbuh-1", 20, 25)
    assert under(t, 0, "numbuh-1") == ["L", "L"]
    assert {"effect numbuh-1", "flee relay-rosa", "attack1 numbuh-1 relay-rosa"} < offered(t)


@pytest.mark.rules("KND-F-14")
def test_the_field_lies_face_up() -> None:
    seat = {
        **FULL,
        "under reserve-1": ["L", "bike-helmet"],
        "specials": ["snow-day"],
        "discard": ["N"],
    }
    t = duel(seat, ROSA)
    for viewer in (None, 0, 1):
        row = seat_of(t, 0, viewer)
        assert row["reserve"][0]["gear"]["slug"] == "bike-helmet"
        assert [card["slug"] for card in row["specials"]] == ["snow-day"]
        assert [card["slug"] for card in row["discard"]["cards"]] == ["normal-energy"]


@pytest.mark.rules("KND-R-09", "KND-F-12", "KND-R-18")
def test_fleeing_as_often_as_it_can_be_paid() -> None:
    skye = {"active": "scooter-skye", "under active": ["A"], "marks active": ["grounded"]}
    seat = {**skye, "reserve-1": "quartermaster-quill", "under reserve-1": ["L"]}
    t = go(duel(seat, ROSA), "flee quartermaster-quill")
    assert (active(t, 0), discard(t, 0)) == ("quartermaster-quill", ["attacker-energy"])
    go(t, "flee scooter-skye")
    assert marks(t, 0, "scooter-skye") == {"grounded"}
    assert "flee" not in verbs(t)
    assert "flee" not in verbs(duel(skye, ROSA))
    two = {**FULL, "active": "bus-stop-bruno", "under active": energies("2D 1N")}
    t = go(duel(two, ROSA), "flee numbuh-1", "discard defender-energy", "discard normal-energy")
    assert discard(t, 0) == ["defender-energy", "normal-energy", "defender-energy"]


@pytest.mark.rules("KND-R-13", "KND-R-12")
def test_who_comes_into_play_again_starts_fresh() -> None:
    pile = {"hand": ["lost-and-found"], "discard": []}
    weak = {
        "active": "numbuh-3",
        "hp active": 5,
        "under active": ["bike-helmet", "P"],
        "reserve-1": "numbuh-1",
    }
    t = go(duel(ROSA, {**weak, **pile}), "basic relay-rosa numbuh-3", "move-up numbuh-1")
    assert discard(t, 1) == ["pacifist-energy", "bike-helmet", "numbuh-3"]
    go(t, "special lost-and-found", "take numbuh-3", "place numbuh-3 reserve")
    assert (hp(t, 1, "numbuh-3"), under(t, 1, "numbuh-3")) == (35, [])


# -- the turn --------------------------------------------------------------------------------------


@pytest.mark.rules("KND-T-01", "KND-T-02", "KND-T-04", "KND-T-10", "KND-R-41")
def test_turns_go_to_and_fro() -> None:
    t = duel({**ROSA, "hand": ["L"] * 12}, TESS)
    assert t.match.view(None)["turn"]["sequence"] == "play"
    go(t, "end")
    now = t.match.view(None)["turn"]
    assert (now["number"], now["seat"], now["sequence"], now["energy_left"]) == (8, 1, "play", 1)
    assert lines(t) == ["Turn 8: Seat 2.", "Seat 2 draws 1 card."]
    go(t, "end")
    assert t.match.view(None)["turn"]["seat"] == 0
    assert len(hand(t, 0)) == 13


TESS = {"active": "trashcan-lid-tess"}


@pytest.mark.rules("KND-T-09", "KND-T-07", "KND-R-58")
def test_actions_come_in_any_order() -> None:
    seat = {
        **FULL,
        "under active": ["A", "A"],
        "under reserve-1": ["L", "L"],
        "hand": ["N", "fire-drill", "emergency-recess", "milo-the-mole"],
    }
    t = duel(seat, TESS)
    go(t, "special fire-drill", "pick numbuh-1", "effect numbuh-1", "attach normal-energy numbuh-2")
    go(
        t,
        "place milo-the-mole reserve",
        "special emergency-recess",
        "basic numbuh-1 trashcan-lid-tess",
    )
    assert hp(t, 1, "trashcan-lid-tess") == 45
    t.done(1, "play")


@pytest.mark.rules("KND-T-02", "KND-T-12")
def test_an_attack_ends_the_turn() -> None:
    t = go(
        duel({**FULL, "hand": ["N", "milo-the-mole"]}, TESS), "basic relay-rosa trashcan-lid-tess"
    )
    assert told(t)[-3:] == ["turn-end", "turn-start", "draw"]
    t.done(1, "play")


@pytest.mark.rules("KND-R-17", "KND-E-07")
def test_energy_of_any_type_goes_under_any_character() -> None:
    t = duel({**FULL, "hand": ["S"]}, TESS)
    assert {text for text in offered(t) if text.startswith("attach")} == {
        f"attach spy-energy {slug}" for slug in ("relay-rosa", "numbuh-1", "numbuh-2", "numbuh-3")
    }


@pytest.mark.rules("KND-R-07", "KND-R-55")
def test_at_the_end_somebody_has_to_move_up() -> None:
    t = go(duel({"reserve-1": "numbuh-1", "reserve-5": "numbuh-2"}, TESS), "end")
    assert t.asked == (0, "promote")
    assert offered(t) == {"move-up numbuh-1", "move-up numbuh-2"}
    go(t, "move-up numbuh-2")
    assert (active(t, 0), reserve(t, 0)[0]) == ("numbuh-2", "numbuh-1")


@pytest.mark.rules("KND-X-21", "KND-R-35", "KND-R-55")
def test_a_state_given_twice_lasts_until_the_later_end() -> None:
    hugger = {"active": "numbuh-3", "under active": ["P"], "hand": ["detention-slip"]}
    t = go(
        duel(hugger, {**FULL, "hand": ["snack-break"]}),
        "special detention-slip",
        "attack1 numbuh-3 relay-rosa",
    )
    assert len(characters(t, 1)["relay-rosa"]["marks"]) == 2
    go(t, "end")
    assert marks(t, 1, "relay-rosa") == set()
    both = {"active": "numbuh-5", "marks active": ["shushed", "+shushed"]}
    t = duel(ROSA, both, begin="turn")
    assert marks(t, 1, "numbuh-5") == {"shushed"}
    go(t, "end")
    assert marks(t, 1, "numbuh-5") == set()


@pytest.mark.rules("KND-X-28", "KND-R-39")
def test_who_returns_to_a_full_reserve_goes_to_the_hand() -> None:
    full = {**FULL, "reserve-4": "numbuh-4", "reserve-5": "numbuh-5"}
    t = duel({**full, "away": ["daydream-dilly"]}, TESS, begin="turn")
    assert hand(t, 0) == ["daydream-dilly", "normal-energy"]
    assert [card["slug"] for card in seat_of(t, 0, 1)["hand"]["cards"]] == ["daydream-dilly"]


# -- attacks and their table -----------------------------------------------------------------------


@pytest.mark.rules("KND-R-06")
def test_without_a_first_attack_the_table_says_why() -> None:
    mo = {"reserve-1": "mudball-mo", "under reserve-1": ["A", "A"]}
    ready = {**ROSA, "under active": ["A", "N"], **mo}
    t = duel(ready, TESS, turn=1, first_attack=False)
    assert not attacks(t), "no Special Attack either, from no zone"
    rows = t.match.outlook(t.match.prompts[0])["attacks"]
    assert {row["why"] for row in rows} == {"No attacks in the very first turn"}
    offered = {attack.partition(" ")[0] for attack in attacks(duel(ready, TESS, turn=1))}
    assert offered == {"basic", "attack1"}


#: Milo attacks for 20 AP; what both have lost, the target, and how the match would end.
ENDINGS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"hp active": 10}, TESS, "loses"),
    ({"hp active": 10, "reserve-1": "numbuh-1"}, TESS, ""),
    ({"hp active": 10, "reserve-1": "numbuh-1", "fallen": 4}, TESS, "loses"),
    ({"hp active": 15}, TESS, ""),
    ({}, {**ROSA, "hp active": 15, "fallen": 4}, "wins"),
    ({}, {**ROSA, "hp active": 15, "fallen": 3}, ""),
]


@pytest.mark.rules("KND-W-01", "KND-W-02")
@pytest.mark.parametrize(("own", "other", "ends"), ENDINGS)
def test_the_preview_of_an_attack_says_how_the_match_would_end(
    own: Any, other: Any, ends: str
) -> None:
    t = duel({"active": "milo-the-mole", **own}, other)
    prompt = t.match.prompts[0]
    [move] = [move for move in prompt.options if move.verb == "basic"]
    foreseen = t.match.preview(prompt, move)
    assert foreseen is not None and foreseen["match"] == ends
    t.match.play(0, move)
    outcome = t.match.outcome
    assert ((outcome and ("wins" if outcome.winners == (0,) else "loses")) or "") == ends


@pytest.mark.rules("KND-A-22", "KND-R-45", "KND-R-57")
def test_the_preview_knows_a_clash_of_the_last_and_an_attack_that_destroys_its_user() -> None:
    def ends(a: Any, b: Any) -> str:
        t = duel(a, b)
        [move] = [move for move in t.match.prompts[0].options if move.verb == "attack1"]
        foreseen = t.match.preview(t.match.prompts[0], move)
        assert foreseen is not None
        return str(foreseen["match"])

    hank = {"active": "headlock-hank", "hp active": 30, "under active": ["A", "N"], "fallen": 4}
    assert ends(hank, {"active": "numbuh-4", "hp active": 35, "fallen": 4}) == "draw"
    kit = {"active": "cannonball-kit", "under active": ["A", "A"]}
    assert ends(kit, TESS) == "loses"
    assert ends({**kit, "reserve-1": "numbuh-1"}, TESS) == ""


def test_the_clash_is_worked_out_for_both_sides() -> None:
    t = duel({"active": "numbuh-4"}, TESS)
    first, second = t.match.view(None)["clash"]
    assert (first["power"], first["defence"], first["loss"]) == (35, 30, 5)
    assert (second["power"], second["defence"], second["loss"]) == (10, 5, 5)
    assert duel({"reserve-1": "numbuh-4"}, TESS).match.view(None)["clash"] == [None, None]
    t = duel({"active": "numbuh-3", "hp active": 25}, {**TESS, "hp active": 5})
    backlash = t.match.view(None)["clash"][0]
    assert (backlash["backlash"], backlash["falls"], backlash["defeats"]) == (25, True, False)


def test_the_table_warns_before_a_turn_ends() -> None:
    def outlook(t: Position) -> dict[str, Any]:
        return t.match.outlook(t.match.prompts[0])

    assert outlook(duel({}, TESS))["ending"] == "loses"
    assert outlook(duel({"reserve-1": "numbuh-1"}, TESS))["ending"] == "moves-up"
    assert outlook(duel(ROSA, TESS))["ending"] == ""
    assert outlook(duel({"active": "numbuh-4"}, {"active": "numbuh-3", "hp active": 30}))[
        "defeating"
    ]
    assert not outlook(duel({"active": "numbuh-4"}, {"active": "numbuh-3", "hp active": 35}))[
        "defeating"
    ]
    assert outlook(duel({**ROSA, "hand": ["double-shift"]}, TESS))["energy_left"] == 1


# -- the end ---------------------------------------------------------------------------------------


@pytest.mark.rules("KND-R-48")
@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [
        ({"fallen": 1}, {"fallen": 2}, (0,)),
        ({"fallen": 2, "deck": 30}, {"fallen": 1, "deck": 5}, (1,)),
        ({"deck": 6}, {"deck": 5}, (0,)),
        ({"deck": 5}, {"deck": 5}, ()),
    ],
)
def test_the_turn_cap(first: Any, second: Any, winners: tuple[int, ...]) -> None:
    t = go(duel({**ROSA, **first}, {**TESS, **second}, turn=20, turn_cap=20), "end")
    assert ended(t) == (winners, "turn-cap")
    t = go(duel({**ROSA, **first}, {**TESS, **second}, turn=19, turn_cap=20), "end")
    t.done(1, "play")


@pytest.mark.rules("KND-W-01", "KND-R-15")
def test_the_fifth_may_fall_by_backlash() -> None:
    seat = {"active": "milo-the-mole", "hp active": 10, "fallen": 4, "reserve-1": "numbuh-1"}
    t = go(duel(seat, TESS), "basic milo-the-mole trashcan-lid-tess")
    assert fallen(t) == [5, 0]
    assert ended(t) == ((1,), "fallen")
    assert lines(t)[-1] == "Seat 2 wins: Seat 1 has lost five Characters in battle."


@pytest.mark.rules("KND-W-02", "KND-W-03", "KND-W-04")
def test_the_last_line_says_the_rule_that_ended_the_match() -> None:
    t = go(duel({}, TESS), "end")
    assert lines(t)[-1] == "Seat 2 wins: Seat 1 had no Active Character at the end of the turn."
    t = go(duel(ROSA, {**TESS, "deck": 0}), "end")
    assert lines(t)[-1] == "Seat 1 wins: Seat 2 had no card left to draw."
    t = duel(ROSA, ROSA)
    t.events = t.match.concede(1)
    assert lines(t) == ["Seat 2 concedes.", "Seat 1 wins: Seat 2 conceded."]


@pytest.mark.rules("KND-R-47")
def test_what_a_quiet_turn_is() -> None:
    def quiet(t: Position) -> int:
        number: int = t.match.view(None)["quiet"]["turns"]
        return number

    candy = {"active": "sugar-rush-bea"}
    assert quiet(go(duel(candy, TESS, quiet=3), "effect sugar-rush-bea", "end")) == 4
    cooties = {**ROSA, "hand": ["cooties-outbreak", "N"]}
    assert quiet(go(duel(cooties, TESS, quiet=3), "special cooties-outbreak", "end")) == 0
    assert (
        quiet(go(duel({"active": "numbuh-4"}, TESS, quiet=3), "basic numbuh-4 trashcan-lid-tess"))
        == 0
    )
    team = {**FULL, "hand": ["take-one-for-the-team"]}
    t = go(duel(team, TESS, quiet=3), "special take-one-for-the-team", "pick numbuh-3", "end")
    assert quiet(t) == 0
    assert quiet(go(duel({**ROSA}, TESS, quiet=3), "basic relay-rosa trashcan-lid-tess")) == 4


@pytest.mark.rules("KND-R-51", "KND-R-48")
def test_a_match_ends_however_it_is_played() -> None:
    """Nobody ever attacks, and the decks end it."""
    match = new_match("peace")
    chance = Chance(named_seed("peace"))
    moves = 0
    while match.outcome is None:
        prompt = match.prompts[min(match.prompts)]
        peaceful = [
            move for move in prompt.options if "attack" not in move.verb and move.verb != "basic"
        ]
        match.play(prompt.seat, peaceful[chance.pick(len(peaceful))])
        moves += 1
    assert match.outcome.reason in ("deck", "no-active", "fallen")
    assert moves < 1000


@pytest.mark.rules("KND-R-52")
def test_spies_have_fair_hp_and_little_dp() -> None:
    by_type: dict[str, list[int]] = {}
    for card in GAME.catalog.values():
        if card.kind == "character":
            by_type.setdefault(card["type"], []).append(card["hp"])
    mean = {word: sum(values) / len(values) for word, values in by_type.items()}
    assert mean["attacker"] < mean["spy"] < mean["leader"]
    assert {
        card["dp"]
        for card in GAME.catalog.values()
        if card.attributes.get("type") == "spy" and card.kind == "character"
    } == {5}


def test_a_table_survives_storage_in_the_middle_of_a_text() -> None:
    seat = {**FULL, "under active": ["A"], "hand": ["rewire"]}
    t = go(duel(seat, TESS), "special rewire")
    assert t.asked == (0, "pick-own")
    again = GAME.load(json.loads(json.dumps(t.match.dump())))
    assert again.prompts == t.match.prompts
    option = again.prompts[0].options[0]
    assert again.play(0, option) == t.match.play(0, option)
    assert again.dump() == t.match.dump()
