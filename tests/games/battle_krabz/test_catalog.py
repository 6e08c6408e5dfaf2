"""The catalog is section 6 of the rules specification, card by card."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from games.battle_krabz.state import catalog
from rules.engine.cards import load_decks, load_products, load_sets
from tests.rules.pack_odds import odds

CATALOG = catalog()
PRODUCTS = load_products("games.battle_krabz")
DECKS = load_decks("games.battle_krabz")

# 6.4: name, side, Domain, condition, silver values
WARRIORS = {
    "krabbi-long-legs": ("Krabbi Long Legs", "K", "shore", "alone", "120/70/150/40"),
    "drum-krab": ("Drum Krab", "K", "shore", "partner:banjo-krab", "80/90/210/30"),
    "sandy-shuffler": ("Sandy Shuffler", "K", "shore", "defend", "70/110/200/20"),
    "eagle-krab": ("Eagle Krab", "K", "sky", "pack", "90/80/210/20"),
    "kite-krab": ("Kite Krab", "K", "sky", "attack", "100/70/170/20"),
    "cloud-hopper": ("Cloud Hopper", "K", "sky", "mixed", "80/90/240/30"),
    "lantern-krab": ("Lantern Krab", "K", "ember", "always", "80/100/200/10"),
    "kiln-krab": ("Kiln Krab", "K", "ember", "kin", "100/90/150/20"),
    "spark-snapper": ("Spark Snapper", "K", "ember", "attack", "120/60/160/20"),
    "moss-krab": ("Moss Krab", "K", "grove", "defend", "60/120/220/20"),
    "banjo-krab": ("Banjo Krab", "K", "grove", "partner:drum-krab", "90/80/200/30"),
    "thorn-pincher": ("Thorn Pincher", "K", "grove", "kin", "110/70/180/20"),
    "iglu-krab": ("Iglu Krab", "K", "frost", "always", "70/120/190/10"),
    "mitten-krab": ("Mitten Krab", "K", "frost", "match", "80/90/230/20"),
    "sleet-skater": ("Sleet Skater", "K", "frost", "trio", "100/90/140/20"),
    "gym-bunny": ("Gym Bunny", "E", "shore", "always", "100/90/180/10"),
    "wreck-picker": ("Wreck Picker", "E", "shore", "match", "70/110/200/20"),
    "salt-bandit": ("Salt Bandit", "E", "shore", "attack", "120/60/170/20"),
    "gale-thief": ("Gale Thief", "E", "sky", "attack", "110/70/180/20"),
    "gloom-gull": ("Gloom Gull", "E", "sky", "always", "60/120/210/10"),
    "static-sid": ("Static Sid", "E", "sky", "partner:cinder-lou", "90/80/200/30"),
    "flaman-krab": ("Flaman Krab", "E", "ember", "defend", "90/100/180/20"),
    "fallen": ("Fallen", "E", "ember", "kin", "110/80/170/20"),
    "cinder-lou": ("Cinder Lou", "E", "ember", "partner:static-sid", "80/80/220/30"),
    "bramble-bully": ("Bramble Bully", "E", "grove", "defend", "70/110/200/20"),
    "root-rat": ("Root Rat", "E", "grove", "pack", "90/80/210/20"),
    "swamp-duke": ("Swamp Duke", "E", "grove", "trio", "100/90/150/20"),
    "hail-hooligan": ("Hail Hooligan", "E", "frost", "kin", "110/70/180/20"),
    "cold-shoulder": ("Cold Shoulder", "E", "frost", "alone", "70/120/150/40"),
    "black-ice-bob": ("Black Ice Bob", "E", "frost", "mixed", "80/70/250/30"),
}
# 6.1: what a colour adds to Attack, Defence, HP, Special; rarity
COLOURS = {
    "silver": ((0, 0, 0, 0), "common"),
    "gold": ((10, 0, 10, 0), "uncommon"),
    "platinum": ((0, 10, 10, 0), "rare"),
    "saphire": ((0, 0, 20, 10), "epic"),
    "emerald": ((0, 0, 20, 10), "epic"),
    "holo": ((10, 10, 30, 10), "legendary"),
}
# 6.5: side, Booster Value, pack weight
BOOSTERS = {
    "dewdrop-nell": ("K", "1Kx2", 4),
    "pip-featherlight": ("K", "1Kx2", 4),
    "coral-wink": ("K", "2Kx2", 4),
    "tansy-brightwing": ("K", "2Kx2", 4),
    "marisol": ("K", "3Kx2", 2),
    "ondine": ("K", "3Kx2", 2),
    "paloma": ("K", "1Kx3", 2),
    "lumi-morningstar": ("K", "1Kx3", 2),
    "solara": ("K", "2Kx3", 1),
    "aurora-first-light": ("K", "1Kx4", 1),
    "nettle-hex": ("E", "1Ex2", 4),
    "grubba": ("E", "1Ex2", 4),
    "vesper-snag": ("E", "2Ex2", 4),
    "mildew-maud": ("E", "2Ex2", 4),
    "elara-bad-faerie": ("E", "3Ex2", 2),
    "old-mother-murk": ("E", "3Ex2", 2),
    "sable-quill": ("E", "1Ex3", 2),
    "croak-nan": ("E", "1Ex3", 2),
    "nocturna": ("E", "2Ex3", 1),
    "grimalda-dusk-queen": ("E", "1Ex4", 1),
}
# 6.6: as Battle Loser, as Battle Winner (for the bells: as Krabz, as Enemigos), pack weight
POWERS = {
    "unicorn": ("revive all", "revive all", 1),
    "malapple": ("down 1", "down 1", 4),
    "healing-spring": ("revive 1", "revive 1", 4),
    "twin-pearls": ("revive 2", "revive 2", 2),
    "hornet-jar": ("down 2", "down 2", 2),
    "maelstrom": ("down all", "down all", 1),
    "kinship-horn": ("revive domain", "revive domain", 2),
    "prism-shell": ("revive colour", "down colour", 2),
    "dawn-bell": ("revive 2", "down 1", 2),
    "dusk-bell": ("down 1", "revive 2", 2),
    "turncoat-tide": ("revive 1, down 1", "reverse all", 1),
    "cursed-compass": ("down top-hp", "down top-hp", 2),
}
BELLS = ("dawn-bell", "dusk-bell")


@pytest.mark.rules("BKZ-C-01", "BKZ-C-02", "BKZ-C-03", "BKZ-C-07", "BKZ-R-02")
def test_there_are_246_cards_of_three_types() -> None:
    assert Counter(card.kind for card in CATALOG.values()) == {
        "warrior": 150,
        "booster": 60,
        "power": 36,
    }
    assert [one.name for one in load_sets("games.battle_krabz")] == ["First Dawn"]
    expected = {
        f"{stem}-{colour}"
        for stem, row in WARRIORS.items()
        for colour in ("silver", "gold", "platinum", "holo", GEMS[row[1]])
    } | {
        f"{stem}-{colour}" for stem in (*BOOSTERS, *POWERS) for colour in ("silver", "gold", "holo")
    }
    assert set(CATALOG) == expected


GEMS = {"K": "saphire", "E": "emerald"}


@pytest.mark.rules("BKZ-C-02", "BKZ-C-06", "BKZ-R-02", "BKZ-R-03")
@pytest.mark.parametrize("slug", [slug for slug, card in CATALOG.items() if card.kind == "warrior"])
def test_a_warrior_is_printed_as_the_tables_say(slug: str) -> None:
    card = CATALOG[slug]
    name, side, domain, condition, silver = WARRIORS[card["character"]]
    more, rarity = COLOURS[card.colour]
    values = tuple(a + b for a, b in zip(map(int, silver.split("/")), more, strict=True))
    assert (card["attack"], card["defence"], card["hp"], card["special"]) == values
    assert (card.name, card["side"], card["domain"], card.rarity) == (name, side, domain, rarity)
    assert card.slug == f"{card['character']}-{card.colour}"
    assert card.title == f"{name} ({card.colour.capitalize()})"
    kind, _, partner = condition.partition(":")
    assert (card["condition"], card.attributes.get("partner", "")) == (kind, partner)
    assert card.text.startswith(f"+{values[3]}")
    if partner:
        assert card.text.endswith(f" with {WARRIORS[partner][0]}")


@pytest.mark.rules("BKZ-C-09", "BKZ-C-10")
def test_special_bonuses_say_when_they_count() -> None:
    assert {
        card["condition"]: card.text.partition(" ")[2]
        for card in CATALOG.values()
        if card.kind == "warrior" and card["condition"] != "partner"
    } == {
        "always": "",
        "attack": "attacking",
        "defend": "defending",
        "alone": "alone",
        "trio": "in a trio",
        "pack": "with its own kind",
        "kin": "with kin",
        "match": "matching",
        "mixed": "in mixed company",
    }


def test_each_side_has_three_characters_of_each_domain() -> None:
    domains = Counter((row[1], row[2]) for row in WARRIORS.values())
    assert set(domains.values()) == {3}
    assert len(domains) == 10


@pytest.mark.rules("BKZ-C-03", "BKZ-C-08", "BKZ-R-05")
@pytest.mark.parametrize("stem", BOOSTERS)
def test_a_booster_is_printed_as_the_tables_say(stem: str) -> None:
    side, value, weight = BOOSTERS[stem]
    for colour in ("silver", "gold", "holo"):
        card = CATALOG[f"{stem}-{colour}"]
        assert (card.kind, card["side"], card["value"]) == ("booster", side, value)
        assert f"{card['reach']}{side}x{card['times']}" == value
        assert card["weight"] == weight
        assert card.rarity == COLOURS[colour][1]


@pytest.mark.rules("BKZ-C-04", "BKZ-C-05", "BKZ-C-12", "BKZ-R-03", "BKZ-R-05")
@pytest.mark.parametrize("stem", POWERS)
def test_a_power_card_is_printed_as_the_tables_say(stem: str) -> None:
    loser, winner, weight = POWERS[stem]
    keys = ("krabz", "enemigos") if stem in BELLS else ("loser", "winner")
    for colour in ("silver", "gold", "holo"):
        card = CATALOG[f"{stem}-{colour}"]
        effects = [", ".join(f"{verb} {what}" for verb, what in card[key]) for key in keys]
        assert effects == [loser, winner]
        assert card["weight"] == weight
        assert "side" not in card.attributes
        assert card.rarity == COLOURS[colour][1]
        assert card.text


# -- decks and products ----------------------------------------------------------------------------


@pytest.mark.rules("BKZ-P-08")
@pytest.mark.parametrize(("slug", "side"), [("starter-krabz", "K"), ("starter-enemigos", "E")])
def test_a_starter_deck_has_56_different_cards(slug: str, side: str) -> None:
    cards = DECKS[slug].cards["main"]
    assert set(cards.values()) == {1}
    kinds = Counter(CATALOG[card].kind for card in cards)
    assert kinds == {"warrior": 36, "booster": 12, "power": 8}
    assert {CATALOG[card]["side"] for card in cards if CATALOG[card].kind != "power"} == {side}
    colours = Counter((CATALOG[card].kind, CATALOG[card].colour) for card in cards)
    assert colours == {
        ("warrior", "silver"): 15,
        ("warrior", "gold"): 12,
        ("warrior", "platinum"): 9,
        ("booster", "silver"): 8,
        ("booster", "gold"): 4,
        ("power", "silver"): 6,
        ("power", "gold"): 2,
    }
    assert PRODUCTS[slug].cards == cards


def test_the_starter_decks_hold_the_cards_of_the_rulebooks_example() -> None:
    krabz, enemigos = (DECKS[f"starter-{side}"].cards["main"] for side in ("krabz", "enemigos"))
    assert krabz.keys() >= {
        *("krabbi-long-legs-silver", "eagle-krab-silver", "eagle-krab-gold", "moss-krab-silver"),
        *("paloma-silver", "coral-wink-silver", "malapple-silver"),
    }
    assert enemigos.keys() >= {
        *("flaman-krab-silver", "fallen-gold", "gym-bunny-platinum", "root-rat-silver"),
        *("elara-bad-faerie-silver", "nettle-hex-silver", "unicorn-silver"),
    }


@pytest.mark.rules("BKZ-M-04", "BKZ-R-44")
def test_the_trump_pack_is_every_warrior_in_gold_and_platinum_and_lent() -> None:
    pack = PRODUCTS["trump-pack"]
    assert pack.cards == {f"{stem}-{c}": 1 for stem in WARRIORS for c in ("gold", "platinum")}
    assert pack.lent
    assert [product.slug for product in PRODUCTS.values() if product.lent] == ["trump-pack"]
    assert all(60 % seats == 0 for seats in range(2, 7))


def share(found: dict[str, Fraction], colour: str) -> Fraction:
    return sum((p for card, p in found.items() if CATALOG[card].colour == colour), Fraction(0))


@pytest.mark.parametrize("slug", ["fd-pack", "fd-pack-k", "fd-pack-e"])
def test_the_odds_of_a_pack(slug: str) -> None:
    product = PRODUCTS[slug]
    assert product.unique
    assert len(product.slots) == 8
    slots = [odds(product, n) for n in range(8)]
    kinds = [{CATALOG[card].kind for card in slot} for slot in slots]
    assert kinds == [{"warrior"}] * 5 + [{"booster"}] * 2 + [{"power"}]
    for slot in slots[:4]:
        assert [share(slot, c) * 100 for c in ("silver", "gold", "platinum")] == [60, 25, 15]
    gem = share(slots[4], "saphire") + share(slots[4], "emerald")
    fine = [share(slots[4], "gold"), share(slots[4], "platinum"), gem, share(slots[4], "holo")]
    assert [part * 100 for part in fine] == [45, 30, 20, 5]
    for slot in slots[5:]:
        assert [share(slot, c) * 100 for c in ("silver", "gold", "holo")] == [70, 24, 6]
    some_holo = 1 - (1 - Fraction(5, 100)) * (1 - Fraction(6, 100)) ** 3
    assert round(float(some_holo), 3) == 0.211
    sides = {CATALOG[card].attributes.get("side") for slot in slots[:7] for card in slot}
    assert sides == {"fd-pack": {"K", "E"}, "fd-pack-k": {"K"}, "fd-pack-e": {"E"}}[slug]


@pytest.mark.parametrize(("kind", "slot", "sum_of_weights"), [("booster", 5, 26), ("power", 7, 25)])
def test_pack_weights(kind: str, slot: int, sum_of_weights: int) -> None:
    for product, side in (("fd-pack-k", "K"), ("fd-pack-e", "E")):
        found = odds(PRODUCTS[product], slot)
        by_character = Counter[str]()
        for card, chance in found.items():
            by_character[CATALOG[card]["character"]] += chance  # type: ignore[assignment]
        assert by_character == {
            card["character"]: Fraction(card["weight"], sum_of_weights)
            for card in CATALOG.values()
            if card.kind == kind and card.attributes.get("side", side) == side
        }


def test_all_characters_of_a_side_are_equally_likely_warriors() -> None:
    for slot in (0, 4):
        found = odds(PRODUCTS["fd-pack"], slot)
        for stem in WARRIORS:
            assert sum(p for card, p in found.items() if CATALOG[card]["character"] == stem) == (
                Fraction(1, 30)
            )
