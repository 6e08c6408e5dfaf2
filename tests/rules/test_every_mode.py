"""Properties of every mode of every game; a new mode is tested without being listed here.

``SIZE=large pytest tests/rules/test_every_mode.py -s -k many`` plays 10,000 matches of every mode.
A failure names the command that plays its match again.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rules
from rules.engine import lessons
from rules.engine.chance import named_seed
from rules.engine.errors import UnknownGame
from rules.engine.game import Game, Mode, Option
from rules.engine.match import Match
from rules.testing import playable_modes
from rules.testing.commands import main
from rules.testing.playouts import (
    Setup,
    check_playout,
    check_secrets,
    finish,
    random_setup,
)
from rules.testing.soaking import soak
from rules.testing.suite import CHECKS, pace, reversed_keys
from tests.games.examples import EXAMPLE, GAME
from tests.support.sizes import LARGE, shared

ROOT = Path(__file__).resolve().parents[2]

MODES = playable_modes()
MATCHES = shared(120, least=10, large=10_000)
every_mode = pytest.mark.parametrize(
    ("game", "mode"), MODES, ids=[f"{game.slug}-{mode.slug}" for game, mode in MODES]
)


def few(examples: int) -> settings:
    """Settings for equal examples in every run, however slow the machine; all modes share them."""
    return settings(
        max_examples=shared(examples, least=2, large=100),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def values(option: Option) -> st.SearchStrategy[Any]:
    """Everything that a table may agree on."""
    if option.kind == "integer":
        low, high = option.values
        number: st.SearchStrategy[Any] = st.integers(low, high)
        return number | st.just(option.word) if option.word else number
    if option.kind == "subset":
        subsets: st.SearchStrategy[Any] = st.lists(st.sampled_from(option.values), unique=True)
        return subsets | st.just(option.word) if option.word else subsets
    return st.sampled_from(option.values)


@st.composite
def setups(draw: st.DrawFn, game: Game, mode: Mode) -> Setup:
    """A match of this mode: any seats, any options, any seed."""
    return Setup(
        game,
        mode,
        seats=draw(st.sampled_from(mode.seats)),
        seed=draw(st.binary(min_size=32, max_size=32)),
        options={option.slug: draw(values(option)) for option in mode.options},
    )


def test_there_is_something_to_test() -> None:
    """Every game that has a table; one that is only collected yet has nothing to be played."""
    assert {game.slug for game, _mode in MODES} >= {GAME}
    assert {game.slug for game, _mode in MODES} == {
        game.slug for game in rules.games().values() if game.table is not None
    }


DRAWN_BELOW = () if LARGE else ("promises", "secrets")
"""The checks that matches made up by Hypothesis, and those of ``soak``, go through."""
SLOW = ("processes",)
ASKED = [
    pytest.param(check, id=name, marks=pytest.mark.slow if name in SLOW else ())
    for name, check in CHECKS.items()
    if name not in DRAWN_BELOW
]


@pytest.mark.parametrize("check", ASKED)
@every_mode
def test_what_is_asked_of_every_mode(game: Game, mode: Mode, check: Any) -> None:
    check(game, mode)


# -- the promises, in random matches ---------------------------------------------------------------


@pytest.mark.slow
@every_mode
def test_all_promises_hold_in_random_matches(game: Game, mode: Mode) -> None:
    @few(12)
    @given(setups(game, mode))
    def run(setup: Setup) -> None:
        check_playout(setup, every=pace(setup))

    run()


@pytest.mark.slow
@every_mode
def test_many_matches(game: Game, mode: Mode) -> None:
    """``SIZE=large`` for 10,000 of each mode; the report says what they came to."""
    report = soak(game, mode, MATCHES, "soak")
    print(f"\n{game.slug} {mode.slug}: {report}")
    assert report.matches == MATCHES
    assert report.views >= MATCHES * (1 + mode.seats[0])
    assert report.moved


def test_many_matches_find_a_view_that_tells_too_much(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In every single match, at a point of it that its seed draws."""
    honest = Match.view

    def leaky(self: Match, seat: int | None) -> dict[str, Any]:
        zones = [[name, owner, list(cards)] for name, owner, cards in self.state.zones()]
        return {**honest(self, seat), "zones": zones}

    game, mode = EXAMPLE, EXAMPLE.modes["match"]
    monkeypatch.setattr(Match, "view", leaky)
    for number in range(3):
        setup = random_setup(game, mode, named_seed(f"a leak {number} 0"))
        with pytest.raises(AssertionError, match="would notice another deal") as caught:
            soak(game, mode, 1, f"a leak {number}")
        (note,) = caught.value.__notes__
        words = shlex.split(note.removeprefix("To see it: "))
        assert words[:5] == ["python", "-m", "rules.testing", "secrets", GAME]
        assert words[words.index("--seed") + 1] == setup.seed.hex()
        assert main(words[3:]) == 1, "the command shows the same"
        assert "would notice another deal by its view → zones" in capsys.readouterr().out


# -- secrecy ---------------------------------------------------------------------------------------


@pytest.mark.slow
@every_mode
def test_nobody_notices_when_what_they_cannot_see_is_dealt_anew(game: Game, mode: Mode) -> None:
    @few(12)
    @given(setups(game, mode))
    def run(setup: Setup) -> None:
        assert check_secrets(setup, every=pace(setup))

    run()


@every_mode
def test_a_result_says_what_each_seat_has_reached(game: Game, mode: Mode) -> None:
    """Whoever is out is said to be out, whatever it has scored."""
    if mode.seats[-1] == 1:
        pytest.skip("one seat, one score")
    setup = Setup(game, mode, mode.seats[-1], named_seed("what was reached"))
    match = setup.start()
    finish(match, setup.chance("players"))
    view = match.view(None)
    for seat in range(match.seats):
        words = game.text.standing(view, seat)
        assert words
        assert not game.text.is_out(view, seat) or words.endswith(("out", "eliminated"))


# -- bad input -------------------------------------------------------------------------------------


def test_unknown_games_and_modes_are_named() -> None:
    with pytest.raises(UnknownGame, match="no game “chess”"):
        rules.game("chess")
    with pytest.raises(UnknownGame, match="no mode “blitz”"):
        EXAMPLE.new_match("blitz", seats=2, seed=bytes(32))


# -- what is stored --------------------------------------------------------------------------------


def test_the_order_of_keys_in_a_layout_means_nothing() -> None:
    for game in {game.slug: game for game, _ in MODES}.values():
        if lesson := game.lesson:
            twin = replace(lesson, table=reversed_keys(lesson.table))
            assert lessons.begin(game, twin).dump() == lessons.begin(game, lesson).dump()


# -- a failing match says how to see it again ------------------------------------------------------


def test_a_failure_names_the_command_that_plays_its_match_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, mode = MODES[0]
    setup = random_setup(game, mode, named_seed("note"))
    monkeypatch.setattr(Match, "label", lambda self, move, names=None: "")
    with pytest.raises(AssertionError, match="has no label") as caught:
        check_playout(setup)
    assert caught.value.__notes__ == [f"To see it again: {setup.command}"]
    words = setup.command.split("'")[0].split()
    assert words[:5] == ["python", "-m", "rules.testing", "check", game.slug]
    assert words[words.index("--seed") + 1] == setup.seed.hex()
