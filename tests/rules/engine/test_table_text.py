"""What is said around a table where a game says nothing of its own, and what moves on it."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.table_text import Motion, Progress, TableText


class Text(TableText):
    reasons = {"all_home": "everybody is home"}
    motions = {"drew": Motion(start="draw", end="hand"), "swept": Motion(end="lost", seat="by")}


def test_a_game_that_says_nothing_gets_words_that_fit_any() -> None:
    text, outcome = TableText(), {"reason": "turn_limit", "winners": [0]}
    assert text.progress({}) == Progress()
    assert text.over({}) == "The match is over"
    assert text.reason(outcome) == "turn limit"
    assert text.headline(outcome, mine=True) == text.note(outcome) == ""
    assert text.score(outcome) is None
    assert Text().reason({"reason": "all_home"}) == "everybody is home"


def test_whoever_is_out_is_found_where_players_say_so() -> None:
    view: dict[str, Any] = {"players": [{"out": None}, {"out": 2}, {}]}
    assert [TableText().is_out(view, seat) for seat in range(3)] == [False, True, False]
    assert not TableText().is_out({}, 0)


@pytest.mark.parametrize(
    ("event", "moves"),
    [
        ({"kind": "drew", "seat": 1, "cards": [{"id": 4}, {"id": 7}]}, ([4, 7], "draw", "hand", 1)),
        ({"kind": "drew", "seat": 1, "count": 2}, (None, "draw", "hand", 1)),
        ({"kind": "swept", "by": 0, "cards": [{"id": 4}]}, ([4], "", "lost", 0)),
        ({"kind": "played", "seat": 2, "card": {"id": 9}}, ([9], "hand", "", 2)),
        ({"kind": "played", "seat": 2, "card": None}, None),
        ({"kind": "turned", "card": {"id": 9}}, None),
        ({"kind": "passed", "seat": 2}, None),
    ],
)
def test_what_moves_is_said_by_the_event_and_not_by_its_name(
    event: dict[str, Any], moves: tuple[Any, ...] | None
) -> None:
    found = Text().motion(event)
    keys = ("cards", "start", "end", "seat")
    assert found == (None if moves is None else dict(zip(keys, moves, strict=True)))
