"""What games, modes and bots are called; those that are installed no longer keep their slug."""

from __future__ import annotations

from collections.abc import Collection

import rules
from matches.models import Match
from rules.engine.errors import UnknownGame
from rules.engine.game import Game


def game_name(game: str) -> str:
    """“Chess”."""
    found = _game(game)
    return game if found is None else found.name


def mode_name(game: str, mode: str) -> str:
    """“Chess (Blind)”; of a game with a single mode its name alone."""
    found = _game(game)
    if found is None:
        return f"{game} ({mode})"
    if list(found.modes) == [mode]:
        return found.name
    return f"{found.name} ({found.modes[mode].name if mode in found.modes else mode})"


def match_name(match: Match) -> str:
    """The name of its mode."""
    return mode_name(match.game, match.mode)


def bot_name(game: str, bot: str) -> str:
    """How a game calls one of its bots."""
    found = _game(game)
    player = None if found is None else found.player(bot)
    return bot if player is None else player.name


def bot_at_table(match: Match, bot: str, taken: Collection[str]) -> str:
    """The name that a bot goes by at a table: always the same there, and none of those taken."""
    found = _game(match.game)
    player = None if found is None else found.player(bot)
    return bot if player is None else player.name_at(match.slug, taken)


def _game(game: str) -> Game | None:
    try:
        return rules.game(game)
    except UnknownGame:
        return None
