"""Cards (section 2.1): what they are, and what a Character can hold. Decks brought along (7)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

import rules
from games.kaolan.state import WAYS
from rules.engine.errors import BadSetup
from tests.games.kaolan.table import lay, seat

KAOLAN = rules.game("kaolan")
CATALOG = KAOLAN.catalog
MASTER = KAOLAN.starter_decks["kaolan-master"].cards["main"]
COLOURS = ("red", "green", "blue")
STANDARD_POWERS = [
    card for card in CATALOG.values() if card.kind == "power" and card.colour != "gold"
]


@pytest.mark.rules("KAO-C-01")
def test_the_modes_are_those_of_the_rulebook() -> None:
    names = {mode.name for mode in KAOLAN.modes.values()}
    assert names <= {"Match Play", "Tournament Play", "Power Play", "Single Play"}
    assert KAOLAN.modes["match"].playable


@pytest.mark.rules("KAO-C-02", "KAO-C-03", "KAO-M-02")
def test_the_master_deck_has_sixty_cards_of_four_kinds() -> None:
    assert sum(MASTER.values()) == 60
    kinds = Counter(CATALOG[slug].kind for slug in MASTER)
    assert kinds == {"character": 15, "power": 33, "ability": 6, "opportunity": 6}
    match = KAOLAN.new_match("match", seats=2, seed=bytes(32))
    assert Counter(match.state.cards.slugs) == Counter(MASTER)


@pytest.mark.rules("KAO-C-04", "KAO-C-05", "KAO-C-06")
def test_characters() -> None:
    cards = [CATALOG[slug] for slug in MASTER]
    printed = {(card.name, card.colour) for card in cards if card.kind == "character"}
    beasts = ("Flame", "Claw", "Stinger", "Diamondback", "Starmaster")
    assert printed == set(product(beasts, COLOURS))
    for card in CATALOG.values():
        if card.kind == "character":
            assert card["symbol"]
            assert card["limit"] >= 1
            assert set(card["faces"]) <= set(range(1, 7))
    assert [CATALOG[f"kao-char-red-{beast.lower()}"]["level"] for beast in beasts] == [
        1,
        2,
        3,
        4,
        5,
    ]


@pytest.mark.rules("KAO-C-07")
def test_standard_power_cards_have_one_colour_and_one_number() -> None:
    printed = [(card.colour, *card["numbers"]) for card in STANDARD_POWERS]
    assert sorted(printed) == sorted(product(COLOURS, range(2, 13)))
    assert not any(card.text for card in STANDARD_POWERS)


@pytest.mark.rules("KAO-C-08", "KAO-C-21")
@pytest.mark.parametrize("number", range(2, 13))
def test_a_roll_matches_a_card_when_the_total_equals_its_number(number: int) -> None:
    low = max(1, number - 6)
    for a, b in ((low, number - low), (number - low, low)):
        t = lay(seat("red Claw"), seat(f"red Stinger [r{number}]"), dice=[3, (a, b)])
        t.take("challenge")
        assert t.events("escaped") == [(1,)]
        t.done(1, "turn_action")
    other = (1, 1) if number != 2 else (1, 2)
    t = lay(seat("red Claw"), seat(f"red Stinger [r{number}]"), dice=[3, other, (1, 1)])
    t.take("challenge")
    assert t.events("escaped") == []
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-C-21")
def test_dice_have_six_faces_and_all_of_them_fall() -> None:
    chance = KAOLAN.new_match("match", seats=2, seed=bytes(32)).state.chance
    assert {chance.die() for _ in range(300)} == {1, 2, 3, 4, 5, 6}


@pytest.mark.rules("KAO-C-09", "KAO-C-15", "KAO-C-16", "KAO-R-28")
@pytest.mark.parametrize(
    ("character", "power", "fits"),
    [
        ("red Claw", "r5", True),
        ("red Claw", "g5", False),
        ("red Claw", "gold 3/8", True),
        ("blue Starmaster", "gold 6", True),
        ("gold Claw", "r5", True),
        ("gold Claw", "g5", True),
        ("gold Claw", "b5", True),
        ("gold Claw", "gold 2/6/11", True),
        ("red Claw [| Prism Heart]", "g5", True),
        ("red Claw [| Keen Eye]", "g5", False),
    ],
)
def test_colours_of_power_cards(character: str, power: str, fits: bool) -> None:
    t = lay(seat(character, hand=power), seat("r10"), draw="r11")
    assert ("add_power" in t.offered()) is fits
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-C-10", "KAO-C-13", "KAO-C-17", "KAO-M-26")
@pytest.mark.parametrize(
    ("character", "room"),
    [
        ("red Flame [r2]", True),
        ("red Flame [r2, r3]", False),
        ("red Flame [r2 | Keen Eye]", True),
        ("red Flame [r2, gold 3/5/11]", False),
        ("red Flame [gold 2/6/11]", True),
        ("red Flame [r2, r3 | Deep Reserves]", True),
        ("red Flame [r2, r3, r4, r5 | Deep Reserves]", False),
        ("gold Sunmane [r2, r3, r4, r5]", True),
        ("gold Sunmane [r2, r3, r4, r5, g6]", False),
    ],
)
def test_the_power_limit(character: str, room: bool) -> None:
    t = lay(seat(character, hand="r12"), seat("r10"), draw="g2")
    assert ("add_power" in t.offered()) is room
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-C-11", "KAO-C-14")
def test_special_abilities_and_opportunities_have_texts_of_their_own() -> None:
    texts = [card.text for card in CATALOG.values() if card.kind in ("ability", "opportunity")]
    assert len(texts) == 28
    assert all(texts)
    assert len(set(texts)) == 28
    codes = [card["code"] for card in CATALOG.values() if card.kind == "ability"]
    assert all(codes)
    assert len(set(codes)) == 14


@pytest.mark.rules("KAO-C-12", "KAO-M-27", "KAO-M-28")
def test_a_character_has_at_most_one_ability_and_it_cannot_be_replaced_by_another() -> None:
    t = lay(seat("red Claw [| Keen Eye]", "b2", hand="Twin Fangs"), seat("r10"))
    assert "add_ability" not in t.offered()
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-C-13", "KAO-M-25")
def test_what_lies_under_a_character_is_visible_to_everyone() -> None:
    t = lay(seat("red Claw [r6, r8 | Keen Eye]"), seat("r10"))
    for viewer in (0, 1, None):
        leader = t.match.view(viewer)["players"][0]["board"][0]
        assert [card["slug"] for card in leader["powers"]] == ["kao-pow-red-06", "kao-pow-red-08"]
        assert leader["ability"]["slug"] == "kao-sa-keen-eye"
        assert (leader["numbers"], leader["limit"], leader["ways"]) == ([6, 8], 3, 10)
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-C-17")
@pytest.mark.parametrize(("dice", "escapes"), [((1, 2), 1), ((2, 3), 1), ((5, 6), 1), ((1, 3), 0)])
def test_any_number_of_a_gold_power_card_matches(dice: tuple[int, int], escapes: int) -> None:
    volley = () if escapes else ((1, 1),)
    t = lay(seat("red Claw"), seat("red Stinger [gold 3/5/11]"), dice=[3, dice, *volley])
    t.take("challenge")
    assert len(t.events("escaped")) == escapes
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-C-18", "KAO-C-20", "KAO-R-27")
def test_six_booster_decks_of_ten_fixed_cards() -> None:
    decks = {slug: p for slug, p in KAOLAN.products.items() if slug.startswith("kaolan-booster-")}
    assert len(decks) == 6
    together: Counter[str] = Counter()
    for product_ in decks.values():
        assert sum(product_.cards.values()) == 10
        together.update(product_.cards)
    kinds = Counter(CATALOG[slug].kind for slug in together.elements())
    assert kinds == {"character": 18, "power": 18, "ability": 12, "opportunity": 12}
    assert {"gold"} == {CATALOG[s].colour for s in together if s.startswith("kao-char-gold")}
    assert set(together) & set(MASTER), "further copies of standard cards"


@pytest.mark.rules("KAO-C-19", "KAO-R-27")
def test_a_booster_pack_has_five_cards() -> None:
    pack = KAOLAN.products["kaolan-pack"]
    assert not pack.cards
    assert len(pack.slots) == 5


@pytest.mark.rules("KAO-C-22")
def test_the_ways_of_each_total() -> None:
    ways = [WAYS[1 << total] for total in range(2, 13)]
    assert ways == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert WAYS[1 << 2 | 1 << 7] == 7
    assert WAYS[0] == 0


@pytest.mark.rules("KAO-C-22", "KAO-R-19")
@pytest.mark.parametrize(
    ("attacker", "defender", "odds"),
    [
        ("red Claw [r6, r8]", "green Stinger [g7]", (4 / 6, 6 / 36, 10 / 36)),
        ("red Claw", "green Stinger", (4 / 6, 0, 0)),
        ("blue Starmaster [| Keen Eye]", "green Stinger", (4 / 6, 0, 0)),
        ("gold Sunmane [| Keen Eye]", "green Stinger", (4 / 6, 0, 0)),
        ("red Claw [r6 | War Drums]", "green Stinger [g4 | Shadow Step]", (1, 8 / 36, 5 / 36)),
        (
            "red Claw [r6 | Twin Fangs]",
            "green Stinger [g4 | Steel Scales]",
            (4 / 6, 9 / 36, 10 / 36),
        ),
        (
            "red Claw [r6 | Hunter's Mark]",
            "green Stinger [g4 | Mirror Scales]",
            (4 / 6, 8 / 36, 11 / 36),
        ),
        ("red Claw [r7 | Battle Fury]", "green Stinger", (4 / 6, 0, 1 - (30 / 36) ** 2)),
    ],
)
def test_the_odds_that_the_screen_shows(
    attacker: str, defender: str, odds: tuple[float, float, float]
) -> None:
    t = lay(seat(attacker), seat(defender))
    (row,) = [row for row in t.match.view(0)["odds"] if row["attacker"] == 0]
    q, e, v = odds
    assert (row["qualify"], row["escape"], row["hit"]) == pytest.approx(odds, abs=1e-4)
    assert row["total"] == pytest.approx(q * (1 - e) * v, abs=1e-4)
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-C-22")
def test_the_odds_of_second_wind_and_pack_tactics() -> None:
    t = lay(
        seat("red Claw [r6 | Pack Tactics]", "green Flame [g6, g7]"),
        seat("blue Claw [b4, b7 | Second Wind]"),
    )
    (row,) = [row for row in t.match.view(0)["odds"] if row["attacker"] == 0]
    assert row["hit"] == pytest.approx(11 / 36, abs=1e-4)
    assert row["escape"] == pytest.approx(9 / 36 + 27 / 36 * 6 / 36, abs=1e-4)
    t.done(0, "turn_action")


# -- decks brought along -----------------------------------------------------------------------


def start(cards: dict[str, int]) -> None:
    KAOLAN.new_match(
        "match", seats=2, seed=bytes(32), options={"boosters": "deck"}, decks=[{"main": cards}]
    )


WITHOUT_AMBUSH = {slug: n for slug, n in MASTER.items() if slug != "kao-op-ambush"}


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        pytest.param(
            {**MASTER, "kao-op-thunder": 1},
            "not a Kaolan card",
            marks=pytest.mark.rules("KAO-D-01"),
        ),
        pytest.param(WITHOUT_AMBUSH, "at least 60", marks=pytest.mark.rules("KAO-D-03")),
        pytest.param(
            dict.fromkeys(CATALOG, 2),
            "at most 120 are allowed",
            marks=pytest.mark.rules("KAO-D-04"),
        ),
        pytest.param(
            {**WITHOUT_AMBUSH, "kao-op-windfall": 1},
            "Ambush from the Master Deck is missing",
            marks=pytest.mark.rules("KAO-D-05"),
        ),
        pytest.param(
            {**MASTER, "kao-op-ambush": 3},
            "3 copies found, 2 allowed",
            marks=pytest.mark.rules("KAO-D-06"),
        ),
        pytest.param(
            {**MASTER, "kao-pow-gold-06": 2},
            "2 copies found, 1 allowed",
            marks=pytest.mark.rules("KAO-D-06"),
        ),
    ],
)
def test_an_illegal_shared_deck_starts_no_match(cards: dict[str, int], message: str) -> None:
    with pytest.raises(BadSetup, match=message):
        start(cards)


@pytest.mark.rules("KAO-D-02")
def test_copies_that_are_not_owned_are_reported() -> None:
    report = KAOLAN.check_deck("match", {"main": {**MASTER, "kao-op-ambush": 2}}, owned=MASTER)
    assert [problem.rule for problem in report.errors] == ["KAO-D-02"]


@pytest.mark.rules("KAO-D-07")
def test_a_larger_shared_deck_is_legal_with_a_notice() -> None:
    cards = {**MASTER, "kao-op-ambush": 2, "kao-op-windfall": 1}
    report = KAOLAN.check_deck("match", {"main": cards})
    assert report.legal
    assert [(p.rule, p.severity) for p in report.problems] == [("KAO-D-07", "warning")]
    start(cards)
