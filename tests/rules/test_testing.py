"""The commands for who writes a game: they list what the code has and show what a test found."""

from __future__ import annotations

import hashlib
import re
import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rules
from rules.engine.events import Event
from rules.engine.game import Mode
from rules.engine.match import Match
from rules.engine.moves import Move, Prompt, Seat, Slot
from rules.engine.prompts import could_go
from rules.engine.state import Outcome
from rules.testing import (
    commands,
    folders,
    playable_modes,
    playouts,
    playthrough,
    plugin,
    position,
    positions,
    rule_ids,
    suite,
)
from rules.testing.commands import main
from rules.testing.notation import layout_keys
from rules.testing.playouts import difference
from tests.games.examples import EXAMPLE, GAME, OTHER_GAME, RED_7

MODES = playable_modes()
every_mode = pytest.mark.parametrize(
    ("game", "mode"), MODES, ids=[f"{game.slug}-{mode.slug}" for game, mode in MODES]
)


@every_mode
def test_the_notation_lists_the_keys_of_every_layout(
    game: Any, mode: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["notation", game.slug]) == 0
    printed = capsys.readouterr().out
    assert f"Layout of {mode.slug}" in printed
    keys = layout_keys(game, mode)
    assert {option.slug for option in mode.options} <= keys.keys()
    assert all(f"  {key}  {words}" in printed for key, words in keys.items())
    assert "Lays" not in printed


def test_a_position_shows_itself_by_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    laid = position(
        GAME,
        "match",
        seats=[{"leader": "red claw", "under leader": ("r6",)}, {"leader": "blue claw"}, {}],
        dice=[1, (3, 4)],
        turn_limit=20,
        out=[2],
    )
    assert laid.match.options["turn_limit"] == 20
    assert laid.state.out == [2]
    assert laid.state.moments == [1]
    words = shlex.split(laid.command)
    assert words[:3] == ["python", "-m", "rules.testing"]
    assert main([*words[3:], "--moves", "1: pass"]) == 0
    printed = capsys.readouterr().out
    assert "seat 2: turn_action" in printed
    assert "left of the script: dice [1, 3, 4]" in printed


def test_seats_go_out_together_or_one_by_one() -> None:
    piles = [["krabbi-long-legs-silver"], ["kite-krab-silver"], [], [], []]
    laid = position(OTHER_GAME, "multi", piles=piles, out=[3, [2, 4]])
    assert (laid.state.out, laid.state.moments) == ([3, 2, 4], [1, 2, 2])


def test_cards_may_be_out_of_the_match() -> None:
    laid = position(GAME, "match", seats=[{"leader": "red claw"}, {}], removed=["r7"], draw=["b2"])
    slugs = laid.state.cards.slugs
    assert [slugs[card] for card in laid.state.removed[0]] == [RED_7]


@pytest.mark.parametrize(
    ("mode", "layout", "message"),
    [
        ("match", {"seats": [{"wing": "r2"}, {}]}, "has no wing; it may have hand, leader"),
        ("single", {"piles": [[], [], [], []], "out": [0]}, "nobody is ever out"),
        ("match", {"seats": [{}, {}], "turn_limit": 1}, "Turn limit per player is a whole number"),
    ],
)
def test_a_layout_that_cannot_be_says_what_may(mode: str, layout: Any, message: str) -> None:
    with pytest.raises(rules.BadSetup, match=message):
        position(GAME, mode, **layout)


def test_a_scenario_that_fails_says_how_to_see_its_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """pytest shows a section of a report where the test has failed."""
    sections: list[tuple[str, ...]] = []
    monkeypatch.setattr(positions, "announce", None)
    plugin.pytest_runtest_setup(
        SimpleNamespace(add_report_section=lambda *row: sections.append(row))
    )
    laid = position(GAME, "match", seats=[{"leader": "red claw"}, {}])
    assert sections == [("call", "position", laid.command)]


