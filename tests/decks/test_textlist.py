"""Deck lists as people type them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from decks.lists.textlist import (
    change_list,
    comment_out,
    find_card,
    fix_list,
    read_list,
    rename_line,
    write_list,
)
from rules.engine.legality import Fix
from tests.games.examples import (
    AMBUSH,
    BOX_GAME,
    CHARACTER_SLUGS,
    CLAW,
    EXAMPLE,
    FLAME,
    GAME,
    GOLD_3_5_11,
    HUNTERS_MARK,
    OTHER,
    OTHER_GAME,
    OTHER_UNKNOWN_CARD,
    RED_7,
    SECTION_GAME,
    SUNMANE,
    TILE_GAME,
)

TWO = ("main", "side")
CATALOG = EXAMPLE.catalog


def cards(text: str) -> dict[str, int]:
    reading = read_list(text, GAME)
    assert not reading.unread
    return dict(reading.cards.get("main", {}))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2 Red Claw", {CLAW: 2}),
        ("2x Red Claw", {CLAW: 2}),
        ("2 x Red Claw", {CLAW: 2}),
        ("2× Red Claw", {CLAW: 2}),
        (f"2X {CLAW}", {CLAW: 2}),
        ("Red Claw x2", {CLAW: 2}),
        ("Red Claw × 2", {CLAW: 2}),
        ("Red Claw", {CLAW: 1}),
        ("  2   red   CLAW  ", {CLAW: 2}),
        ("2 Claw (Red)", {CLAW: 2}),
        ("2 Claw Red", {CLAW: 2}),
        ("2 Claw, red", {CLAW: 2}),
        ("2 Red Claw (Emberfall)", {CLAW: 2}),
        ("2 Red Claw (booster-1) 12", {CLAW: 2}),
        ("2 Red Claw # my favourite", {CLAW: 2}),
        ("2 Red Claw // my favourite", {CLAW: 2}),
        ("Red 7", {RED_7: 1}),
        ("3 Red 7", {RED_7: 3}),
        ("1 Gold 3/5/11", {GOLD_3_5_11: 1}),
        ("1 Hunter's Mark", {HUNTERS_MARK: 1}),
        ("1 Hunter’s Mark", {HUNTERS_MARK: 1}),
        ("1 Sunmane", {SUNMANE: 1}),
        ("0 Red Claw", {CLAW: 0}),
        ("", {}),
        ("# a comment", {}),
        ("// a comment", {}),
        ("Main:", {}),
        ("[main]\n1 Red Claw", {CLAW: 1}),
        ("1 Red Claw\r\n2 Red Claw\r\n", {CLAW: 3}),
        ("x2 Red Claw", {CLAW: 2}),
        ("2xRed Claw", {CLAW: 2}),
        ("Red Claw 2x", {CLAW: 2}),
        ("Red Claw (x2)", {CLAW: 2}),
        ("Red Claw (2)", {CLAW: 2}),
        ("- 2 Red Claw", {CLAW: 2}),
        ("• Red Claw", {CLAW: 1}),
        ("\t2\u00a0Red\u2003Claw\u200b", {CLAW: 2}),
        ("\ufeff2 Red Claw", {CLAW: 2}),
        ("2 Red Claw *F*", {CLAW: 2}),
        ("2 Red Claw F", {CLAW: 2}),
        ("2 Red Claw (Emberfall) 12 *F*", {CLAW: 2}),
        ("2 Red Claw [booster-1]", {CLAW: 2}),
        ("2 Red Claw [booster-1] 12", {CLAW: 2}),
        ("2 Claw (Red) (Emberfall) #12", {CLAW: 2}),
        ("2 Red Claw[booster-1]", {CLAW: 2}),
        ("2x Red Claw ::the strong [Red] (Emberfall)", {CLAW: 2}),
        ("2x Red Claw :the strong", {CLAW: 2}),
        ("Deck\n2 Red Claw", {CLAW: 2}),
        ("Mainboard (2)\n2 Red Claw", {CLAW: 2}),
        ("== Main deck ==\n2 Red Claw", {CLAW: 2}),
        ("Main: 2 Red Claw", {CLAW: 2}),
        ("Characters (2)\n2 Red Claw\n\nPower:\n3 Red 7", {CLAW: 2, RED_7: 3}),
        ("2 Red Claw\n\n1 Red 7", {CLAW: 2, RED_7: 1}),
    ],
)
def test_what_a_line_may_look_like(line: str, expected: dict[str, int]) -> None:
    assert cards(line) == expected


@pytest.mark.parametrize(
    ("line", "name", "first"),
    [
        ("2 Rde Claw", "Rde Claw", CLAW),
        ("Clow Red", "Clow Red", CLAW),
        ("1 Hunters Mark", "Hunters Mark", HUNTERS_MARK),
        ("2 Reed 7 (Emberfall)", "Reed 7 (Emberfall)", RED_7),
        (f"{CHARACTER_SLUGS}-red-clow", f"{CHARACTER_SLUGS}-red-clow", CLAW),
        ("2 Xred Claw", "Xred Claw", CLAW),
        ("3 Rde Claw (Emberfall) 4 *F*", "Rde Claw (Emberfall) 4 *F*", CLAW),
        ("SB: 2 Red Claw", "SB: Red Claw", CLAW),
    ],
)
def test_an_unknown_line_keeps_its_words_and_gets_suggestions(
    line: str, name: str, first: str
) -> None:
    (unread,) = read_list(f"# list\n{line}", GAME).unread
    assert (unread.number, unread.name) == (2, name)
    assert unread.suggestions[0] == first


def test_a_name_of_several_cards_suggests_them_all() -> None:
    (unread,) = read_list("2 Claw", GAME).unread
    assert set(unread.suggestions) == {
        f"{CHARACTER_SLUGS}-{c}-claw" for c in ("red", "green", "blue", "gold")
    }


def test_a_printing_that_does_not_exist_is_not_read_silently() -> None:
    (unread,) = read_list("2 Red Claw (Greenwood)", GAME).unread
    assert unread.suggestions[0] == CLAW


@pytest.mark.parametrize("line", ["qqqqqqqq", "[side]", "12345678 Red Claw", "-1 Red Claw", "2"])
def test_what_is_no_card_stays_an_entry(line: str) -> None:
    reading = read_list(line, GAME)
    assert len(reading.unread) == 1
    assert reading.cards == {}
    assert sum(reading.everything["main"].values()) >= 1


def test_everything_that_was_typed_is_judged() -> None:
    reading = read_list("2 Red Claw\n3 Unicorn\n1 Unicorn", GAME)
    assert reading.everything == {"main": {CLAW: 2, "Unicorn": 4}}
    assert reading.cards == {"main": {CLAW: 2}}


def test_suggestions_are_looked_for_in_a_bounded_number_of_lines() -> None:
    lines = read_list("Rde Claw\n" * 600, GAME).unread
    assert len(lines) == 600
    assert lines[0].suggestions
    assert not lines[-1].suggestions


def test_sections_are_read_where_a_mode_has_them() -> None:
    text = "1 Red Claw\nSide:\n2 Red 7\n[MAIN]\n1 Ambush"
    reading = read_list(text, GAME, ("main", "side"))
    assert reading.cards == {"main": {CLAW: 1, AMBUSH: 1}, "side": {RED_7: 2}}


@pytest.mark.parametrize(
    "text",
    [
        "1 Red Claw\n\n2 Red 7\n1 Ambush",
        "# mine\n\n1 Red Claw\n\n\n2 Red 7\n1 Ambush\n\n",
        "1 Red Claw\n\n# the rest\n\n2 Red 7\n1 Ambush",
        "1 Red Claw\nSB: 2 Red 7\nSB: 1 Ambush",
        "SB: 2 Red 7\n1 Red Claw\nsb:1 Ambush",
        "Deck\n1 Red Claw\n\nSideboard (3)\n2 Red 7\n\n1 Ambush",
        "Side deck:\n2 Red 7\n1 Ambush\nMain deck:\n1 Red Claw",
        "[ side ]\n2 Red 7\n1 Ambush\n[Main]\n1 Red Claw",
        "--- Side ---\n2 Red 7\n1 Ambush\n--- Main ---\n1 Red Claw",
        "side: 2 Red 7\n1 Red Claw\nside: Ambush",
    ],
)
def test_ways_to_part_two_sections(text: str) -> None:
    reading = read_list(text, GAME, TWO)
    assert reading.cards == {"main": {CLAW: 1}, "side": {RED_7: 2, AMBUSH: 1}}


@pytest.mark.parametrize(
    "text",
    [
        "1 Red Claw\n\n2 Red 7\n\n1 Ambush",
        "Deck\n1 Red Claw\n\n2 Red 7\n1 Ambush",
        "Characters\n1 Red Claw\n\nPowers\n2 Red 7\n1 Ambush",
        "main: 1 Red Claw\n\n2 Red 7\n1 Ambush",
    ],
)
def test_blank_lines_part_nothing_else(text: str) -> None:
    reading = read_list(text, GAME, TWO)
    assert reading.cards == {"main": {CLAW: 1, RED_7: 2, AMBUSH: 1}}


def test_a_gap_parts_only_lists_of_two_sections() -> None:
    text = "1 Red Claw\n\n2 Red 7"
    for sections in (("main",), ("main", "side", "team")):
        assert read_list(text, GAME, sections).cards == {"main": {CLAW: 1, RED_7: 2}}


@pytest.mark.parametrize("title", ["== Mira: Wildfire", "== =1+1: Deck", "=== My Deck ==="])
def test_a_title_above_the_cards_is_not_one_of_them(title: str) -> None:
    text = f"{title}\n2 Red Claw\n\n1 {FLAME}\n"
    for typed in (text, f"# mine\n\n{text}"):
        reading = read_list(typed, GAME)
        assert (reading.unread, reading.cards) == ((), read_list(text[len(title) :], GAME).cards)
    assert change_list(text, GAME, "main", {CLAW: 1}).startswith(f"{title}\n3 Red Claw\n")
    below = read_list(f"1 Red Claw\n{title}\n", GAME)
    assert len(below.unread) == 1, "a second deck is not added to the first in silence"
    assert read_list("== Sideboard ==\n1 Red Claw", GAME, TWO).cards == {"side": {CLAW: 1}}


def test_sections_have_the_names_that_people_give_them() -> None:
    sections = ("combat-deck", "planning_deck", "team")
    text = (
        "Deck\n1 Red Claw\nPlanning:\n1 Red 7\nTEAM (1)\n1 Ambush\n"
        "Combat deck:\n2 Red Claw\n[planning deck]\n2 Red 7\nTeams\n2 Ambush"
    )
    reading = read_list(text, GAME, sections)
    assert not reading.unread
    assert reading.cards == {
        "combat-deck": {CLAW: 3},
        "planning_deck": {RED_7: 3},
        "team": {AMBUSH: 3},
    }


def test_a_name_may_have_parentheses() -> None:
    slug = "krabbi-long-legs-gold"
    for line in (
        "2 Krabbi Long Legs (Gold)",
        "2 krabbi long legs (gold) (First Dawn) 12 *F*",
        "Krabbi Long Legs (Gold) x2",
        "Krabbi Long Legs [gold] (2)",
    ):
        assert read_list(line, OTHER_GAME).cards == {"main": {slug: 2}}
    (unread,) = read_list("2 Krabbi Long Legs (Golden)", OTHER_GAME).unread
    assert unread.suggestions[0] == slug


@pytest.mark.parametrize(
    ("line", "game", "card"),
    [
        ("2 Krabbi Long Legs (Silver) (FD) 12", OTHER_GAME, "krabbi-long-legs-silver"),
        ("2 Krabbi Long Legs (fd) (silver)", OTHER_GAME, "krabbi-long-legs-silver"),
        ("2 Krabbi Long Legs (Silver) [FD] FD-012", OTHER_GAME, "krabbi-long-legs-silver"),
        ("2 Krabi Long Legs (Silver)", OTHER_GAME, "krabbi-long-legs-silver"),
        ("2 Krabi Long Legs (Silver) (FD) 12 *F*", OTHER_GAME, "krabbi-long-legs-silver"),
        ("2 KRABI long legs, holo", OTHER_GAME, "krabbi-long-legs-holo"),
        ("2 Numbuh 1 (T) T01", BOX_GAME, "numbuh-1"),
        ("2 Red Claw (FD) 12", GAME, CLAW),
        ("2 Red Claw (SET) 12", GAME, CLAW),
        ("2x Red Claw [mh2] 12a *F*", GAME, CLAW),
        ("2 Claw (Red) (PLIST) PL-12", GAME, CLAW),
        ("Red Claw (SET) #12 x2", GAME, CLAW),
        ("Claw (Red) 2x", GAME, CLAW),
    ],
)
def test_sets_have_codes_and_those_of_others_are_passed_over(
    line: str, game: str, card: str
) -> None:
    mode = next(mode for mode in rules.game(game).modes.values() if mode.takes_decks)
    sections = mode.sections
    reading = read_list(line, game, sections)
    assert not reading.unread
    assert list(reading.cards.values()) == [{card: 2}]
    section = next(iter(reading.cards))
    # As it was typed it stays, with another count.
    more = change_list(line, game, section, {card: 1}, sections)
    assert more.replace("3 ", "", 1).strip() in line
    assert read_list(more, game, sections).cards == {section: {card: 3}}


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("2 Red Claw (SET)", GAME),  # no number: this may be anything
        ("2 Red Claw (Greenwood) 12", GAME),  # a set of ours that the card is not in
        ("2 Red Claw (blue) 12", GAME),  # another colour
        ("2 Claw (SET) 12", GAME),  # which Claw?
        ("2 Rde Claw (SET) 12", GAME),
        ("2 Red Claw (some words) 12", GAME),
        ("Red Claw (x2) 12", GAME),
        ("Red Claw (2) 12", GAME),
        ("2 Eagle Krab (Emerald) 12", OTHER_GAME),  # it does not exist in this colour
        ("2 Krabbi Long Legs (Golden) 12", OTHER_GAME),
        ("2 Krabi (Silver)", OTHER_GAME),
    ],
)
def test_what_says_another_card_is_not_passed_over(line: str, game: str) -> None:
    (unread,) = read_list(line, game).unread
    assert unread.name in line


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_the_rules_and_the_reader_know_the_same_names(data: st.DataObject) -> None:
    """Whatever the game's rules take for a card is read as that card, however it is spelt."""
    game = OTHER
    title = data.draw(st.sampled_from([card.title for card in game.catalog.values()]))
    for old, new in (("Krabbi", "Krabi"), (" (", ", "), ("(", "- "), (")", ""), (" ", "  ")):
        if data.draw(st.booleans()):
            title = title.replace(old, new)
    title = data.draw(st.sampled_from([title, title.upper(), title.lower()]))
    report = game.check_deck("battle", {"main": {title: 1}})
    assert OTHER_UNKNOWN_CARD not in {problem.rule for problem in report.problems}
    reading = read_list(f"1 {title}", OTHER_GAME)
    assert reading.cards == {"main": {game.named(title): 1}}


