"""The numbered rules of a game's rulebook that name a card."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import rules
from rules.engine.errors import UnknownGame
from rules.engine.numbered_rules import numbered_rules

_EMPHASIS = re.compile(r"\*\*|\*|`")


@dataclass(frozen=True, slots=True)
class Ruling:
    """A rule and its number."""

    rule: str
    text: str


def rulings(game_slug: str, title: str, name: str = "") -> list[Ruling]:
    """The rules that name a card, in the rulebook's order; none of an unknown game.

    A rule names a card by its title. Where the title is the printed name with a colour in brackets,
    rules say the name alone and mean every colour. A name that stands within the longer name of
    another card of the game is that one's.
    """
    names = {title, name} if name and title.startswith(f"{name} (") else {title}
    longer = {other for other in _names(game_slug) if any(name in other for name in names)}
    line = sorted(names | longer, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, line))})(?!\w)")
    return [rule for rule in _rulebook(game_slug) if names.intersection(pattern.findall(rule.text))]


def _names(game_slug: str) -> frozenset[str]:
    """All names of the game's cards."""
    try:
        cards = rules.game(game_slug).catalog.values()
    except UnknownGame:
        return frozenset()
    return frozenset(word for card in cards for word in (card.title, card.name))


@cache
def _rulebook(game_slug: str) -> tuple[Ruling, ...]:
    try:
        package = rules.game(game_slug).package
    except UnknownGame:
        return ()
    try:
        texts = numbered_rules(package)
    except FileNotFoundError:  # a game whose cards are known before its rules
        return ()
    return tuple(Ruling(rule, _EMPHASIS.sub("", text)) for rule, text in texts.items())
