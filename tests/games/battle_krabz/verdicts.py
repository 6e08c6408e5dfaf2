"""The rules of Battle Krabz that judge decks: legal lists, lists just beside, and absurd ones."""

from __future__ import annotations

from games.battle_krabz.legality import check_table
from tests.games.battle_krabz.test_legality import ENEMIGOS, KRABZ, TRUMPS
from tests.rules.verdicts import MANY, STRANGERS, Bad, Cases, each, main, merged, of

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

CASES = {
    "BKZ-D-01": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ, {"charizard": 1}), 1, 0)],
        [Bad(main(STRANGERS), MANY, 0, 300), Bad(main({"": MANY, "🦀": 1}), MANY, 0, 2)],
    ),
    "BKZ-D-02": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ, {"unicorn-silver": 2}), 2, 1)],
        [Bad(ALL_BKZ, MANY, 1, len(BKZ))],
    ),
    "BKZ-D-03": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ, {"fallen-silver": 1}), 1, 0)],
        [Bad(ALL_BKZ, MANY * len(ENEMIGO_WARRIORS), 0)],
    ),
    "BKZ-D-04": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ, {"grubba-silver": 1}), 1, 0)],
        [Bad(main(KRABZ, each(WITCHES)), MANY, 0, len(WITCHES))],
    ),
    "BKZ-D-05": Cases(
        "battle",
        main({"kite-krab-silver": 1}),
        [Bad(main(KRABZ, each(KRABZ_WARRIORS, 0)), 0, 1)],
        [Bad(main(), 0, 1), Bad({}, 0, 1), Bad(main(each(SUPPORTS), STRANGERS), 0, 1)],
    ),
    "BKZ-D-06": Cases(
        "battle",
        main(KRABZ),
        [Bad(ONE_LESS, 35, 36), Bad(main(KRABZ), 36, 37, format={"target": 37})],
        [
            Bad(main({"kite-krab-silver": 1}), 1, 1000, format={"target": 1000}),
            Bad(main({"kite-krab-silver": 1}, each(SUPPORTS), STRANGERS), 1, 36),
        ],
        {"target": 36},
    ),
    "BKZ-D-07": Cases(
        "battle",
        main(SEVEN),
        [Bad(main(SEVEN, {"paloma-gold": 0}), 6, 7)],
        [Bad(main(), 0, 7), Bad({}, 0, 7), Bad(main(STRANGERS), 0, 7)],
    ),
    "BKZ-D-08": Cases(
        "battle",
        main(SEVEN),
        [
            Bad(main(SEVEN, {"paloma-gold": 0}), 0, 1),
            Bad(main(SEVEN, {"unicorn-gold": 0}), 0, 1),
        ],
        [Bad(main(), 0, 1, 2), Bad(main(each(KRABZ_WARRIORS)), 0, 1, 2)],
    ),
    "BKZ-D-09": Cases(
        "battle",
        main(KRABZ),
        [Bad(main(KRABZ), 1, 0, owned=merged(KRABZ, {"kite-krab-gold": 0}))],
        [
            Bad(ALL_BKZ, MANY, 0, len(BKZ), owned={}),
            Bad(main(KRABZ), 1, 0, len(KRABZ), owned=each(BKZ, -5)),
        ],
        owned=KRABZ,
    ),
    "BKZ-D-10": Cases(
        "battle",
        [main(KRABZ), main(ENEMIGOS)],
        [Bad([main(KRABZ), main(KRABZ)], None, None)],
        [Bad([main(each(KRABZ_WARRIORS))] * 2, None, None), Bad([{}, {}], None, None)],
        TABLE,
    ),
    "BKZ-D-11": Cases(
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
    "BKZ-D-20": Cases(
        "battle",
        main(KRABZ, {"unicorn-silver": 2}),
        [Bad(main(KRABZ, {"unicorn-silver": 3}), 3, 2)],
        [Bad(ALL_BKZ, MANY, 2, len(BKZ))],
        {"doubles": True},
    ),
    "BKZ-D-21": Cases(
        "battle",
        main({"kite-krab-gold": 1, "drum-krab-holo": 1}),
        [Bad(main({"kite-krab-gold": 1, "kite-krab-silver": 1}), 2, 1)],
        [Bad(main({"kite-krab-gold": MANY, "kite-krab-silver": MANY}), 2 * MANY, 1)],
        {"one_of_a_kind": True},
    ),
    "BKZ-D-22": Cases(
        "battle",
        main({"kite-krab-gold": 1, "drum-krab-silver": 1}),
        [Bad(main({"kite-krab-gold": 1, "kite-krab-holo": 1}), 1, 0)],
        [Bad(main(each(HOLO)), MANY, 0, len(HOLO))],
        {"plain_shells": True},
    ),
    "BKZ-D-23": Cases(
        "battle",
        main(KRABZ),
        [Bad(ONE_LESS, 55, 56), Bad(main(KRABZ, {"kite-krab-silver": 2}), 57, 56)],
        [Bad({}, 0, 56), Bad(ALL_BKZ, MANY * len(BKZ), 56), Bad(main(STRANGERS), 0, 56)],
        {"set_size": True},
    ),
    "BKZ-D-24": Cases(
        "battle",
        main(KRABZ),
        [Bad(ONE_LESS, None, None), Bad(main(KRABZ, {"kite-krab-silver": 2}), None, None)],
        [Bad({}, None, None), Bad(ALL_BKZ, None, None)],
        {"starter_clash": True},
    ),
    "BKZ-D-30": Cases(
        "multi",
        main(TRUMPS),
        [Bad(main(TRUMPS, {"unicorn-silver": 1}), 1, 0)],
        [Bad(main(each(SUPPORTS)), MANY, 0, len(SUPPORTS))],
    ),
    "BKZ-D-31": Cases(
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

JUDGES = {"BKZ-D-10": check_table, "BKZ-D-11": check_table}
"""Verdicts on the decks of a match together."""
