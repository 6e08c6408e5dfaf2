"""Texts and accepted answers of a lesson at a stored match, read from the table alone.

A lesson is an ordinary match from a prepared table (``docs/decisions/0022``). As long as its script
lasts, the learner's questions have steps and the bot's have replies; then it is a match like any
other, with hints.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from matches import engine
from matches.errors import NoLesson, NothingToTakeBack, NotYet, RulesChanged
from matches.models import Match, MoveRow, Status
from rules.engine.errors import IllegalMove
from rules.engine.game import Game
from rules.engine.lessons import LEARNER, TEACHER, Lesson, Saying, Step, target_of
from rules.engine.moves import Move, Prompt


@dataclass(frozen=True, slots=True)
class Said:
    """One short text, and what it points at: targets as ``rules.engine.lessons.target_of`` says."""

    text: str
    at: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Guide:
    """The texts of a lesson at a table now.

    ``step`` is the learner's question that the script speaks of, None where it is free; a reader
    counts it as ``number`` of ``count``. ``answers`` are those that are meant, in notation.
    ``over`` says that the match is.
    """

    step: int | None
    number: int
    count: int
    says: list[Said]
    do: str = ""
    answers: tuple[str, ...] = ()
    asked: bool = False
    over: bool = False


def lesson_for(game: Game) -> Lesson:
    """The lesson of a game; raises ``NoLesson``."""
    if game.lesson is None:
        raise NoLesson(f"{game.name} has no tutorial yet. Its page has the rules.")
    return game.lesson


def lesson_of(match: Match) -> Lesson | None:
    """The lesson that a match goes by; None where there is none, or another one by now."""
    if not match.lesson:
        return None
    lesson = engine.game_of(match).lesson
    return lesson if lesson is not None and lesson.edition == match.lesson else None


def is_guided(match: Match, table: engine.Table) -> bool:
    """True while the script lasts: then nothing is undone."""
    lesson = lesson_of(match)
    return lesson is not None and table.state.asked[LEARNER] <= len(lesson.steps)


def require_alone(match: Match, table: engine.Table) -> None:
    """Raises ``NothingToTakeBack`` while the script lasts: its steps belong to the questions."""
    if is_guided(match, table):
        raise NothingToTakeBack("You can’t undo moves while the tutorial guides you.")


def require_meant(match: Match, table: engine.Table, prompt: Prompt, move: Move) -> None:
    """Raises ``NotYet`` for an answer that the lesson does not mean now."""
    step = _step(match, table, prompt)
    if step is None or move not in prompt.options or move in _meant(table, prompt, step.answers):
        return
    raise NotYet(f"Not yet. {step.do}", offered=list(step.answers))


def reply(match: Match, table: engine.Table, prompt: Prompt) -> Move | None:
    """The answer that the script has for the other seat; None where it has none to play."""
    lesson = lesson_of(match)
    answer = None if lesson is None or prompt.seat != TEACHER else lesson.reply(prompt.id)
    return None if answer is None else next(iter(_meant(table, prompt, [answer])), None)


def _step(match: Match, table: engine.Table, prompt: Prompt | None) -> Step | None:
    """The step of a question of the learner, if one of its answers is offered."""
    lesson = lesson_of(match)
    if lesson is None or prompt is None or prompt.seat != LEARNER:
        return None
    step = lesson.step(prompt.id)
    return step if step is not None and _meant(table, prompt, step.answers) else None


def _meant(table: engine.Table, prompt: Prompt, answers: Iterable[str]) -> list[Move]:
    """The options that answers in notation stand for."""
    moves = []
    for answer in answers:
        try:
            moves.append(table.parse(prompt.seat, answer))
        except IllegalMove:
            continue
    return moves


def guide(match: Match, table: engine.Table, names: Sequence[str]) -> Guide | None:
    """The texts for the learner at this table; None where the lesson has changed."""
    lesson = lesson_of(match)
    if lesson is None:
        return None
    steps = len(lesson.steps)
    other = names[TEACHER]

    def at(step: int | None, says: list[Said], **more: Any) -> Guide:
        return Guide(step, lesson.number(step or 0), lesson.number(steps), says, **more)

    if table.outcome is not None:
        text = lesson.won if LEARNER in table.outcome.winners else lesson.lost
        return at(None, [Said(text.format(other=other), [])], over=True)
    prompt = table.prompts.get(LEARNER)
    step = _step(match, table, prompt)
    if prompt is not None and step is not None:
        says = _said(table, step.says, other)
        answers = tuple(table.notation(move) for move in _meant(table, prompt, step.answers))
        return at(prompt.id, says, do=step.do, answers=answers, asked=True)
    if prompt is None and table.state.asked[LEARNER] <= steps:
        return at(table.state.asked[LEARNER], [])
    hint = lesson.hint(list(_asked_freely(match, table, lesson))) if prompt is not None else None
    says = [] if hint is None else _said(table, hint.says, other)
    if prompt is not None and prompt.id == steps + 1:
        says = [*says, Said(lesson.free.format(other=other), [])]
    return at(None, says, asked=prompt is not None)


def _said(table: engine.Table, sayings: Iterable[Saying], other: str) -> list[Said]:
    return [
        Said(
            saying.text.format(other=other),
            [target for at in saying.at for target in target_of(table, at)],
        )
        for saying in sayings
    ]


def _asked_freely(match: Match, table: engine.Table, lesson: Lesson) -> list[engine.Table]:
    """The tables at which the learner was asked something since the script has ended.

    The match is played again for it, so that nothing has to be remembered of what was said.
    """
    rows = MoveRow.objects.filter(match=match, ply__lte=match.ply).order_by("ply")
    seats = list(match.seats.all())
    tables: list[engine.Table] = []
    last = len(lesson.steps)
    try:
        for then in engine.replayed(match, seats, list(rows.values_list("seat", "move"))):
            prompt = then.prompts.get(LEARNER)
            if prompt is not None and prompt.id > last:
                tables.append(then.clone())
                last = prompt.id
    except RulesChanged:
        return [table]
    return tables or [table]


def running(user: Any, game: Game) -> Match | None:
    """The lesson of this game that somebody has begun and not ended."""
    matches = Match.objects.filter(
        seats__user=user.pk, seats__number=LEARNER, game=game.slug, status=Status.RUNNING
    )
    return matches.exclude(lesson="").order_by("-created_at", "-pk").first()
