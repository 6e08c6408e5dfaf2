"""Tags for pages of games and decks."""

from __future__ import annotations

from django import template

import rules

register = template.Library()


@register.simple_tag
def deck_is_playable(game: str, mode: str) -> bool:
    """True if a deck of this game and mode can be brought to a table here."""
    definition = rules.games().get(game)
    if definition is None or mode not in definition.modes:
        return False
    return definition.modes[mode].playable and definition.modes[mode].takes_decks
