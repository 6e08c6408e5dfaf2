"""Is this a legal army for Batt'l Kha'os? Section 7 of the rules specification.

The rules are data: ``deck_rules.toml``. An army has three sections: ``tokens``, ``towers`` and
``field`` (field tiles and special tiles). ``classic`` is played out of the shared box and nothing
is checked; ``warband`` reads only the tokens, ``army`` all three.
"""

from __future__ import annotations

from typing import Final

from rules.engine.deck_rules import DeckRules

TOKENS: Final = "tokens"
TOWERS: Final = "towers"
FIELD: Final = "field"

DECK_RULES: Final = DeckRules("games.battl_khaos")
check_deck: Final = DECK_RULES.check_deck
