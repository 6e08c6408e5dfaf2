"""A game's lesson, played as it is written, and what is asked of every lesson."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from rules.engine import lessons
from rules.engine.bots import choose_random
from rules.engine.chance import Chance
from rules.engine.game import Game
from rules.engine.lessons import LEARNER, TEACHER, Lesson, Saying
from rules.engine.match import Match
from rules.engine.moves import Prompt
from rules.testing.positions import ScriptedChance

LONGEST: Final = 150
"""So many characters a text may have: three lines of a phone."""
MATCHES: Final = 60
MOST_MOVES: Final = 2_000

CODE: Final = re.compile(r"\b[A-Z]{3}-[A-Z]|\w_\w|\w-(silver|gold)\b")


def play_lesson(
    game: Game, chance: Chance | None = None, lesson: Lesson | None = None
) -> Iterator[tuple[Match, Prompt, str]]:
    """The script of a game's lesson, answer by answer: the table, the question, the answer.

    The other seat goes first where both are asked, as its answers are ready.
    """
    lesson = lesson or lesson_of(game)
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


def lesson_of(game: Game) -> Lesson:
    """The lesson of a game that has one."""
    assert game.lesson is not None, f"{game.name} has no lesson"
    return game.lesson


def after_script(game: Game, chance: Chance | None = None) -> Match:
    """The table at which the learner is left alone."""
    after = lessons.begin(game, lesson_of(game), chance)
    for match, prompt, answer in play_lesson(game, chance):
        after = match.clone()
        after.play(prompt.seat, after.parse(prompt.seat, answer))
    return after


# -- what is asked of each ---------------------------------------------------------------------


def lesson_script(game: Game) -> None:
    """All steps and replies are used, at a table for two that is not over afterwards."""
    lesson = lesson_of(game)
    assert 2 in game.mode(lesson.mode).seats, f"{lesson.mode} is not for two"
    used = {LEARNER: 0, TEACHER: 0}
    for _match, prompt, _answer in play_lesson(game):
        used[prompt.seat] += 1
    written = {LEARNER: len(lesson.steps), TEACHER: len(lesson.replies)}
    assert used == written, f"{used} of {written} steps and replies are played"
    assert after_script(game).outcome is None, "the script ends the match"


def lesson_chance(game: Game) -> None:
    """With the scripted dice, of which none is left over, the same happens as with the seed."""
    scripted = ScriptedChance(lesson_of(game).dice)
    first = [match.dump() for match, *_ in play_lesson(game)]
    both = [match.dump() for match, *_ in play_lesson(game, scripted)]
    for data in [*first, *both]:
        del data["state"]["chance"]
    assert first == both, "the dice fall otherwise than they are written"
    assert not scripted.left, f"left of the script: {scripted.left}"


def lesson_answers(game: Game) -> None:
    """Where several answers are meant, the script goes on after each of them."""
    lesson = lesson_of(game)
    for number, step in enumerate(lesson.steps):
        for answer in step.answers:
            steps = [*lesson.steps]
            steps[number] = replace(step, answers=(answer,))
            chosen = replace(lesson, steps=tuple(steps))
            played = sum(1 for _ in play_lesson(game, lesson=chosen))
            assert played == len(steps) + len(lesson.replies), f"“{answer}” leads elsewhere"


def lesson_pointers(game: Game) -> None:
    """Check that a text points at something on the table, or that may be chosen there."""
    lesson = lesson_of(game)
    for match, prompt, _ in play_lesson(game):
        step = lesson.step(prompt.id) if prompt.seat == LEARNER else None
        for saying in step.says if step else ():
            for pointer in saying.at:
                _check_pointer(match, lesson, pointer)
    for hint in lesson.hints:
        for saying in hint.says:
            for pointer in saying.at:
                assert pointer.split()[0] != "card", f"a hint points at “{pointer}”"


def _check_pointer(match: Match, lesson: lessons.Lesson, pointer: str) -> None:
    kind, *words = pointer.split()
    targets = lessons.target_of(match, pointer)
    assert targets, f"the learner sees no {pointer}"
    for target in targets:
        if "seat" in target or "hand" in target:
            seat = target["seat"] if "seat" in target else target["hand"]
            assert 0 <= seat < match.seats, f"“{pointer}”: there is no such seat"
        if kind == "answer":
            match.parse(LEARNER, " ".join(words))
        if kind == "place":
            # A place of the board on which nothing lies yet is named by an answer that goes there.
            answers = {answer for step in lesson.steps for answer in step.answers}
            known = _slots(match.view(LEARNER)) | answers
            assert target["slot"] in known, f"the view names no slot {target['slot']}"


def _slots(value: Any) -> set[str]:
    """All slots that a view names."""
    if isinstance(value, dict):
        own = {value["slot"]} if isinstance(value.get("slot"), str) else set()
        return own.union(*map(_slots, value.values()))
    return set().union(*map(_slots, value)) if isinstance(value, (list, tuple)) else set()


def lesson_texts(game: Game) -> None:
    """No codes, nothing that shouts, and short enough to be read at the table."""
    lesson = lesson_of(game)
    texts = [saying.text for saying in _sayings(lesson)]
    texts += [step.do for step in lesson.steps] + [lesson.free]
    for text in texts:
        length = len(text.format(other="Somebody"))
        assert length <= LONGEST, f"{length} characters, {LONGEST} at most: {text}"
    for step in lesson.steps:
        assert "{" not in step.do, f"what to do names nobody: {step.do}"
    for text in [*texts, lesson.sentence, lesson.won, lesson.lost]:
        assert "!" not in text, text
        assert not CODE.search(text), f"a word of code: {text}"
        assert text.rstrip().endswith((".", "?")), f"not a sentence: {text}"


def _sayings(lesson: Lesson) -> Iterator[Saying]:
    for step in lesson.steps:
        yield from step.says
    for hint in lesson.hints:
        yield from hint.says


def lesson_afterwards(game: Game) -> None:
    """Anybody can play it to its end; each hint is due at some time, once in a match at most."""
    lesson = lesson_of(game)
    due: set[int] = set()
    for number in range(MATCHES):
        hints = _hints_in(after_script(game), lesson, Chance(number.to_bytes(32, "big")))
        assert len(hints) == len(set(hints)), f"a hint is said twice: {hints}"
        due.update(hints)
        if len(due) == len(lesson.hints):
            return
    never = set(range(len(lesson.hints))) - due
    assert not never, f"never due: {[lesson.hints[number] for number in sorted(never)]}"


def _hints_in(match: Match, lesson: Lesson, chance: Chance) -> list[int]:
    tables: list[Match] = []
    hints: list[int] = []
    for _ in range(MOST_MOVES):
        if match.outcome is not None:
            return hints
        seat = min(match.prompts)
        if seat == LEARNER:
            tables.append(match.clone())
            if len(tables) < MATCHES and (hint := lesson.hint(tables)) is not None:
                hints.append(lesson.hints.index(hint))
        match.play(seat, choose_random(match.view(seat), match.prompts[seat], chance))
    raise AssertionError(f"not over after {MOST_MOVES} moves")


LESSON_CHECKS: Final[Mapping[str, Callable[[Game], None]]] = {
    check.__name__: check
    for check in (
        lesson_script,
        lesson_chance,
        lesson_answers,
        lesson_pointers,
        lesson_texts,
        lesson_afterwards,
    )
}
