"""What KND: OCG's lesson says in numbers is what its table shows."""

from __future__ import annotations

from typing import Any

import rules
from rules.engine.lessons import LEARNER
from rules.testing import play_lesson

GAME = rules.game("knd-ocg")
assert GAME.lesson is not None
LESSON = GAME.lesson


def told(number: int) -> str:
    step = LESSON.step(number)
    assert step is not None
    return " ".join(saying.text for saying in step.says)


def test_the_sums_that_it_works_out() -> None:
    seen: dict[int, dict[str, Any]] = {}
    foreseen: dict[int, Any] = {}
    for match, prompt, answer in play_lesson(GAME):
        if prompt.seat == LEARNER:
            seen[prompt.id] = match.view(LEARNER)
            foreseen[prompt.id] = match.preview(prompt, match.parse(LEARNER, answer))
    first, second = seen[1]["players"]
    assert (first["fallen"], second["fallen"]) == (0, 2) and "lost two" in told(1)
    blow = foreseen[3]
    assert (blow["power"], blow["defence"], blow["loss"]) == (35, 5, 30)
    assert "AP 35" in told(3) and "DP 5" in told(3) and "30" in told(3)
    hurt = seen[4]["players"][0]["active"]
    assert hurt["hp"] == 25 and "15 HP and has 25 left" in told(4)
    assert seen[6]["players"][0]["active"]["hp"] == 40 and "all his 40" in told(5)
    blow = foreseen[6]
    assert (blow["power"] - blow["defence"], blow["defeats"]) == (50, True)
    assert seen[6]["players"][1]["active"]["hp"] == 20 and "20 HP left" in told(6)
    assert seen[7]["players"][1]["fallen"] == 3 and "the third" in told(7)
    assert seen[7]["clash"][LEARNER]["loss"] == 10 and "only 10 HP" in told(7)
    blow, standing = foreseen[8], seen[8]["players"][1]["active"]
    assert (blow["power"], blow["loss"], standing["hp"]) == (70, 45, 45) and "70" in told(8)
    assert len(seen) == len(LESSON.steps) == 8
