"""What must be true of every mode of every game; a new mode is tested without being listed here.

``RIFFLE_PLAYOUTS=10000 pytest tests/rules/test_every_mode.py -s -k many`` plays that many matches
of every mode. A failure names the command that plays its match again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rules
from rules.engine import playthrough
from rules.engine.chance import Chance
from rules.engine.errors import BadData, BadSetup, UnknownGame
from rules.engine.game import Game, Mode, Option
from rules.engine.match import Match
from rules.engine.playouts import (
    Exerciser,
    Setup,
    check_playout,
    check_secrets,
    named_seed,
    playout,
    random_setup,
)
from rules.testing import playable_modes, soak

ROOT = Path(__file__).resolve().parents[2]
MATCHES = int(os.environ.get("RIFFLE_PLAYOUTS", "40"))

MODES = playable_modes()
every_mode = pytest.mark.parametrize(
    ("game", "mode"), MODES, ids=[f"{game.slug}-{mode.slug}" for game, mode in MODES]
)


def few(examples: int) -> settings:
    """The same examples in every run, however slow the machine; all modes share them."""
    return settings(
        max_examples=max(4, examples // len(MODES)),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


SMALL_TABLE = 4


def pace(setup: Setup) -> int:
    """After how many moves the costly checks come: at a large table everything costs more."""
    return 3 if setup.seats <= SMALL_TABLE else setup.seats**2 // 2


def values(option: Option) -> st.SearchStrategy[Any]:
    """Everything that a table may agree on."""
    if option.kind == "integer":
        low, high = option.values
        number: st.SearchStrategy[Any] = st.integers(low, high)
        return number | st.just(option.word) if option.word else number
    if option.kind == "subset":
        some: st.SearchStrategy[Any] = st.lists(st.sampled_from(option.values), unique=True)
        return some | st.just(option.word) if option.word else some
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
    assert {game.slug for game, _mode in MODES} >= {"kaolan"}
    assert {game.slug for game, _mode in MODES} == {
        game.slug for game in rules.games().values() if game.table is not None
    }


# -- the promises, in random matches ---------------------------------------------------------------


@every_mode
def test_all_promises_hold_in_random_matches(game: Game, mode: Mode) -> None:
    @few(12)
    @given(setups(game, mode))
    def run(setup: Setup) -> None:
        check_playout(setup, every=pace(setup))

    run()


@every_mode
def test_the_restored_twin_is_equal_after_every_move(game: Game, mode: Mode) -> None:
    """At a large table it is compared now and then, but plays every move."""
    for seats in mode.seats:
        seed = named_seed(f"twin {seats}")
        setup = Setup(game, mode, seats, seed, random_setup(game, mode, seed).options)
        check_playout(setup, every=1 if seats <= SMALL_TABLE else 2 * seats)


@every_mode
def test_every_value_of_every_option_starts_for_every_number_of_seats(
    game: Game, mode: Mode
) -> None:
    for option in mode.options:
        all_of_it = [list(option.values)] if option.kind == "subset" else list(option.values)
        words = [option.word] if option.word else []
        none_of_it = [[]] if option.kind == "subset" else []
        for value in [*all_of_it, *none_of_it, *words]:
            for seats in mode.seats:
                setup = Setup(game, mode, seats, named_seed("values"), {option.slug: value})
                match = setup.start()
                assert match.seats == seats
                assert match.prompts
                assert match.options[option.slug] == value


@every_mode
def test_many_matches(game: Game, mode: Mode) -> None:
    """``RIFFLE_PLAYOUTS=10000`` for the large size; the report says what they came to."""
    report = soak(game, mode, MATCHES, "soak")
    print(f"\n{game.slug} {mode.slug}: {report}")
    assert report.matches == MATCHES
    assert report.views >= MATCHES * (1 + mode.seats[0])
    assert report.moved


def test_many_matches_find_a_view_that_tells_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every single match, at a point of it that its seed draws."""
    honest = Match.view

    def leaky(self: Match, seat: int | None) -> dict[str, Any]:
        zones = [[name, owner, list(cards)] for name, owner, cards in self.state.zones()]
        return {**honest(self, seat), "zones": zones}

    game, mode = rules.game("kaolan"), rules.game("kaolan").modes["match"]
    monkeypatch.setattr(Match, "view", leaky)
    for number in range(3):
        setup = random_setup(game, mode, named_seed(f"a leak {number} 0"))
        with pytest.raises(AssertionError, match="would notice another deal") as caught:
            soak(game, mode, 1, f"a leak {number}")
        assert caught.value.__notes__ == [f"To see it again: {setup.command}"]


# -- secrecy ---------------------------------------------------------------------------------------


@every_mode
def test_nobody_notices_when_what_they_cannot_see_is_dealt_anew(game: Game, mode: Mode) -> None:
    @few(12)
    @given(setups(game, mode))
    def run(setup: Setup) -> None:
        assert check_secrets(setup, every=pace(setup))

    run()