def test_a_long_list_of_unknown_names_is_read_quickly() -> None:
    words = [card.title[::-1] for card in OTHER.catalog.values()]
    text = "\n".join(f"2 {words[n % len(words)]} {n}" for n in range(500))
    began = time.process_time()
    reading = read_list(text, OTHER_GAME)
    assert time.process_time() - began < 3
    assert len(reading.unread) == 500


@pytest.mark.parametrize("line", [" " * 30_000, "(" * 30_000, "1 " * 15_000, "a :" * 10_000])
def test_hostile_lines_take_no_time(line: str) -> None:
    began = time.process_time()
    read_list(f"{line}x", GAME)
    assert time.process_time() - began < 1


# A busy machine is no failure.
unhurried = settings(deadline=None)

entries = st.dictionaries(st.sampled_from(list(CATALOG)), st.integers(1, 999), max_size=97)


@unhurried
@given(entries)
def test_a_written_list_reads_back_as_the_same(counts: dict[str, int]) -> None:
    written = write_list({"main": counts}, GAME)
    assert cards(written) == counts


@unhurried
@given(entries, entries)
def test_written_sections_read_back_as_the_same(main: dict[str, int], side: dict[str, int]) -> None:
    given_list = {name: part for name, part in (("main", main), ("side", side)) if part}
    written = write_list(given_list, GAME)
    assert read_list(written, GAME, ("main", "side")).cards == given_list


