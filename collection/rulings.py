"""What a game's rulebook says about one card: the numbered rules that name it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import rules
from rules.engine.errors import UnknownGame
from rules.engine.rule_ids import rule_texts

_EMPHASIS = re.compile(r"\*\*|\*|`")


@dataclass(frozen=True, slots=True)
class Ruling:
    """A rule and its number."""

    rule: str
    text: str


def rulings(game_slug: str, title: str) -> list[Ruling]:
    """The rules that say a card's title, in the rulebook's order; none of an unknown game."""
    named = re.compile(rf"(?<!\w){re.escape(title)}(?!\w)")
    return [ruling for ruling in _rulebook(game_slug) if named.search(ruling.text)]


@cache
def _rulebook(game_slug: str) -> tuple[Ruling, ...]:
    try:
        package = rules.game(game_slug).package
    except UnknownGame:
        return ()
    try:
        texts = rule_texts(package.removeprefix("rules."))
    except FileNotFoundError:  # a game whose cards are known before its rules
        return ()
    return tuple(Ruling(rule, _EMPHASIS.sub("", text)) for rule, text in texts.items())
