"""The catalog is section 6 of the rules specification, card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from rules.engine.cards import (
    CardType,
    Product,
    load_catalog,
    load_decks,
    load_products,
    load_sets,
)

CATALOG = load_catalog("games.kaolan")
PRODUCTS = load_products("games.kaolan")
DECKS = load_decks("games.kaolan")
BOOSTERS = tuple(PRODUCTS[f"kaolan-booster-{number}"] for number in range(1, 7))

# 6.1: name, symbol, level, limit, faces of the coloured ones, faces of the gold one.
BEASTS = {
    "flame": ("flame", 1, 2, (2, 3, 4, 5, 6), (3, 4, 5, 6)),
    "claw": ("claw", 2, 3, (3, 4, 5, 6), (4, 5, 6)),
    "stinger": ("sting", 3, 4, (1, 2, 3, 4), (1, 2, 3)),
    "diamondback": ("diamond", 4, 5, (4, 5, 6), (5, 6)),
    "starmaster": ("star", 5, 6, (1, 2, 3), (1, 2)),
}
SECOND_SET_OF_CHARACTERS = {
    "red-flame": 4,
    "green-flame": 2,
    "blue-flame": 3,
    "red-claw": 1,
    "green-claw": 6,
    "blue-claw": 4,
    "red-stinger": 5,
    "green-stinger": 2,
    "blue-stinger": 6,
    "red-diamondback": 1,
    "green-diamondback": 5,
    "blue-diamondback": 3,
}
GOLD_CHARACTERS = ("flame", "claw", "stinger", "diamondback", "starmaster", "sunmane")
# 6.2: numbers and ways, in the order of the six boosters.
GOLD_POWERS = {
    "kao-pow-gold-06": ((6,), 5, "rare", 4),
    "kao-pow-gold-07": ((7,), 6, "rare", 5),
    "kao-pow-gold-08": ((8,), 5, "rare", 6),
    "kao-pow-gold-02-07": ((2, 7), 7, "rare", 1),
    "kao-pow-gold-03-08": ((3, 8), 7, "rare", 2),
    "kao-pow-gold-04-09": ((4, 9), 7, "rare", 3),
    "kao-pow-gold-05-10": ((5, 10), 7, "rare", 4),
    "kao-pow-gold-06-11": ((6, 11), 7, "rare", 5),
    "kao-pow-gold-07-12": ((7, 12), 7, "rare", 6),
    "kao-pow-gold-03-05-11": ((3, 5, 11), 8, "ultra", 1),
    "kao-pow-gold-02-09-10": ((2, 9, 10), 8, "ultra", 2),
    "kao-pow-gold-04-05-12": ((4, 5, 12), 8, "ultra", 3),
    "kao-pow-gold-02-06-11": ((2, 6, 11), 8, "ultra", 4),
    "kao-pow-gold-03-08-12": ((3, 8, 12), 8, "ultra", 5),
    "kao-pow-gold-02-07-12": ((2, 7, 12), 8, "ultra", 6),
}
# 6.3: name, side code, a phrase of the text, in the Master Deck, booster.
ABILITIES = {
    "keen-eye": ("Keen Eye", "Q±1", "one higher and one lower", True, 4),
    "twin-fangs": ("Twin Fangs", "V=", "hits with any double", True, 1),
    "shadow-step": ("Shadow Step", "D=", "escape with any double", True, 3),
    "deep-reserves": ("Deep Reserves", "L+2", "two more Power Cards", True, 2),
    "second-wind": ("Second Wind", "D+", "and roll again", True, None),
    "prism-heart": ("Prism Heart", "C*", "of every colour", True, None),
    "war-drums": ("War Drums", "Q!", "qualifies without a roll", False, 1),
    "thorn-hide": ("Thorn Hide", "DT", "the Attacker discards a Power Card", False, 2),
    "mirror-scales": ("Mirror Scales", "DM", "under the attacking Leader", False, 3),
    "hunters-mark": ("Hunter's Mark", "V7", "hits with a total of 7", False, 4),
    "steel-scales": ("Steel Scales", "D7", "escape with a total of 7", False, 5),
    "phoenix-heart": ("Phoenix Heart", "X", "its Power Cards instead", False, 5),
    "battle-fury": ("Battle Fury", "V+", "roll it once more", False, 6),
    "pack-tactics": ("Pack Tactics", "VG", "under your Guards", False, 6),
}
# 6.4: name, a phrase of the text, in the Master Deck, booster.
OPPORTUNITIES = {
    "change-of-guard": ("Change of Guard", "Exchange your Leader", True, None),
    "ambush": ("Ambush", "qualify without a roll", True, 1),
    "new-teaching": ("New Teaching", "Replace the Special Ability", True, None),
    "sabotage": ("Sabotage", "under an opponent's Character", True, 3),
    "salvage": ("Salvage", "last eight discarded cards", True, 2),
    "power-surge": ("Power Surge", "up to three Power Cards", True, 6),
    "battle-horn": ("Battle Horn", "challenge once more", False, 1),
    "reinforcements": ("Reinforcements", "up to two Characters", False, 2),
    "spyglass": ("Spyglass", "Look at an opponent's hand", False, 3),
    "night-raid": ("Night Raid", "discards a card at random", False, 4),
    "silence": ("Silence", "Discard the Special Ability", False, 4),
    "regroup": ("Regroup", "then draw a card", False, 5),
    "windfall": ("Windfall", "Draw three cards", False, 5),
    "truce-breaker": ("Truce Breaker", "your own colour too", False, 6),
}
# 6.5
BOOSTER_CARDS = {
    1: "gold-flame red-claw red-diamondback | red-06 gold-02-07 gold-03-05-11"
    " | war-drums twin-fangs | battle-horn ambush",
    2: "gold-claw green-flame green-stinger | green-07 gold-03-08 gold-02-09-10"
    " | thorn-hide deep-reserves | reinforcements salvage",
    3: "gold-stinger blue-flame blue-diamondback | blue-08 gold-04-09 gold-04-05-12"
    " | mirror-scales shadow-step | spyglass sabotage",
    4: "gold-diamondback red-flame blue-claw | gold-06 gold-05-10 gold-02-06-11"
    " | hunters-mark keen-eye | night-raid silence",
    5: "gold-starmaster red-stinger green-diamondback | gold-07 gold-06-11 gold-03-08-12"
    " | steel-scales phoenix-heart | regroup windfall",
    6: "gold-sunmane green-claw blue-stinger | gold-08 gold-07-12 gold-02-07-12"
    " | battle-fury pack-tactics | truce-breaker power-surge",
}
READY_MADE = {
    "wildfire": (
        ("red", "green"),
        ("keen-eye", "twin-fangs", "deep-reserves", "second-wind"),
        ("change-of-guard", "ambush", "sabotage", "power-surge"),
    ),
    "deepwood": (
        ("green", "blue"),
        ("shadow-step", "deep-reserves", "second-wind", "prism-heart"),
        ("change-of-guard", "new-teaching", "salvage", "power-surge"),
    ),
    "stormcoal": (
        ("blue", "red"),
        ("keen-eye", "twin-fangs", "shadow-step", "prism-heart"),
        ("change-of-guard", "ambush", "sabotage", "salvage"),
    ),
}


def ways(numbers: Iterable[int]) -> int:
    return sum(6 - abs(7 - number) for number in numbers)


def kinds(cards: Iterable[str]) -> Counter[str]:
    return Counter(CATALOG[slug].kind for slug in cards)


def sets_of(master: bool, booster: int | None) -> tuple[str, ...]:
    return (("master",) if master else ()) + ((f"booster-{booster}",) if booster else ())


def test_97_cards_60_of_them_in_the_master_deck() -> None:
    assert len(CATALOG) == 97
    assert sum("master" in card.sets for card in CATALOG.values()) == 60


def test_the_sets_are_the_master_deck_and_six_boosters() -> None:
    sets = load_sets("games.kaolan")
    assert [(row.slug, row.name) for row in sets] == [
        ("master", "Master Deck"),
        ("booster-1", "Emberfall"),
        ("booster-2", "Greenwood"),
        ("booster-3", "Bluewater"),
        ("booster-4", "Nightwatch"),
        ("booster-5", "Highstar"),
        ("booster-6", "Sunrise"),
    ]


@pytest.mark.parametrize("colour", ["red", "green", "blue"])
@pytest.mark.parametrize("beast", BEASTS)
def test_coloured_characters_kao_c_04_to_c_06(beast: str, colour: str) -> None:
    symbol, level, limit, faces, _ = BEASTS[beast]
    card = CATALOG[f"kao-char-{colour}-{beast}"]
    assert (card.name, card.title) == (beast.capitalize(), f"{colour} {beast}".title())
    assert (card.kind, card.colour, card.rarity) == ("character", colour, "uncommon")
    assert (card["symbol"], card["level"], card["limit"]) == (symbol, level, limit)
    assert card["faces"] == faces
    assert card.sets == sets_of(True, SECOND_SET_OF_CHARACTERS.get(f"{colour}-{beast}"))


@pytest.mark.parametrize("beast", BEASTS)
def test_gold_characters_have_one_face_less(beast: str) -> None:
    symbol, level, limit, coloured_faces, faces = BEASTS[beast]
    card = CATALOG[f"kao-char-gold-{beast}"]
    assert (card.name, card.title) == (beast.capitalize(), f"Gold {beast.capitalize()}")
    assert (card.kind, card.colour, card.rarity) == ("character", "gold", "ultra")
    assert (card["symbol"], card["level"], card["limit"]) == (symbol, level, limit)
    assert card["faces"] == faces
    assert len(faces) == len(coloured_faces) - 1
    assert card.sets == (f"booster-{GOLD_CHARACTERS.index(beast) + 1}",)


def test_the_sunmane_exists_in_gold_only() -> None:
    (card,) = (card for card in CATALOG.values() if card.name == "Sunmane")
    assert card.slug == "kao-char-gold-sunmane"
    assert (card["symbol"], card["level"], card["limit"], card["faces"]) == ("sun", 3, 5, (1, 6))
    assert (card.rarity, card.sets) == ("ultra", ("booster-6",))


@pytest.mark.parametrize("number", range(2, 13))
@pytest.mark.parametrize("colour", ["red", "green", "blue"])
def test_standard_power_cards_kao_c_07(colour: str, number: int) -> None:
    card = CATALOG[f"kao-pow-{colour}-{number:02}"]
    again = {("red", 6): 1, ("green", 7): 2, ("blue", 8): 3}
    assert card.name == card.title == f"{colour.capitalize()} {number}"
    assert (card.kind, card.colour, card.rarity) == ("power", colour, "common")
    assert (card["numbers"], card.text, card.effect) == ((number,), "", "")
    assert card.sets == sets_of(True, again.get((colour, number)))


@pytest.mark.parametrize("slug", GOLD_POWERS)
def test_gold_power_cards_kao_c_17(slug: str) -> None:
    numbers, expected_ways, rarity, booster = GOLD_POWERS[slug]
    card = CATALOG[slug]
    assert card.title == "Gold " + "/".join(map(str, numbers))
    assert (card.kind, card.colour, card.rarity) == ("power", "gold", rarity)
    assert card["numbers"] == numbers
    assert ways(card["numbers"]) == expected_ways
    assert card.sets == (f"booster-{booster}",)


@pytest.mark.parametrize("slug", ABILITIES)
def test_special_abilities_kao_c_11(slug: str) -> None:
    name, code, phrase, master, booster = ABILITIES[slug]
    card = CATALOG[f"kao-sa-{slug}"]
    assert (card.name, card["code"], card.kind) == (name, code, "ability")
    assert phrase in card.text
    assert (card.effect, card.colour) == (slug.replace("-", "_"), "")
    assert card.rarity == ("uncommon" if master else "rare")
    assert card.sets == sets_of(master, booster)


@pytest.mark.parametrize("slug", OPPORTUNITIES)
def test_opportunities_kao_c_14(slug: str) -> None:
    name, phrase, master, booster = OPPORTUNITIES[slug]
    card = CATALOG[f"kao-op-{slug}"]
    assert (card.name, card.kind, card.colour) == (name, "opportunity", "")
    assert phrase in card.text
    assert card.effect == slug.replace("-", "_")
    assert card.rarity == ("uncommon" if master else "rare")
    assert card.sets == sets_of(master, booster)


def test_nothing_is_in_the_catalog_that_the_tables_do_not_name() -> None:
    assert kinds(CATALOG) == {
        "character": 3 * len(BEASTS) + len(GOLD_CHARACTERS),
        "power": 33 + len(GOLD_POWERS),
        "ability": len(ABILITIES),
        "opportunity": len(OPPORTUNITIES),
    }


def test_every_effect_and_every_side_code_is_unique() -> None:
    effects = [card.effect for card in CATALOG.values() if card.effect]
    codes = [card["code"] for card in CATALOG.values() if card.kind == "ability"]
    assert len(set(effects)) == len(effects) == 28
    assert len(set(codes)) == len(codes) == 14


def test_the_master_deck_kao_c_02_to_c_04() -> None:
    master = PRODUCTS["kaolan-master"].cards
    assert sum(master.values()) == 60
    assert set(master.values()) == {1}
    assert set(master) == {slug for slug, card in CATALOG.items() if "master" in card.sets}
    assert kinds(master) == {"character": 15, "power": 33, "ability": 6, "opportunity": 6}


@pytest.mark.parametrize("number", range(1, 7))
def test_a_booster_deck_kao_c_18(number: int) -> None:
    booster = BOOSTERS[number - 1]
    groups = [group.split() for group in BOOSTER_CARDS[number].split("|")]
    expected = [
        f"kao-{prefix}-{name}"
        for prefix, group in zip(("char", "pow", "sa", "op"), groups, strict=True)
        for name in group
    ]
    assert list(booster.cards) == expected
    assert set(booster.cards.values()) == {1}
    assert booster.name.startswith(f"Booster Deck {number}: ")
    assert set(booster.cards) == {
        slug for slug, card in CATALOG.items() if f"booster-{number}" in card.sets
    }
    assert [CATALOG[slug].colour for slug in expected[:3]].count("gold") == 1


def test_the_six_booster_decks_together_are_60_cards() -> None:
    together: Counter[str] = Counter()
    for booster in BOOSTERS:
        together.update(booster.cards)
    assert sum(together.values()) == 60
    assert kinds(together.elements()) == {
        "character": 18,
        "power": 18,
        "ability": 12,
        "opportunity": 12,
    }
    assert max(together.values()) == 1


def test_every_product_and_deck_holds_cards_of_the_catalog() -> None:
    def named(product: Product) -> set[str]:
        sheets = (set(sheet.cards) for sheet in product.sheets.values())
        return set(product.cards).union(*sheets)

    for product in PRODUCTS.values():
        assert named(product) <= set(CATALOG), product.slug
    for deck in DECKS.values():
        assert set(deck.cards["main"]) <= set(CATALOG), deck.slug


def test_the_booster_pack_kao_c_19() -> None:
    pack = PRODUCTS["kaolan-pack"]
    assert pack.unique
    assert [slot.sheets for slot in pack.slots] == [
        (("common", 100),),
        (("common", 100),),
        (("uncommon", 100),),
        (("uncommon", 60), ("rare", 40)),
        (("rare", 80), ("ultra", 20)),
    ]


@pytest.mark.parametrize(
    ("rarity", "size"), [("common", 33), ("uncommon", 27), ("rare", 25), ("ultra", 12)]
)
def test_the_pools_of_the_pack_are_the_rarities(rarity: str, size: int) -> None:
    sheet = PRODUCTS["kaolan-pack"].sheets[rarity]
    assert len(sheet.cards) == size
    assert set(sheet.cards.values()) == {1}
    assert set(sheet.cards) == {s for s, card in CATALOG.items() if card.rarity == rarity}


def test_the_plain_master_deck_is_the_ready_made_shared_deck() -> None:
    deck = DECKS["kaolan-master"]
    assert deck.modes == ("match", "power")
    assert deck.cards == {"main": PRODUCTS["kaolan-master"].cards}


@pytest.mark.parametrize("name", READY_MADE)
def test_a_ready_made_tournament_deck(name: str) -> None:
    colours, abilities, opportunities = READY_MADE[name]

    def belongs(card: CardType) -> bool:
        if card.kind in ("character", "power"):
            return card.colour in colours
        return card.effect.replace("_", "-") in abilities + opportunities

    deck = DECKS[f"kaolan-ready-{name}"]
    assert (deck.name, deck.modes) == (name.capitalize(), ("tournament",))
    assert deck.cards == {"main": {s: 1 for s, card in CATALOG.items() if belongs(card)}}
    assert sum(deck.cards["main"].values()) == 40
