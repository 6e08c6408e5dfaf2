"""Is this a legal Colossal Kaiju Combat deck? Section 7 of the rules specification.

The rules are data: ``deck_rules.toml``. A list has four sections: ``team``, ``kaiju``, ``combat``
and ``planning``; in ``basic`` a planning section is allowed and ignored. A format may set
``sealed``, ``singleton`` and ``no_leaders`` (true or false), ``sets`` and ``banned`` (lists of
slugs), and ``name``, which messages call it.
"""

from __future__ import annotations

from typing import Final

from rules.engine.deck_rules import DeckRules

PACKAGE: Final = "games.colossal_kaiju_combat"

DECK_RULES: Final = DeckRules(PACKAGE)
MODES: Final = DECK_RULES.modes
check_deck: Final = DECK_RULES.check_deck
