"""Formats as TOML: read, written, and refused with the line or word that is wrong."""

from __future__ import annotations

import pytest

from rules.engine.errors import BadData
from rules.engine.format_files import (
    MAX_SIZE,
    FormatFile,
    load_formats,
    read_format,
    write_format,
)
from tests.games.examples import CLAW, FLAME, GAME

FILE = FormatFile(
    game=GAME,
    mode="tournament",
    name='Spring “Club” \\ "cup"',
    summary="No claws.\nAt all.",
    options={"singleton": True},
    sets=["master"],
    owned_only=True,
    restricted={CLAW: {"most": 0, "reason": "Dull"}, FLAME: {"most": 2, "reason": ""}},
    rules=[
        {"id": "H-1", "cards": {"rarity": {"not": ["common"]}, "level": 3}, "most": 0},
        {"id": "H-2", "points": {CLAW: 3}, "most": 2, "says": "{found} points, \x7f tab\t."},
    ],
)


def test_what_is_written_reads_back_as_it_was() -> None:
    text = write_format(FILE, "Version 3.")
    assert text.startswith("# Version 3.\n")
    read = read_format(text)
    assert [text.splitlines()[line - 1] for line in read.lines] == ["[[rule]]"] * 2
    assert write_format(read) == write_format(FILE)
    assert (read.restricted, read.rules, read.name) == (FILE.restricted, FILE.rules, FILE.name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = chess", "^Line 1: this is not TOML"),
        ('name = "A"\nmode = \n', "^Line 2: this is not TOML"),
        ('name = "A', "^Line 1: this is not TOML"),
        ('colour = "red"', "“colour” is not a word of a format. It has game, mode, name"),
        ("name = 3", "“name” is text in quotes, not 3"),
        ("options = 3", "“options” is a table"),
        ("sets = [3]", "“sets” is a list of sets"),
        ('owned_only = "yes"', "“owned_only” is true or false"),
        ("rule = 3", r"begins with a line \[\[rule\]\]"),
        ("restricted = [1]", r"A restricted list is \[restricted.cards\]"),
        ('[restricted.cards]\nfox = { reason = "x" }', "says of “fox” most"),
        ("#" * (MAX_SIZE + 1), "up to 100,000 characters"),
        ("a = " + "[" * 5000, "nested too deeply|not TOML"),
        (f"name.{'.'.join('a' * 200)} = 1", "nested too deeply"),
        (f"a = 1\n{'.'.join('a' * 40_000)} = 1", "^Line 2 has more than 300 dots"),
        (f"restricted.cards.fox = {'1' * 5000}", "a number that is too large"),
        (f"restricted.cards.fox = 0x{'f' * 5000}", "a number that is too large"),
        (r'summary = "\u0000"', "a null character"),
        ("[restricted.cards]\nfox = { most = 1, reason = [1] }", "reason for “fox” is text"),
    ],
)
def test_bad_toml_is_refused_with_the_line_or_the_word(text: str, words: str) -> None:
    with pytest.raises(BadData, match=words):
        read_format(text)


def test_the_shelf_has_the_same_form(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {
        "format": [
            {
                "slug": "pauper",
                "name": "Pauper",
                "default": True,
                "sets": ["master"],
                "restricted": {"version": 4, "reason": "Dull", "cards": {CLAW: 0}},
                "rule": [{"cards": {"rarity": "rare"}, "most": 0}],
            }
        ]
    }
    monkeypatch.setattr("rules.engine.format_files.load_toml", lambda *_, **__: rows)
    (format,) = load_formats("games.any", ["duel", "team"])
    assert (format.modes, format.version, format.default) == (("duel", "team"), 4, True)
    assert (format.restricted, format.reason, format.sets) == ({CLAW: 0}, "Dull", ("master",))
    assert format.rules == ({"cards": {"rarity": "rare"}, "most": 0},)
    rows["format"][0]["colour"] = "red"
    with pytest.raises(BadData, match="“colour” is not a word of a format"):
        load_formats("games.any", ["duel"])
