"""Lessons of all games: the script can be played, what it points at is there, its dice fall so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import rules
from rules.engine import lessons
from rules.engine.game import Game
from rules.testing.commands import main
from rules.testing.lessons import LESSON_CHECKS, lesson_of

GAMES = [game for game in rules.games().values() if game.lesson is not None]
each_game = pytest.mark.parametrize("game", GAMES, ids=[game.slug for game in GAMES])


def test_two_games_have_one() -> None:
    assert len(GAMES) >= 2


@pytest.mark.parametrize("check", LESSON_CHECKS.values(), ids=list(LESSON_CHECKS))
@each_game
def test_what_is_asked_of_every_lesson(game: Game, check: Any) -> None:
    check(game)


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
    with pytest.raises(ValueError, match="“nobody” is not a bot"):
        with_(partner="nobody")
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
    output = capsys.readouterr().out
    assert lesson_of(game).steps[-1].do in output
    assert lessons.seed_for((4, 2), "any") == lessons.seed_for((4, 2), "any")
    chance = lessons.begin(game, replace(lesson_of(game), seed=lessons.seed_for((4, 2), "any")))
    assert [chance.state.chance.die() for _ in range(2)] == [4, 2]


def test_a_game_without_a_lesson_has_none_to_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(GAMES[0]), "lesson", None)
    assert main(["lesson", GAMES[0].slug]) == 1


def test_a_lesson_names_its_partner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is said it is the first bot, the weakest; another one is another edition."""
    game = GAMES[0]
    usual = lesson_of(game)
    first, *_, best = game.bots
    assert usual.partner == first != best
    data = lessons.load_toml(game.package, lessons.FILE) | {"partner": best}
    monkeypatch.setattr(lessons, "load_toml", lambda *_, **__: data)
    named = lessons.load_lesson(game)
    assert named is not None and named.partner == best and named.edition != usual.edition
