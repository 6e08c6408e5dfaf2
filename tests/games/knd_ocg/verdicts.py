"""The rules of KND: OCG that judge decks: legal lists, lists just beside, and absurd ones."""

from __future__ import annotations

from tests.games.knd_ocg.test_legality import LEADERS, SINGLES, SPIES
from tests.rules.verdicts import MANY, STRANGERS, Bad, Cases, each, main, merged, of

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

CASES = {
    "KND-D-01": SIXTY,
    "KND-D-03": RESTRICTED,
    "KND-D-10": SIXTY,
    "KND-D-11": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"charizard": 1}), 1, 0)],
        [Bad(main(STRANGERS), MANY, 0, 300)],
    ),
    "KND-D-12": Cases(
        "duel",
        main({"numbuh-1": 1}),
        [Bad(main({"leader-energy": 60}), 0, 1)],
        [Bad({}, 0, 1), Bad(main(each(ENERGY)), 0, 1), Bad(main(STRANGERS), 0, 1)],
    ),
    "KND-D-13": RESTRICTED,
    "KND-D-14": Cases(
        "duel",
        main(SINGLES),
        [Bad(main(SINGLES, {"roll-call": 2}), 2, 1)],
        [Bad(main(each(KND)), MANY, 1, len(KND) - len(ENERGY))],
        {"no_duplicates": True},
    ),
    "KND-D-15": Cases(
        "duel",
        main({"numbuh-1": 4}),
        [Bad(main({"numbuh-1": 5}), 5, 4)],
        [Bad(main(each(KND)), MANY, 4, len(KND) - len(ENERGY))],
        {"four_of": True},
    ),
    "KND-D-16": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"numbuh-5": 1}), 2, 1)],
        [Bad(main(each(KND)), 5, 1)],
        {"single_type": True},
    ),
    "KND-D-17": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS), 1, 0, owned=merged(LEADERS, {"rewire": 0}))],
        [
            Bad(main(each(KND)), MANY, 0, len(KND), owned={}),
            Bad(main({"rewire": 1}), 1, 0, owned=each(KND, -5)),
        ],
        owned=LEADERS,
    ),
    "KND-D-20": Cases(
        "duel",
        main({"numbuh-1": 20, "leader-energy": 40}),
        [Bad(main({"numbuh-1": 19, "leader-energy": 41}), 19, 20)],
        [
            Bad(main({"numbuh-1": 1, "leader-energy": MANY}), 1, 20),
            Bad(main({"numbuh-1": 1}, STRANGERS), 1, 20),
        ],
    ),
    "KND-D-21": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"spy-energy": 1}), 1, None)],
        [
            Bad(main({"numbuh-1": 1, "leader-energy": 1, "spy-energy": MANY}), MANY, None),
            Bad(main(each(TYPED)), MANY, None, len(TYPED)),
        ],
    ),
    "KND-D-22": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"numbuh-5": 1}), 0, 1)],
        [
            Bad(main(LEADERS, {"numbuh-5": MANY}), 0, 1),
            Bad(main(each(CHARACTERS), STRANGERS), 0, 1, 5),
        ],
    ),
    "KND-D-23": Cases(
        "duel",
        main(LEADERS),
        [Bad(main(LEADERS, {"detention-slip": 1}), 1, None)],
        [Bad(main(LEADERS, {"detention-slip": MANY}), MANY, None)],
    ),
    "KND-D-24": Cases(
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
    "KND-D-25": Cases(
        "duel",
        main(SPIES, LEADERS),
        [Bad(main(SPIES, LEADERS, {"numbuh-2": 1}), 3, 2)],
        [Bad(main(each(KND)), 5, 2)],
    ),
}

PERMITS = {
    "KND-D-02": [
        ("duel", main({"numbuh-1": 34, "leader-energy": 26}), set()),
        ("duel", main({"numbuh-1": 60}), {"KND-D-24", "KND-D-22"}),
        ("duel", main({"numbuh-1": MANY}), {"KND-D-10", "KND-D-24", "KND-D-22"}),
    ],
}
