"""The numbers in Kaolan's lesson are those of its table."""

from __future__ import annotations

from typing import Any

import rules
from rules.engine.lessons import LEARNER, TEACHER
from rules.testing import play_lesson

GAME = rules.game("kaolan")
assert GAME.lesson is not None
LESSON = GAME.lesson


def texts(number: int) -> list[str]:
    step = LESSON.step(number)
    assert step is not None
    return [saying.text for saying in step.says]


def leaders(view: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The spots of the learner's Leader and of the other's."""
    mine, theirs = (player["board"][0] for player in view["players"])
    return mine, theirs


def test_chances_and_dice() -> None:
    seen = {
        (prompt.seat, prompt.id): match.view(LEARNER)
        for match, prompt, _ in play_lesson(GAME)
        if prompt.seat == LEARNER
    }
    mine, theirs = leaders(seen[0, 1])
    assert mine["ways"] == 10 and "10 of the 36 rolls" in texts(1)[2]
    assert [card["slug"] for card in theirs["powers"]] == ["kao-pow-green-05"]
    mine, theirs = leaders(seen[0, 3])
    assert mine["ways"] == 16 and "16 of the 36 rolls" in texts(1)[3]
    faces = ", ".join(map(str, GAME.catalog[mine["card"]["slug"]]["faces"]))
    assert faces.replace(", 6", " or 6") in texts(3)[1]
    assert [card["slug"] for card in theirs["powers"]] == ["kao-pow-green-05"]
    _, theirs = leaders(seen[0, 4])
    assert theirs["card"]["slug"] == "kao-char-blue-flame"


def test_what_happens() -> None:
    """The Challenge hits with a 7, and the one in return is escaped with a 7."""
    lines: list[str] = []
    for match, prompt, answer in play_lesson(GAME):
        later = match.clone()
        for event in later.play(prompt.seat, later.parse(prompt.seat, answer)):
            lines.append(later.narrate(event, LEARNER, ["You", "Drifter"]) or "")
    assert "You rolls 3 and 4 (7): a hit." in lines
    assert "Drifter's Green Stinger is defeated." in lines
    assert "You rolls 5 and 2 (7): an escape." in lines
    assert LESSON.replies[0] == "pass" and TEACHER == 1
