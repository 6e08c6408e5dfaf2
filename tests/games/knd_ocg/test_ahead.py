"""Conditional moves in KND: OCG: attacks on whoever is Active then, and the discard out of turn."""

from __future__ import annotations

import pytest

import rules
from matches.queries.ahead import Plan, PlanStep, Unplayed, answer_of
from tests.games.knd_ocg.table import duel, hp
from tests.games.knd_ocg.test_characters import ROSA, TESS, own

GAME = rules.game("knd-ocg")


def test_an_attack_on_whoever_is_active() -> None:
    t = duel(own("milo-the-mole"), TESS)
    own_card, target = t.state.active
    prompt = t.match.prompts[0]
    plan = Plan((f"active-{target}",), (PlanStep("play", [f"basic-{own_card}"]),))
    move = answer_of(plan, 0, t.match, prompt)
    assert not isinstance(move, Unplayed)
    assert t.match.notation(move).startswith("basic milo-the-mole~")
    assert move in prompt.options
    other = Plan(("empty-1",), plan.steps)
    assert answer_of(other, 0, t.match, prompt) is Unplayed.NOT_MET
    same_turn = Plan((), plan.steps, turn=t.match.view(0)["turn"]["number"])
    assert answer_of(same_turn, 0, t.match, prompt) is Unplayed.TOO_EARLY
    t.done(0, "play")


def test_energy_first_and_then_an_attack() -> None:
    t = duel(own("milo-the-mole", hand=["L"]), ROSA)
    choices = {choice.says: choice for choice in GAME.ahead["play"].choices_at(t.match.sight(0))}
    attach = choices["attach Leader Energy to Milo the Mole"]
    attack = choices["Basic Attack with Milo the Mole"]
    plan = Plan((), (PlanStep("play", [attach.key]), PlanStep("play", [attack.key])))
    for number in range(2):
        move = answer_of(plan, number, t.match, t.match.prompts[0])
        assert not isinstance(move, Unplayed)
        t.match.play(0, move)
    assert hp(t, 1, "relay-rosa") < 40
    t.done(1, "play")


@pytest.mark.rules("KND-R-59")
def test_a_discard_that_the_opponent_demands() -> None:
    t = duel(own("whisper-wes", "1S"), {**ROSA, "hand": ["L", "D", "D"]})
    choices = GAME.ahead["discard-own"].choices_at(t.match.sight(1))
    assert [choice.says for choice in choices] == [
        "discard Leader Energy",
        "discard Defender Energy (1)",
        "discard Defender Energy (2)",
    ]
    t.take("attack1 whisper-wes relay-rosa")
    prompt = t.match.prompts[1]
    plan = Plan((), (PlanStep("discard-own", ["card-999", choices[1].key]),))
    assert answer_of(plan, 0, t.match, prompt) == choices[1].move
    assert {choice.move for choice in choices} == {*prompt.options}
    t.done(1, "discard-own")
