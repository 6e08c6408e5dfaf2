"""Deck lists as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from decks.textlist import (
    change_list,
    comment_out,
    fix_list,
    read_list,
    rename_line,
    write_list,
)
from rules.engine.legality import Fix

CATALOG = rules.game("kaolan").catalog
CLAW, RED_7, GOLD = "kao-char-red-claw", "kao-pow-red-07", "kao-pow-gold-03-05-11"


def cards(text: str) -> dict[str, int]:
    reading = read_list(text, "kaolan")
    assert not reading.unread
    return dict(reading.cards.get("main", {}))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2 Red Claw", {CLAW: 2}),
        ("2x Red Claw", {CLAW: 2}),
        ("2 x Red Claw", {CLAW: 2}),
        ("2× Red Claw", {CLAW: 2}),
        ("2X kao-char-red-claw", {CLAW: 2}),
        ("Red Claw x2", {CLAW: 2}),
        ("Red Claw × 2", {CLAW: 2}),
        ("Red Claw", {CLAW: 1}),
        ("  2   red   CLAW  ", {CLAW: 2}),
        ("2 Claw (Red)", {CLAW: 2}),
        ("2 Red Claw (Emberfall)", {CLAW: 2}),
        ("2 Red Claw (booster-1) 12", {CLAW: 2}),
        ("2 Red Claw # my favourite", {CLAW: 2}),
        ("2 Red Claw // my favourite", {CLAW: 2}),
        ("Red 7", {RED_7: 1}),
        ("3 Red 7", {RED_7: 3}),
        ("1 Gold 3/5/11", {GOLD: 1}),
        ("1 Hunter's Mark", {"kao-sa-hunters-mark": 1}),
        ("1 Hunter’s Mark", {"kao-sa-hunters-mark": 1}),
        ("1 Sunmane", {"kao-char-gold-sunmane": 1}),
        ("0 Red Claw", {CLAW: 0}),
        ("", {}),
        ("# a comment", {}),
        ("// a comment", {}),
        ("Main:", {}),
        ("[main]\n1 Red Claw", {CLAW: 1}),
        ("1 Red Claw\r\n2 Red Claw\r\n", {CLAW: 3}),
    ],
)
def test_what_a_line_may_look_like(line: str, expected: dict[str, int]) -> None:
    assert cards(line) == expected


@pytest.mark.parametrize(
    ("line", "name", "first"),
    [
        ("2 Rde Claw", "Rde Claw", "kao-char-red-claw"),
        ("Claw Red", "Claw Red", "kao-char-red-claw"),
        ("1 Hunters Mark", "Hunters Mark", "kao-sa-hunters-mark"),
        ("2 Reed 7 (Emberfall)", "Reed 7 (Emberfall)", RED_7),
        ("kao-char-red-clow", "kao-char-red-clow", "kao-char-red-claw"),
    ],
)
def test_an_unknown_line_keeps_its_words_and_gets_suggestions(
    line: str, name: str, first: str
) -> None:
    (unread,) = read_list(f"# list\n{line}", "kaolan").unread
    assert (unread.number, unread.name) == (2, name)
    assert unread.suggestions[0] == first


def test_a_name_of_several_cards_suggests_them_all() -> None:
    (unread,) = read_list("2 Claw", "kaolan").unread
    assert set(unread.suggestions) == {
        f"kao-char-{c}-claw" for c in ("red", "green", "blue", "gold")
    }


def test_a_printing_that_does_not_exist_is_not_read_silently() -> None:
    (unread,) = read_list("2 Red Claw (Greenwood)", "kaolan").unread
    assert unread.suggestions[0] == CLAW


@pytest.mark.parametrize("line", ["qqqqqqqq", "[side]", "12345678 Red Claw", "-1 Red Claw", "2"])
def test_what_is_no_card_stays_an_entry(line: str) -> None:
    reading = read_list(line, "kaolan")
    assert len(reading.unread) == 1
    assert reading.cards == {}
    assert sum(reading.everything["main"].values()) >= 1


def test_everything_that_was_typed_is_judged() -> None:
    reading = read_list("2 Red Claw\n3 Unicorn\n1 Unicorn", "kaolan")
    assert reading.everything == {"main": {CLAW: 2, "Unicorn": 4}}
    assert reading.cards == {"main": {CLAW: 2}}


def test_suggestions_are_looked_for_in_a_bounded_number_of_lines() -> None:
    lines = read_list("Rde Claw\n" * 100, "kaolan").unread
    assert len(lines) == 100
    assert lines[0].suggestions
    assert not lines[-1].suggestions


def test_sections_are_read_where_a_mode_has_them() -> None:
    text = "1 Red Claw\nSide:\n2 Red 7\n[MAIN]\n1 Ambush"
    reading = read_list(text, "kaolan", ("main", "side"))
    assert reading.cards == {"main": {CLAW: 1, "kao-op-ambush": 1}, "side": {RED_7: 2}}


# A busy machine is no failure.
unhurried = settings(deadline=None)

entries = st.dictionaries(st.sampled_from(list(CATALOG)), st.integers(1, 999), max_size=97)


@unhurried
@given(entries)
def test_a_written_list_reads_back_as_the_same(counts: dict[str, int]) -> None:
    written = write_list({"main": counts}, "kaolan")
    assert cards(written) == counts


@unhurried
@given(entries, entries)
def test_written_sections_read_back_as_the_same(main: dict[str, int], side: dict[str, int]) -> None:
    given_list = {name: part for name, part in (("main", main), ("side", side)) if part}
    written = write_list(given_list, "kaolan")
    assert read_list(written, "kaolan", ("main", "side")).cards == given_list


def test_a_written_list_is_ordered_and_grouped_by_kind() -> None:
    assert write_list({"main": {"kao-op-ambush": 1, RED_7: 2, CLAW: 1}}, "kaolan") == (
        "# Character\n1 Red Claw\n\n# Power\n2 Red 7\n\n# Opportunity\n1 Ambush\n"
    )
    assert write_list({"main": {}}, "kaolan") == ""


def test_a_change_leaves_what_was_typed() -> None:
    text = "# mine\n2 Red Claw  # strong\n\nUnicorn\n3 red 7\n"
    changed = change_list(text, "kaolan", "main", {CLAW: -1, RED_7: 1, "kao-op-ambush": 2})
    assert changed == "# mine\n1 Red Claw  # strong\n\nUnicorn\n4 red 7\n2 Ambush\n"


def test_a_change_takes_out_whole_lines_from_the_last_one_up() -> None:
    text = "2 Red Claw\n1 Red 7\n2 red claw\n3 Unicorn\n"
    assert change_list(text, "kaolan", "main", {CLAW: -3}) == "1 Red Claw\n1 Red 7\n3 Unicorn\n"
    assert (
        change_list(text, "kaolan", "main", {"Unicorn": -3}) == "2 Red Claw\n1 Red 7\n2 red claw\n"
    )


def test_a_change_adds_to_the_right_section() -> None:
    sections = ("main", "side")
    text = "1 Red Claw\n[side]\n1 Red 7\n"
    added = change_list(text, "kaolan", "main", {"kao-op-ambush": 1}, sections)
    assert added == "1 Red Claw\n1 Ambush\n[side]\n1 Red 7\n"
    assert change_list("1 Red Claw", "kaolan", "side", {RED_7: 1}, sections) == (
        "1 Red Claw\n[side]\n1 Red 7\n"
    )
    assert change_list("[side]\n1 Red 7", "kaolan", "main", {CLAW: 1}, sections) == (
        "1 Red Claw\n[side]\n1 Red 7\n"
    )
    assert change_list("", "kaolan", "main", {CLAW: 1}) == "1 Red Claw\n"
    assert change_list("1 Red Claw", "kaolan", "main", {CLAW: -1}) == ""


lines = st.lists(
    st.tuples(st.integers(1, 5), st.sampled_from([*list(CATALOG)[:6], "Unicorn", "Griffin"])),
    max_size=12,
)


@unhurried
@given(
    typed=lines,
    changes=st.dictionaries(
        st.sampled_from([*list(CATALOG)[:8], "Unicorn"]), st.integers(-8, 8), max_size=4
    ),
)
def test_a_changed_list_reads_as_the_changed_counts(
    typed: list[tuple[int, str]], changes: dict[str, int]
) -> None:
    text = "# list\n" + "\n".join(f"{count} {name}" for count, name in typed)
    before = read_list(text, "kaolan").everything.get("main", {})
    after = read_list(change_list(text, "kaolan", "main", changes), "kaolan").everything
    expected = {
        key: max(0, before.get(key, 0) + changes.get(key, 0)) for key in before.keys() | changes
    }
    assert after.get("main", {}) == {key: count for key, count in expected.items() if count}


def test_a_suggestion_renames_its_line_only() -> None:
    text = "# mine\n2x  Rde  Claw # strong\nRde Claw\n"
    assert rename_line(text, "kaolan", 2, CLAW) == "# mine\n2 Red Claw # strong\nRde Claw\n"
    for number, card in ((1, CLAW), (9, CLAW), (2, "kao-char-red-unicorn")):
        assert rename_line(text, "kaolan", number, card) == text
    assert rename_line("2 Red Claw\n", "kaolan", 1, RED_7) == "2 Red Claw\n"


def test_unread_lines_become_comments_and_stay() -> None:
    text = "2 Red Claw\n  3 Unicorn\n1 Red 7"
    commented = comment_out(text, read_list(text, "kaolan").unread)
    assert commented == "2 Red Claw\n#   3 Unicorn\n1 Red 7\n"
    assert cards(commented) == {CLAW: 2, RED_7: 1}


def test_a_fix_moves_lines_to_another_section() -> None:
    text = "2 Red Claw\n1 Red Flame # mine\n[side]\n1 Red Claw\n"
    fix = Fix("main", {"kao-char-red-claw": -1, "kao-char-red-flame": -4}, "Move", to="side")
    sections = ("main", "side")
    moved = fix_list(text, "kaolan", fix, sections)
    assert read_list(moved, "kaolan", sections).cards == {
        "main": {"kao-char-red-claw": 1},
        "side": {"kao-char-red-claw": 2, "kao-char-red-flame": 1},
    }
