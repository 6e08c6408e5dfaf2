"""Ready-made decks against each other: each two of them meet, and what one wins the other loses."""

from __future__ import annotations

from itertools import combinations

import pytest

import rules
from rules import matchups
from tests.games.examples import GAME


def test_each_two_decks_meet_and_their_shares_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    [(game, mode), *_] = matchups.modes(GAME, None)
    plan = matchups.trials(game, mode, "random", "seed")
    ready = [deck.slug for deck in rules.game(game).ready_made(mode)]
    assert [*plan] == [*combinations(ready, 2)]
    assert len({trial.seed for trial in plan.values()}) == len(plan)
    shares = matchups.play(plan, 2)
    assert matchups.play(plan, 2, jobs=2) == shares
    for deck, other in plan:
        own = matchups.shares_against(deck, other, shares)
        assert [
            a + b for a, b in zip(own, matchups.shares_against(other, deck, shares), strict=True)
        ] == [1, 1]
    arguments = [game, mode, "--player", "random", "--pairs", "2", "--seed", "seed"]
    assert matchups.main(arguments) == 0
    assert matchups.table(shares) in capsys.readouterr().out


def test_a_row_says_what_a_deck_wins_and_how_sure_that_is() -> None:
    shares = {("a", "b"): [1.0, 0.5, 1.0, 0.5], ("a", "c"): [0.5] * 4, ("b", "c"): [0.0] * 4}
    rows = [
        [cell.strip() for cell in row.split("|")[1:-1]]
        for row in matchups.table(shares).splitlines()
    ]
    assert rows[0] == ["deck", "wins (95 %)", "pairs", "a", "b", "c"]
    assert [row[2:] for row in rows[2:]] == [
        ["8", "–", "75%", "50%"],
        ["8", "25%", "–", "0%"],
        ["8", "50%", "100%", "–"],
    ]
    assert rows[2][1].startswith("62% (")


def test_who_cannot_play_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    [(game, mode), *_] = matchups.modes(GAME, None)
    with pytest.raises(SystemExit):
        matchups.main([game, mode, "--player", "magnus"])
    assert "no player “magnus”" in capsys.readouterr().err
