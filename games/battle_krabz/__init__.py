"""Battle Krabz: crabs against villains, in short battles or as a game of trumps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.battle_krabz import layouts, multi_view, view
from games.battle_krabz.bot import BOTS
from games.battle_krabz.legality import DECK_RULES, TRUMP_SIZES, card_named
from games.battle_krabz.preview import preview
from games.battle_krabz.random_decks import sample_decks
from games.battle_krabz.rulebook import BOOK
from games.battle_krabz.rules import battle, multi
from games.battle_krabz.state import Cards, Krabz, Trumps
from games.battle_krabz.table_text import KrabzText
from games.battle_krabz.thinkers import FORESIGHTS, THINKERS
from rules.engine.game import CardTable, Game, Mode, ModeRules, Option

PACKAGE: Final = "games.battle_krabz"

ON_OFF: Final = {"on": "On", "off": "Off"}


def _switch(slug: str, name: str, default: str, help: str) -> Option:
    return Option(slug, name, "choice", ("on", "off"), default, help, ON_OFF)


BATTLE_OPTIONS: Final = (
    Option(
        slug="target",
        name="Winning target",
        kind="integer",
        values=(1, 75),
        default=20,
        word="all",
        judges=True,
        help="How many of the opponent's Warriors must be eliminated; “all” of them if you like.",
        names={5: "Skirmish", 10: "Quick", 20: "Standard", "all": "To the Last Shell"},
    ),
    Option(
        slug="factions",
        name="Factions",
        kind="choice",
        values=("opposed", "any"),
        default="opposed",
        help="Krabz against Enemigos, or any deck against any.",
        names={"opposed": "Krabz against Enemigos", "any": "Any against any"},
    ),
    Option(
        slug="first_attacker",
        name="First Attacker",
        kind="choice",
        values=("coin", "hp_draw", "seat_1", "seat_2"),
        default="coin",
        help="Who attacks in Battle 1.",
        names={
            "coin": "A coin decides",
            "hp_draw": "The higher HP of two cards",
            "seat_1": "Seat 1",
            "seat_2": "Seat 2",
        },
    ),
    Option(
        slug="tied_match",
        name="Tied match",
        kind="choice",
        values=("decider", "draw"),
        default="decider",
        help="What happens if both reach the target in the same Battle.",
        names={"decider": "A further Battle decides", "draw": "The match is drawn"},
    ),
    _switch("cut_short", "Early end", "on", "Players may agree to end the match early."),
    Option(
        slug="battle_limit",
        name="Battle limit",
        kind="integer",
        values=(0, 200),
        default=0,
        help="After this many Battles the match ends early; 0: no limit.",
    ),
    _switch("open_lists", "Open deck lists", "off", "Everyone can read both deck lists."),
    _switch(
        "always_ask",
        "Always ask",
        "off",
        "Players who could be holding a Booster or a Power Card are asked even if they have none, "
        "so that the clock gives no hand away.",
    ),
)

MULTI_OPTIONS: Final = (
    Option(
        slug="pack",
        name="Cards",
        kind="choice",
        values=("common", "own"),
        default="common",
        decks={"own": "own"},
        help="One pack for all, or everyone brings a trump deck.",
        names={"common": "The common Trump Pack", "own": "Each player's own trump deck"},
    ),
    Option(
        slug="trump_size",
        name="Trump deck size",
        kind="choice",
        values=TRUMP_SIZES,
        default=15,
        judges=True,
        help="Cards in a trump deck, if everyone brings one.",
    ),
    Option(
        slug="ending",
        name="Ending",
        kind="choice",
        values=("last_standing", "first_out"),
        default="last_standing",
        help="Play until one player is left, or until the first is out.",
        names={"last_standing": "One player left", "first_out": "First player out"},
    ),
    Option(
        slug="round_limit",
        name="Round limit",
        kind="integer",
        values=(20, 500),
        default=60,
        help="After this many rounds the most cards win.",
    ),
)

MODES: Final[Mapping[str, Mode]] = {
    "battle": Mode(
        slug="battle",
        name="Battle Mode",
        summary="Send up to three Warriors into each Battle and outscore your opponent.",
        seats=range(2, 3),
        options=BATTLE_OPTIONS,
        own_decks=True,
        # At most 150 Warriors and 72 Power Cards can go, one in a Battle that is not tied, with
        # four tied ones before it; a Battle takes at most 30 answers.
        max_moves=(150 + 72 + 1) * 5 * 30,
    ),
    "multi": Mode(
        slug="multi",
        name="Multi-Player Mode",
        summary="Call a number of your front card: the highest takes all.",
        seats=range(2, 7),
        options=MULTI_OPTIONS,
        max_moves=500,  # an answer a round
        kinds=("warrior",),
    ),
}

RULES: Final[Mapping[str, ModeRules]] = {
    "battle": ModeRules(
        state=Krabz,
        prepare=battle.prepare,
        concede=battle.concede,
        view=view.view,
        redeal=view.REDEAL,
        arrange=layouts.arrange,
        seat_keys=layouts.SEAT_KEYS,
    ),
    "multi": ModeRules(
        state=Trumps,
        prepare=multi.prepare,
        concede=multi.concede,
        view=multi_view.view,
        redeal=multi_view.REDEAL,
        arrange=layouts.arrange_trumps,
    ),
}

TABLE: Final = CardTable(
    Cards, RULES, BOOK, quiet_moves=("pass", "done", "decline", "keep"), otherwise=0
)

GAME: Final = Game(
    slug="battle-krabz",
    name="Battle Krabz",
    summary="Crabs against villains: short Battles, compared and boosted.",
    package=PACKAGE,
    words={"hp": "Hit points"},
    place=2,
    modes=MODES,
    rulebook=BOOK,
    table=TABLE,
    text=KrabzText(),
    bots=BOTS,
    foresights=FORESIGHTS,
    thinkers=THINKERS,
    sample_decks=sample_decks,
    preview=preview,
    deck_rules=DECK_RULES,
    named=card_named,
)
