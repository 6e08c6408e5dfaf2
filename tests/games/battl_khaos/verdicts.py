"""The rules of Batt’l Kha’os that judge decks: legal lists, lists just beside, and absurd ones."""

from __future__ import annotations

from tests.games.battl_khaos.test_legality import MARSH, army, changed
from tests.rules.verdicts import MANY, STRANGERS, Bad, Cases, each, merged, of

BKH = of("battl-khaos")
NOWHERE = {"tokens": STRANGERS, "towers": STRANGERS, "field": STRANGERS}
MARSH_PIECES = merged(*MARSH.values())
TOKENS, TOWERS = of("battl-khaos", "token"), of("battl-khaos", "tower")
SPECIAL = of("battl-khaos", "special")

CASES = {
    "BKH-D-01": Cases(
        "army",
        MARSH,
        [Bad({**MARSH, "tokens": {**MARSH["tokens"], "charizard": 1}}, 1, 0)],
        [Bad(NOWHERE, MANY, 0, 900)],
    ),
    "BKH-D-02": Cases(
        "army",
        MARSH,
        [Bad(changed("tokens", "", "f01k"), 1, 0)],
        [Bad({section: each(BKH) for section in MARSH}, MANY, 0, 2 * len(BKH))],
    ),
    "BKH-D-03": Cases(
        "army",
        MARSH,
        [Bad(MARSH, 1, 0, owned=merged(MARSH_PIECES, {"bkh-f27": 0}))],
        [
            Bad(MARSH, 1, 0, len(MARSH_PIECES), owned=each(BKH, -5)),
            Bad({"tokens": each(TOKENS)}, MANY, 0, len(TOKENS), owned={}),
        ],
        owned=MARSH_PIECES,
    ),
    "BKH-D-10": Cases(
        "army",
        MARSH,
        [
            Bad(army(tokens="p-drums p-leader p-banner p-halberd"), 4, 5),
            Bad(army(tokens="p-drums p-archer p-archer2 p-giant p-halberd p-mage"), 6, 5),
        ],
        [Bad({}, 0, 5), Bad(army(tokens=f"p-leader*{MANY}"), MANY, 5), Bad(NOWHERE, 0, 5)],
    ),
    "BKH-D-11": Cases(
        "army",
        MARSH,
        [Bad(army(tokens="p-drums*2 p-leader p-banner p-halberd"), 2, 1)],
        [Bad({**MARSH, "tokens": each(TOKENS)}, MANY, 1, len(TOKENS))],
    ),
    "BKH-D-12": Cases(
        "army",
        army(tokens="p-drums2 p-leader p-banner p-halberd p-archer"),
        [Bad(army(tokens="p-drums2 p-leader p-banner p-drums p-archer"), 13, 12)],
        [Bad(army(tokens=f"p-leader*{MANY}"), 3 * MANY, 12)],
    ),
    "BKH-D-20": Cases(
        "army",
        MARSH,
        [Bad(army(towers="t1o t4o t2k"), 3, 4), Bad(army(towers="t1o t4o t2k t3k t1k"), 5, 4)],
        [Bad({}, 0, 4), Bad(army(towers=f"t4o*{MANY}"), MANY, 4), Bad(NOWHERE, 0, 4)],
    ),
    "BKH-D-21": Cases(
        "army",
        MARSH,
        [Bad(army(towers="t1o t4o t2k*2"), 2, 1)],
        [Bad({**MARSH, "towers": each(TOWERS)}, MANY, 1, len(TOWERS))],
    ),
    "BKH-D-22": Cases(
        "army",
        army(towers="t1o t4o t2k t3k-b"),
        [Bad(army(towers="t1o t4o t1k t3k"), 9, 10), Bad(army(towers="t2o t4o t2k t3k"), 11, 10)],
        [Bad({}, 0, 10), Bad(army(towers=f"t4o*{MANY}"), 4 * MANY, 10)],
    ),
    "BKH-D-23": Cases(
        "army",
        MARSH,
        [Bad(army(towers="t4o t3o t2o t1k"), 3, 2)],
        [Bad({}, 0, 2), Bad(army(towers=f"t4o*{MANY}"), MANY, 2)],
    ),
    "BKH-D-30": Cases(
        "army",
        MARSH,
        [Bad(changed("field", "f27"), 28, 29), Bad(changed("field", "", "x-temple"), 30, 29)],
        [Bad({}, 0, 29), Bad(army(field=f"f01o*{MANY}"), MANY, 29), Bad(NOWHERE, 0, 29)],
    ),
    "BKH-D-31": Cases(
        "army",
        changed("field", "f27 f29", "x-temple x-circle"),
        [Bad(changed("field", "f27 f29 f31", "x-temple x-graveyard x-stones"), 3, 2)],
        [Bad({**MARSH, "field": each(SPECIAL)}, MANY * len(SPECIAL), 2)],
    ),
    "BKH-D-32": Cases(
        "army",
        changed("field", "f27", "x-stones"),
        [Bad(changed("field", "f27 f29", "x-stones*2"), 2, 1)],
        [Bad({**MARSH, "field": each(SPECIAL)}, MANY, 1, len(SPECIAL))],
    ),
    "BKH-D-33": Cases(
        "army",
        changed("field", "f27", "f05o"),
        [Bad(changed("field", "f27 f29", "f05o*2"), 3, 2)],
        [Bad(changed("field", "", f"f05o*{MANY - 1}"), MANY, 2)],
    ),
    "BKH-D-34": Cases(
        "army",
        MARSH,
        [Bad({**MARSH, "field": {**MARSH["field"], "bkh-f31": 2}}, 2, 1)],
        [Bad({**MARSH, "field": {**MARSH["field"], "bkh-f31": MANY}}, MANY, 1)],
    ),
    "BKH-D-35": Cases(
        "army",
        changed("field", "f08k f27", "f08o f04o"),
        [Bad(changed("field", "f08k f27 f29", "f08o f04o f05o"), 5, 4)],
        [Bad(army(field=f"f39o*{MANY}"), 3 * MANY, 4)],
    ),
    "BKH-D-36": Cases(
        "army",
        MARSH,
        [Bad(changed("field", "f27", "x-temple"), 1, 0)],
        [Bad({**MARSH, "field": each(SPECIAL)}, MANY, 0, len(SPECIAL))],
        {"specials": False},
    ),
    "BKH-D-40": Cases(
        "army",
        MARSH,
        [Bad(changed("field", "f27", "f05o"), 2, 1)],
        [Bad(changed("field", "", f"f05o*{MANY - 1}"), MANY, 1)],
        {"singleton": True},
    ),
    "BKH-D-41": Cases(
        "army",
        MARSH,
        [Bad(changed("field", "f27", "f33o"), 1, 0)],
        [Bad(changed("field", "", f"f39o*{MANY}"), MANY, 0)],
        {"core_only": True},
    ),
}
