"""The games that tests play, collect and check decks of where any game would do.

A test takes what it needs from here by what it is good for, and names no game. Cards' titles
stand in lists as people type them: ``2 Red Claw`` is two of ``CLAW``.
"""

from __future__ import annotations

import rules

# --- The game that most tests play ---------------------------------------------------------------
GAME = "kaolan"
"""Can be played in four modes, alone or by many, with shared, own and without any decks."""
EXAMPLE = rules.game(GAME)
GAME_NAME = EXAMPLE.name

# Its products
PACK = "kaolan-pack"
"""Five cards by chance; the gift of the day."""
MASTER_DECK = "kaolan-master"
"""Sixty different cards, which everybody may take once; also a ready-made deck."""
BOOSTERS = tuple(f"kaolan-booster-{number}" for number in range(1, 7))
"""Ten certain cards each; everybody may take one of the six."""

# Its ready-made decks for tournaments
READY_DECK = "kaolan-ready-wildfire"
READY_DECKS = (READY_DECK, "kaolan-ready-deepwood", "kaolan-ready-stormcoal")
READY_CARDS = EXAMPLE.starter_decks[READY_DECK].cards

# Its cards
CLAW = "kao-char-red-claw"
"""Uncommon, in the Master Deck and in the first booster; another colour's has the same name."""
FLAME = "kao-char-red-flame"
BLUE_CLAW = "kao-char-blue-claw"
GOLD_CLAW = "kao-char-gold-claw"
"""Gold: not in the Master Deck, and a deck may have more of it."""
