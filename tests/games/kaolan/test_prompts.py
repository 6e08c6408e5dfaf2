"""Every kind of prompt: its options and their order, notation, and the words for them."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules
from games.kaolan.rules import BOOK
from rules.engine.errors import BadData, IllegalMove
from rules.engine.events import event_from_json, event_to_json
from rules.engine.match import Match
from rules.engine.moves import Move, move_from_json, move_to_json
from tests.games.kaolan.prompts import ELSEWHERE, EVERY_PROMPT, NEVER_ASKED
from tests.games.kaolan.table import Table, lay, lay_solo, seat, tournament_seat

NAMES = ["Ada", "Bo", "Cy"]
PROMPTS = {**EVERY_PROMPT, **ELSEWHERE}
KINDS = [pytest.param(*key, id=key[0]) for key in PROMPTS]


def open_prompt(kind: str, who: int) -> Table:
    t = PROMPTS[kind, who][0]()
    assert t.asked == (who, kind)
    return t


def test_every_kind_of_prompt_is_here() -> None:
    assert {kind for kind, _ in PROMPTS} == set(BOOK.prompts) - NEVER_ASKED


@pytest.mark.parametrize(("kind", "who"), KINDS)
def test_options_come_in_a_fixed_order(kind: str, who: int) -> None:
    t = open_prompt(kind, who)
    assert t.offered() == PROMPTS[kind, who][1]
    t.done(who, kind)


@pytest.mark.parametrize(("kind", "who"), KINDS)
def test_every_option_has_a_notation_that_reads_back(kind: str, who: int) -> None:
    t = open_prompt(kind, who)
    options = t.match.prompts[who].options
    texts = [t.match.notation(move) for move in options]
    assert [t.match.parse(who, text) for text in texts] == list(options)
    assert len(set(texts)) == len(texts)
    for move in options:
        assert move_from_json(json.loads(json.dumps(move_to_json(move)))) == move
    t.done(who, kind)


@pytest.mark.parametrize(("kind", "who"), KINDS)
def test_every_prompt_has_a_question_and_every_option_a_label(kind: str, who: int) -> None:
    t = open_prompt(kind, who)
    prompt = t.match.prompts[who]
    question = t.match.question(prompt, NAMES)
    assert question.endswith((".", "?"))
    assert "kao-" not in question
    labels = [t.match.label(move, NAMES) for move in prompt.options]
    assert all(labels)
    assert len(set(labels)) == len(labels)
    assert not any("kao-" in label or "_" in label for label in labels)
    t.done(who, kind)


def test_questions_name_what_they_are_about() -> None:
    t = lay(seat("red Claw", hand="Reinforcements, red Flame, blue Flame"), seat("b2"), draw="g12")
    t.take("opportunity")
    question = t.match.question(t.match.prompts[0], NAMES)
    assert question == "Reinforcements: choose a Character from your hand."
    t.take("character red Flame")
    question = t.match.question(t.match.prompts[0], NAMES)
    assert question == "Reinforcements: choose its position."
    t.done(0, "choose_position")
    for kind, who, words in (
        ("choose_character", 1, "Place: choose a Character from your hand."),
        ("choose_character", 0, "Replace Link: choose a Character from your hand."),
        ("trim_power", 1, "Blue Flame holds too many Power Cards: discard one."),
        ("spy_card", 1, "Spyglass: discard a card of Ada, or none."),
        ("choose_power_host", 1, "Choose the Character that takes Red 9."),
    ):
        t = open_prompt(kind, who)
        assert t.match.question(t.match.prompts[who], NAMES) == words
        t.done(who, kind)


@pytest.mark.parametrize(("kind", "who"), KINDS)
def test_a_prompt_survives_storage_and_a_copy(kind: str, who: int) -> None:
    t = open_prompt(kind, who)
    data = json.loads(json.dumps(t.match.dump()))
    loaded = t.match.game.load(data)
    assert loaded.prompts == t.match.prompts
    assert loaded.dump() == t.match.dump() == t.match.clone().dump()
    for viewer in (*range(t.match.seats), None):
        assert loaded.view(viewer) == t.match.view(viewer)
    t.done(who, kind)


@pytest.mark.parametrize(("kind", "who"), KINDS)
def test_only_the_asked_seat_may_answer_and_only_with_what_is_offered(kind: str, who: int) -> None:
    t = open_prompt(kind, who)
    before = t.match.dump()
    option = t.match.prompts[who].options[0]
    for stranger in {*range(t.match.seats)} - {who}:
        with pytest.raises(IllegalMove, match="not asked"):
            t.match.play(stranger, option)
    with pytest.raises(IllegalMove) as refused:
        t.match.play(who, Move("character", 99999))
    offered = [t.match.notation(move) for move in t.match.prompts[who].options]
    assert list(refused.value.offered) == offered
    with pytest.raises(IllegalMove):
        t.match.parse(who, "power kao-pow-red-99")
    with pytest.raises(BadData):
        t.match.parse(who, "<script>")
    assert t.match.dump() == before
    t.done(who, kind)


@pytest.mark.parametrize(("kind", "who"), KINDS)
def test_a_move_for_a_seat_whose_time_has_run_out(kind: str, who: int) -> None:
    t = open_prompt(kind, who)
    move = t.match.default_move(who)
    assert move in t.match.prompts[who].options
    if kind in ("turn_action", "second_wind", "spy_card", "horn_again", "surge_power"):
        assert move.verb in ("pass", "no", "none", "done")
    t.done(who, kind)


@pytest.mark.rules("KAO-R-21")
def test_the_option_of_a_turn_is_asked_although_there_is_only_one() -> None:
    t = lay(seat("red Claw"), seat("b2"))
    assert t.offered() == ["pass"]
    t.done(0, "turn_action")


def test_two_copies_of_a_card_are_two_options_with_different_notations() -> None:
    t = lay(seat("red Claw", hand="r6, r6"), seat("b2"), draw="g12").take("add_power")
    assert t.offered() == ["power r6", "power r6~2"]
    t.take("power r6~2")
    assert t.board(0)[0] == "red Claw [r6]"
    t.done(1, "turn_action")


# -- narration ---------------------------------------------------------------------------------


def all_events() -> list[tuple[Match, tuple[Any, ...]]]:
    """Events of every kind, each with the match it happened in."""
    game = rules.game("kaolan")
    decks = [deck.cards for deck in game.starter_decks.values() if "tournament" in deck.modes][:2]
    opened = [
        game.new_match("match", seats=2, seed=bytes(32)),
        game.new_match("tournament", seats=2, seed=bytes(32), decks=decks),
    ]
    pairs = [(match, event) for match in opened for event in match.opening]
    leaders = seat("red Claw [r6 | War Drums]"), seat("blue Claw"), seat("green Claw")
    raided = seat("red Claw", hand="Night Raid"), seat("b2", hand="r2, r3")
    phoenix = seat("red Claw [r6]"), seat("blue Claw [b4 | Phoenix Heart]")
    idle = seat("red Claw"), seat("b2")
    prized = tournament_seat("red Claw", prize="r2"), tournament_seat("blue Claw", prize="r3")
    played = [
        *(build() for build, _ in PROMPTS.values()),
        open_prompt("solo_play", 0).take("match pile-1"),
        lay_solo("gold Flame", own="", stock="red Claw, r2", next_step="deal", solo_deal=1),
        lay_solo("gold Flame", waste="g12", rest=False).take("recycle"),
        lay_solo("r6", waste="r6", rest=False).take("match pile-1"),
        lay_solo("r6, b2", waste="r6").take("match pile-1"),
        lay_solo("gold Flame", waste="r6", solo_deal=1).take("deal"),
        lay(*prized, mode="tournament").take("pledge").concede(0),
        open_prompt("choose_power_host", 1).take("under red Claw"),
        open_prompt("step_up", 1).take("step_up blue Flame"),
        open_prompt("swap_guard", 1).take("step_up red Flame"),
        open_prompt("replaced_card", 1).take("hand"),
        open_prompt("salvage_card", 1).take("take b12"),
        open_prompt("regroup_card", 1).take("take r6"),
        open_prompt("thorn_discard", 0).take("discard r6"),
        lay(*leaders, dice=[(1, 1), (3, 3)]).take("challenge", "seat 2").concede(2),
        lay(*raided, draw="r12", picks=[0]).take("opportunity"),
        lay(*phoenix, dice=[3, (1, 1), (3, 3)]).take("challenge"),
        lay(*idle, discard="r2", rest="removed").take("pass"),
        lay(*idle, rest="removed").take("pass"),
    ]
    for t in played:
        pairs += [(t.match, event) for event in t.history]
        t.done(*(t.asked or (None, None)))
    return pairs


def test_every_kind_of_event_is_narrated_for_every_audience() -> None:
    pairs = all_events()
    assert {event[0] for _, event in pairs} == set(BOOK.events)
    silent = set()
    for match, event in pairs:
        for viewer in (*range(match.seats), None):
            json.dumps(match.event_view(event, viewer))
            line = match.narrate(event, viewer, NAMES)
            if line is None:
                silent.add(event[0])
            else:
                assert line.endswith((".", "!"))
                assert "kao-" not in line
                assert "None" not in line
        assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event
    # what was chosen is told when it is put down
    assert silent <= {"dealt", "shuffled", "action", "chosen", "replaced", "turn_ended"}
