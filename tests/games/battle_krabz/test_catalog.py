"""The tables of the catalog (``catalog.txt``), taken together."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from games.battle_krabz.state import catalog
from rules.engine.cards import load_decks, load_products
from tests.rules.pack_odds import odds

CATALOG = catalog()
PRODUCTS = load_products("games.battle_krabz")
DECKS = load_decks("games.battle_krabz")


@pytest.mark.rules("BKZ-C-02", "BKZ-C-06", "BKZ-R-02", "BKZ-R-03")
@pytest.mark.parametrize("slug", [slug for slug, card in CATALOG.items() if card.kind == "warrior"])
def test_a_warrior_says_its_special_bonus(slug: str) -> None:
    card = CATALOG[slug]
    assert card.slug == f"{card['character']}-{card.colour}"
    assert card.text.startswith(f"+{card['special']}")
    if partner := card.attributes.get("partner"):
        assert card.text.endswith(f" with {CATALOG[f'{partner}-silver'].name}")


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


@pytest.mark.rules("BKZ-C-03", "BKZ-C-08", "BKZ-R-05")
def test_a_booster_value_is_what_the_rules_read() -> None:
    for card in CATALOG.values():
        if card.kind == "booster":
            assert f"{card['reach']}{card['side']}x{card['times']}" == card["value"]


@pytest.mark.rules("BKZ-C-01", "BKZ-C-04", "BKZ-C-05", "BKZ-C-07", "BKZ-C-12")
def test_power_cards_have_a_text() -> None:
    assert all(card.text for card in CATALOG.values() if card.kind == "power")


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
def test_the_trump_pack_can_be_dealt_evenly() -> None:
    assert all(len(PRODUCTS["trump-pack"].cards) % seats == 0 for seats in range(2, 7))


@pytest.mark.parametrize("slug", ["fd-pack", "fd-pack-k", "fd-pack-e"])
def test_the_odds_of_some_holographic_card(slug: str) -> None:
    none = Fraction(1)
    for slot in range(8):
        chances = odds(PRODUCTS[slug], slot)
        none *= 1 - sum(p for card, p in chances.items() if CATALOG[card].colour == "holo")
    assert round(float(1 - none), 3) == 0.211


@pytest.mark.parametrize(("kind", "slot", "sum_of_weights"), [("booster", 5, 26), ("power", 7, 25)])
def test_pack_weights(kind: str, slot: int, sum_of_weights: int) -> None:
    for product, side in (("fd-pack-k", "K"), ("fd-pack-e", "E")):
        chances = odds(PRODUCTS[product], slot)
        by_character = Counter[str]()
        for card, chance in chances.items():
            by_character[CATALOG[card]["character"]] += chance  # type: ignore[assignment]
        assert by_character == {
            card["character"]: Fraction(card["weight"], sum_of_weights)
            for card in CATALOG.values()
            if card.kind == kind and card.attributes.get("side", side) == side
        }


def test_all_characters_of_a_side_are_equally_likely_warriors() -> None:
    for slot in (0, 4):
        chances = odds(PRODUCTS["fd-pack"], slot)
        for stem in {card["character"] for card in CATALOG.values() if card.kind == "warrior"}:
            assert sum(p for card, p in chances.items() if CATALOG[card]["character"] == stem) == (
                Fraction(1, 30)
            )
