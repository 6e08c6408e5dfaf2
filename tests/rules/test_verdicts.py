"""Every legality rule of every game: a legal list, lists just beside it, and absurd ones.

A rule that stands in a game's README and has none of these here fails the suite. What the messages
say and what the buttons do is tested with each game.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

import rules
from games.battle_krabz.legality import check_table
from games.kaolan.legality import FORMAT_OPTIONS, check_format
from rules.engine import rule_ids
from rules.engine.legality import Decklist, Report
from tests.games.battl_khaos.test_legality import MARSH, army, changed
from tests.games.battle_krabz.test_legality import ENEMIGOS, KRABZ, TRUMPS
from tests.games.colossal_kaiju_combat.test_legality import DEEP, SWORDS, alliance, combat, planning
from tests.games.kaolan.test_legality import BOOSTER_ONLY, GOLD, MASTER, WILDFIRE, padded
from tests.games.knd_ocg.test_legality import LEADERS, SINGLES, SPIES

MANY = 1_000_000
STRANGERS = {f"no-such-card-{number}": MANY for number in range(300)}

LEGALITY = re.compile(r"[A-Z]+-D-|HOUSE-")
"""The IDs of the rules that judge decks."""

Cards = Mapping[str, int]


@dataclass(frozen=True)
class Bad:
    """A list, and what the rule says of it: the two numbers, and how often it says so.

    ``rule`` is the rule that is reported, where it is not the one whose case this is.
    """

    deck: Any
    found: int | None
    allowed: int | None
    times: int = 1
    owned: Cards | None = None
    rule: str = ""
    format: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cases:
    """A rule's lists, judged in a mode and a format.

    ``just`` are one beside what is allowed. Where the rule judges no list, ``deck`` is what it does
    judge: the decks of a match, or a format.
    """

    mode: str
    legal: Any
    just: list[Bad]
    absurd: list[Bad]
    format: Mapping[str, Any] = field(default_factory=dict)
    owned: Cards | None = None


def merged(*parts: Cards) -> dict[str, int]:
    """Later counts stand in place of earlier ones; 0 takes a card out."""
    cards: dict[str, int] = {}
    for part in parts:
        cards |= part
    return {slug: count for slug, count in cards.items() if count}


def main(*parts: Cards) -> dict[str, dict[str, int]]:
    """A list of one section."""
    return {"main": merged(*parts)}


def of(game: str, *kinds: str, **attributes: Any) -> list[str]:
    """The cards of these kinds (all kinds if none is named) with these attributes."""
    return [
        slug
        for slug, card in rules.game(game).catalog.items()
        if (not kinds or card.kind in kinds)
        and all(card.attributes.get(key) == value for key, value in attributes.items())
    ]


def each(slugs: Any, count: int = MANY) -> dict[str, int]:
    return dict.fromkeys(slugs, count)


# -- Battle Krabz ----------------------------------------------------------------------------------

BKZ = of("battle-krabz")
KRABZ_WARRIORS = of("battle-krabz", "warrior", side="K")
ENEMIGO_WARRIORS = of("battle-krabz", "warrior", side="E")
WITCHES = of("battle-krabz", "booster", side="E")
SUPPORTS = of("battle-krabz", "booster", "power")
HOLO = [slug for slug in BKZ if slug.endswith("-holo")]
ALL_BKZ = main(each(BKZ))
ONE_LESS = main(KRABZ, {"kite-krab-silver": 0})
SEVEN = merged(each(KRABZ_WARRIORS[:5], 1), {"paloma-gold": 1, "unicorn-gold": 1})
TABLE = {"target": 36, "factions": "opposed"}

KRABZ_CASES = {
    "D-01": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ, {"charizard": 1}), 1, 0)],
        [Bad(main(STRANGERS), MANY, 0, 300), Bad(main({"": MANY, "🦀": 1}), MANY, 0, 2)],
    ),
    "D-02": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ, {"unicorn-silver": 2}), 2, 1)],
        [Bad(ALL_BKZ, MANY, 1, len(BKZ))],
    ),
    "D-03": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ, {"fallen-silver": 1}), 1, 0)],
        [Bad(ALL_BKZ, MANY * len(ENEMIGO_WARRIORS), 0)],
    ),
    "D-04": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ, {"grubba-silver": 1}), 1, 0)],
        [Bad(main(KRABZ, each(WITCHES)), MANY, 0, len(WITCHES))],
    ),
    "D-05": Cases(
        "battle",
        main({"kite-krab-silver": 1}),
        [Bad(main(KRABZ, each(KRABZ_WARRIORS, 0)), 0, 1)],
        [Bad(main(), 0, 1), Bad({}, 0, 1), Bad(main(each(SUPPORTS), STRANGERS), 0, 1)],
    ),
    "D-06": Cases(
        "battle",
        main(KRABZ),
        [Bad(ONE_LESS, 35, 36), Bad(main(KRABZ), 36, 37, format={"target": 37})],
        [
            Bad(main({"kite-krab-silver": 1}), 1, 1000, format={"target": 1000}),
            Bad(main({"kite-krab-silver": 1}, each(SUPPORTS), STRANGERS), 1, 36),
        ],
        {"target": 36},
    ),
    "D-07": Cases(
        "battle",
        main(SEVEN),
        [Bad(main(SEVEN, {"paloma-gold": 0}), 6, 7)],
        [Bad(main(), 0, 7), Bad({}, 0, 7), Bad(main(STRANGERS), 0, 7)],
    ),
    "D-08": Cases(
        "battle",
        main(SEVEN),
        [
            Bad(main(SEVEN, {"paloma-gold": 0}), 0, 1),
            Bad(main(SEVEN, {"unicorn-gold": 0}), 0, 1),
        ],
        [Bad(main(), 0, 1, 2), Bad(main(each(KRABZ_WARRIORS)), 0, 1, 2)],
    ),
    "D-09": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ), 1, 0, owned=merged(KRABZ, {"kite-krab-gold": 0}))],
        [
            Bad(ALL_BKZ, MANY, 0, len(BKZ), owned={}),
            Bad(main(KRABZ), 1, 0, len(KRABZ), owned=each(BKZ, -5)),
        ],
        owned=KRABZ,
    ),
    "D-10": Cases(
        "battle",
        [main(KRABZ), main(ENEMIGOS)],
        [Bad([main(KRABZ), main(KRABZ)], None, None)],
        [Bad([main(each(KRABZ_WARRIORS))] * 2, None, None), Bad([{}, {}], None, None)],
        TABLE,
    ),
    "D-11": Cases(
        "battle",
        [main(KRABZ), main(ENEMIGOS)],
        [Bad([ONE_LESS, main(ENEMIGOS)], 35, 36)],
        [
            Bad(
                [main({"kite-krab-silver": 1}), main({"fallen-silver": 1}, STRANGERS)],
                *(1, 1000, 2),
                format={"target": 1000},
            )
        ],
        TABLE,
    ),
    "D-20": Cases(
        "battle",
        main(KRABZ, {"unicorn-silver": 2}),
        [Bad(main(KRABZ, {"unicorn-silver": 3}), 3, 2)],
        [Bad(ALL_BKZ, MANY, 2, len(BKZ))],
        {"doubles": True},
    ),
    "D-21": Cases(
        "battle",
        main({"kite-krab-gold": 1, "drum-krab-holo": 1}),
        [Bad(main({"kite-krab-gold": 1, "kite-krab-silver": 1}), 2, 1)],
        [Bad(main({"kite-krab-gold": MANY, "kite-krab-silver": MANY}), 2 * MANY, 1)],
        {"one_of_a_kind": True},
    ),
    "D-22": Cases(
        "battle",
        main({"kite-krab-gold": 1, "drum-krab-silver": 1}),
        [Bad(main({"kite-krab-gold": 1, "kite-krab-holo": 1}), 1, 0)],
        [Bad(main(each(HOLO)), MANY, 0, len(HOLO))],
        {"plain_shells": True},
    ),
    "D-23": Cases(
        "battle",
        main(KRABZ),
        [Bad(ONE_LESS, 55, 56), Bad(main(KRABZ, {"kite-krab-silver": 2}), 57, 56)],
        [Bad({}, 0, 56), Bad(ALL_BKZ, MANY * len(BKZ), 56), Bad(main(STRANGERS), 0, 56)],
        {"set_size": True},
    ),
    "D-24": Cases(
        "battle",
        main(KRABZ),
        [Bad(ONE_LESS, None, None), Bad(main(KRABZ, {"kite-krab-silver": 2}), None, None)],
        [Bad({}, None, None), Bad(ALL_BKZ, None, None)],
        {"starter_clash": True},
    ),
    "D-30": Cases(
        "multi",
        main(TRUMPS),
        [Bad(main(TRUMPS, {"unicorn-silver": 1}), 1, 0)],
        [Bad(main(each(SUPPORTS)), MANY, 0, len(SUPPORTS))],
    ),
    "D-31": Cases(
        "multi",
        main(TRUMPS),
        [
            Bad(main(each(KRABZ_WARRIORS[:14], 1)), 14, 15),
            Bad(main(each(KRABZ_WARRIORS[:16], 1)), 16, 15),
        ],
        [Bad({}, 0, 15), Bad(ALL_BKZ, MANY * len(BKZ), 15), Bad(main(STRANGERS), 0, 15)],
        {"trump_size": 15},
    ),
}

# -- KND: OCG --------------------------------------------------------------------------------------

KND = of("knd-ocg")
ENERGY = of("knd-ocg", "energy")
TYPED = [slug for slug in ENERGY if slug != "normal-energy"]
CHARACTERS = of("knd-ocg", "character")
NO_ENERGY = main({"numbuh-1": 20, "roll-call": 40})
SIXTY = Cases(
    "duel",
    main(LEADERS),
    [
        Bad(main(LEADERS, {"rewire": 0}), 59, 60, rule="KND-D-10"),
        Bad(main(LEADERS, {"numbuh-5": 1}), 61, 60, rule="KND-D-10"),
    ],
    [
        Bad({}, 0, 60, rule="KND-D-10"),
        Bad(main(each(KND)), MANY * len(KND), 60, rule="KND-D-10"),
        Bad(main(STRANGERS), 0, 60, rule="KND-D-10"),
    ],
)
RESTRICTED = Cases(
    "duel",
    main({"numbuh-1": 20, "recycling-bin": 2}),
    [Bad(main({"numbuh-1": 20, "recycling-bin": 3}), 3, 2, rule="KND-D-13")],
    [Bad(main({"numbuh-1": 20, "recycling-bin": MANY}), MANY, 2, rule="KND-D-13")],
    {"tournament": True},
)

KND_CASES = {
    "D-01": SIXTY,
    "D-03": RESTRICTED,
    "D-10": SIXTY,
    "D-11": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"charizard": 1}), 1, 0)],
        [Bad(main(STRANGERS), MANY, 0, 300)],
    ),
    "D-12": Cases(
        "duel",
        main({"numbuh-1": 1}),
        [Bad(main({"leader-energy": 60}), 0, 1)],
        [Bad({}, 0, 1), Bad(main(each(ENERGY)), 0, 1), Bad(main(STRANGERS), 0, 1)],
    ),
    "D-13": RESTRICTED,
    "D-14": Cases(
        "duel",
        main(SINGLES),
        [Bad(main(SINGLES, {"roll-call": 2}), 2, 1)],
        [Bad(main(each(KND)), MANY, 1, len(KND) - len(ENERGY))],
        {"no_duplicates": True},
    ),
    "D-15": Cases(
        "duel",
        main({"numbuh-1": 4}),
        [Bad(main({"numbuh-1": 5}), 5, 4)],
        [Bad(main(each(KND)), MANY, 4, len(KND) - len(ENERGY))],
        {"four_of": True},
    ),
    "D-16": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"numbuh-5": 1}), 2, 1)],
        [Bad(main(each(KND)), 5, 1)],
        {"single_type": True},
    ),
    "D-17": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS), 1, 0, owned=merged(LEADERS, {"rewire": 0}))],
        [
            Bad(main(each(KND)), MANY, 0, len(KND), owned={}),
            Bad(main({"rewire": 1}), 1, 0, owned=each(KND, -5)),
        ],
        owned=LEADERS,
    ),
    "D-20": Cases(
        "duel",
        main({"numbuh-1": 20, "leader-energy": 40}),
        [Bad(main({"numbuh-1": 19, "leader-energy": 41}), 19, 20)],
        [
            Bad(main({"numbuh-1": 1, "leader-energy": MANY}), 1, 20),
            Bad(main({"numbuh-1": 1}, STRANGERS), 1, 20),
        ],
    ),
    "D-21": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"spy-energy": 1}), 1, None)],
        [
            Bad(main({"numbuh-1": 1, "leader-energy": 1, "spy-energy": MANY}), MANY, None),
            Bad(main(each(TYPED)), MANY, None, len(TYPED)),
        ],
    ),
    "D-22": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"numbuh-5": 1}), 0, 1)],
        [
            Bad(main(LEADERS, {"numbuh-5": MANY}), 0, 1),
            Bad(main(each(CHARACTERS), STRANGERS), 0, 1, 5),
        ],
    ),
    "D-23": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"detention-slip": 1}), 1, None)],
        [Bad(main(LEADERS, {"detention-slip": MANY}), MANY, None)],
    ),
    "D-24": Cases(
        "duel",
        main(NO_ENERGY["main"], {"leader-energy": 14}),
        [
            Bad(main(NO_ENERGY["main"], {"leader-energy": 13}), 13, 14),
            Bad(main(NO_ENERGY["main"], {"leader-energy": 27}), 27, 26),
        ],
        [
            Bad(main({"numbuh-1": MANY}), 0, 14),
            Bad(main({"roll-call": 1}, STRANGERS), 0, 14),
            Bad(main(each(ENERGY)), MANY * len(ENERGY), 26),
        ],
    ),
    "D-25": Cases(
        "duel",
        main(SPIES, LEADERS),
        [Bad(main(SPIES, LEADERS, {"numbuh-2": 1}), 3, 2)],
        [Bad(main(each(KND)), 5, 2)],
    ),
}

# -- Kaolan ----------------------------------------------------------------------------------------

KAO = of("kaolan")
RED_7, RED_CLAW, WAR_DRUMS = "kao-pow-red-07", "kao-char-red-claw", "kao-sa-war-drums"
GOLD_6, BLUE_4 = "kao-pow-gold-06", "kao-pow-blue-04"
FIRE = [slug for slug in WILDFIRE if slug.startswith("kao-char")]
RED_7S = main(MASTER, {RED_7: MANY})
COLOURED = [slug for slug in of("kaolan", "power") if slug not in GOLD]

KAOLAN_CASES = {
    "D-01": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {"charizard": 1}), 1, 0)],
        [Bad(main(STRANGERS), MANY, 0, 300)],
    ),
    "D-02": Cases(
        "tournament",
        main(WILDFIRE, {RED_7: 2}),
        [Bad(main(WILDFIRE, {RED_7: 3}), 3, 2)],
        [
            Bad(main(each(KAO)), MANY, 0, len(KAO), owned={}),
            Bad(main({RED_7: 1}), 1, 0, owned=each(KAO, -5)),
        ],
        owned=merged(WILDFIRE, {RED_7: 2}),
    ),
    "D-03": Cases(
        "match",
        main(MASTER),
        [Bad(main(MASTER, {RED_7: 0}), 59, 60)],
        [Bad({}, 0, 60), Bad(main(STRANGERS), 0, 60)],
    ),
    "D-04": Cases(
        "match",
        main(padded(120)),
        [Bad(main(padded(121)), 121, 120)],
        [Bad(RED_7S, MANY + 59, 120)],
    ),
    "D-05": Cases(
        "match",
        main(MASTER),
        [Bad(main(MASTER, {RED_CLAW: 0}), 0, 1)],
        [Bad({}, 0, 1, 60), Bad(main(each(BOOSTER_ONLY)), 0, 1, 60)],
    ),
    "D-06": Cases(
        "match",
        main(MASTER, {RED_7: 2, GOLD_6: 1}),
        [
            Bad(main(MASTER, {RED_7: 3, GOLD_6: 1}), 3, 2),
            Bad(main(MASTER, {RED_7: 2, GOLD_6: 2}), 2, 1),
        ],
        [Bad(RED_7S, MANY, 2), Bad(main(MASTER, {GOLD_6: MANY}), MANY, 1)],
    ),
    "D-07": Cases(
        "match",
        main(MASTER),
        [Bad(main(MASTER, {WAR_DRUMS: 1}), 61, None)],
        [Bad(RED_7S, MANY + 59, None)],
    ),
    "D-08": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {"kao-op-ambush": 0}), 39, 40)],
        [Bad({}, 0, 40), Bad(main(STRANGERS), 0, 40)],
    ),
    "D-09": Cases(
        "tournament",
        main(padded(120)),
        [Bad(main(padded(121)), 121, 120)],
        [Bad(RED_7S, MANY + 59, 120)],
    ),
    "D-10": Cases(
        "tournament",
        main(WILDFIRE, each(FIRE, 0), each(FIRE[:5], 1)),
        [Bad(main(WILDFIRE, each(FIRE, 0), each(FIRE[:4], 1)), 4, 5)],
        [Bad({}, 0, 5), Bad(main({RED_7: MANY}, STRANGERS), 0, 5)],
    ),
    "D-11": Cases(
        "tournament",
        main(WILDFIRE, {RED_7: 2}),
        [Bad(main(WILDFIRE, {RED_7: 3}), 3, 2)],
        [Bad(main(each(KAO)), MANY, 2, len(KAO) - len(GOLD))],
    ),
    "D-12": Cases(
        "tournament",
        main(WILDFIRE, {GOLD_6: 1}),
        [Bad(main(WILDFIRE, {GOLD_6: 2}), 2, 1)],
        [Bad(main(each(KAO)), MANY, 1, len(GOLD))],
    ),
    "D-13": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {WAR_DRUMS: 1}), 41, None)],
        [Bad(RED_7S, MANY + 59, None), Bad(main(each(KAO)), MANY * len(KAO), None)],
    ),
    "D-14": Cases(
        "tournament",
        main(WILDFIRE, {BLUE_4: 1, "kao-char-blue-starmaster": 1}),
        [Bad(main(WILDFIRE, {BLUE_4: 1}), None, None)],
        [Bad(main(each(COLOURED)), None, None, len(COLOURED))],
    ),
    "D-15": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {RED_7: 2}), 2, 1)],
        [Bad(main(each(KAO)), MANY, 1, len(KAO))],
        {"singleton": True},
    ),
    "D-16": Cases(
        "tournament",
        main(WILDFIRE),
        [
            Bad(main(WILDFIRE, {WAR_DRUMS: 1}), 41, 40),
            Bad(main(WILDFIRE, {"kao-op-ambush": 0}), 39, 40),
        ],
        [Bad(main(each(KAO)), MANY * len(KAO), 40), Bad({}, 0, 40), Bad(main(STRANGERS), 0, 40)],
        {"exact_size": True},
    ),
    "D-17": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {GOLD_6: 1}), 1, 0)],
        [Bad(main(each(KAO)), MANY, 0, len(GOLD))],
        {"no_gold": True},
    ),
    "D-18": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {WAR_DRUMS: 1}), 1, 0)],
        [Bad(main(each(KAO)), MANY, 0, len(BOOSTER_ONLY))],
        {"master_only": True},
    ),
    "D-19": Cases(
        "tournament",
        main(MASTER),
        [Bad(main(MASTER, {RED_CLAW: 0}), 0, 1)],
        [Bad({}, 0, 1, 60), Bad(main(each(BOOSTER_ONLY), STRANGERS), 0, 1, 60)],
        {"classic": True},
    ),
    "D-20": Cases(
        "tournament",
        {"classic": True},
        [Bad({"classic": True, "exact_size": True}, 60, 40)],
        [Bad(dict.fromkeys(FORMAT_OPTIONS, True), 60, 40)],
    ),
}

# -- Colossal Kaiju Combat -------------------------------------------------------------------------

CKC = of("colossal-kaiju-combat")
LOST = {"team": STRANGERS, "kaiju": STRANGERS, "combat": STRANGERS, "planning": STRANGERS}
ALL_CKC = {section: each(CKC) for section in DEEP}
DEEP_CARDS = merged(*DEEP.values())


def deep(**sections: Cards) -> dict[str, Cards]:
    """The Deep's Starter Deck with whole sections put in place of its own."""
    return {**DEEP, **sections}