@every_mode
def test_dealing_anew_moves_cards(game: Game, mode: Mode) -> None:
    """Without this the secrecy tests could pass by never dealing anything."""
    for seats in mode.seats:
        match = Setup(game, mode, seats, named_seed("anew")).start()
        before = [list(cards) for _zone, _owner, cards in match.state.zones()]
        for seat in (None, *range(seats)):
            twin = match.redeal(seat, Chance(named_seed("another deal")))
            after = [list(cards) for _zone, _owner, cards in twin.state.zones()]
            assert after != before


# -- every card is played --------------------------------------------------------------------------


@every_mode
def test_every_card_is_played_in_some_match(game: Game, mode: Mode) -> None:
    exerciser = Exerciser()
    for number in range(200):
        setup = random_setup(game, mode, named_seed(f"exercise {number}"))
        try:
            for match, _ply, events in playout(setup, exerciser):
                exerciser.watch(match, events)
        except Exception as error:
            error.add_note(setup.command)
            raise
        if not exerciser.missing(game, mode):
            break
    assert exerciser.missing(game, mode) == []


# -- other processes, other times ------------------------------------------------------------------


def test_another_process_with_another_hash_seed_sees_the_same() -> None:
    def run(hash_seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "rules.testing", "digest", "one", "two", "three"],
            cwd=ROOT,
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    first = run("0")
    assert len(first.splitlines()) == 3 * len(MODES)
    assert run("4242") == first


@every_mode
def test_the_golden_playthrough_is_still_played_the_same(game: Game, mode: Mode) -> None:
    path = playthrough.path_of(game, mode, ROOT)
    again = f"python -m rules.testing playthrough {game.slug} {mode.slug}"
    assert path.exists(), f"{mode.name} has no playthrough; write one: {again}"
    golden = path.read_text(encoding="utf-8")
    today = playthrough.replayed(game, mode, golden)
    for number, (old, new) in enumerate(
        zip(golden.splitlines(), today.splitlines(), strict=False), start=1
    ):
        assert new == old, f"{path.name}, line {number}. If that is meant: {again}"
    assert today == golden
    assert "outcome: {" in golden, "the playthrough does not go to the end"


# -- bad input -------------------------------------------------------------------------------------


@every_mode
def test_bad_setups_are_refused(game: Game, mode: Mode) -> None:
    seed = bytes(32)
    for seats in (0, -1, mode.seats[0] - 1, mode.seats[-1] + 1):
        with pytest.raises(BadSetup):
            game.new_match(mode.slug, seats=seats, seed=seed)
    with pytest.raises(BadSetup):
        game.new_match(mode.slug, seats=mode.seats[0], seed=seed, options={"no such": 1})
    for option in mode.options:
        for value in ("no such value", -1, 10**9, [object], None, 1.5, True):
            with pytest.raises(BadSetup):
                game.new_match(
                    mode.slug, seats=mode.seats[0], seed=seed, options={option.slug: value}
                )
        if option.word in option.decks:
            with pytest.raises(BadSetup):
                game.new_match(
                    mode.slug, seats=mode.seats[0], seed=seed, options={option.slug: option.word}
                )
    with pytest.raises(BadSetup):
        game.new_match(mode.slug, seats=mode.seats[0], seed=seed, decks=[{"main": {}}] * 9)


def test_unknown_games_and_modes_are_named() -> None:
    with pytest.raises(UnknownGame, match="no game “chess”"):
        rules.game("chess")
    with pytest.raises(UnknownGame, match="no mode “blitz”"):
        rules.game("kaolan").new_match("blitz", seats=2, seed=bytes(32))


@every_mode
def test_damaged_dumps_are_refused(game: Game, mode: Mode) -> None:
    data = Setup(game, mode, mode.seats[0], named_seed("damaged")).start().dump()
    for key in data:
        broken = {name: value for name, value in data.items() if name != key}
        if key != "rules_version":
            with pytest.raises(BadData):
                game.load(broken)
    for key in data["state"]:
        broken = json.loads(json.dumps(data))
        del broken["state"][key]
        with pytest.raises(BadData):
            game.load(broken)
    for nothing in ({}, {"format": 0}, {**data, "format": 99}, {**data, "game": "chess"}):
        with pytest.raises(BadData):
            game.load(nothing)


@every_mode
def test_moves_that_are_no_text_of_a_move_are_refused(game: Game, mode: Mode) -> None:
    match = Setup(game, mode, mode.seats[0], named_seed("text")).start()
    seat = min(match.prompts)

    @few(100)
    @given(st.text(max_size=100))
    def run(text: str) -> None:
        offered = {match.notation(move) for move in match.prompts[seat].options}
        if " ".join(text.split()) not in offered:
            with pytest.raises(rules.RulesError):
                match.parse(seat, text)

    run()


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
