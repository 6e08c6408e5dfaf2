"""Colossal Kaiju Combat: teams of monsters fight each other, and the city, for glory.

Its cards can be collected and built with; its modes cannot be played yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.colossal_kaiju_combat.legality import check_deck
from rules.engine.game import FormatOption, Game, Mode, Option

COMBAT_HAND: Final = 5
"""CKC-S-04."""
OPTIONS: Final = (
    Option(
        slug="fury_mode",
        name="Fury",
        kind="choice",
        values=("auto", "claim"),
        default="auto",
        help="Whether Fury comes by itself, or players must remember to take it.",
        names={"auto": "Added by itself", "claim": "To be claimed, or stolen"},
    ),
    Option(
        slug="illegal_cards",
        name="Illegal cards",
        kind="choice",
        values=("refuse", "discard"),
        default="refuse",
        help="Whether a combat card may be laid in a role that it does not fit.",
        names={"refuse": "Not offered", "discard": "May be laid, without effect"},
    ),
    Option(
        slug="glory_target",
        name="Glory to win",
        kind="integer",
        values=(10, 40),
        default=20,
        help="Whoever holds so much glory has won.",
    ),
    Option(
        slug="turn_cap",
        name="Turn limit",
        kind="integer",
        values=(10, 60),
        default=30,
        help="After so many turns the most glory wins.",
    ),
    Option(
        slug="quiet_limit",
        name="Quiet turns",
        kind="integer",
        values=(3, 10),
        default=5,
        help="After so many turns in a row in which nothing happens, the most glory wins.",
    ),
)

MODES: Final[Mapping[str, Mode]] = {
    "standard": Mode(
        slug="standard",
        name="Standard",
        summary="Send a kaiju into the city each turn, fight, rampage, and be first to 20 glory.",
        seats=range(2, 6),
        options=OPTIONS,
        own_decks=True,
        playable=False,
        sections=("combat", "planning", "kaiju", "team"),
        hands={"combat": COMBAT_HAND},
    ),
    "basic": Mode(
        slug="basic",
        name="Basic",
        summary="Kaiju against kaiju with combat cards alone: no planning deck, no city.",
        seats=range(2, 6),
        options=OPTIONS,
        own_decks=True,
        playable=False,
        sections=("combat", "planning", "kaiju", "team"),
        hands={"combat": COMBAT_HAND},
        kinds=("team", "kaiju", "combat"),
    ),
}

FORMAT_OPTIONS: Final = (
    FormatOption(
        "sealed", "Sealed", "CKC-D-21", "Decks built from six boosters and Open Alliance."
    ),
    FormatOption("singleton", "Singleton", "CKC-D-22", "One copy of any combat or planning card."),
    FormatOption("no_leaders", "No Leaders", "CKC-D-24", "No kaiju that is a LEADER."),
)

GAME: Final = Game(
    slug="colossal-kaiju-combat",
    name="Colossal Kaiju Combat",
    summary="Giant monsters in the city: attack and answer, face down, for glory.",
    package="games.colossal_kaiju_combat",
    place=4,
    modes=MODES,
    check=check_deck,
    format_options=FORMAT_OPTIONS,
    own_house=frozenset({"sets"}),
)
