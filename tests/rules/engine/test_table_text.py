"""The words around a table where a game says nothing of its own."""

from __future__ import annotations

from typing import Any

from rules.engine.table_text import Progress, TableText


class Text(TableText):
    reasons = {"all_home": "everybody is home"}


def test_a_game_that_says_nothing_gets_words_that_fit_any() -> None:
    text, outcome = TableText(), {"reason": "turn_limit", "winners": [0]}
    assert text.progress({}) == Progress()
    assert text.over({}) == "The match is over"
    assert text.reason(outcome, {}) == "turn limit"
    assert text.headline(outcome, mine=True) == text.note(outcome) == ""
    assert text.score(outcome) is None
    assert Text().reason({"reason": "all_home"}, {}) == "everybody is home"


def test_whoever_is_out_is_found_where_players_say_so() -> None:
    view: dict[str, Any] = {"players": [{"out": None}, {"out": 2}, {}]}
    assert [TableText().is_out(view, seat) for seat in range(3)] == [False, True, False]
    assert not TableText().is_out({}, 0)
