"""A game's lesson, played as it is written."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import lessons
from rules.engine.chance import Chance
from rules.engine.game import Game
from rules.engine.match import Match
from rules.engine.moves import Prompt


def play_lesson(game: Game, chance: Chance | None = None) -> Iterator[tuple[Match, Prompt, str]]:
    """The script of a game's lesson, answer by answer: the table, the question, the answer.

    The other seat goes first where both are asked, as its answers are ready.
    """
    lesson = game.lesson
    assert lesson is not None, f"{game.name} has no lesson"
    match = lessons.begin(game, lesson, chance)
    while match.outcome is None:
        seat = max(match.prompts)
        prompt = match.prompts[seat]
        step = lesson.step(prompt.id)
        meant = step.answers[0] if step else None
        answer = lesson.reply(prompt.id) if seat else meant
        if answer is None:
            break
        yield match, prompt, answer
        match.play(seat, match.parse(seat, answer))
