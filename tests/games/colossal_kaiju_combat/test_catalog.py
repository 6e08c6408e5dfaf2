"""Texts and data of the cards say the same; the tables themselves are in ``catalog.txt``."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import rules
from rules.engine.cards import CardType
from rules.engine.packs import contents_of, slot_odds
from tests.rules.pack_odds import odds

GAME = rules.game("colossal-kaiju-combat")
CATALOG, PRODUCTS, DECKS = GAME.catalog, GAME.products, GAME.starter_decks
PLANNING = ("location", "opponent", "ally", "scar", "event")
STARTERS = ("starter-deep", "starter-ember", "starter-iron", "starter-storm", "starter-skin")
BOOSTER = PRODUCTS["booster-lf1"]


def of_kind(*kinds: str) -> list[CardType]:
    return [card for card in CATALOG.values() if card.kind in kinds]


# -- texts, and the same as data -------------------------------------------------------------------


def test_no_printed_text_cites_a_rule() -> None:
    for card in CATALOG.values():
        printed_words = [card.text, *(v for v in card.attributes.values() if isinstance(v, str))]
        assert not any("CKC" in words for words in printed_words), card.slug


def test_a_text_is_carried_out_by_data_or_by_an_effect() -> None:
    """Every card with a text has something that the rules can run on; one without has nothing."""
    keywords = {"combo", "knockdown", "move", "damage_effect", "changes", "gains", "is_kaiju"}
    keywords |= {"required_discards", "optional_discards"}
    for card in CATALOG.values():
        assert bool(card.text) == bool(card.effect or keywords & card.attributes.keys()), card.slug


def test_keywords_stand_in_the_text_and_in_the_data() -> None:
    for card in of_kind("combat"):
        data, text = card.attributes, card.text
        assert data.get("combo", False) == text.startswith("Combo."), card.slug
        move = re.search(r"Move (\d)", text)
        assert data.get("move", 0) == (int(move[1]) if move else 0), card.slug
        always = text.replace("Damage Effect: Knockdown", "").startswith("Knockdown")
        assert data.get("knockdown", False) == always, card.slug
        for key, phrase in (("required_discards", "Required"), ("optional_discards", "Optional")):
            number = re.search(rf"{phrase} discards: (?:up to )?(\d)", text)
            assert data.get(key, 0) == (int(number[1]) if number else 0), card.slug


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("tail-whip", {"knockdown": True}),
        ("bone-crusher", {"knockdown": True}),
        ("gnash-and-hold", {"damage": 1}),
        ("gore", {"damage": 1}),
        ("spiteful-sting", {"damage": 1}),
        ("siphon-bite", {"energy": 2}),
    ],
)
def test_damage_effects(slug: str, expected: object) -> None:
    assert CATALOG[slug]["damage_effect"] == expected
    assert "Damage Effect:" in CATALOG[slug].text


def test_only_six_cards_have_a_damage_effect() -> None:
    slugs = {card.slug for card in of_kind("combat") if "Damage Effect" in card.text}
    assert slugs == {card.slug for card in of_kind("combat") if "damage_effect" in card.attributes}
    assert len(slugs) == 6


def test_numbers_in_the_data_stand_in_the_text() -> None:
    """Every bonus, amount and change is a number that the text names ("one" and "two" included)."""
    for card in CATALOG.values():
        in_text = {int(n) for n in re.findall(r"\d+", card.text)}
        in_text |= {
            n for n, word in enumerate(("one", "two"), start=1) if word in card.text.casefold()
        }
        bonus = card.attributes.get("bonus", {})
        numbers = [bonus[key] for key in ("damage", "toughness") if key in bonus]
        numbers += [abs(n) for n in card.attributes.get("changes", {}).values()]
        numbers += [
            card[key]
            for key in (
                "amount",
                "burst",
                "energy",
                "glory_token",
                "healing",
                "joins",
                "scar_limit",
            )
            if isinstance(card.attributes.get(key), int)
        ]
        assert set(numbers) <= in_text | {1}, (card.slug, numbers)


def test_styles_and_types_in_the_data_are_those_of_combat_cards() -> None:
    styles = {style for card in of_kind("combat") for style in card["styles"]}
    types = {card["type"] for card in of_kind("combat")}
    assert styles == {
        *("punch", "kick", "bite", "claw", "tail", "charge", "wing", "weapon", "throw", "beam"),
        *("skilled", "guard", "evade"),
    }
    assert types == {
        *("Quick Attack", "Chain Attack", "Fierce Attack", "Power Attack", "Technique"),
        *("Block", "Dodge", "Counterattack"),
    }
    for card in CATALOG.values():
        bonus = card.attributes.get("bonus", {})
        named = {bonus[key] for key in ("style", "answers_style") if key in bonus}
        assert named | set(card.attributes.get("against", ())) <= styles, card.slug
        assert {bonus[key] for key in ("type", "answers_type") if key in bonus} <= types, card.slug


def test_a_bonus_names_what_its_text_names() -> None:
    for card in CATALOG.values():
        bonus = card.attributes.get("bonus", {})
        for key in ("style", "type", "answers_style", "answers_type"):
            text = card.text.replace("Attacks", "Attack").replace("Dodges", "Dodge")
            assert bonus.get(key, "") in text, card.slug


def test_attributes_are_the_eight() -> None:
    keys = ("attr", "damage_icons", "toughness_icons", "red_icons", "gains", "loses")
    attributes = {
        attr for card in CATALOG.values() for k in keys for attr in card.attributes.get(k, ())
    }
    assert attributes == {"claws", "horns", "spikes", "teeth", "tail", "wings", "armor", "shield"}


def test_team_cards_say_who_may_join_in_words_and_in_data() -> None:
    assert {
        card.slug: (card.attributes.get("joins"), card["kaiju"]) for card in of_kind("team")
    } == {
        "from-the-deep": ("DEEP", (3, 3)),
        "ember-court": ("VOLCANIC", (3, 3)),
        "iron-menagerie": ("MECH", (3, 3)),
        "stormcrest-flight": ("SKY", (3, 3)),
        "second-skin": ("MUTANT", (3, 3)),
        "open-alliance": (None, (2, 3)),
    }
    assert CATALOG["open-alliance"]["bars"] == "LEADER"


def test_each_affiliation_has_one_leader() -> None:
    kaiju = of_kind("kaiju")
    leaders = [card for card in kaiju if "LEADER" in card["keywords"]]
    assert {card["affiliation"] for card in leaders} == {card["affiliation"] for card in kaiju}
    assert {card.rarity for card in leaders} == {"rare"}
    assert len(leaders) == 5


def test_the_second_form_of_evo_eira() -> None:
    form = CATALOG["evo-eira"]["evolved"]
    assert form == {
        "ferocity": 7,
        "agility": 6,
        "power": 5,
        "fortitude": 14,
        "heal": 2,
        "attr": ["claws", "tail", "wings"],
    }
    text = CATALOG["evo-eira"].text
    assert "Ferocity 7, Agility 6, Power 5, Fortitude 14, attributes Claws, Tail, Wings" in text


@pytest.mark.parametrize(
    ("slug", "needs"),
    [
        ("drone-swarm", {"affiliation": "MECH"}),
        ("tidecaller-cult", {"affiliation": "DEEP"}),
        ("ashling-brood", {"affiliation": "VOLCANIC"}),
        ("hired-strider", {"power": 4}),
        ("storm-hawk", {"attr": "wings"}),
        ("chained-behemoth", {"fortitude": 12}),
        ("scavenger-pack", {"damage": 3}),
    ],
)
def test_what_allies_need(slug: str, needs: object) -> None:
    assert CATALOG[slug]["needs"] == needs


def test_only_ashling_brood_is_an_ally_and_a_kaiju() -> None:
    assert [card.slug for card in of_kind("ally") if card.attributes.get("is_kaiju")] == [
        "ashling-brood"
    ]


def test_city_cards_say_when_their_text_works() -> None:
    starts = {
        "city": "While in the city: ",
        "adjacent": "While adjacent: ",
        "destroyed": "When destroyed in a combat: ",
        "assault": "Assault: ",
    }
    for card in of_kind("location", "opponent"):
        assert card.text.startswith(starts[card["scope"]] if card.text else ""), card.slug
    quiet = [card.slug for card in of_kind("location", "opponent") if not card.text]
    assert quiet == ["tank-column", "siege-artillery"]


def test_events_name_their_moment() -> None:
    for card in of_kind("event"):
        assert ("when" in card.attributes) == (card["moment"] != "planning")
    assert {
        card.slug: card["glory"] for card in of_kind("event") if "glory" in card.attributes
    } == {
        "trophy-hall": 2,
        "front-page": 1,
    }


def test_the_wild_slot_lies_as_its_rule_says() -> None:
    """Section 6.10: a wild card that repeats one of the pack is drawn again from its own sheet."""
    for slot in slot_odds(contents_of(GAME.slug, BOOSTER)):
        assert slot.settled == slot.cards
    wild = slot_odds(contents_of(GAME.slug, BOOSTER))[11].settled
    teams = {card: chance for card, chance in wild.items() if CATALOG[card].kind == "team"}
    assert len(teams) == 5 and set(teams.values()) == {Fraction(3, 100)}


def test_every_card_but_open_alliance_can_come_out_of_a_booster() -> None:
    drawn = {card for slot in range(12) for card in odds(BOOSTER, slot)}
    assert set(CATALOG) - drawn == {"open-alliance"}
