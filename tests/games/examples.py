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

# Its sets
CARD_SET, LARGE_SET = "booster-1", "master"
"""The first has cards of the second and others; ``CLAW`` is in both."""

# Its ready-made decks for tournaments
READY_DECK = "kaolan-ready-wildfire"
READY_DECKS = (READY_DECK, "kaolan-ready-deepwood", "kaolan-ready-stormcoal")
READY_CARDS = EXAMPLE.starter_decks[READY_DECK].cards

# Its cards
CARD_SLUGS = "kao-"
"""What all its cards' slugs begin with, and no other game's."""
CHARACTER_SLUGS, ABILITY_SLUGS = "kao-char", "kao-sa-"
CLAW = "kao-char-red-claw"
"""Uncommon, in the Master Deck and in the first booster; another colour's has the same name."""
FLAME = "kao-char-red-flame"
BLUE_CLAW = "kao-char-blue-claw"
GOLD_CLAW = "kao-char-gold-claw"
"""Gold: not in the Master Deck, and a deck may have more of it."""
GOLD_FLAME = "kao-char-gold-flame"
STINGER = "kao-char-red-stinger"
SUNMANE = "kao-char-gold-sunmane"
"""Ultra rare."""
RED_2, RED_6, RED_7 = (f"kao-pow-red-{number:02}" for number in (2, 6, 7))
GREEN_10 = "kao-pow-green-10"
GOLD_6 = "kao-pow-gold-06"
GOLD_3_5_11 = "kao-pow-gold-03-05-11"
KEEN_EYE = "kao-sa-keen-eye"
BATTLE_FURY, HUNTERS_MARK = "kao-sa-battle-fury", "kao-sa-hunters-mark"
DEEP_RESERVES, WAR_DRUMS = "kao-sa-deep-reserves", "kao-sa-war-drums"
AMBUSH = "kao-op-ambush"

# What its rules say of decks
UNKNOWN_CARD = "KAO-D-01"
NOT_OWNED = "KAO-D-02"
TOO_FEW_CARDS = "KAO-D-08"
TOO_FEW_CHARACTERS = "KAO-D-10"
TOO_MANY_COPIES = "KAO-D-11"
LEFT_OUT = "KAO-D-13"
"""A notice: so many cards of a large deck stay out of the match."""
NOT_SINGLE = "KAO-D-15"
WRONG_SIZE = "KAO-D-16"

# --- A second game that can be played ------------------------------------------------------------
OTHER_GAME = "battle-krabz"
"""All seats are asked at once; some of its decks are asked for by an option alone."""
OTHER = rules.game(OTHER_GAME)
OTHER_NAME = OTHER.name

OTHER_PACK = "fd-pack"
"""Eight cards by chance; ``fd-pack-k`` and ``fd-pack-e`` hold those of one side."""
OTHER_STARTER = "starter-krabz"
"""A deck of certain cards."""
OTHER_LENT = "trump-pack"
"""Lent by the house to whoever plays, and owned by nobody."""

RULED_CARD, RULING = "malapple-gold", "BKZ-R-22"
"""A card that one rule of the rulebook names."""
OTHER_UNKNOWN_CARD = "BKZ-D-01"
OTHER_TOO_FEW_CARDS = "BKZ-D-06"
OTHER_DOUBLES = "BKZ-D-20"
OTHER_PLAIN = "BKZ-D-22"
OTHER_WRONG_SIZE = "BKZ-D-31"

# --- Words of their rules ------------------------------------------------------------------------
AN_EVENT_OF_EACH = ("challenge_announced", "battle_started")
PROMPT = "turn_action"
"""What the first game asks most."""
OTHER_KIND = "warrior"
"""A kind of the other game's cards."""

# --- Games that are collected only ---------------------------------------------------------------
BOX_GAME = "knd-ocg"
"""Its lunchbox holds six packs, each opened by itself."""
KIT_GAME = SECTION_GAME = "colossal-kaiju-combat"
"""Its boxes give cards and packs, some by choice; its decks have several sections."""
TILE_GAME = "battl-khaos"
"""Its cards are tiles, towers and tokens."""
