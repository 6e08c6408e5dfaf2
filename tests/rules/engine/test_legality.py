"""Deck lists from outside, fixes and reports: what every game's deck check shares."""

from __future__ import annotations

import pytest

from rules.engine.errors import BadData
from rules.engine.legality import (
    Fix,
    Problem,
    Report,
    apply_fix,
    counted,
    read_decklist,
    report_to_json,
)

ERROR = Problem("TOY-1", "error", "Too many.", ("a",), 3, 2, Fix("main", {"a": -1}, "Take out 1"))
NOTICE = Problem("TOY-2", "warning", "Mind this.")


def test_a_list_is_read_as_a_copy_without_zeros() -> None:
    deck = {"main": {"a": 2, "b": 0}}
    read = read_decklist(deck, ("main", "side"))
    assert read == {"main": {"a": 2}}
    read["main"]["a"] = 9
    assert deck["main"]["a"] == 2


@pytest.mark.parametrize(
    ("decklist", "message"),
    [
        (None, "A deck list is an object"),
        (["a"], "A deck list is an object"),
        ({"side": {}}, "no section “side” in this deck; there is “main”"),
        ({"main": ["a"]}, "section “main” is an object"),
        ({"main": {"a": -1}}, "count of “a” is a whole number of at least 0, not -1"),
        ({"main": {"a": 1.0}}, "not 1.0"),
        ({"main": {"a": True}}, "not True"),
        ({"main": {"a": "2"}}, "not '2'"),
        ({"main": {"a": None}}, "not None"),
        ({"main": {7: 1}}, "by its slug, not by 7"),
    ],
)
def test_a_list_that_cannot_be_read_says_why(decklist: object, message: str) -> None:
    with pytest.raises(BadData, match=message):
        read_decklist(decklist, ("main",))


def test_a_fix_adds_and_takes_out_and_leaves_the_list_alone() -> None:
    deck = {"main": {"a": 1, "b": 3}}
    fix = Fix("main", {"a": -1, "b": -1, "c": 2}, "Change")
    assert apply_fix(deck, fix) == {"main": {"b": 2, "c": 2}}
    assert deck == {"main": {"a": 1, "b": 3}}


def test_a_fix_can_open_a_section_and_never_goes_below_zero() -> None:
    assert apply_fix({}, Fix("side", {"a": 1, "b": -4}, "Change")) == {"side": {"a": 1}}


def test_a_fix_can_move_cards_to_another_section() -> None:
    deck = {"main": {"a": 2, "b": 1}, "side": {"a": 1}}
    fix = Fix("main", {"a": -2, "b": -5, "c": 1, "d": -1}, "Move", to="side")
    assert apply_fix(deck, fix) == {"main": {"c": 1}, "side": {"a": 3, "b": 1}}
    assert apply_fix({"main": {"a": 1}}, Fix("main", {"a": -1}, "Move", to="side")) == {
        "main": {},
        "side": {"a": 1},
    }


def test_a_move_as_plain_data_says_where_to() -> None:
    fix = Fix("main", {"a": -1}, "Move it", to="side")
    (problem,) = report_to_json(Report((Problem("TOY-3", "error", "", fix=fix),)))["problems"]
    assert problem["fix"] == {
        "section": "main",
        "changes": {"a": -1},
        "label": "Move it",
        "to": "side",
    }


def test_only_errors_make_a_deck_illegal() -> None:
    assert Report().legal
    assert Report((NOTICE,)).legal
    mixed = Report((ERROR, NOTICE))
    assert not mixed.legal
    assert (mixed.errors, mixed.warnings) == ((ERROR,), (NOTICE,))


def test_a_report_as_plain_data() -> None:
    assert report_to_json(Report((ERROR, NOTICE))) == {
        "legal": False,
        "problems": [
            {
                "rule": "TOY-1",
                "severity": "error",
                "message": "Too many.",
                "cards": ["a"],
                "found": 3,
                "allowed": 2,
                "fix": {"section": "main", "changes": {"a": -1}, "label": "Take out 1"},
            },
            {
                "rule": "TOY-2",
                "severity": "warning",
                "message": "Mind this.",
                "cards": [],
                "found": None,
                "allowed": None,
                "fix": None,
            },
        ],
    }


def test_a_number_with_its_noun() -> None:
    assert [counted(n, "card") for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
