"""Batt'l Kha'os: orcs against knights, tiles round towers.

Tiles are placed around towers on a grid without an edge. The side that controls more of a tower's
corners owns it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from games.battl_khaos import layouts, view
from games.battl_khaos.ahead import AHEAD
from games.battl_khaos.bot import BOTS
from games.battl_khaos.legality import DECK_RULES, FIELD, TOKENS, TOWERS
from games.battl_khaos.preview import preview
from games.battl_khaos.rulebook import BOOK
from games.battl_khaos.rules import setup
from games.battl_khaos.rules.turn import concede
from games.battl_khaos.state import Cards, Khaos
from games.battl_khaos.table_text import KhaosText
from games.battl_khaos.thinkers import FORESIGHTS, THINKERS
from rules.engine.game import CardTable, Game, Mode, ModeRules, Option

ON_OFF: Final = {True: "On", False: "Off"}

ORCS: Final = Option(
    slug="orcs",
    name="Orcs",
    kind="choice",
    values=("random", "seat1", "seat2"),
    default="random",
    help="Who plays the orcs and takes the first turn.",
    names={"random": "Random", "seat1": "Seat 1", "seat2": "Seat 2"},
)
TARGET: Final = Option(
    slug="target",
    name="Winning target",
    kind="choice",
    values=(7, 5, 9),
    default=7,
    help="The first side to control towers worth this many points wins.",
)


def _switch(slug: str, name: str, says: str, *, on: bool = False, judges: bool = False) -> Option:
    """An option that is on or off; its default comes first."""
    return Option(
        slug=slug,
        name=name,
        kind="choice",
        values=(on, not on),
        default=on,
        help=says,
        names=ON_OFF,
        judges=judges,
    )


SPECIALS_IN_THE_BOX: Final = _switch(
    "specials", "Special tiles", "Shuffle the five special tiles in with the others."
)
SPECIALS_IN_ARMIES: Final = _switch(
    "specials", "Special tiles", "Armies may include special tiles.", on=True, judges=True
)
ADVANCED: Final = _switch(
    "advanced",
    "Advanced tokens",
    "Each side gets all ten power tokens instead of the five basic ones.",
)
SINGLETON: Final = _switch("singleton", "No duplicates", "No tile twice in one army.", judges=True)
CORE_ONLY: Final = _switch(
    "core_only", "Core set only", "Armies may include only pieces of the Core set.", judges=True
)

MAX_MOVES: Final = 70 * 14
"""At most 63 tiles of the pool and seven towers are placed (BKH-R-36), each in a turn with at most
14 answers: two tiles with cell, turning, token and what it does, an extra tile, the draws."""

MODES: Final[Mapping[str, Mode]] = {
    "classic": Mode(
        slug="classic",
        name="Classic",
        summary="One shared box and the same power tokens for both sides: surround towers to "
        "score seven points.",
        seats=range(2, 3),
        options=(ORCS, SPECIALS_IN_THE_BOX, ADVANCED, TARGET),
        max_moves=MAX_MOVES,
        sets=("core",),
    ),
    "warband": Mode(
        slug="warband",
        name="Warband",
        summary="The shared box, but each player brings five power tokens.",
        seats=range(2, 3),
        options=(ORCS, SPECIALS_IN_THE_BOX, TARGET, CORE_ONLY),
        own_decks=True,
        max_moves=MAX_MOVES,
        kinds=("token",),
        sections=(TOKENS, TOWERS, FIELD),  # whole armies may be used
    ),
    "army": Mode(
        slug="army",
        name="Army",
        summary="Each player brings five power tokens, four towers and 29 tiles; towers and tiles "
        "are pooled.",
        seats=range(2, 3),
        options=(ORCS, SPECIALS_IN_ARMIES, TARGET, SINGLETON, CORE_ONLY),
        own_decks=True,
        max_moves=MAX_MOVES,
        sections=(FIELD, TOKENS, TOWERS),
    ),
}


def _rules(mode: str, prepare: Callable[..., Khaos]) -> ModeRules:
    return ModeRules(
        state=Khaos,
        prepare=prepare,
        concede=concede,
        view=view.view,
        redeal=view.REDEAL,
        arrange=partial(layouts.arrange, mode),
        seat_keys=layouts.SEAT_KEYS,
    )


RULES: Final[Mapping[str, ModeRules]] = {
    "classic": _rules("classic", setup.classic),
    "warband": _rules("warband", setup.warband),
    "army": _rules("army", setup.army),
}

TABLE: Final = CardTable(Cards, RULES, BOOK, quiet_moves=("none", "stop", "stack"), otherwise=0)

GAME: Final = Game(
    slug="battl-khaos",
    name="Batt'l Kha'os",
    summary="Orcs against knights: place tiles, surround towers, score seven points.",
    package="games.battl_khaos",
    place=5,
    modes=MODES,
    rulebook=BOOK,
    ahead=AHEAD,
    table=TABLE,
    deck_rules=DECK_RULES,
    bots=BOTS,
    foresights=FORESIGHTS,
    thinkers=THINKERS,
    sample_decks=DECK_RULES.sample_decks,
    preview=preview,
    text=KhaosText(),
)
