"""The rules of Twelve."""

from __future__ import annotations

import pytest

import rules
from rules.testing import position


@pytest.mark.rules("TWE-R-01")
def test_each_is_dealt_three_of_twelve_cards() -> None:
    match = rules.game("twelve").new_match("standard", seats=3, seed=bytes(32))
    assert [row["hand"]["count"] for row in match.view(None)["players"]] == [3, 3, 3]
    assert len(match.state.rest) == 3


@pytest.mark.rules("TWE-R-02", "TWE-R-03")
def test_the_highest_takes_the_trick_and_leads_and_the_most_tricks_win() -> None:
    hands = (["One", "Five", "Six"], ["Three", "Four", "Nine"])
    laid = position("twelve", "standard", seats=[{"hand": hand} for hand in hands])
    assert laid.offered() == ["play twelve-01", "play twelve-05", "play twelve-06"]
    laid.take("play one", "play three")
    assert laid.asked == (1, "card"), "who took the trick leads"
    laid.take("play four", "play five")  # the last cards play themselves
    laid.done(None, None)
    assert laid.match.outcome is not None
    assert laid.match.outcome.ranking == ((1,), (0,))


@pytest.mark.rules("TWE-R-04")
def test_whoever_gives_up_comes_last() -> None:
    match = rules.game("twelve").new_match("standard", seats=2, seed=bytes(32))
    match.concede(0)
    assert match.outcome is not None
    assert (match.outcome.ranking, match.outcome.reason) == (((1,), (0,)), "resigned")