def test_all_says_what_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(game: Any, mode: Any) -> None:
        error = AssertionError("no such card")
        error.add_note("To see it again: python")
        raise error

    monkeypatch.setattr(suite, "CHECKS", {"starts": suite.starts, "wrong": wrong})
    monkeypatch.setattr(commands, "LESSON_CHECKS", {})
    monkeypatch.setattr(rule_ids, "untested", lambda package: ["ABC-X-01"])
    assert main(["all", GAME, "power"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{GAME} power starts: holds",
        f"{GAME} power wrong: no such card",
        "    To see it again: python",
        f"{GAME}: no test names ABC-X-01",
    ]


def test_a_difference_is_named_by_where_it_is() -> None:
    data = {"players": [{"hand": [1, 2]}, {"hand": [3]}], "turn": 1}
    other = {"players": [{"hand": [1, 2]}, {"hand": [4]}], "turn": 1}
    assert difference(data, other, "view") == "view → players → 1 → hand → 0: 3 is then 4"
    assert difference(data, {"turn": 1}, "view").startswith("view: {")
    assert difference(data, data, "view") == ""


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        ("", "has no long match of"),
        ('"digest": "0', "is played otherwise; to compare"),
    ],
)
def test_a_long_match_that_is_played_otherwise_is_found(
    kept: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game, mode = MODES[0]
    lines = playthrough.digests_path(game).read_text(encoding="utf-8")
    file = tmp_path / "digests.jsonl"
    file.write_text(re.sub(r'"digest": ".', kept, lines) if kept else "", encoding="utf-8")
    monkeypatch.setattr(playthrough, "digests_path", lambda game: file)
    with pytest.raises(AssertionError, match=says) as caught:
        suite.golden(game, mode)
    assert f"playthrough {game.slug} {mode.slug}" in str(caught.value)


def test_a_long_match_is_shown_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    game, mode = MODES[0]
    assert main(["playthrough", game.slug, mode.slug, "--show", "1"]) == 0
    text = capsys.readouterr().out
    lines = playthrough.digests_path(game).read_text(encoding="utf-8")
    first = playthrough.long_matches(game, mode, lines)[0]
    assert hashlib.sha256(text.encode()).hexdigest().startswith(first.digest)


# -- what the checks find --------------------------------------------------------------------------


def test_an_unknown_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of checking nothing, which would hold."""
    for arguments in (["all", "chess"], ["digest", "one", "--game", GAME, "--mode", "blitz"]):
        with pytest.raises(SystemExit):
            main(arguments)
    assert "no game “chess”" in (errors := capsys.readouterr().err) and "“blitz”" in errors


def test_two_verbs_at_one_slot_are_found() -> None:
    """In the options and in what they point at; a verb alone may point at many."""
    slot, seat = Slot("left"), Seat(1)
    apart = Prompt(1, 0, "turn", (Move("lay", None, slot), Move("hit", None, seat)))
    clash = Prompt(1, 0, "turn", (Move("lay", None, slot), Move("take", None, slot)))
    rows = [could_go(Move(verb), None, seat) for verb in ("hit", "hug")]
    playouts.check_places(SimpleNamespace(outlook=lambda prompt: {}), apart)  # type: ignore[arg-type]
    for prompt, places in ((clash, []), (apart, rows)):
        match: Any = SimpleNamespace(outlook=lambda prompt, places=places: {"places": places})
        with pytest.raises(AssertionError, match="stands for “.*Ask for the verb first"):
            playouts.check_places(match, prompt)


def test_a_mode_that_says_otherwise_than_its_rules_end_is_found() -> None:
    mode = EXAMPLE.modes["match"]
    suite.concessions(EXAMPLE, mode)
    with pytest.raises(AssertionError, match="goes on when one gives up"):
        suite.concessions(EXAMPLE, replace(mode, ends_for_all=True))


def test_who_plays_together_does_not_win_alone() -> None:
    def end(*ranking: tuple[int, ...], winners: tuple[int, ...], teams: int = 0) -> Any:
        outcome, seats = Outcome(ranking, winners, "end"), sum(map(len, ranking))
        mode = Mode("all", "All", "", range(seats, seats + 1), together=not teams, teams=teams)
        return SimpleNamespace(outcome=outcome, seats=seats, mode=mode, prompts={})

    with pytest.raises(AssertionError, match="not all rank first"):
        playouts.check_end(end((0,), (1,), winners=(0,)))
    with pytest.raises(AssertionError, match="only .0,. have won"):
        playouts.check_end(end((0, 1), winners=(0,)))
    with pytest.raises(AssertionError, match=r"seat 0 .* its team's .2. has not"):
        playouts.check_end(end((0,), (1, 2, 3), winners=(0,), teams=2))


def test_a_change_in_the_part_of_a_text_that_is_cut_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, mode, text = next(
        (game, mode, text)
        for game, mode in MODES
        if "… " in (text := playthrough.path_of(game, mode).read_text("utf-8"))
    )
    lines = text.splitlines()
    assert len(lines) == playthrough.MAX_LINES + 3
    assert main(["playthrough", game.slug, mode.slug, "--show", "0"]) == 0
    whole = capsys.readouterr().out
    assert playthrough.cut(whole) == text
    assert len(whole.splitlines()) > len(lines)

    shelf = folders.SHELF_TESTS
    monkeypatch.setattr(folders, "SHELF_TESTS", tmp_path)
    kept = playthrough.path_of(game, mode)
    kept.parent.mkdir(parents=True)
    kept.write_text(text, encoding="utf-8")
    assert main(["playthrough", game.slug, mode.slug]) == 0
    written = kept.read_text(encoding="utf-8")
    assert written == playthrough.cut(playthrough.replayed(game, mode, written))
    assert len(written.splitlines()) <= playthrough.MAX_LINES + 3

    honest = Match.narrate

    def planted(self: Match, event: Event, seat: int | None) -> str | None:
        return "Nobody knows how it ended." if self.outcome else honest(self, event, seat)

    monkeypatch.setattr(folders, "SHELF_TESTS", shelf)
    monkeypatch.setattr(Match, "narrate", planted)
    with pytest.raises(AssertionError, match=f"line {playthrough.MAX_LINES + 1}"):
        suite.golden(game, mode)
