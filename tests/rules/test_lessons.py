"""Lessons of all games: the script can be played, what it points at is there, its dice fall so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import rules
from rules.engine import lessons
from rules.engine.bots import choose_random
from rules.engine.chance import Chance
from rules.engine.game import Game
from rules.engine.lessons import LEARNER, TEACHER, Lesson, Saying
from rules.engine.match import Match
from rules.testing import ScriptedChance, play_lesson
from rules.testing.commands import main

LONGEST = 150
"""So many letters a text may have: three lines of a phone."""

GAMES = [game for game in rules.games().values() if game.lesson is not None]
each_game = pytest.mark.parametrize("game", GAMES, ids=[game.slug for game in GAMES])


def lesson_of(game: Game) -> Lesson:
    assert game.lesson is not None
    return game.lesson


def sayings(lesson: Lesson) -> Iterator[Saying]:
    for step in lesson.steps:
        yield from step.says
    for hint in lesson.hints:
        yield from hint.says


def after_script(game: Game, chance: Chance | None = None) -> Match:
    """The table at which the learner is left alone."""
    match = lessons.begin(game, lesson_of(game), chance)
    for match, prompt, answer in play_lesson(game, chance):
        last = match.clone()
        last.play(prompt.seat, last.parse(prompt.seat, answer))
    return last


def test_two_games_have_one() -> None:
    assert len(GAMES) >= 2


@each_game
def test_the_script_is_played_to_its_end(game: Game) -> None:
    """All of its steps and replies are used, in a table that is neither over nor asks nobody."""
    lesson = lesson_of(game)
    assert lesson.mode in game.modes
    assert 2 in game.mode(lesson.mode).seats
    used = {LEARNER: 0, TEACHER: 0}
    for _match, prompt, _answer in play_lesson(game):
        used[prompt.seat] += 1
    assert used == {LEARNER: len(lesson.steps), TEACHER: len(lesson.replies)}
    assert after_script(game).outcome is None


@each_game
def test_the_dice_fall_as_written(game: Game) -> None:
    """With the scripted dice, of which none is left over, the same happens as with the seed."""
    lesson = lesson_of(game)
    scripted = ScriptedChance(lesson.dice)
    first = [match.dump() for match, *_ in play_lesson(game)]
    both = [match.dump() for match, *_ in play_lesson(game, scripted)]
    for one in [*first, *both]:
        del one["state"]["chance"]
    assert first == both
    assert scripted.left == ""


@each_game
def test_each_answer_that_is_meant_leads_on(game: Game) -> None:
    """Where several answers are meant, the script goes on after each of them."""
    lesson = lesson_of(game)
    for number, step in enumerate(lesson.steps):
        for answer in step.answers:
            steps = [*lesson.steps]
            steps[number] = replace(step, answers=(answer,))
            game.__dict__["lesson"] = replace(lesson, steps=tuple(steps))
            try:
                played = sum(1 for _ in play_lesson(game))
            finally:
                game.__dict__["lesson"] = lesson
            assert played == len(lesson.steps) + len(lesson.replies), answer


@each_game
def test_what_it_points_at_is_there(game: Game) -> None:
    lesson = lesson_of(game)
    for match, prompt, _ in play_lesson(game):
        if prompt.seat == LEARNER:
            step = lesson.step(prompt.id)
            assert step is not None
            for saying in step.says:
                for pointer in saying.at:
                    assert_there(match, pointer)
    for hint in lesson.hints:
        for saying in hint.says:
            assert all(pointer.split()[0] != "card" for pointer in saying.at)


def assert_there(match: Match, pointer: str) -> None:
    """The learner sees it on the table, or may choose it."""
    kind, *words = pointer.split()
    found = lessons.target_of(match, pointer)
    assert found, f"the learner sees no {pointer}"
    for target in found:
        if "seat" in target or "hand" in target:
            assert 0 <= target.get("seat", target.get("hand")) < match.seats, pointer
        if kind == "answer":
            assert match.parse(LEARNER, " ".join(words))
        if kind == "place":
            assert words[0] in slots(match.view(LEARNER)), pointer


def slots(shown: Any) -> set[str]:
    """All slots that a view names."""
    if isinstance(shown, dict):
        own = {shown["slot"]} if isinstance(shown.get("slot"), str) else set()
        return own.union(*map(slots, shown.values()))
    return set().union(*map(slots, shown)) if isinstance(shown, (list, tuple)) else set()


@each_game
def test_texts_are_short_and_for_people(game: Game) -> None:
    """No codes, nothing that shouts, and short enough to be read at the table."""
    lesson = lesson_of(game)
    texts = [saying.text for saying in sayings(lesson)]
    texts += [step.do for step in lesson.steps] + [lesson.free]
    for text in texts:
        told = text.format(other="Somebody")
        assert len(told) <= LONGEST, (len(told), told)
    assert not any("{" in step.do for step in lesson.steps)
    for text in [*texts, lesson.sentence, lesson.won, lesson.lost]:
        assert "!" not in text, text
        assert not re.search(r"\b[A-Z]{3}-[A-Z]|\w_\w|\w-(silver|gold)\b", text), text
        assert text.rstrip().endswith((".", "?")), text


@each_game
def test_afterwards_it_is_a_match_like_any_other(game: Game) -> None:
    """It is played to its end by anybody, and each hint is due at some time, once at most."""
    lesson = lesson_of(game)
    due: set[int] = set()
    for number in range(60):
        match = after_script(game).clone()
        chance = Chance(number.to_bytes(32, "big"))
        asked: list[Match] = []
        said: list[int] = []
        for _ in range(2_000):
            if match.outcome is not None:
                break
            seat = min(match.prompts)
            if seat == LEARNER:
                asked.append(match.clone())
                if len(asked) < 60 and (hint := lesson.hint(asked)) is not None:
                    said.append(lesson.hints.index(hint))
            match.play(seat, choose_random(match.view(seat), match.prompts[seat], chance))
        assert match.outcome is not None
        assert len(said) == len(set(said))
        due.update(said)
        if len(due) == len(lesson.hints):
            break
    assert due == set(range(len(lesson.hints)))


def test_what_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that is none, a pointer to nothing that there is, a question that is never asked."""
    game = GAMES[0]
    fine = lessons.load_toml(game.package, lessons.FILE)

    def with_(**changed: Any) -> None:
        monkeypatch.setattr(lessons, "load_toml", lambda *_, **__: fine | changed)
        lessons.load_lesson(game)

    with_()
    with pytest.raises(ValueError, match=r"has clock; here may stand"):
        with_(clock="live")
    with pytest.raises(ValueError, match="“button next”"):
        with_(hint=[{"says": [{"text": "So.", "at": ["button next"]}]}])
    with pytest.raises(ValueError, match="“never” is no question"):
        with_(hint=[{"kind": "never", "says": [{"text": "So."}]}])


def test_another_script_is_another_edition() -> None:
    """Texts may be mended under a lesson that is being taken; its table and answers may not."""
    lesson = lesson_of(GAMES[0])
    step = lesson.steps[0]
    mended = replace(lesson, steps=(replace(step, do="Now."), *lesson.steps[1:]), free="Go on.")
    assert mended.edition == lesson.edition
    other = replace(lesson, steps=(replace(step, answers=("pass",)), *lesson.steps[1:]))
    assert other.edition != lesson.edition
    assert replace(lesson, seed=bytes(32)).edition != lesson.edition


def test_the_command_shows_a_lesson_and_finds_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    game = GAMES[0]
    assert main(["lesson", game.slug]) == 0
    shown = capsys.readouterr().out
    assert lesson_of(game).steps[-1].do in shown
    assert lessons.seed_for((4, 2), "any") == lessons.seed_for((4, 2), "any")
    chance = lessons.begin(game, replace(lesson_of(game), seed=lessons.seed_for((4, 2), "any")))
    assert [chance.state.chance.die() for _ in range(2)] == [4, 2]


def test_a_game_without_a_lesson_has_none_to_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(GAMES[0]), "lesson", None)
    assert main(["lesson", GAMES[0].slug]) == 1
