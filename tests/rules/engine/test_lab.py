"""The lab plays the same matches in every run and counts them truly."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import rules
from rules.engine import lab
from rules.engine.lab import Plan, Result, Summary, Tally, play, run, summarise, tables
from tests.games.examples import EXAMPLE, GAME, READY_DECK

PLAN = Plan(GAME, "match", ("greedy", "random"), options={"guards": 0})


def test_the_same_plan_gives_the_same_matches() -> None:
    first, again = list(run(PLAN, 6)), list(run(PLAN, 6))
    assert first == again
    assert [result.number for result in first] == list(range(6))
    other = Plan(GAME, "match", ("greedy", "random"), seed="other", options={"guards": 0})
    assert list(run(other, 6)) != first


def test_processes_share_the_work_and_change_nothing() -> None:
    assert list(run(PLAN, 6, jobs=2)) == list(run(PLAN, 6))


def test_bots_change_seats_from_match_to_match() -> None:
    bots = [play(PLAN, number).bots for number in range(3)]
    assert bots == [("greedy", "random"), ("random", "greedy"), ("greedy", "random")]


def test_a_result_names_who_began_and_who_won() -> None:
    for result in run(Plan(GAME, "match", ("greedy",) * 3, options={"guards": 1}), 4):
        assert sorted(result.order) == [0, 1, 2]
        assert sum(result.shares) == pytest.approx(1)
        assert result.moves >= result.turns - 1 > 0
        assert result.reason in ("last_standing", "turn_limit")
        assert any(result.played)


def test_a_summary_counts_bots_seats_order_cards_and_ends() -> None:
    def result(number: int, shares: tuple[float, float], **more: object) -> Result:
        values = {
            "number": number,
            "bots": ("a", "b"),
            "order": (1, 0),
            "shares": shares,
            "reason": "x",
            "moves": 10 * (number + 1),
            "turns": 5,
            "played": (frozenset({"one"}), frozenset({"one", "two"})),
        }
        return Result(**{**values, **more})  # type: ignore[arg-type]

    summary = summarise(
        [
            result(0, (1.0, 0.0)),
            result(1, (0.5, 0.5), reason="y"),
            result(2, (0.0, 1.0), bots=("b", "a"), order=(0, 1)),
        ]
    )
    assert summary.bots == {"a": Tally(2.5, 3), "b": Tally(0.5, 3)}
    assert summary.seats == {0: Tally(1.5, 3), 1: Tally(1.5, 3)}
    assert summary.order == {0: Tally(0.5, 3), 1: Tally(2.5, 3)}
    assert summary.cards == {"one": Tally(3.0, 6), "two": Tally(1.5, 3)}
    assert summary.reasons == {"x": 2, "y": 1}
    assert summary.moves == [10, 20, 30]
    text = "\n".join(tables(summary))
    assert " 83.3%" in text
    assert "20 (10 to 30; least 10, most 30)" in text


def test_an_empty_summary_has_tables() -> None:
    assert Summary().matches == 0
    assert Tally().rate == 0.0


def test_the_command_prints_tables(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [GAME, "match", "--matches", "4", "--options", '{"guards": 0}', "--cards", "2"]
    assert lab.main([*arguments, "--seats", "3"]) == 0
    text = capsys.readouterr().out
    assert "greedy, random, greedy" in text
    assert "Wins by starting order" in text
    assert "3. to move" in text
    assert lab.main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 4


@pytest.mark.parametrize(
    "arguments",
    [
        ["chess"],
        [GAME, "blitz"],
        [GAME, "match", "--bots", "genius"],
        [GAME, "match", "--seats", "9"],
        [GAME, "match", "--options", '{"guards": 7}'],
        [GAME, "match", "--matches", "0"],
    ],
)
def test_nonsense_is_refused_with_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        lab.main(arguments)
    assert caught.value.code == 2
    assert "error: " in capsys.readouterr().err


def test_bots_are_repeated_until_the_mode_has_its_seats(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lonely = replace(EXAMPLE, bots={"random": EXAMPLE.bots["random"]})
    monkeypatch.setattr(rules, "game", lambda slug: lonely)
    assert lab.main([GAME, "match", "--matches", "1"]) == 0
    assert "random, random, seed" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        lab.main([GAME, "match", "--matches", "1", "--bots", "random"])


@pytest.mark.slow
def test_the_greedy_bot_beats_chance() -> None:
    summary = summarise(run(Plan(GAME, "match", ("greedy", "random")), 500))
    assert summary.bots["greedy"].interval[0] > 0.6


def test_ready_made_decks_go_round_so_that_every_bot_plays_each() -> None:
    plan = Plan(GAME, "tournament", ("greedy", "random"), options={"turn_limit": 20})
    results = list(run(plan, 6))
    met = {pair for result in results for pair in zip(result.bots, result.decks, strict=True)}
    assert len(met) == 6, "two bots, three decks"
    assert all(len(set(result.decks)) == 2 for result in results)
    summary = summarise(results)
    assert sum(tally.matches for tally in summary.decks.values()) == 12
    text = "\n".join(tables(summary))
    assert "Wins by deck" in text
    assert READY_DECK in text
    assert "Score" not in text


def test_the_score_of_a_game_for_one_is_shown() -> None:
    results = list(run(Plan(GAME, "single", ("greedy",)), 3))
    scores = sorted(result.score for result in results if result.score is not None)
    summary = summarise(results)
    assert sorted(summary.scores) == scores
    assert len(scores) == 3
    assert f"on average {sum(scores) / 3:.1f}" in "\n".join(tables(summary))
    assert lab.as_json(summary)["scores"] == scores
