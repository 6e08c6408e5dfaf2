"""KND: OCG: tree-house agents and their enemies, one Active Character against the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.knd_ocg import layouts, view
from games.knd_ocg.ahead import AHEAD
from games.knd_ocg.bot import BOTS
from games.knd_ocg.legality import DECK_RULES, HAND
from games.knd_ocg.preview import preview
from games.knd_ocg.random_decks import sample_decks
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.rules import ending, setup
from games.knd_ocg.state import Cards, Duel
from games.knd_ocg.table_text import KndText
from games.knd_ocg.thinkers import FORESIGHTS, THINKERS
from rules.engine.game import CardTable, Game, Mode, ModeRules, Option

DUEL_OPTIONS: Final = (
    Option(
        slug="quiet_limit",
        name="Quiet limit",
        kind="integer",
        values=(2, 200),
        word="off",
        default="off",
        help="Turns in a row without a loss before deck size decides. Off: no limit.",
    ),
    Option(
        slug="turn_cap",
        name="Turn limit",
        kind="integer",
        values=(20, 400),
        default=200,
        help="The match ends after this many turns (both players’ turns counted).",
    ),
    Option(
        slug="first_attack",
        name="First turn",
        kind="choice",
        values=(True, False),
        default=True,
        help="The first player’s first turn, with or without an attack.",
        names={True: "With an attack", False: "Without an attack"},
    ),
)

MODES: Final[Mapping[str, Mode]] = {
    "duel": Mode(
        slug="duel",
        name="Duel",
        summary="Bring down five of your opponent’s Characters, or outlast their deck.",
        seats=range(2, 3),
        options=DUEL_OPTIONS,
        own_decks=True,
        rules_version="2.0",
        hands={"main": HAND},
        hand_needs=("character",),  # KND-S-06
        max_moves=15_000,  # 400 turns with a card drawn in each, and few answers to each card
    ),
}

RULES: Final[Mapping[str, ModeRules]] = {
    "duel": ModeRules(
        state=Duel,
        prepare=setup.prepare,
        concede=ending.concede,
        agree=ending.agree,
        view=view.view,
        redeal=view.REDEAL,
        arrange=layouts.arrange,
        seat_keys=layouts.SEAT_KEYS,
    ),
}

TABLE: Final = CardTable(
    Cards, RULES, BOOK, quiet_moves=("end", "ready", "no", "none", "done"), otherwise=0
)

GAME: Final = Game(
    slug="knd-ocg",
    name="KND: OCG",
    summary="Tree-house agents duel with energy, gear and one Active Character each.",
    package="games.knd_ocg",
    place=3,
    modes=MODES,
    rulebook=BOOK,
    ahead=AHEAD,
    table=TABLE,
    preview=preview,
    text=KndText(),
    sample_decks=sample_decks,
    bots=BOTS,
    foresights=FORESIGHTS,
    thinkers=THINKERS,
    deck_rules=DECK_RULES,
    own_house=frozenset({"restricted"}),
    words={"hp": "Hit points", "ap": "Attack power", "dp": "Defence power"},
)
