"""Names of games, modes and bots; those no longer installed are named by their slug."""

from __future__ import annotations

from collections.abc import Collection

import rules
from matches.models import Match
from rules.engine.errors import UnknownGame
from rules.engine.game import Game

DELETED_USER = "Deleted user"


def game_name(game: str) -> str:
    """“Chess”."""
    known = _game(game)
    return game if known is None else known.name


def mode_name(game: str, mode: str) -> str:
    """“Chess (Blind)”; only the game's name if it has a single mode."""
    known = _game(game)
    if known is None:
        return f"{game} ({mode})"
    if list(known.modes) == [mode]:
        return known.name
    return f"{known.name} ({known.modes[mode].name if mode in known.modes else mode})"


def match_name(match: Match) -> str:
    """The name of its mode."""
    return mode_name(match.game, match.mode)


def bot_name(game: str, bot: str) -> str:
    """The name of a game's bot."""
    known = _game(game)
    player = None if known is None else known.player(bot)
    return bot if player is None else player.name


def bot_at_table(match: Match, bot: str, taken: Collection[str]) -> str:
    """A bot's name at a table: stable, and none of those ``taken``."""
    known = _game(match.game)
    player = None if known is None else known.player(bot)
    return bot if player is None else player.name_at(match.slug, taken)


def _game(game: str) -> Game | None:
    try:
        return rules.game(game)
    except UnknownGame:
        return None
