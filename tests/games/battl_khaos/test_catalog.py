"""The catalog is section 6 of the rules specification, piece by piece."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain

import pytest

import rules
from rules.engine.cards import CardType
from tests.rules.pack_odds import odds

GAME = rules.game("battl-khaos")
CATALOG = GAME.catalog
PRODUCTS = GAME.products
DECKS = GAME.starter_decks

# 6.1 and 6.2: name, the corners NW NE SE SW, rarity
FIELD = {
    "f01o": ("Scrap Camp", "O1 O1 O1 K1", "common"),
    "f01k": ("Tithe Camp", "K1 K1 K1 O1", "common"),
    "f02o": ("Gorge Rim", "O1 O1 K2 -", "common"),
    "f02k": ("Chapel Rim", "K1 K1 O2 -", "common"),
    "f03o": ("Split Log", "O1 K2 O1 -", "common"),
    "f03k": ("Split Lance", "K1 O2 K1 -", "common"),
    "f04o": ("Bog Path", "O2 K1 - -", "common"),
    "f04k": ("Mill Path", "K2 O1 - -", "common"),
    "f05o": ("Bone Cairn", "O2 - K1 -", "common"),
    "f05k": ("Shield Cairn", "K2 - O1 -", "common"),
    "f06o": ("Thorn Lane", "O2 - - K1", "common"),
    "f06k": ("Rose Lane", "K2 - - O1", "common"),
    "f07o": ("Stump Field", "O1 O1 - K1", "common"),
    "f07k": ("Stubble Field", "K1 K1 - O1", "common"),
    "f08o": ("Raiders' Ditch", "O2 K1 O1 -", "common"),
    "f08k": ("Wardens' Ditch", "K2 O1 K1 -", "common"),
    "f09o": ("Wolf Run", "O2 O1 K2 -", "common"),
    "f09k": ("Hound Run", "K2 K1 O2 -", "common"),
    "f10o": ("Cleft Boulder", "O2 K2 O1 -", "common"),
    "f10k": ("Cleft Milestone", "K2 O2 K1 -", "common"),
    "f11o": ("Smoke Hollow", "O2 K1 O1 K1", "common"),
    "f11k": ("Bell Hollow", "K2 O1 K1 O1", "common"),
    "f12o": ("Tusk Line", "O2 O1 K1 K1", "common"),
    "f12k": ("Pike Line", "K2 K1 O1 O1", "common"),
    "f13o": ("Fang Line", "O1 O2 K1 K1", "common"),
    "f13k": ("Spear Line", "K1 K2 O1 O1", "common"),
    "f14o": ("Howling Slope", "O2 O1 O1 K2", "uncommon"),
    "f14k": ("Heralds' Slope", "K2 K1 K1 O2", "uncommon"),
    "f15o": ("Mad Scrum", "O2 K2 O2 K1", "uncommon"),
    "f15k": ("Bold Scrum", "K2 O2 K2 O1", "uncommon"),
    "f16o": ("Twin Fires", "O2 O2 K3 -", "uncommon"),
    "f16k": ("Twin Pennons", "K2 K2 O3 -", "uncommon"),
    "f17o": ("Brutes' Bridge", "O3 K2 - -", "uncommon"),
    "f17k": ("Squires' Bridge", "K3 O2 - -", "uncommon"),
    "f18o": ("Skull Pit", "O3 - K2 -", "uncommon"),
    "f18k": ("Saint's Well", "K3 - O2 -", "uncommon"),
    "f19o": ("Crooked Gate", "O3 - - K2", "uncommon"),
    "f19k": ("Straight Gate", "K3 - - O2", "uncommon"),
    "f20o": ("Chieftain's Rock", "O3 K1 O1 K1", "uncommon"),
    "f20k": ("Captain's Rock", "K3 O1 K1 O1", "uncommon"),
    "f21o": ("Last Brute", "O3 K1 K1 K1", "uncommon"),
    "f21k": ("Last Paladin", "K3 O1 O1 O1", "uncommon"),
    "f22o": ("Troll Bait", "O3 K2 - K1", "uncommon"),
    "f22k": ("Dragon Bait", "K3 O2 - O1", "uncommon"),
    "f23o": ("War Drum Hill", "O3 O1 K2 K1", "rare"),
    "f23k": ("War Horn Hill", "K3 K1 O2 O1", "rare"),
    "f24o": ("Red Melee", "O3 K2 O1 K2", "rare"),
    "f24k": ("White Melee", "K3 O2 K1 O2", "rare"),
    "f25o": ("Edge of the Horde", "O3 O2 K3 K1", "rare"),
    "f25k": ("Edge of the Host", "K3 K2 O3 O1", "rare"),
    "f26o": ("Axe Crossing", "O3 K3 O1 -", "rare"),
    "f26k": ("Sword Crossing", "K3 O3 K1 -", "rare"),
    "f27": ("Even Ground", "O1 K1 O1 K1", "common"),
    "f28": ("Shoving Match", "O1 O1 K1 K1", "common"),
    "f29": ("Four Duels", "O2 K2 O2 K2", "uncommon"),
    "f30": ("Shield Wall", "O2 O2 K2 K2", "uncommon"),
    "f31": ("Champions' Green", "O3 - K3 -", "rare"),
    "f32": ("Turning Wheel", "O2 O1 K2 K1", "uncommon"),
    "f33o": ("Goat Track", "O1 K1 - -", "common"),
    "f33k": ("Mule Track", "K1 O1 - -", "common"),
    "f34o": ("Scout Fire", "O1 O1 - K2", "common"),
    "f34k": ("Picket Fire", "K1 K1 - O2", "common"),
    "f35o": ("Sunken Cart", "O2 - K1 K2", "common"),
    "f35k": ("Broken Wain", "K2 - O1 O2", "common"),
    "f36o": ("Hunger Pit", "O3 - K1 K1", "uncommon"),
    "f36k": ("Fasting Stone", "K3 - O1 O1", "uncommon"),
    "f37o": ("Pincer Gully", "O2 K3 O2 -", "uncommon"),
    "f37k": ("Pincer Meadow", "K2 O3 K2 -", "uncommon"),
    "f38o": ("Lone Warlord", "O3 K1 - K1", "uncommon"),
    "f38k": ("Lone Marshal", "K3 O1 - O1", "uncommon"),
    "f39o": ("Mob Rule", "O2 O2 O2 K3", "rare"),
    "f39k": ("Rank and File", "K2 K2 K2 O3", "rare"),
    "f40o": ("Field of Doom", "O3 O3 K3 K2", "rare"),
    "f40k": ("Field of Glory", "K3 K3 O3 O2", "rare"),
}
# 6.4: name, value, flag, set, rarity
TOWERS = {
    "t1o": ("Mudpike", "I", "orcs", "Core", "common"),
    "t2o": ("Gnash Spire", "II", "orcs", "Core", "common"),
    "t3o": ("Smouldertop", "III", "orcs", "Core", "uncommon"),
    "t4o": ("Throne of Tusks", "IV", "orcs", "Core", "rare"),
    "t1k": ("Lantern Keep", "I", "knights", "Core", "common"),
    "t2k": ("Oathstone", "II", "knights", "Core", "common"),
    "t3k": ("Whitewatch", "III", "knights", "Core", "uncommon"),
    "t4k": ("Crown Spire", "IV", "knights", "Core", "rare"),
    "t2o-b": ("Rook's Ruin", "II", "orcs", "Borderlands", "common"),
    "t3o-b": ("Ashen Stair", "III", "orcs", "Borderlands", "uncommon"),
    "t2k-b": ("Tollhouse", "II", "knights", "Borderlands", "common"),
    "t3k-b": ("Evensong", "III", "knights", "Borderlands", "uncommon"),
}
# 6.5: name, class, lies on, muster, rarity, effect
TOKENS = {
    "drums": ("Drums", "basic", "tile", 2, "common", "own units on the tile +1"),
    "drums2": ("Double Drums", "basic", "tile", 3, "common", "own units on the tile +2"),
    "leader": ("Leader", "basic", "tile", 3, "common", "own units on the tile ×2"),
    "banner": ("Banner", "basic", "tile", 3, "common", "place a second tile now"),
    "halberd": (
        "Halberd",
        "basic",
        "tile",
        1,
        "common",
        "near cells closed to the enemy in their next turn",
    ),
    "mage": (
        "Wizard / Shaman",
        "advanced",
        "ground",
        1,
        "uncommon",
        "reserve an empty near cell for good",
    ),
    "archer": ("Archer", "advanced", "tile", 2, "uncommon", "enemy units on the tile −1"),
    "archer2": ("Double Archers", "advanced", "tile", 2, "rare", "enemy units on the tile −2"),
    "giant": ("Giant", "advanced", "tile", 2, "uncommon", "enemy units on the tile count 1"),
    "catapult": (
        "Catapult",
        "advanced",
        "ground",
        3,
        "rare",
        "destroy another tile; its cell takes no tokens",
    ),
}
# 6.3: name, effect
SPECIALS = {
    "temple": ("Temple", "while in play, each tower in the 8 near cells has value 3"),
    "circle": (
        "Magic Circle",
        "on placing: remove one other battlefield tile, then fill its cell from the hand",
    ),
    "crystal": ("Crystal Field", "on placing: discard one tile token of either seat"),
    "stones": (
        "Stone Circle",
        "while in play, no power token may be put on it or in the 8 near cells",
    ),
    "graveyard": (
        "Graveyard",
        "on placing: take back one own tile token in play or one own discarded token",
    ),
}
ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4}


def of_kind(kind: str, card_set: str = "") -> list[CardType]:
    return [
        card
        for card in CATALOG.values()
        if card.kind == kind and (not card_set or card_set in card.sets)
    ]


def warriors(card: CardType, side: str) -> int:
    return sum(int(unit[1]) for unit in card["corners"] if unit[0] == side)


def sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def test_there_are_101_pieces_in_the_order_of_the_tables() -> None:
    assert list(CATALOG) == [
        *(f"bkh-{slug}" for slug in FIELD),
        *(f"bkh-x-{slug}" for slug in SPECIALS),
        *(f"bkh-{slug}" for slug in TOWERS),
        *(f"bkh-p-{slug}" for slug in TOKENS),
    ]
    kinds = Counter(card.kind for card in CATALOG.values())
    assert kinds == {"field": 74, "special": 5, "tower": 12, "token": 10}
    assert [(one.slug, one.name) for one in GAME.sets] == [
        ("core", "Core"),
        ("border", "Borderlands"),
    ]
    assert Counter(card.sets for card in CATALOG.values()) == {("core",): 81, ("border",): 20}


# -- field tiles -----------------------------------------------------------------------------------


@pytest.mark.rules("BKH-S-14")
@pytest.mark.parametrize("slug", FIELD)
def test_a_field_tile_is_printed_as_the_tables_say(slug: str) -> None:
    name, corners, rarity = FIELD[slug]
    card = CATALOG[f"bkh-{slug}"]
    assert (card.name, card.title, " ".join(card["corners"])) == (name, name, corners)
    assert (card.kind, card.rarity, card.text) == ("field", rarity, "")
    assert (card["orcs"], card["knights"]) == (warriors(card, "O"), warriors(card, "K"))


@pytest.mark.rules("BKH-S-14")
def test_a_corner_is_empty_or_holds_one_to_three_warriors_of_one_side() -> None:
    for card in of_kind("field"):
        assert len(card["corners"]) == 4
        assert set(card["corners"]) <= {"-", "O1", "O2", "O3", "K1", "K2", "K3"}


@pytest.mark.parametrize(
    ("card_set", "tiles", "rarities", "each_side"),
    [
        ("core", 58, {"common": 28, "uncommon": 21, "rare": 9}, 155),
        ("border", 16, {"common": 6, "uncommon": 6, "rare": 4}, 48),
    ],
)
def test_a_set_holds_equally_many_orcs_and_knights(
    card_set: str, tiles: int, rarities: dict[str, int], each_side: int
) -> None:
    cards = of_kind("field", card_set)
    assert len(cards) == tiles
    assert Counter(card.rarity for card in cards) == rarities
    assert sum(card["orcs"] for card in cards) == each_side
    assert sum(card["knights"] for card in cards) == each_side


def looks(corners: tuple[str, ...]) -> set[tuple[str, ...]]:
    """The four rotations."""
    return {corners[turn:] + corners[:turn] for turn in range(4)}


def in_other_colours(corners: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(unit.translate(str.maketrans("OK", "KO")) for unit in corners)


def test_both_sides_stand_on_every_tile() -> None:
    assert all(card["orcs"] and card["knights"] for card in of_kind("field"))


def test_no_two_designs_are_equal_even_when_turned() -> None:
    designs = [min(looks(card["corners"])) for card in of_kind("field")]
    assert len(set(designs)) == 74


def test_every_design_has_its_mirror_in_colours() -> None:
    for card in of_kind("field"):
        mirror = in_other_colours(card["corners"])
        if card.slug.endswith(("o", "k")):
            other = CATALOG[card.slug[:-1] + ("k" if card.slug.endswith("o") else "o")]
            assert other["corners"] == mirror
            assert (other.rarity, other.sets) == (card.rarity, card.sets)
        else:
            assert mirror in looks(card["corners"])


# -- special tiles, towers, tokens -----------------------------------------------------------------


@pytest.mark.rules("BKH-R-23")
@pytest.mark.parametrize("slug", SPECIALS)
def test_a_special_tile_is_printed_as_the_table_says(slug: str) -> None:
    name, effect = SPECIALS[slug]
    card = CATALOG[f"bkh-x-{slug}"]
    assert (card.name, card.text) == (name, sentence(effect))
    assert (card.kind, card.sets, card.rarity) == ("special", ("core",), "rare")
    assert card.effect == slug
    assert not card.attributes  # no warriors


@pytest.mark.rules("BKH-S-15")
@pytest.mark.parametrize("slug", TOWERS)
def test_a_tower_is_printed_as_the_table_says(slug: str) -> None:
    name, value, flag, card_set, rarity = TOWERS[slug]
    card = CATALOG[f"bkh-{slug}"]
    assert (card.name, card["value"], card.kind) == (name, ROMAN[value], "tower")
    assert card["flag"] == {"orcs": "O", "knights": "K"}[flag]
    assert card.sets == ({"Core": "core", "Borderlands": "border"}[card_set],)
    assert card.rarity == rarity
    assert set(card.attributes) == {"value", "flag"}  # no warriors


def test_the_core_towers_are_one_of_each_value_and_flag_and_20_points() -> None:
    core = of_kind("tower", "core")
    assert {(card["value"], card["flag"]) for card in core} == {
        (value, flag) for value in (1, 2, 3, 4) for flag in "OK"
    }
    assert len(core) == 8
    assert sum(card["value"] for card in core) == 20


@pytest.mark.parametrize("slug", TOKENS)
def test_a_power_token_is_printed_as_the_table_says(slug: str) -> None:
    name, rank, lies_on, muster, rarity, effect = TOKENS[slug]
    card = CATALOG[f"bkh-p-{slug}"]
    assert (card.name, card.text, card.rarity) == (name, sentence(effect), rarity)
    assert (card["class"], card["lies_on"], card["muster"]) == (rank, lies_on, muster)
    assert (card.kind, card.sets) == ("token", ("core",))


@pytest.mark.rules("BKH-R-04")
def test_five_tokens_are_basic_and_five_advanced() -> None:
    ranks = Counter(card["class"] for card in of_kind("token"))
    assert ranks == {"basic": 5, "advanced": 5}
    basic = [card for card in of_kind("token") if card["class"] == "basic"]
    assert [card.name for card in basic] == ["Drums", "Double Drums", "Leader", "Banner", "Halberd"]
    assert sum(card["muster"] for card in basic) == 12


@pytest.mark.rules("BKH-P-16")
def test_the_mage_has_a_name_for_each_side() -> None:
    mage = CATALOG["bkh-p-mage"]
    assert (mage["orc_name"], mage["knight_name"]) == ("Shaman", "Wizard")


def test_tokens_say_how_they_change_strengths() -> None:
    assert {
        card.slug: (card["whose"], card["change"], card["number"])
        for card in of_kind("token")
        if card.effect == "strength"
    } == {
        "bkh-p-drums": ("own", "add", 1),
        "bkh-p-drums2": ("own", "add", 2),
        "bkh-p-leader": ("own", "times", 2),
        "bkh-p-archer": ("enemy", "add", -1),
        "bkh-p-archer2": ("enemy", "add", -2),
        "bkh-p-giant": ("enemy", "set", 1),
    }
    others = [card.effect for card in of_kind("token") if card.effect != "strength"]
    assert others == ["banner", "halberd", "mage", "catapult"]


# -- modes -----------------------------------------------------------------------------------------


def test_every_mode_can_be_played_by_two() -> None:
    assert list(GAME.modes) == ["classic", "warband", "army"]
    for mode in GAME.modes.values():
        assert mode.playable
        assert list(mode.seats) == [2]
    assert [mode.own_decks for mode in GAME.modes.values()] == [False, True, True]


def test_cards_are_first_put_where_most_of_them_belong() -> None:
    assert GAME.modes["army"].sections == ("field", "tokens", "towers")
    assert GAME.modes["warband"].sections == ("tokens", "towers", "field")


def test_options_and_their_values_default_first() -> None:
    off, on = (False, True), (True, False)
    orcs, target = ("random", "seat1", "seat2"), (7, 5, 9)
    assert {
        slug: {option.slug: option.values for option in mode.options}
        for slug, mode in GAME.modes.items()
    } == {
        "classic": {"orcs": orcs, "specials": off, "advanced": off, "target": target},
        "warband": {"orcs": orcs, "specials": off, "target": target, "core_only": off},
        "army": {
            "orcs": orcs,
            "specials": on,
            "target": target,
            "singleton": off,
            "core_only": off,
        },
    }
    for mode in GAME.modes.values():
        for option in mode.options:
            assert option.default == option.values[0]
            assert option.help


# -- ready-made armies and products ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "towers", "orcs", "knights"),
    [
        ("bkh-starter-marsh", "t1o t4o t2k t3k", 77, 78),
        ("bkh-starter-hill", "t2o t3o t1k t4k", 78, 77),
    ],
)
def test_a_starter_army_has_38_pieces(slug: str, towers: str, orcs: int, knights: int) -> None:
    army = DECKS[slug].cards
    assert list(army) == ["tokens", "towers", "field"]
    assert list(army["tokens"]) == [f"bkh-p-{token}" for token in list(TOKENS)[:5]]
    assert list(army["towers"]) == [f"bkh-{tower}" for tower in towers.split()]
    assert len(army["field"]) == 29
    assert {CATALOG[tile].kind for tile in army["field"]} == {"field"}
    assert sum(CATALOG[tile]["orcs"] for tile in army["field"]) == orcs
    assert sum(CATALOG[tile]["knights"] for tile in army["field"]) == knights
    counts = list(chain.from_iterable(cards.values() for cards in army.values()))
    assert counts == [1] * 38
    assert PRODUCTS[slug].cards == {**army["tokens"], **army["towers"], **army["field"]}
    assert set(DECKS[slug].modes) == {"warband", "army"}


def test_the_starter_armies_split_the_core_towers_and_tiles_in_halves() -> None:
    marsh, hill = (DECKS[f"bkh-starter-{name}"].cards for name in ("marsh", "hill"))
    for section, kind in (("towers", "tower"), ("field", "field")):
        both = Counter(marsh[section]) + Counter(hill[section])
        assert both == {card.slug: 1 for card in of_kind(kind, "core")}


def test_the_core_box_has_one_of_each_core_piece() -> None:
    box = PRODUCTS["bkh-core-box"].cards
    assert box == {slug: 1 for slug, card in CATALOG.items() if "core" in card.sets}
    assert sum(box.values()) == 81
    kinds = Counter(CATALOG[slug].kind for slug in box)
    assert kinds == {"field": 58, "special": 5, "tower": 8, "token": 10}


def test_there_are_five_products_and_none_is_lent() -> None:
    assert {slug: (product.name, product.random) for slug, product in PRODUCTS.items()} == {
        "bkh-core-box": ("Core Box", False),
        "bkh-starter-marsh": ("Starter army: Marsh Host", False),
        "bkh-starter-hill": ("Starter army: Hill Host", False),
        "bkh-booster-core": ("Core booster", True),
        "bkh-booster-border": ("Borderlands booster", True),
    }
    assert not any(product.lent for product in PRODUCTS.values())
    starters = {slug: product.starter for slug, product in PRODUCTS.items() if product.starter}
    assert starters == {
        "bkh-starter-marsh": "Starter army",
        "bkh-starter-hill": "Starter army",
    }


def evenly(cards: list[CardType], share: Fraction = Fraction(1)) -> dict[str, Fraction]:
    return {card.slug: share / len(cards) for card in cards}


def core(rarity: str, *kinds: str) -> list[CardType]:
    return [card for kind in kinds for card in of_kind(kind, "core") if card.rarity == rarity]


def test_the_odds_of_a_core_booster() -> None:
    booster = PRODUCTS["bkh-booster-core"]
    assert booster.unique
    assert len(booster.slots) == 9
    common, uncommon, rare = (core(r, "field") for r in ("common", "uncommon", "rare"))
    assert [len(common), len(uncommon), len(rare)] == [28, 21, 9]
    for slot in range(5):
        assert odds(booster, slot) == evenly(common)
    for slot in (5, 6):
        assert odds(booster, slot) == evenly(uncommon)
    might = [core(r, "tower", "token") for r in ("common", "uncommon", "rare")]
    assert [len(cards) for cards in might] == [9, 5, 4]
    assert odds(booster, 7) == {
        **evenly(might[0], Fraction(60, 100)),
        **evenly(might[1], Fraction(30, 100)),
        **evenly(might[2], Fraction(10, 100)),
    }
    assert odds(booster, 8) == {
        **evenly(rare, Fraction(70, 100)),
        **evenly(of_kind("special"), Fraction(30, 100)),
    }


def test_the_odds_of_a_borderlands_booster() -> None:
    booster = PRODUCTS["bkh-booster-border"]
    assert booster.unique
    assert len(booster.slots) == 6
    border = of_kind("field", "border") + of_kind("tower", "border")
    by_rarity = {
        rarity: [card for card in border if card.rarity == rarity]
        for rarity in ("common", "uncommon", "rare")
    }
    assert {rarity: len(cards) for rarity, cards in by_rarity.items()} == {
        "common": 8,
        "uncommon": 8,
        "rare": 4,
    }
    for slot, rarity in enumerate(["common"] * 3 + ["uncommon"] * 2 + ["rare"]):
        assert odds(booster, slot) == evenly(by_rarity[rarity])


def test_every_piece_can_be_got() -> None:
    got = set(PRODUCTS["bkh-core-box"].cards)
    for slot in range(6):
        got |= odds(PRODUCTS["bkh-booster-border"], slot).keys()
    assert got == set(CATALOG)
