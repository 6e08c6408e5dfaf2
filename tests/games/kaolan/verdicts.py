"""The rules of Kaolan that judge decks: legal lists, lists just beside, and absurd ones."""

from __future__ import annotations

from typing import Any

from games.kaolan.legality import DECK_RULES, check_format
from tests.games.kaolan.test_legality import BOOSTER_ONLY, GOLD, MASTER, WILDFIRE, padded
from tests.rules.verdicts import MANY, STRANGERS, Bad, Cases, each, main, merged, of

KAO = of("kaolan")
RED_7, RED_CLAW, WAR_DRUMS = "kao-pow-red-07", "kao-char-red-claw", "kao-sa-war-drums"
GOLD_6, BLUE_4 = "kao-pow-gold-06", "kao-pow-blue-04"
FIRE = [slug for slug in WILDFIRE if slug.startswith("kao-char")]
RED_7S = main(MASTER, {RED_7: MANY})
COLOURED = [slug for slug in of("kaolan", "power") if slug not in GOLD]

CASES = {
    "KAO-D-01": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {"charizard": 1}), 1, 0)],
        [Bad(main(STRANGERS), MANY, 0, 300)],
    ),
    "KAO-D-02": Cases(
        "tournament",
        main(WILDFIRE, {RED_7: 2}),
        [Bad(main(WILDFIRE, {RED_7: 3}), 3, 2)],
        [
            Bad(main(each(KAO)), MANY, 0, len(KAO), owned={}),
            Bad(main({RED_7: 1}), 1, 0, owned=each(KAO, -5)),
        ],
        owned=merged(WILDFIRE, {RED_7: 2}),
    ),
    "KAO-D-03": Cases(
        "match",
        main(MASTER),
        [Bad(main(MASTER, {RED_7: 0}), 59, 60)],
        [Bad({}, 0, 60), Bad(main(STRANGERS), 0, 60)],
    ),
    "KAO-D-04": Cases(
        "match",
        main(padded(120)),
        [Bad(main(padded(121)), 121, 120)],
        [Bad(RED_7S, MANY + 59, 120)],
    ),
    "KAO-D-05": Cases(
        "match",
        main(MASTER),
        [Bad(main(MASTER, {RED_CLAW: 0}), 0, 1)],
        [Bad({}, 0, 1, 60), Bad(main(each(BOOSTER_ONLY)), 0, 1, 60)],
    ),
    "KAO-D-06": Cases(
        "match",
        main(MASTER, {RED_7: 2, GOLD_6: 1}),
        [
            Bad(main(MASTER, {RED_7: 3, GOLD_6: 1}), 3, 2),
            Bad(main(MASTER, {RED_7: 2, GOLD_6: 2}), 2, 1),
        ],
        [Bad(RED_7S, MANY, 2), Bad(main(MASTER, {GOLD_6: MANY}), MANY, 1)],
    ),
    "KAO-D-07": Cases(
        "match",
        main(MASTER),
        [Bad(main(MASTER, {WAR_DRUMS: 1}), 61, None)],
        [Bad(RED_7S, MANY + 59, None)],
    ),
    "KAO-D-08": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {"kao-op-ambush": 0}), 39, 40)],
        [Bad({}, 0, 40), Bad(main(STRANGERS), 0, 40)],
    ),
    "KAO-D-09": Cases(
        "tournament",
        main(padded(120)),
        [Bad(main(padded(121)), 121, 120)],
        [Bad(RED_7S, MANY + 59, 120)],
    ),
    "KAO-D-10": Cases(
        "tournament",
        main(WILDFIRE, each(FIRE, 0), each(FIRE[:5], 1)),
        [Bad(main(WILDFIRE, each(FIRE, 0), each(FIRE[:4], 1)), 4, 5)],
        [Bad({}, 0, 5), Bad(main({RED_7: MANY}, STRANGERS), 0, 5)],
    ),
    "KAO-D-11": Cases(
        "tournament",
        main(WILDFIRE, {RED_7: 2}),
        [Bad(main(WILDFIRE, {RED_7: 3}), 3, 2)],
        [Bad(main(each(KAO)), MANY, 2, len(KAO) - len(GOLD))],
    ),
    "KAO-D-12": Cases(
        "tournament",
        main(WILDFIRE, {GOLD_6: 1}),
        [Bad(main(WILDFIRE, {GOLD_6: 2}), 2, 1)],
        [Bad(main(each(KAO)), MANY, 1, len(GOLD))],
    ),
    "KAO-D-13": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {WAR_DRUMS: 1}), 41, None)],
        [Bad(RED_7S, MANY + 59, None), Bad(main(each(KAO)), MANY * len(KAO), None)],
    ),
    "KAO-D-14": Cases(
        "tournament",
        main(WILDFIRE, {BLUE_4: 1, "kao-char-blue-starmaster": 1}),
        [Bad(main(WILDFIRE, {BLUE_4: 1}), None, None)],
        [Bad(main(each(COLOURED)), None, None, len(COLOURED))],
    ),
    "KAO-D-15": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {RED_7: 2}), 2, 1)],
        [Bad(main(each(KAO)), MANY, 1, len(KAO))],
        {"singleton": True},
    ),
    "KAO-D-16": Cases(
        "tournament",
        main(WILDFIRE),
        [
            Bad(main(WILDFIRE, {WAR_DRUMS: 1}), 41, 40),
            Bad(main(WILDFIRE, {"kao-op-ambush": 0}), 39, 40),
        ],
        [Bad(main(each(KAO)), MANY * len(KAO), 40), Bad({}, 0, 40), Bad(main(STRANGERS), 0, 40)],
        {"exact_size": True},
    ),
    "KAO-D-17": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {GOLD_6: 1}), 1, 0)],
        [Bad(main(each(KAO)), MANY, 0, len(GOLD))],
        {"no_gold": True},
    ),
    "KAO-D-18": Cases(
        "tournament",
        main(WILDFIRE),
        [Bad(main(WILDFIRE, {WAR_DRUMS: 1}), 1, 0)],
        [Bad(main(each(KAO)), MANY, 0, len(BOOSTER_ONLY))],
        {"master_only": True},
    ),
    "KAO-D-19": Cases(
        "tournament",
        main(MASTER),
        [Bad(main(MASTER, {RED_CLAW: 0}), 0, 1)],
        [Bad({}, 0, 1, 60), Bad(main(each(BOOSTER_ONLY), STRANGERS), 0, 1, 60)],
        {"classic": True},
    ),
    "KAO-D-20": Cases(
        "tournament",
        {"classic": True},
        [Bad({"classic": True, "exact_size": True}, 60, 40)],
        [Bad(dict.fromkeys(DECK_RULES.options, True), 60, 40)],
    ),
}


def _judge_format(mode: str, format: Any, _: Any) -> Any:
    return check_format(mode, format)


JUDGES = {"KAO-D-20": _judge_format}
"""KAO-D-20 judges a format."""
FAR = ("KAO-D-20",)
"""Formats that exclude each other are never nearer than this."""

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