def test_a_written_list_is_ordered_and_grouped_by_kind() -> None:
    assert write_list({"main": {AMBUSH: 1, RED_7: 2, CLAW: 1}}, GAME) == (
        "# Character\n1 Red Claw\n\n# Power\n2 Red 7\n\n# Opportunity\n1 Ambush\n"
    )
    assert write_list({"main": {}}, GAME) == ""


def test_a_change_leaves_what_was_typed() -> None:
    text = "# mine\n2 Red Claw  # strong\n\nUnicorn\n3 red 7\n"
    changed = change_list(text, GAME, "main", {CLAW: -1, RED_7: 1, AMBUSH: 2})
    assert changed == "# mine\n1 Red Claw  # strong\n\nUnicorn\n4 red 7\n2 Ambush\n"


def test_a_change_takes_out_whole_lines_from_the_last_one_up() -> None:
    text = "2 Red Claw\n1 Red 7\n2 red claw\n3 Unicorn\n"
    assert change_list(text, GAME, "main", {CLAW: -3}) == "1 Red Claw\n1 Red 7\n3 Unicorn\n"
    assert change_list(text, GAME, "main", {"Unicorn": -3}) == "2 Red Claw\n1 Red 7\n2 red claw\n"


def test_a_change_adds_to_the_right_section() -> None:
    sections = ("main", "side")
    text = "1 Red Claw\n[side]\n1 Red 7\n"
    added = change_list(text, GAME, "main", {AMBUSH: 1}, sections)
    assert added == "1 Red Claw\n1 Ambush\n[side]\n1 Red 7\n"
    assert change_list("1 Red Claw", GAME, "side", {RED_7: 1}, sections) == (
        "1 Red Claw\n[side]\n1 Red 7\n"
    )
    assert change_list("[side]\n1 Red 7", GAME, "main", {CLAW: 1}, sections) == (
        "1 Red Claw\n[side]\n1 Red 7\n"
    )
    assert change_list("", GAME, "main", {CLAW: 1}) == "1 Red Claw\n"
    assert change_list("1 Red Claw", GAME, "main", {CLAW: -1}) == ""


