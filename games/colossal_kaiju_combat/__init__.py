"""Colossal Kaiju Combat: teams of monsters fight each other, and the city, for glory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from games.colossal_kaiju_combat import layouts, view
from games.colossal_kaiju_combat.ahead import AHEAD
from games.colossal_kaiju_combat.bot import BOTS
from games.colossal_kaiju_combat.legality import DECK_RULES, PACKAGE
from games.colossal_kaiju_combat.preview import preview
from games.colossal_kaiju_combat.rulebook import BOOK
from games.colossal_kaiju_combat.rules import leaving, setup
from games.colossal_kaiju_combat.state import Cards, Kaiju
from games.colossal_kaiju_combat.table_text import KaijuText
from games.colossal_kaiju_combat.thinkers import FORESIGHTS, THINKERS
from rules.engine.game import CardTable, Game, Mode, ModeRules, Option

COMBAT_HAND: Final = 5
"""CKC-S-04."""
OPTIONS: Final = (
    Option(
        slug="fury_mode",
        name="Fury",
        kind="choice",
        values=("auto", "claim"),
        default="auto",
        help="Is Fury added automatically, or must players claim it?",
        names={"auto": "Added automatically", "claim": "Claimed, or stolen"},
    ),
    Option(
        slug="illegal_cards",
        name="Illegal cards",
        kind="choice",
        values=("refuse", "discard"),
        default="refuse",
        help="May a combat card be played in a role that it does not fit?",
        names={"refuse": "Not offered", "discard": "Playable, without effect"},
    ),
    Option(
        slug="glory_target",
        name="Glory to win",
        kind="integer",
        values=(10, 40),
        default=20,
        help="Glory needed to win.",
    ),
    Option(
        slug="turn_cap",
        name="Turn limit",
        kind="integer",
        values=(10, 60),
        default=30,
        help="Turns before the player with the most glory wins.",
    ),
    Option(
        slug="quiet_limit",
        name="Quiet turns",
        kind="integer",
        values=(3, 10),
        default=5,
        help="Turns in a row without action before the player with the most glory wins.",
    ),
)

MAX_MOVES: Final = 60 * (5 * 60 * 4 + 20 * 640)
"""At most 60 turns. In each, five seats may answer for 60 planning cards, four times each; there
are five actions and at most 15 Ambushes, and a combat uses up two decks of 40 cards, with at most
eight answers a card: how, by whom, at whom, two discards, an answer, a move, rage."""

MODES: Final[Mapping[str, Mode]] = {
    "standard": Mode(
        slug="standard",
        name="Standard",
        summary="Send a kaiju into the city each turn, fight, rampage, and be first to 20 glory.",
        seats=range(2, 6),
        options=OPTIONS,
        own_decks=True,
        max_moves=MAX_MOVES,
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
        max_moves=MAX_MOVES,
        sections=("combat", "planning", "kaiju", "team"),
        hands={"combat": COMBAT_HAND},
        kinds=("team", "kaiju", "combat"),
    ),
}

RULES: Final[Mapping[str, ModeRules]] = {
    slug: ModeRules(
        state=Kaiju,
        prepare=partial(setup.prepare, slug),
        concede=leaving.concede,
        view=view.view,
        redeal=view.REDEAL,
        arrange=partial(layouts.arrange, slug),
        seat_keys=layouts.SEAT_KEYS,
    )
    for slug in MODES
}

TABLE: Final = CardTable(
    Cards, RULES, BOOK, quiet_moves=("done", "none", "no", "decline", "leave", "pass"), otherwise=0
)

GAME: Final = Game(
    slug="colossal-kaiju-combat",
    name="Colossal Kaiju Combat",
    summary="Giant monsters in the city: attack and answer, face down, for glory.",
    package=PACKAGE,
    place=4,
    modes=MODES,
    rulebook=BOOK,
    ahead=AHEAD,
    table=TABLE,
    text=KaijuText(),
    bots=BOTS,
    foresights=FORESIGHTS,
    thinkers=THINKERS,
    sample_decks=DECK_RULES.sample_decks,
    preview=preview,
    deck_rules=DECK_RULES,
    own_house=frozenset({"sets"}),
)