def deeper(section: str, *changes: Cards) -> dict[str, Cards]:
    """The Deep's Starter Deck with other counts in a section."""
    return deep(**{section: merged(DEEP[section], *changes)})


CKC_CASES = {
    "D-01": Cases(
        "standard",
        DEEP,
        [Bad(deep(team={}), 0, 1), Bad(deep(team={"from-the-deep": 2}), 2, 1)],
        [Bad({}, 0, 1), Bad(deep(team={"from-the-deep": MANY}), MANY, 1), Bad(LOST, 0, 1)],
    ),
    "D-02": Cases(
        "standard",
        DEEP,
        [
            Bad(deep(kaiju={"coralisk": 1, "pelagor": 1}), 2, 3),
            Bad(deep(kaiju=each(["maelgrath", "coralisk", "pelagor", "lanternjaw"], 1)), 4, 3),
        ],
        [
            Bad(deep(kaiju={}), 0, 3),
            Bad(deep(kaiju={"coralisk": MANY}), MANY, 3),
            Bad(deep(kaiju=STRANGERS), 0, 3),
        ],
    ),
    "D-03": Cases(
        "standard",
        DEEP,
        [Bad(deep(kaiju={"maelgrath": 1, "coralisk": 1, "magmaul": 1}), 1, 0)],
        [Bad(deep(kaiju={"magmaul": MANY}), MANY, 0)],
    ),
    "D-04": Cases(
        "standard",
        DEEP,
        [Bad(deep(kaiju={"maelgrath": 1, "coralisk": 2}), 2, 1)],
        [Bad(deep(kaiju={"maelgrath": MANY, "coralisk": MANY}), MANY, 1, 2)],
    ),
    "D-05": Cases(
        "standard",
        alliance("coralisk", "pelagor"),
        [Bad(alliance("maelgrath", "coralisk"), 1, 0)],
        [Bad({**alliance(), "kaiju": {"maelgrath": MANY}}, MANY, 0)],
    ),
    "D-06": Cases(
        "standard",
        deep(combat=combat(10, 10)),
        [Bad(deep(combat=combat(9, 10)), 19, 20)],
        [Bad({}, 0, 20), Bad(LOST, 0, 20)],
    ),
    "D-07": Cases(
        "standard",
        deep(combat=combat(20, 20)),
        [Bad(deep(combat=combat(20, 21)), 41, 40)],
        [Bad(deep(combat={"brace": MANY, SWORDS[0]: MANY}), 2 * MANY, 40)],
    ),
    "D-08": Cases(
        "standard",
        DEEP,
        [Bad(deep(combat=combat(11, 10)), 11, 10), Bad(deep(combat=combat(10, 11)), 10, 11)],
        [
            Bad(deep(combat={SWORDS[0]: MANY}), MANY, 0),
            Bad(deep(combat={**STRANGERS, "brace": MANY}), 0, MANY),
        ],
    ),
    "D-09": Cases(
        "standard",
        DEEP,
        [Bad(deeper("combat", {"brace": 3}), 3, 2)],
        [Bad(deeper("combat", {"brace": MANY}), MANY, 2)],
    ),
    "D-10": Cases(
        "standard",
        deep(planning=planning(25)),
        [Bad(deep(planning=planning(24)), 24, 25)],
        [Bad({}, 0, 25), Bad(LOST, 0, 25)],
    ),
    "D-11": Cases(
        "standard",
        deep(planning=planning(60)),
        [Bad(deep(planning=planning(61)), 61, 60)],
        [Bad(deep(planning={"taunt": MANY}), MANY, 60)],
    ),
    "D-12": Cases(
        "standard",
        deeper("planning", {"taunt": 3}),
        [Bad(deeper("planning", {"taunt": 4}), 4, 3)],
        [Bad(deeper("planning", {"taunt": MANY}), MANY, 3)],
    ),
    "D-13": Cases(
        "standard",
        DEEP,
        [Bad(deeper("combat", {"taunt": 1}), 1, 0)],
        [Bad(ALL_CKC, MANY, 0, 3 * len(CKC))],
    ),
    "D-14": Cases(
        "standard",
        DEEP,
        [Bad(deeper("combat", {"charizard": 1}), 1, 0)],
        [Bad(LOST, MANY, 0, 1200)],
    ),
    "D-15": Cases(
        "standard",
        DEEP,
        [Bad(DEEP, 1, 0, owned=merged(DEEP_CARDS, {"maelgrath": 0}))],
        [
            Bad(DEEP, 1, 0, len(DEEP_CARDS), owned=each(CKC, -5)),
            Bad({"combat": {"brace": MANY}}, MANY, 0, owned={}),
        ],
        owned=DEEP_CARDS,
    ),
    "D-20": Cases(
        "standard",
        DEEP,
        [Bad(deep(planning=planning(24)), 24, 25, rule="CKC-D-10")],
        [
            Bad({}, 0, 1, rule="CKC-D-01"),
            Bad(deeper("combat", {"brace": MANY}), MANY, 2, rule="CKC-D-09"),
            Bad(LOST, MANY, 0, 1200, rule="CKC-D-14"),
        ],
        {},
    ),
    "D-21": Cases(
        "standard",
        deep(planning=planning(15)),
        [
            Bad(deep(planning=planning(14)), 14, 15, rule="CKC-D-10"),
            Bad(DEEP, 1, 0, owned=merged(DEEP_CARDS, {"maelgrath": 0}), rule="CKC-D-15"),
        ],
        [
            Bad({}, 0, 15, rule="CKC-D-10"),
            Bad(deeper("planning", {"taunt": MANY}), MANY, 1, owned=DEEP_CARDS, rule="CKC-D-15"),
            Bad(deep(kaiju={"maelgrath": MANY}), MANY, 1, rule="CKC-D-04"),
        ],
        {"sealed": True},
    ),
    "D-22": Cases(
        "standard",
        deep(combat={"brace": 1}, planning={"taunt": 1}),
        [Bad(deep(combat={"brace": 2}, planning={"taunt": 1}), 2, 1)],
        [Bad(deep(combat={"brace": MANY}, planning={"taunt": MANY}), MANY, 1, 2)],
        {"singleton": True},
    ),
    "D-24": Cases(
        "standard",
        deep(kaiju={"coralisk": 1}),
        [Bad(DEEP, 1, 0)],
        [Bad(deep(kaiju={"maelgrath": MANY}), MANY, 0)],
        {"no_leaders": True},
    ),
}

