"""Conditional moves in Colossal Kaiju Combat: what their conditions and choices go by."""

from __future__ import annotations

import pytest

import rules
from rules.engine.chance import named_seed
from rules.engine.match import Match
from rules.engine.moves import Prompt
from rules.testing.playouts import playout, random_setup

GAME = rules.game("colossal-kaiju-combat")


def asked(kind: str) -> tuple[Match, Prompt]:
    """A random match in which somebody is asked this."""
    for number in range(10):
        setup = random_setup(GAME, GAME.modes["standard"], named_seed(f"ahead {number}"))
        for match, _ply, _events in playout(setup):
            for prompt in match.prompts.values():
                if prompt.kind == kind:
                    return match, prompt
    pytest.fail(f"Nobody was ever asked {kind}.")


def holding(match: Match, prompt: Prompt, prefix: str) -> list[str]:
    sight = match.sight(prompt.seat, prompt=prompt)
    rows = GAME.ahead[prompt.kind].conditions_at(sight)
    return [row.key for row in rows if row.holds and row.key.startswith(prefix)]


def offered(match: Match, prompt: Prompt) -> set[str]:
    sight = match.sight(prompt.seat, prompt=prompt)
    choices = GAME.ahead[prompt.kind].choices_at(sight)
    return {choice.key for choice in choices if choice.move in prompt.options}


@pytest.mark.rules("CKC-A-05")
def test_who_challenges_whom() -> None:
    match, prompt = asked("challenge_reply")
    challenger, victim = prompt.context
    assert holding(match, prompt, "by-") == [f"by-{challenger}"]
    assert holding(match, prompt, "at-") == [f"at-{victim}"]
    assert offered(match, prompt) == {"accept", "decline"}


@pytest.mark.rules("CKC-C-03")
def test_who_is_attacked_by_whom() -> None:
    match, prompt = asked("shield")
    assert holding(match, prompt, "at-") == [f"at-{prompt.context[0]}"]
    combat = match.state.combat
    by = {f"by-{plan[0]}" for plan in combat.sword_plans if plan[1] == prompt.context[0]}
    assert set(holding(match, prompt, "by-")) == by
    assert "none" in offered(match, prompt)


@pytest.mark.rules("CKC-R-59")
@pytest.mark.parametrize("kind", ["react_start", "react_end", "ambush"])
def test_the_cards_of_a_window(kind: str) -> None:
    match, prompt = asked(kind)
    assert offered(match, prompt) == {
        "no" if move.card is None else f"play-{move.card}" for move in prompt.options
    }


def test_before_it_is_asked_no_challenge_holds() -> None:
    match, prompt = asked("challenge_reply")
    conditions = GAME.ahead[prompt.kind].conditions_at(match.sight(prompt.seat))
    assert not any(row.holds for row in conditions if row.key.startswith(("by-", "at-")))
    assert any("challenges" in row.says for row in conditions)