def lists_of(game: str, mode: str) -> st.SearchStrategy[dict[str, dict[str, int]]]:
    """Any deck list of a mode: a ready-made one, or one that no rule would allow."""
    slugs = st.sampled_from(list(rules.game(game).catalog))
    counts = st.dictionaries(slugs, st.integers(1, 999), min_size=1, max_size=60)
    sections = rules.game(game).mode(mode).sections
    ready = [
        {section: dict(cards) for section, cards in deck.cards.items() if cards}
        for deck in rules.game(game).starter_decks.values()
        if mode in deck.modes
    ]
    odd = st.dictionaries(st.sampled_from(sections), counts)
    return st.one_of(odd, st.sampled_from(ready)) if ready else odd


MODES = [
    (game.slug, mode.slug)
    for game in rules.games().values()
    for mode in game.modes.values()
    if mode.takes_decks
]


@pytest.mark.parametrize(("game", "mode"), MODES)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_every_list_of_every_mode_reads_back_as_the_same(
    game: str, mode: str, data: st.DataObject
) -> None:
    cards = data.draw(lists_of(game, mode))
    reading = read_list(write_list(cards, game), game, rules.game(game).mode(mode).sections)
    assert not reading.unread
    assert reading.cards == cards


@pytest.mark.parametrize("game", list(rules.games()))
def test_every_card_is_known_by_its_title_and_its_slug(game: str) -> None:
    for slug, card in rules.game(game).catalog.items():
        assert read_list(f"3 {card.title}", game).cards == {"main": {slug: 3}}
        assert read_list(f"{slug} x3 # mine", game).cards == {"main": {slug: 3}}


