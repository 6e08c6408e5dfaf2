"""Batt'l Kha'os: orcs against knights, tiles round towers.

It can be collected and built with; its rules of play are still to come.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.battl_khaos.legality import FIELD, TOKENS, TOWERS, check_deck
from rules.engine.game import FormatOption, Game, Mode, Option

ON_OFF: Final = {True: "On", False: "Off"}

ORCS: Final = Option(
    slug="orcs",
    name="Orcs",
    kind="choice",
    values=("random", "seat1", "seat2"),
    default="random",
    help="Who plays the orcs and takes the first turn.",
    names={"random": "Drawn by lot", "seat1": "Seat 1", "seat2": "Seat 2"},
)
TARGET: Final = Option(
    slug="target",
    name="Winning target",
    kind="choice",
    values=(7, 5, 9),
    default=7,
    help="The first to control towers worth so many points wins.",
)
SPECIALS_IN_THE_BOX: Final = Option(
    slug="specials",
    name="Special tiles",
    kind="choice",
    values=(False, True),
    default=False,
    help="The five special tiles are shuffled in with the others.",
    names=ON_OFF,
)
SPECIALS_IN_ARMIES: Final = Option(
    slug="specials",
    name="Special tiles",
    kind="choice",
    values=(True, False),
    default=True,
    help="Whether armies may hold special tiles.",
    names=ON_OFF,
)
ADVANCED: Final = Option(
    slug="advanced",
    name="Advanced tokens",
    kind="choice",
    values=(False, True),
    default=False,
    help="Each seat gets all ten power tokens rather than the five basic ones.",
    names=ON_OFF,
)
SINGLETON: Final = Option(
    slug="singleton",
    name="No duplicates",
    kind="choice",
    values=(False, True),
    default=False,
    help="No tile twice in one army.",
    names=ON_OFF,
)
CORE_ONLY: Final = Option(
    slug="core_only",
    name="Core set only",
    kind="choice",
    values=(False, True),
    default=False,
    help="Armies hold only pieces of the Core set.",
    names=ON_OFF,
)

MODES: Final[Mapping[str, Mode]] = {
    "classic": Mode(
        slug="classic",
        name="Classic",
        summary="One shared box, the same power tokens for both: ring the towers and hold seven "
        "points.",
        seats=range(2, 3),
        options=(ORCS, SPECIALS_IN_THE_BOX, ADVANCED, TARGET),
        playable=False,
    ),
    "warband": Mode(
        slug="warband",
        name="Warband",
        summary="The shared box, but everybody brings five power tokens.",
        seats=range(2, 3),
        options=(ORCS, SPECIALS_IN_THE_BOX, TARGET, CORE_ONLY),
        own_decks=True,
        playable=False,
        kinds=("token",),
        sections=(TOKENS, TOWERS, FIELD),  # whole armies may be used
    ),
    "army": Mode(
        slug="army",
        name="Army",
        summary="Everybody brings five power tokens, four towers and 29 tiles; towers and tiles "
        "are pooled.",
        seats=range(2, 3),
        options=(ORCS, SPECIALS_IN_ARMIES, TARGET, SINGLETON, CORE_ONLY),
        own_decks=True,
        playable=False,
        sections=(FIELD, TOKENS, TOWERS),
    ),
}

FORMAT_OPTIONS: Final = (
    FormatOption("singleton", "No duplicates", "BKH-D-40", "No tile twice.", ("army",)),
    FormatOption("core_only", "Core set only", "BKH-D-41", "", ("warband", "army")),
)

GAME: Final = Game(
    slug="battl-khaos",
    name="Batt'l Kha'os",
    summary="Orcs against knights: lay tiles, ring the towers, hold seven points.",
    package="games.battl_khaos",
    place=5,
    modes=MODES,
    check=check_deck,
    format_options=FORMAT_OPTIONS,
)