# -- Batt'l Kha'os ---------------------------------------------------------------------------------

BKH = of("battl-khaos")
NOWHERE = {"tokens": STRANGERS, "towers": STRANGERS, "field": STRANGERS}
MARSH_PIECES = merged(*MARSH.values())
TOKENS, TOWERS = of("battl-khaos", "token"), of("battl-khaos", "tower")
SPECIAL = of("battl-khaos", "special")

KHAOS_CASES = {
    "D-01": Cases(
        "army",
        MARSH,
        [Bad({**MARSH, "tokens": {**MARSH["tokens"], "charizard": 1}}, 1, 0)],
        [Bad(NOWHERE, MANY, 0, 900)],
    ),
    "D-02": Cases(
        "army",
        MARSH,
        [Bad(changed("tokens", "", "f01k"), 1, 0)],
        [Bad({section: each(BKH) for section in MARSH}, MANY, 0, 2 * len(BKH))],
    ),
    "D-03": Cases(
        "army",
        MARSH,
        [Bad(MARSH, 1, 0, owned=merged(MARSH_PIECES, {"bkh-f27": 0}))],
        [
            Bad(MARSH, 1, 0, len(MARSH_PIECES), owned=each(BKH, -5)),
            Bad({"tokens": each(TOKENS)}, MANY, 0, len(TOKENS), owned={}),
        ],
        owned=MARSH_PIECES,
    ),
    "D-10": Cases(
        "army",
        MARSH,
        [
            Bad(army(tokens="p-drums p-leader p-banner p-halberd"), 4, 5),
            Bad(army(tokens="p-drums p-archer p-archer2 p-giant p-halberd p-mage"), 6, 5),
        ],
        [Bad({}, 0, 5), Bad(army(tokens=f"p-leader*{MANY}"), MANY, 5), Bad(NOWHERE, 0, 5)],
    ),
    "D-11": Cases(
        "army",
        MARSH,
        [Bad(army(tokens="p-drums*2 p-leader p-banner p-halberd"), 2, 1)],
        [Bad({**MARSH, "tokens": each(TOKENS)}, MANY, 1, len(TOKENS))],
    ),
    "D-12": Cases(
        "army",
        army(tokens="p-drums2 p-leader p-banner p-halberd p-archer"),
        [Bad(army(tokens="p-drums2 p-leader p-banner p-drums p-archer"), 13, 12)],
        [Bad(army(tokens=f"p-leader*{MANY}"), 3 * MANY, 12)],
    ),
    "D-20": Cases(
        "army",
        MARSH,
        [Bad(army(towers="t1o t4o t2k"), 3, 4), Bad(army(towers="t1o t4o t2k t3k t1k"), 5, 4)],
        [Bad({}, 0, 4), Bad(army(towers=f"t4o*{MANY}"), MANY, 4), Bad(NOWHERE, 0, 4)],
    ),
    "D-21": Cases(
        "army",
        MARSH,
        [Bad(army(towers="t1o t4o t2k*2"), 2, 1)],
        [Bad({**MARSH, "towers": each(TOWERS)}, MANY, 1, len(TOWERS))],
    ),
    "D-22": Cases(
        "army",
        army(towers="t1o t4o t2k t3k-b"),
        [Bad(army(towers="t1o t4o t1k t3k"), 9, 10), Bad(army(towers="t2o t4o t2k t3k"), 11, 10)],
        [Bad({}, 0, 10), Bad(army(towers=f"t4o*{MANY}"), 4 * MANY, 10)],
    ),
    "D-23": Cases(
        "army",
        MARSH,
        [Bad(army(towers="t4o t3o t2o t1k"), 3, 2)],
        [Bad({}, 0, 2), Bad(army(towers=f"t4o*{MANY}"), MANY, 2)],
    ),
    "D-30": Cases(
        "army",
        MARSH,
        [Bad(changed("field", "f27"), 28, 29), Bad(changed("field", "", "x-temple"), 30, 29)],
        [Bad({}, 0, 29), Bad(army(field=f"f01o*{MANY}"), MANY, 29), Bad(NOWHERE, 0, 29)],
    ),
    "D-31": Cases(
        "army",
        changed("field", "f27 f29", "x-temple x-circle"),
        [Bad(changed("field", "f27 f29 f31", "x-temple x-graveyard x-stones"), 3, 2)],
        [Bad({**MARSH, "field": each(SPECIAL)}, MANY * len(SPECIAL), 2)],
    ),
    "D-32": Cases(
        "army",
        changed("field", "f27", "x-stones"),
        [Bad(changed("field", "f27 f29", "x-stones*2"), 2, 1)],
        [Bad({**MARSH, "field": each(SPECIAL)}, MANY, 1, len(SPECIAL))],
    ),
    "D-33": Cases(
        "army",
        changed("field", "f27", "f05o"),
        [Bad(changed("field", "f27 f29", "f05o*2"), 3, 2)],
        [Bad(changed("field", "", f"f05o*{MANY - 1}"), MANY, 2)],
    ),
    "D-34": Cases(
        "army",
        MARSH,
        [Bad({**MARSH, "field": {**MARSH["field"], "bkh-f31": 2}}, 2, 1)],
        [Bad({**MARSH, "field": {**MARSH["field"], "bkh-f31": MANY}}, MANY, 1)],
    ),
    "D-35": Cases(
        "army",
        changed("field", "f08k f27", "f08o f04o"),
        [Bad(changed("field", "f08k f27 f29", "f08o f04o f05o"), 5, 4)],
        [Bad(army(field=f"f39o*{MANY}"), 3 * MANY, 4)],
    ),
    "D-36": Cases(
        "army",
        MARSH,
        [Bad(changed("field", "f27", "x-temple"), 1, 0)],
        [Bad({**MARSH, "field": each(SPECIAL)}, MANY, 0, len(SPECIAL))],
        {"specials": False},
    ),
    "D-40": Cases(
        "army",
        MARSH,
        [Bad(changed("field", "f27", "f05o"), 2, 1)],
        [Bad(changed("field", "", f"f05o*{MANY - 1}"), MANY, 1)],
        {"singleton": True},
    ),
    "D-41": Cases(
        "army",
        MARSH,
        [Bad(changed("field", "f27", "f33o"), 1, 0)],
        [Bad(changed("field", "", f"f39o*{MANY}"), MANY, 0)],
        {"core_only": True},
    ),
}