@unhurried
@given(st.text(max_size=300), st.sampled_from([("main",), TWO, ("main", "side", "team")]))
def test_any_text_is_read_and_no_word_is_lost(text: str, sections: tuple[str, ...]) -> None:
    reading = read_list(text, GAME, sections)
    everything = sum(sum(counts.values()) for counts in reading.everything.values())
    assert everything == sum(line.count for line in reading.lines)
    commented = comment_out(text, reading)
    assert not read_list(commented, GAME, sections).unread
    assert read_list(commented, GAME, sections).cards == reading.cards
    for line in reading.unread:
        assert text.splitlines()[line.number - 1] in commented


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
    between=st.lists(
        st.sampled_from(["\n", "\n\n", "\nSB: ", "\n[side]\n", "\n# x\n", "\n\n- "]),
        min_size=12,
        max_size=12,
    ),
    section=st.sampled_from(TWO),
)
def test_a_changed_list_reads_as_the_changed_counts(
    typed: list[tuple[int, str]], changes: dict[str, int], between: list[str], section: str
) -> None:
    text = "# list\n"
    for (count, name), sign in zip(typed, between, strict=False):
        text += (
            f"{count} {name}{sign}" if not sign.endswith(" ") else f"{count} {name}{sign}1 Ambush\n"
        )
    before = read_list(text, GAME, TWO).everything
    after = read_list(change_list(text, GAME, section, changes, TWO), GAME, TWO).everything
    expected = {name: dict(counts) for name, counts in before.items()}
    here = expected.setdefault(section, {})
    for key, change in changes.items():
        here[key] = max(0, here.get(key, 0) + change)
    assert _without_nothing(after) == _without_nothing(expected)


