"""The rules that judge decks of Colossal Kaiju Combat: legal lists, just beside, and absurd."""

from __future__ import annotations

from tests.games.colossal_kaiju_combat.test_legality import DEEP, SWORDS, alliance, combat, planning
from tests.rules.verdicts import MANY, STRANGERS, Bad, Cards, Cases, each, merged, of

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


CASES = {
    "CKC-D-01": Cases(
        "standard",
        DEEP,
        [Bad(deep(team={}), 0, 1), Bad(deep(team={"from-the-deep": 2}), 2, 1)],
        [Bad({}, 0, 1), Bad(deep(team={"from-the-deep": MANY}), MANY, 1), Bad(LOST, 0, 1)],
    ),
    "CKC-D-02": Cases(
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
    "CKC-D-03": Cases(
        "standard",
        DEEP,
        [Bad(deep(kaiju={"maelgrath": 1, "coralisk": 1, "magmaul": 1}), 1, 0)],
        [Bad(deep(kaiju={"magmaul": MANY}), MANY, 0)],
    ),
    "CKC-D-04": Cases(
        "standard",
        DEEP,
        [Bad(deep(kaiju={"maelgrath": 1, "coralisk": 2}), 2, 1)],
        [Bad(deep(kaiju={"maelgrath": MANY, "coralisk": MANY}), MANY, 1, 2)],
    ),
    "CKC-D-05": Cases(
        "standard",
        alliance("coralisk", "pelagor"),
        [Bad(alliance("maelgrath", "coralisk"), 1, 0)],
        [Bad({**alliance(), "kaiju": {"maelgrath": MANY}}, MANY, 0)],
    ),
    "CKC-D-06": Cases(
        "standard",
        deep(combat=combat(10, 10)),
        [Bad(deep(combat=combat(9, 10)), 19, 20)],
        [Bad({}, 0, 20), Bad(LOST, 0, 20)],
    ),
    "CKC-D-07": Cases(
        "standard",
        deep(combat=combat(20, 20)),
        [Bad(deep(combat=combat(20, 21)), 41, 40)],
        [Bad(deep(combat={"brace": MANY, SWORDS[0]: MANY}), 2 * MANY, 40)],
    ),
    "CKC-D-08": Cases(
        "standard",
        DEEP,
        [Bad(deep(combat=combat(11, 10)), 11, 10), Bad(deep(combat=combat(10, 11)), 10, 11)],
        [
            Bad(deep(combat={SWORDS[0]: MANY}), MANY, 0),
            Bad(deep(combat={**STRANGERS, "brace": MANY}), 0, MANY),
        ],
    ),
    "CKC-D-09": Cases(
        "standard",
        DEEP,
        [Bad(deeper("combat", {"brace": 3}), 3, 2)],
        [Bad(deeper("combat", {"brace": MANY}), MANY, 2)],
    ),
    "CKC-D-10": Cases(
        "standard",
        deep(planning=planning(25)),
        [Bad(deep(planning=planning(24)), 24, 25)],
        [Bad({}, 0, 25), Bad(LOST, 0, 25)],
    ),
    "CKC-D-11": Cases(
        "standard",
        deep(planning=planning(60)),
        [Bad(deep(planning=planning(61)), 61, 60)],
        [Bad(deep(planning={"taunt": MANY}), MANY, 60)],
    ),
    "CKC-D-12": Cases(
        "standard",
        deeper("planning", {"taunt": 3}),
        [Bad(deeper("planning", {"taunt": 4}), 4, 3)],
        [Bad(deeper("planning", {"taunt": MANY}), MANY, 3)],
    ),
    "CKC-D-13": Cases(
        "standard",
        DEEP,
        [Bad(deeper("combat", {"taunt": 1}), 1, 0)],
        [Bad(ALL_CKC, MANY, 0, 3 * len(CKC))],
    ),
    "CKC-D-14": Cases(
        "standard",
        DEEP,
        [Bad(deeper("combat", {"charizard": 1}), 1, 0)],
        [Bad(LOST, MANY, 0, 1200)],
    ),
    "CKC-D-15": Cases(
        "standard",
        DEEP,
        [Bad(DEEP, 1, 0, owned=merged(DEEP_CARDS, {"maelgrath": 0}))],
        [
            Bad(DEEP, 1, 0, len(DEEP_CARDS), owned=each(CKC, -5)),
            Bad({"combat": {"brace": MANY}}, MANY, 0, owned={}),
        ],
        owned=DEEP_CARDS,
    ),
    "CKC-D-20": Cases(
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
    "CKC-D-21": Cases(
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
    "CKC-D-22": Cases(
        "standard",
        deep(combat={"brace": 1}, planning={"taunt": 1}),
        [Bad(deep(combat={"brace": 2}, planning={"taunt": 1}), 2, 1)],
        [Bad(deep(combat={"brace": MANY}, planning={"taunt": MANY}), MANY, 1, 2)],
        {"singleton": True},
    ),
    "CKC-D-24": Cases(
        "standard",
        deep(kaiju={"coralisk": 1}),
        [Bad(DEEP, 1, 0)],
        [Bad(deep(kaiju={"maelgrath": MANY}), MANY, 0)],
        {"no_leaders": True},
    ),
}

PERMITS = {
    "CKC-D-23": [
        ("basic", DEEP, set()),
        ("basic", deep(planning=planning(24)), set()),
        ("basic", deep(planning=planning(61)), set()),
        ("basic", deep(planning={"taunt": MANY}), set()),
        ("basic", deep(planning=STRANGERS), set()),
        ("basic", deep(planning={}), set()),
    ],
}