# -- house rules, the same in every game -----------------------------------------------------------

HOUSE_CASES = {
    "01": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {RED_7: 2}), 2, 1)],
        [Bad(main({RED_7: MANY}, STRANGERS), MANY, 1)],
        {"house": {"restricted": {RED_7: 1}}},
    ),
    "02": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {WAR_DRUMS: 1}), 1, 0)],
        [Bad(main(each(KAO)), MANY, 0, len(BOOSTER_ONLY))],
        {"house": {"sets": ["master"]}},
    ),
    # No list breaks it: what matters is whether a format asks for own cards that nobody knows.
    "03": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE), None, None, format={"house": {"owned_only": True}})],
        [
            Bad({}, None, None, format={"house": {"owned_only": True}}),
            Bad(main(each(KAO), STRANGERS), None, None, format={"house": {"owned_only": True}}),
        ],
        {"house": {"owned_only": False}},
    ),
}

CASES = {
    f"{prefix}-{rule}": cases
    for prefix, table in {
        "BKZ": KRABZ_CASES,
        "KND": KND_CASES,
        "KAO": KAOLAN_CASES,
        "CKC": CKC_CASES,
        "BKH": KHAOS_CASES,
        "HOUSE": HOUSE_CASES,
    }.items()
    for rule, cases in table.items()
}