def _without_nothing(cards: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    kept = {name: {key: n for key, n in counts.items() if n} for name, counts in cards.items()}
    return {name: counts for name, counts in kept.items() if counts}


def test_a_change_leaves_prefixes_and_marks_where_they_are() -> None:
    text = "1 Red Claw\nSB:  2x Red 7 (red) # mine\n- 2 Ambush\n"
    assert change_list(text, GAME, "side", {RED_7: 1}, TWO) == (
        "1 Red Claw\nSB: 3 Red 7 (red) # mine\n- 2 Ambush\n"
    )
    assert change_list(text, GAME, "main", {AMBUSH: -1}, TWO) == (
        "1 Red Claw\nSB:  2x Red 7 (red) # mine\n- 1 Ambush\n"
    )


def test_a_change_keeps_apart_what_a_gap_parts() -> None:
    text = "1 Red Claw\n\n1 Red 7\n"
    assert change_list(text, GAME, "main", {CLAW: -1}, TWO) == "\n[side]\n1 Red 7\n"
    three = "1 Red Claw\n\n1 Red 7\n\n1 Ambush\n"
    assert change_list(three, GAME, "main", {RED_7: -1}, TWO) == (
        "[main]\n1 Red Claw\n\n\n1 Ambush\n"
    )
    unread = "Unicorn\n\n1 Red 7\n"
    commented = comment_out(unread, read_list(unread, GAME, TWO))
    assert read_list(commented, GAME, TWO).cards == {"side": {RED_7: 1}}


def test_a_suggestion_renames_its_line_only() -> None:
    text = "# mine\n2x  Rde  Claw # strong\nRde Claw\n"
    assert rename_line(text, GAME, 2, CLAW) == "# mine\n2 Red Claw # strong\nRde Claw\n"
    for number, card in ((1, CLAW), (9, CLAW), (2, "unicorn")):
        assert rename_line(text, GAME, number, card) == text
    assert rename_line("2 Red Claw\n", GAME, 1, RED_7) == "2 Red Claw\n"


def test_unread_lines_become_comments_and_stay() -> None:
    text = "2 Red Claw\n  3 Unicorn\n1 Red 7"
    commented = comment_out(text, read_list(text, GAME))
    assert commented == "2 Red Claw\n#   3 Unicorn\n1 Red 7\n"
    assert cards(commented) == {CLAW: 2, RED_7: 1}


def test_a_fix_moves_lines_to_another_section() -> None:
    text = "2 Red Claw\n1 Red Flame # mine\n[side]\n1 Red Claw\n"
    fix = Fix("main", {CLAW: -1, FLAME: -4}, "Move", to="side")
    sections = ("main", "side")
    moved = fix_list(text, GAME, fix, sections)
    assert read_list(moved, GAME, sections).cards == {
        "main": {CLAW: 1},
        "side": {CLAW: 2, FLAME: 1},
    }


SECTIONED = [
    (game.slug, mode.slug, deck.slug)
    for game in rules.games().values()
    for mode in game.modes.values()
    for deck in game.starter_decks.values()
    if mode.own_decks and len(mode.sections) > 1 and mode.slug in deck.modes
]


class TestSections:
    @pytest.mark.parametrize(("game", "mode", "deck"), SECTIONED)
    @pytest.mark.parametrize("first", ["", "Deck\n", "# mine\n"])
    def test_a_list_without_headings_is_sorted_by_what_cards_are(
        self, game: str, mode: str, deck: str, first: str
    ) -> None:
        known = rules.game(game)
        cards = known.starter_decks[deck].cards
        lines = [
            f"{count} {known.catalog[card].title}"
            for counts in reversed(list(cards.values()))
            for card, count in counts.items()
        ]
        sections = known.mode(mode).sections
        text = first + "\n".join(sorted(lines, key=lambda line: line[::-1])) + "\n"
        reading = read_list(text, game, sections)
        assert not reading.unread
        assert reading.cards == cards
        # A change puts headings in, and every card stays where it was.
        section, counts = next(iter(cards.items()))
        card, count = next(iter(counts.items()))
        changed = read_list(
            change_list(text, game, section, {card: 2}, sections), game, sections
        ).cards
        assert changed == {**cards, section: {**counts, card: count + 2}}

    def test_kinds_that_no_ready_made_deck_has_go_where_the_check_moves_them(self) -> None:
        game = rules.game(TILE_GAME)
        special = next(card for card in game.catalog.values() if card.kind == "special")
        for mode in ("warband", "army"):
            sections = game.mode(mode).sections
            text = f"1 {special.title}\n"
            assert read_list(text, TILE_GAME, sections).cards == {"field": {special.slug: 1}}

    def test_headings_of_kinds_are_those_of_their_sections(self) -> None:
        game = rules.game(SECTION_GAME)
        sections = game.mode("standard").sections
        ally = next(card for card in game.catalog.values() if card.kind == "ally")
        fighter = next(card for card in game.catalog.values() if card.kind == "kaiju")
        text = f"Kaiju (1)\n1 {fighter.title}\n\nAllies (2)\n2 {ally.title}\n1 Nothing\n"
        reading = read_list(text, SECTION_GAME, sections)
        assert reading.cards == {"planning": {ally.slug: 2}, "kaiju": {fighter.slug: 1}}
        assert [line.section for line in reading.unread] == ["planning"]
        wrong = f"[combat]\n1 {fighter.title}\n"
        assert read_list(wrong, SECTION_GAME, sections).cards == {"combat": {fighter.slug: 1}}, (
            "written headings count, and the check says what is wrong"
        )


def test_a_colour_stands_before_or_behind_a_name_in_every_game() -> None:
    """As imports of a collection read it: decks and collections have one reader of names."""
    for game in rules.games().values():
        for slug, card in game.catalog.items():
            for name in (f"{card.colour} {card.name}", f"{card.name}, {card.colour}"):
                assert not card.colour or find_card(name, game.slug) == slug, name
