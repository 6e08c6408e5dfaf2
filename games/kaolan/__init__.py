"""Kaolan: a dice-and-cards battle game in four modes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from games.kaolan import layouts, solo_view, view
from games.kaolan.ahead import AHEAD
from games.kaolan.bot import BOTS
from games.kaolan.legality import DECK_RULES
from games.kaolan.rulebook import BOOK
from games.kaolan.rules import match, power, single, tournament, turn
from games.kaolan.solitaire import Solitaire
from games.kaolan.state import HAND_LIMIT, Cards, Kaolan
from games.kaolan.table_text import KaolanText
from games.kaolan.thinkers import FORESIGHTS, THINKERS
from rules.engine.game import CardTable, Game, Mode, ModeRules, Option

PACKAGE = "games.kaolan"

GUARDS = Option(
    slug="guards",
    name="Guards",
    kind="choice",
    values=(0, 1, 2, 3),
    default=3,
    help="Guard positions per player. Fewer make a shorter game.",
)
BOOSTERS = Option(
    slug="boosters",
    name="Booster Decks",
    kind="subset",
    values=tuple(f"booster-{n}" for n in range(1, 7)),
    default=(),
    word="deck",
    decks={"deck": "shared"},
    help="Shuffled into the Master Deck, which is then cut to 60 cards at random.",
    names={
        "booster-1": "Emberfall",
        "booster-2": "Greenwood",
        "booster-3": "Bluewater",
        "booster-4": "Nightwatch",
        "booster-5": "Highstar",
        "booster-6": "Sunrise",
        "deck": "A deck that you bring, in place of the Master Deck",
    },
)
ANTE = Option(
    slug="ante",
    name="Ante",
    kind="choice",
    values=("off", "on"),
    default="off",
    help="With ante on, claimed Prize Cards change owners permanently. Everyone plays with their "
    "own digital copies.",
    for_keeps=("on",),
    names={"off": "Off: the Prizes are trophies", "on": "On: the Prizes are won permanently"},
)
SOLO_DEAL = Option(
    slug="solo_deal",
    name="Cards per deal",
    kind="choice",
    values=(3, 2, 1),
    default=3,
    help="Dealing fewer cards at a time is easier.",
)


def _turn_limit(default: int) -> Option:
    return Option(
        slug="turn_limit",
        name="Turn limit per player",
        kind="integer",
        values=(20, 200),
        default=default,
        help="After this many turns per player the match is decided by what is on the table.",
    )


MODES: Mapping[str, Mode] = {
    "match": Mode(
        slug="match",
        name="Match Play",
        summary="One shared deck of 60. Be the last with Characters on the battlefield.",
        seats=range(2, 5),
        options=(GUARDS, BOOSTERS, _turn_limit(80)),
        hands={"main": HAND_LIMIT},
        max_moves=4_000,  # 4 seats × 200 turns; the longest seen had 2.2 moves a turn
    ),
    "tournament": Mode(
        slug="tournament",
        name="Tournament Play",
        summary="Everyone brings a deck. Be the last with Characters and claim the Prizes.",
        seats=range(2, 9),
        options=(ANTE, _turn_limit(100)),
        own_decks=True,
        rules_version="2",  # KAO-R-49: who holds Salvage may stay in; KAO-R-25: ranks of a battle
        hands={"main": HAND_LIMIT},
        max_moves=6_000,  # 8 seats × 200 turns; the longest seen had 2.3 moves a turn
    ),
    "power": Mode(
        slug="power",
        name="Power Play",
        summary="One shared deck of 60. Hit the other's Main Character once.",
        seats=range(2, 3),
        options=(BOOSTERS, _turn_limit(60)),
        hands={"main": HAND_LIMIT},
        max_moves=1_500,  # 2 seats × 200 turns; the longest seen had 2.3 moves a turn
    ),
    "single": Mode(
        slug="single",
        name="Single Play",
        summary="Patience with battles: your Master Deck against all six Booster Decks.",
        seats=range(1, 2),
        options=(SOLO_DEAL,),
        max_moves=6_000,  # 60 passes of at most 60 deals, fewer each time, an attack after each
    ),
}

CONTEST = ModeRules(
    state=Kaolan,
    prepare=match.prepare,
    concede=turn.concede,
    view=view.view,
    redeal=view.REDEAL,
    arrange=partial(layouts.arrange, "match"),
    seat_keys=layouts.MATCH_KEYS,
)
RULES: Mapping[str, ModeRules] = {
    "match": CONTEST,
    "tournament": replace(
        CONTEST,
        prepare=tournament.prepare,
        arrange=partial(layouts.arrange, "tournament"),
        seat_keys=layouts.TOURNAMENT_KEYS,
    ),
    "power": replace(
        CONTEST,
        prepare=power.prepare,
        arrange=partial(layouts.arrange, "power"),
        seat_keys=layouts.POWER_KEYS,
    ),
    "single": ModeRules(
        state=Solitaire,
        prepare=single.prepare,
        concede=single.concede,
        view=solo_view.view,
        redeal=solo_view.REDEAL,
        arrange=layouts.arrange_solo,
    ),
}

TABLE = CardTable(Cards, RULES, BOOK, quiet_moves=("pass", "no", "none", "done"))


GAME = Game(
    slug="kaolan",
    name="Kaolan",
    summary="Beasts, numbers and dice: build a battlefield and break the others'.",
    package=PACKAGE,
    place=1,
    modes=MODES,
    rulebook=BOOK,
    ahead=AHEAD,
    table=TABLE,
    deck_rules=DECK_RULES,
    text=KaolanText(),
    bots=BOTS,
    foresights=FORESIGHTS,
    thinkers=THINKERS,
)