PERMITS: dict[str, list[tuple[str, Decklist, set[str]]]] = {
    "KND-D-02": [
        ("duel", main({"numbuh-1": 34, "leader-energy": 26}), set()),
        ("duel", main({"numbuh-1": 60}), {"KND-D-24", "KND-D-22"}),
        ("duel", main({"numbuh-1": MANY}), {"KND-D-10", "KND-D-24", "KND-D-22"}),
    ],
    "CKC-D-23": [
        ("basic", DEEP, set()),
        ("basic", deep(planning=planning(24)), set()),
        ("basic", deep(planning=planning(61)), set()),
        ("basic", deep(planning={"taunt": MANY}), set()),
        ("basic", deep(planning=STRANGERS), set()),
        ("basic", deep(planning={}), set()),
    ],
}
"""Rules that allow something: lists, and all that other rules say of them."""


def report(
    rule: str, mode: str, deck: Any, format: Mapping[str, Any], owned: Cards | None = None
) -> Report:
    if rule in ("BKZ-D-10", "BKZ-D-11"):  # of the decks of a match
        return check_table(mode, deck, format)
    if rule == "KAO-D-20":  # of a format
        return check_format(mode, deck)
    if rule.startswith("HOUSE-"):  # of all games
        return rules.game("kaolan").check_deck(mode, deck, format)
    [package] = [one for one in rule_ids.packages() if rule in rule_ids.rule_texts(one)]
    check_deck = importlib.import_module(f"games.{package}.legality").check_deck
    verdict: Report = check_deck(mode, deck, format or None, owned=owned)
    return verdict


