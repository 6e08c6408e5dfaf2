"""The numbers in the lesson of Battle Krabz are those of its table."""

from __future__ import annotations

import re

import rules
from rules.engine.lessons import LEARNER
from rules.testing import play_lesson

GAME = rules.game("battle-krabz")
assert GAME.lesson is not None
LESSON = GAME.lesson


def test_scores() -> None:
    """310 against 260, boosted to 500 against 380; then two Warriors of the other are gone."""
    lines: list[str] = []
    for match, prompt, answer in play_lesson(GAME):
        later = match.clone()
        for event in later.play(prompt.seat, later.parse(prompt.seat, answer)):
            lines.append(later.narrate(event, LEARNER, ["You", "Drifter"]) or "")
    assert [line for line in lines if "score" in line or "wins" in line] == [
        "You scores 310: 190 Strength + 20 Special + 50 Domain + 50 Colour.",
        "Drifter scores 260: 230 Strength + 30 Special.",
        "Gloom Gull (Gold): Drifter now scores 380: 260 + 120 Booster.",
        "Kite Krab (Silver), Eagle Krab (Silver): You now scores 500: 310 + 190 Booster.",
        "You wins the Battle, 500 to 380.",
    ]
    words = " ".join(saying.text for step in LESSON.steps for saying in step.says)
    assert {"310", "260", "380", "500"} <= set(re.findall(r"\d+", words))
    assert later.view(LEARNER)["players"][LEARNER]["score"] == 2
    assert "2 of 4" in LESSON.hints[0].says[0].text and LESSON.options["target"] == 4


def test_of_one_domain_and_one_colour() -> None:
    """Kite Krab and Eagle Krab, as the text says; and what Kite Krab brings by itself."""
    kite, eagle = (GAME.catalog[f"{name}-krab-silver"] for name in ("kite", "eagle"))
    assert kite["domain"] == eagle["domain"] == "sky"
    assert "(Silver)" in kite.title and "(Silver)" in eagle.title
    assert (kite["attack"], kite["special"], kite["condition"]) == (100, 20, "attack")
    assert eagle["attack"] + 50 + 50 == 190
