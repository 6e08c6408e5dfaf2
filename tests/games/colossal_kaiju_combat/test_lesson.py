"""The numbers in the lesson of Colossal Kaiju Combat are those on its table."""

from __future__ import annotations

from typing import Any

import rules
from rules.engine.lessons import LEARNER
from rules.testing import play_lesson

GAME = rules.game("colossal-kaiju-combat")
assert GAME.lesson is not None
LESSON = GAME.lesson


def texts(number: int) -> str:
    step = LESSON.step(number)
    assert step is not None
    return " ".join(saying.text for saying in step.says)


def questions() -> list[tuple[Any, Any]]:
    """The table and the question of each of the learner's steps."""
    return [
        (match.clone(), prompt) for match, prompt, _ in play_lesson(GAME) if prompt.seat == LEARNER
    ]


def preview_of(match: Any, prompt: Any, notation: str) -> dict[str, Any]:
    (move,) = [
        move for move in prompt.options if match.notation(move).partition("~")[0] == notation
    ]
    preview: dict[str, Any] = match.preview(prompt, move)
    return preview


def member(view: dict[str, Any], seat: int, slug: str) -> dict[str, Any]:
    (member,) = [row for row in view["players"][seat]["team"] if row["card"]["slug"] == slug]
    return dict(member)


def test_what_is_said_of_numbers() -> None:
    _select, attack, haymaker, brace, bluff = questions()
    pelagor = member(attack[0].view(LEARNER), 1, "pelagor")
    assert f"{pelagor['damage']} of {pelagor['fortitude']}." in texts(2)
    coming = preview_of(*haymaker, "pay haymaker")
    assert coming["values"][0]["sum"] == [["Printed", 6], ["Magmaul", 1]]
    assert "deals 6, and Magmaul adds 1" in texts(3) and coming["ferocity"] == 3
    dealt = brace[0].view(LEARNER)
    assert member(dealt, 1, "pelagor")["damage"] - pelagor["damage"] == 4
    assert "Pelagor took 4" in texts(4) and dealt["players"][1]["fury"] == 1
    coming = preview_of(*brace, "pay brace")
    assert coming["values"][0]["total"] == 3 and coming["agility"] == 1
    view = bluff[0].view(LEARNER)
    (magmaul,) = [row for row in view["combat"]["fighters"] if row["seat"] == LEARNER]
    assert magmaul["ferocity"][0] == 3 and view["players"][1]["combat_hand"]["count"] == 0
    paid = preview_of(*bluff, "pay bone-crusher")
    assert (paid["ferocity"], paid["energy"], paid["values"][0]["total"]) == (3, 1, 8)
    pelagor = member(view, 1, "pelagor")
    assert pelagor["damage"] + 8 == pelagor["fortitude"]


def test_how_the_script_ends() -> None:
    match = None
    for match, prompt, answer in play_lesson(GAME):
        later = match.clone()
        later.play(prompt.seat, later.parse(prompt.seat, answer))
    assert match is not None
    view = later.view(LEARNER)
    assert view["players"][LEARNER]["glory"] == 5 and view["glory_target"] == 10
    assert "one more kaiju" in LESSON.free
