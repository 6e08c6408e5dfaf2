"""The numbers in KND: OCG's lesson are those of its table."""

from __future__ import annotations

from typing import Any

import rules
from rules.engine.lessons import LEARNER
from rules.testing import play_lesson

GAME = rules.game("knd-ocg")
assert GAME.lesson is not None
LESSON = GAME.lesson


def words(number: int) -> str:
    step = LESSON.step(number)
    assert step is not None
    return " ".join(saying.text for saying in step.says)


def test_the_sums_that_it_works_out() -> None:
    seen: dict[int, dict[str, Any]] = {}
    foreseen: dict[int, Any] = {}
    ready: dict[int, set[str]] = {}
    for match, prompt, answer in play_lesson(GAME):
        if prompt.seat == LEARNER:
            seen[prompt.id] = match.view(LEARNER)
            foreseen[prompt.id] = match.preview(prompt, match.parse(LEARNER, answer))
            ready[prompt.id] = {move.verb for move in prompt.options}
    first, second = seen[1]["players"]
    assert (first["fallen"], second["fallen"]) == (0, 2) and "lost two" in words(1)
    assert "attack1" not in ready[3] and "lacks one Energy" in words(3)
    blow = foreseen[3]
    assert (blow["power"], blow["defence"], blow["loss"]) == (35, 10, 25)
    assert "AP 35" in words(3) and "DP 10" in words(3) and "25" in words(3)
    hurt = seen[4]["players"][0]["active"]
    assert hurt["hp"] == 25 and "is 15, so Numbuh 4 has 25 HP left" in words(4)
    assert seen[7]["players"][0]["active"]["hp"] == 40 and "all 40" in words(5)
    blow = foreseen[7]
    assert (blow["power"], blow["power"] - blow["defence"], blow["defeats"]) == (55, 45, True)
    assert seen[7]["players"][1]["active"]["hp"] == 30 and "of its 30 HP" in words(7)
    assert not seen[7]["clash"][LEARNER]["defeats"], "only the attack that it asks for defeats"
    assert seen[8]["players"][1]["fallen"] == 3 and "the third" in words(8)
    assert seen[8]["clash"][LEARNER]["loss"] == 10 and "only 10" in words(8)
    blow, standing = foreseen[9], seen[9]["players"][1]["active"]
    assert (blow["power"], blow["loss"], standing["hp"]) == (70, 45, 45) and "70" in words(9)
    assert len(seen) == len(LESSON.steps) == 9
