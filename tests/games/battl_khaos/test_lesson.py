"""The numbers in the lesson of Batt'l Kha'os are those of its table."""

from __future__ import annotations

from typing import Any

import rules
from rules.engine.lessons import LEARNER
from rules.testing import play_lesson

GAME = rules.game("battl-khaos")
assert GAME.lesson is not None
LESSON = GAME.lesson


def texts(number: int) -> str:
    step = LESSON.step(number)
    assert step is not None
    return " ".join(saying.text for saying in step.says)


def tower(view: dict[str, Any], x: int) -> dict[str, Any]:
    (tower_view,) = (cell["tower"] for cell in view["board"] if (cell["x"], cell["y"]) == (x, 0))
    return dict(tower_view)


def results(view: dict[str, Any], x: int) -> list[str | None]:
    return [corner["result"] for corner in tower(view, x)["corners"]]


def test_corners_towers_and_points() -> None:
    seen = {
        prompt.id: (match.view(LEARNER), match.clone())
        for match, prompt, _ in play_lesson(GAME)
        if prompt.seat == LEARNER
    }
    start = seen[1][0]
    assert start["players"][LEARNER]["side"] == "O" and start["target"] == 7
    assert results(start, 0) == ["K", None, None, "N"] and tower(start, 0)["value"] == 2
    assert "one corner of Oathstone, and one is neutral. One tile decides the other two" in texts(1)
    drawing = seen[5][0]
    assert results(drawing, 0) == ["K", "O", "O", "N"] and tower(drawing, 0)["owner"] == "O"
    sums = [(corner["orcs"], corner["knights"]) for corner in tower(drawing, 0)["corners"]]
    assert sums[1:3] == [(2, 1), (2, 1)] and "two orcs against one knight" in texts(3)
    assert drawing["players"][LEARNER]["score"] == 2 and "That makes two points" in texts(5)
    view, match = seen[9]
    assert results(view, 3) == ["K", "O", "K", "O"] and tower(view, 3)["owner"] == "K"
    assert "both sides would control two corners" in texts(6)
    match.play(LEARNER, match.parse(LEARNER, "token bkh-p-drums"))
    after = match.view(LEARNER)
    assert results(after, 3) == ["N", "O", "K", "O"] and tower(after, 3)["owner"] == "O"
    corner = tower(after, 3)["corners"][0]
    assert (corner["orcs"], corner["knights"]) == (2, 2) and "two against two" in texts(6)
    assert after["players"][LEARNER]["score"] == 5 and "five points" in LESSON.free