every_rule = pytest.mark.parametrize("rule", CASES)


@every_rule
def test_a_legal_list(rule: str) -> None:
    cases = CASES[rule]
    reported = {
        one.rule
        for one in report(rule, cases.mode, cases.legal, cases.format, cases.owned).problems
    }
    assert not reported & {rule, *(bad.rule for bad in cases.just)}


@every_rule
def test_just_illegal_lists(rule: str) -> None:
    cases = CASES[rule]
    assert cases.just
    for bad in cases.just:
        assert_said(rule, cases, bad)
        # What excludes each other in a format is never nearer than this.
        if rule != "KAO-D-20" and bad.found is not None and bad.allowed is not None:
            assert abs(bad.found - bad.allowed) == 1


@every_rule
def test_absurd_lists(rule: str) -> None:
    cases = CASES[rule]
    assert cases.absurd
    for bad in cases.absurd:
        assert_said(rule, cases, bad)


def assert_said(rule: str, cases: Cases, bad: Bad) -> None:
    owned = cases.owned if bad.owned is None else bad.owned
    verdict = report(rule, cases.mode, bad.deck, {**cases.format, **bad.format}, owned)
    said = [problem for problem in verdict.problems if problem.rule == (bad.rule or rule)]
    assert len(said) == bad.times
    assert (said[0].found, said[0].allowed) == (bad.found, bad.allowed)


@pytest.mark.parametrize("rule", PERMITS)
def test_what_a_rule_permits(rule: str) -> None:
    for mode, deck, others in PERMITS[rule]:
        assert {problem.rule for problem in report(rule, mode, deck, {}).problems} == others


@pytest.mark.parametrize("package", rule_ids.packages())
def test_no_rule_is_forgotten(package: str) -> None:
    ids = {rule for rule in rule_ids.rule_texts(package) if LEGALITY.match(rule)}
    assert ids
    prefixes = {rule.split("-")[0] for rule in ids}
    assert ids == {rule for rule in (*CASES, *PERMITS) if rule.split("-")[0] in prefixes}
