"""Battle Krabz thought ahead: what speaks for a seat, and who thinks how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.battle_krabz.bot import BATTLE, MULTI, card_value
from games.battle_krabz.state import BOOSTER, POWER, WARRIOR, Krabz, Trumps, catalog
from rules.engine.bots import Foresight, Thinker
from rules.search import LEVELS, thinking

PACKAGE: Final = "games.battle_krabz"

LINE: Final = 3
STRENGTH: Final = 400
"""About what a line scores."""


BATTLE_NAMES: Final = (
    "score",
    "near",
    "role",
    "next_role",
    "warriors",
    "boosters",
    "powers",
    "reserve",
    "attacks",
)


def battle_features(s: Krabz, seat: int) -> Sequence[float]:
    """By ``BATTLE_NAMES``: what speaks for a seat. All lie about between 0 and 1."""
    cards, kinds, hand = s.cards, s.cards.kind, s.hands[seat]
    warriors = [card for card in hand if kinds[card] == WARRIOR]
    attack = sorted([cards.attack[card] for card in warriors], reverse=True)
    defence = sorted([cards.defence[card] for card in warriors], reverse=True)
    now, after = (attack, defence) if s.attacker == seat else (defence, attack)
    supports = {BOOSTER: 0.0, POWER: 0.0}
    for card in hand:
        if kinds[card] != WARRIOR:
            supports[kinds[card]] += card_value(catalog()[cards.slugs[card]])
    score = s.score(seat) / max(1, s.targets[seat])
    return (
        score,
        score * score,
        sum(now[:LINE]) / STRENGTH,
        sum(after[:LINE]) / STRENGTH,
        len(warriors) / 4,
        supports[BOOSTER] / 4,
        supports[POWER] / 4,
        len(s.warriors[seat]) / 20,
        float(s.attacker == seat),
    )


def battles(s: Krabz) -> int:
    return s.battle


MULTI_NAMES: Final = ("cards", "lead", "seen", "front")


def multi_features(s: Trumps, seat: int) -> Sequence[float]:
    """By ``MULTI_NAMES``: what speaks for a seat. All lie about between 0 and 1."""
    cards, pile = s.cards, s.piles[seat]
    worth = [
        cards.attack[card] + cards.defence[card] + cards.hp[card] + 4 * cards.special[card]
        for card in pile
        if s.knows(seat, card)
    ]
    return (
        len(pile) / len(cards),
        float(s.leader == seat),
        sum(worth) / STRENGTH / len(cards),
        worth[-1] / STRENGTH if worth else 0.0,
    )


def rounds(s: Trumps) -> int:
    return s.round


NOT_WORTH_A_THOUGHT: Final = frozenset({"choose-hand", "sort", "boost-target", "power-target"})
"""Where half a Battle tells too little, or a thinker agreed with the greedy bot all the time."""

FORESIGHTS: Final = {
    "battle": Foresight(
        PACKAGE,
        "battle",
        BATTLE,
        battles,
        1,
        BATTLE_NAMES,
        battle_features,
        greedily=NOT_WORTH_A_THOUGHT,
    ),
    "multi": Foresight(PACKAGE, "multi", MULTI, rounds, 4, MULTI_NAMES, multi_features),
}

THINKERS: Final = {
    "thinker-1": Thinker(
        "thinker-1",
        "Old Salt",
        "Plays each Battle out a hundred times in its head before it moves.",
        thinking(FORESIGHTS, LEVELS[0]),
        (
            "Nautilus",
            "Kraken Joe",
            "Bosun",
            "Wise Whelk",
            "Abalone",
            "Fathom",
            "Tidemark",
            "Sextant",
        ),
        {"battle": 97},
    ),
}
