"""What all tables share knows no game's words."""

from __future__ import annotations

import re
from pathlib import Path

import rules
from tests.games.examples import AN_EVENT_OF_EACH, OTHER_KIND, PROMPT

ROOT = Path(__file__).resolve().parents[2]
ORDINARY = {
    *("answer", "move", "turn", "seat", "hand", "look", "stack", "picked", "kept", "decline"),
    *("first", "last", "yes", "no", "none", "draw"),
}
"""Words that the core has for itself, whatever games mean by them."""


def words_of_games() -> set[str]:
    """The names of all events, prompts and moves, and the kinds of all cards."""
    names: set[str] = set()
    for game in rules.games().values():
        names |= {card.kind for card in game.catalog.values()}
        if any(mode.playable for mode in game.modes.values()):
            book = game.rulebook
            names |= {*book.events, *book.prompts, *(label[0] for label in book.labels)}
    return names


def test_the_script_and_the_templates_of_all_tables_know_no_games_words() -> None:
    words = words_of_games()
    assert {*AN_EVENT_OF_EACH, PROMPT, OTHER_KIND} <= words
    files = [
        *(ROOT / "static" / "js" / "table").glob("*.js"),
        *(ROOT / "templates" / "matches" / "table").glob("*.html"),
        ROOT / "templates" / "matches" / "table.html",
    ]
    assert len(files) > 20
    for file in files:
        quoted = set(re.findall(r"""["'`]([\w-]+)["'`]""", file.read_text(encoding="utf-8")))
        assert not quoted & words - ORDINARY, file
