"""The catalog is section 6 of the rules specification, card by card (``printed.md``)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import pytest

import rules
from rules.engine.cards import CardType
from rules.engine.packs import contents_of, slot_odds
from tests.rules.pack_odds import odds

GAME = rules.game("colossal-kaiju-combat")
CATALOG, PRODUCTS, DECKS = GAME.catalog, GAME.products, GAME.starter_decks
PLANNING = ("location", "opponent", "ally", "scar", "event")
STARTERS = ("starter-deep", "starter-ember", "starter-iron", "starter-storm", "starter-skin")
ATTRIBUTES = ("claws", "horns", "spikes", "teeth", "tail", "wings", "armor", "shield")
NOTHING = "–"

Rows = dict[str, list[str]]


def printed() -> dict[str, Rows]:
    """The tables of ``printed.md``: by heading, the cells of each card."""
    tables: dict[str, Rows] = {}
    for line in Path(__file__).with_name("printed.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            rows = tables[line[3:]] = {}
        elif tables and line.startswith("| ") and not line.startswith("| id "):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            rows[cells[0]] = cells
    return tables


PRINTED = printed()


def of_kind(*kinds: str) -> list[CardType]:
    return [card for card in CATALOG.values() if card.kind in kinds]


def words(values: Iterable[str]) -> str:
    return ", ".join(values) or NOTHING


def attributes(card: CardType) -> str:
    return words(attr.capitalize() for attr in card["attr"])


def rarity(card: CardType) -> str:
    return card.rarity[0].upper()


def text(card: CardType) -> str:
    return card.text or NOTHING


def cost(card: CardType) -> str:
    return " ".join(f"{box[0].upper()}{n}" for box, n in card["cost"].items())


def value(card: CardType, key: str) -> str:
    if key not in card.attributes:
        return NOTHING
    icons = [f"+{icon.capitalize()}" for icon in card.attributes.get(f"{key}_icons", ())]
    return " ".join([str(card[key]), *icons])


def stats(card: CardType, *keys: str) -> list[str]:
    return [str(card[key]) for key in keys]


CHARACTER = ("ferocity", "agility", "power", "fortitude")
CITY = ("toughness", "fortitude", "strike", "glory")
AGAINST_IMMUNE = {
    "shut-out": "shut out",
    "works": "works",
    "shut-out-by-all": "shut out if all foes are immune",
    "damage-shut-out": "damage part shut out, toughness part works",
}


def team_row(card: CardType) -> list[str]:
    numbers = stats(card, "initiative", "planning_draw", "fury")
    ability = card.text or "None."
    return [*numbers, f"+{card['fortitude_bonus']}", card["members"], ability, rarity(card)]


def kaiju_row(card: CardType) -> list[str]:
    immune = AGAINST_IMMUNE[card["against_immune"]]
    first = [card["affiliation"], words(card["keywords"]), *stats(card, *CHARACTER)]
    return [*first, attributes(card), card.text, immune, rarity(card)]


def combat_row(card: CardType) -> list[str]:
    red = " ".join(f"−{icon.capitalize()}" for icon in card.attributes.get("red_icons", ()))
    values = [value(card, "damage"), value(card, "toughness"), red or NOTHING]
    return [
        *(card["icon"], card["type"], words(card["styles"]), cost(card)),
        *(*values, text(card), rarity(card)),
    ]


def location_row(card: CardType) -> list[str]:
    return [*stats(card, *CITY), text(card), rarity(card)]


def opponent_row(card: CardType) -> list[str]:
    return [attributes(card), *location_row(card)]


def ally_row(card: CardType) -> list[str]:
    first = [card["requirement"], *stats(card, *CHARACTER), attributes(card)]
    return [*first, str(card["glory"]), text(card), rarity(card)]


def scar_row(card: CardType) -> list[str]:
    return [card.text, rarity(card)]


def event_row(card: CardType) -> list[str]:
    return [card.attributes.get("when", card["moment"]), card.text, rarity(card)]


TABLES: dict[str, tuple[str, str, Callable[[CardType], list[str]]]] = {
    "team": ("Team cards", "from-the-deep", team_row),
    "kaiju": ("Kaiju", "maelgrath", kaiju_row),
    "combat": ("Combat cards", "straight-jab", combat_row),
    "location": ("Planning cards: Locations", "office-complex", location_row),
    "opponent": ("Planning cards: Opponents", "tank-column", opponent_row),
    "ally": ("Planning cards: Allies", "drone-swarm", ally_row),
    "scar": ("Planning cards: Scars", "hardened-hide", scar_row),
    "event": ("Planning cards: Events", "evacuation-order", event_row),
}


@pytest.mark.parametrize("slug", CATALOG)
def test_a_card_is_printed_as_the_tables_say(slug: str) -> None:
    card = CATALOG[slug]
    heading, _, row = TABLES[card.kind]
    assert [slug, card.name, *row(card)] == PRINTED[heading][slug]


def test_the_catalog_has_the_cards_of_the_tables_in_their_order() -> None:
    assert list(CATALOG) == [slug for table in PRINTED.values() for slug in table]
    assert list(PRINTED)[:-1] == [heading for heading, _, _ in TABLES.values()]
    for heading, first, _ in TABLES.values():
        assert next(iter(PRINTED[heading])) == first


def test_there_are_134_cards_in_one_set() -> None:
    assert [(one.slug, one.name) for one in GAME.sets] == [("landfall", "Landfall")]
    assert {card.sets for card in CATALOG.values()} == {("landfall",)}
    assert len(CATALOG) == 134
    kinds = Counter(card.kind for card in CATALOG.values())
    assert (kinds["team"], kinds["kaiju"], kinds["combat"]) == (6, 20, 56)
    assert [kinds[kind] for kind in PLANNING] == [9, 8, 7, 8, 20]
    assert sum(kinds[kind] for kind in PLANNING) == 52


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("team",), (1, 5, 0)),
        (("kaiju",), (0, 15, 5)),
        (("combat",), (28, 20, 8)),
        (PLANNING, (27, 19, 6)),
    ],
    ids=["team", "kaiju", "combat", "planning"],
)
def test_rarities_are_those_that_the_booster_counts_on(
    kinds: tuple[str, ...], expected: tuple[int, int, int]
) -> None:
    found = Counter(card.rarity for card in of_kind(*kinds))
    assert tuple(found[word] for word in ("common", "uncommon", "rare")) == expected


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
        data, said = card.attributes, card.text
        assert data.get("combo", False) == said.startswith("Combo."), card.slug
        move = re.search(r"Move (\d)", said)
        assert data.get("move", 0) == (int(move[1]) if move else 0), card.slug
        always = said.replace("Damage Effect: Knockdown", "").startswith("Knockdown")
        assert data.get("knockdown", False) == always, card.slug
        for key, phrase in (("required_discards", "Required"), ("optional_discards", "Optional")):
            number = re.search(rf"{phrase} discards: (?:up to )?(\d)", said)
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
    told = {card.slug for card in of_kind("combat") if "Damage Effect" in card.text}
    assert told == {card.slug for card in of_kind("combat") if "damage_effect" in card.attributes}
    assert len(told) == 6


def test_numbers_in_the_data_stand_in_the_text() -> None:
    """Every bonus, amount and change is a number that the text names ("one" and "two" included)."""
    for card in CATALOG.values():
        said = {int(n) for n in re.findall(r"\d+", card.text)}
        said |= {
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
        assert set(numbers) <= said | {1}, (card.slug, numbers)


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
            said = card.text.replace("Attacks", "Attack").replace("Dodges", "Dodge")
            assert bonus.get(key, "") in said, card.slug


def test_attributes_are_the_eight() -> None:
    keys = ("attr", "damage_icons", "toughness_icons", "red_icons", "gains", "loses")
    found = {attr for card in CATALOG.values() for k in keys for attr in card.attributes.get(k, ())}
    assert found == set(ATTRIBUTES)


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


def test_each_affiliation_has_four_kaiju_and_one_leader() -> None:
    kaiju = of_kind("kaiju")
    assert Counter(card["affiliation"] for card in kaiju) == dict.fromkeys(
        ("DEEP", "VOLCANIC", "MECH", "SKY", "MUTANT"), 4
    )
    leaders = [card for card in kaiju if "LEADER" in card["keywords"]]
    assert {card["affiliation"] for card in leaders} == {card["affiliation"] for card in kaiju}
    assert {card.rarity for card in leaders} == {"rare"}
    assert len(leaders) == 5
    assert {card["glory"] for card in kaiju} == {5}


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
    said = CATALOG["evo-eira"].text
    assert "Ferocity 7, Agility 6, Power 5, Fortitude 14, attributes Claws, Tail, Wings" in said


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
    moments = Counter(card["moment"] for card in of_kind("event"))
    assert moments == {
        "planning": 12,
        "challenge": 1,
        "declined": 1,
        "own-start": 1,
        "enemy-start": 1,
        "rage": 1,
        "end": 2,
        "end-before-refill": 1,
    }
    for card in of_kind("event"):
        assert ("when" in card.attributes) == (card["moment"] != "planning")
    assert {
        card.slug: card["glory"] for card in of_kind("event") if "glory" in card.attributes
    } == {
        "trophy-hall": 2,
        "front-page": 1,
    }


# -- starter decks (6.9) ---------------------------------------------------------------------------


def starter_lists() -> dict[str, list[str]]:
    """The paragraphs of ``printed.md`` on the starter decks: by slug, the lines of each."""
    _, _, part = Path(__file__).with_name("printed.md").read_text("utf-8").partition("## Starter")
    found = {}
    for paragraph in part.split("\n\n")[1:]:
        slug = re.search(r"\((starter-\w+)\)", paragraph)
        assert slug
        found[slug[1]] = paragraph.splitlines()
    return found


@pytest.mark.parametrize("slug", STARTERS)
def test_a_starter_deck_is_the_printed_list(slug: str) -> None:
    first, swords, shields, planning = starter_lists()[slug]
    deck = DECKS[slug]
    names = re.fullmatch(r"\*\*(.+)\*\* \(.+\) — team (.+); kaiju (.+)", first)
    assert names
    assert deck.name == names[1]
    assert deck.cards["team"] == {names[2]: 1}
    assert deck.cards["kaiju"] == dict.fromkeys(names[3].split(", "), 1)
    for line, total, icon in ((swords, 10, "sword"), (shields, 10, "shield"), (planning, 25, "")):
        listed = {card: int(count) for count, card in re.findall(r"(\d)× ([\w-]+)", line)}
        section = deck.cards["combat" if icon else "planning"]
        held = {card: n for card, n in section.items() if not icon or CATALOG[card]["icon"] == icon}
        assert held == listed
        assert sum(held.values()) == total
    assert all(CATALOG[card].kind in PLANNING for card in deck.cards["planning"])


def test_starter_decks_are_for_both_modes_and_sold_whole() -> None:
    assert tuple(DECKS) == STARTERS == tuple(starter_lists())
    for slug, deck in DECKS.items():
        assert deck.modes == ("standard", "basic")
        assert list(deck.cards) == ["team", "kaiju", "combat", "planning"]
        together = Counter[str]()
        for cards in deck.cards.values():
            together.update(cards)
        assert PRODUCTS[slug].cards == together
        assert together.total() == 1 + 3 + 20 + 25
        assert PRODUCTS[slug].starter == "Starter Deck"
    assert [one.slug for one in PRODUCTS.values() if one.starter] == list(STARTERS)


# -- products (6.10) -------------------------------------------------------------------------------


BOOSTER = PRODUCTS["booster-lf1"]


def test_a_booster_has_twelve_cards_and_none_twice() -> None:
    assert (BOOSTER.name, len(BOOSTER.slots)) == ("Landfall Booster", 12)
    assert BOOSTER.unique and BOOSTER.random
    assert not BOOSTER.cards


@pytest.mark.parametrize(
    ("slots", "kinds", "rarity_word", "number"),
    [
        (range(1, 5), ("combat",), "common", 28),
        (range(5, 7), PLANNING, "common", 27),
        (range(7, 9), ("combat",), "uncommon", 20),
        (range(9, 10), PLANNING, "uncommon", 19),
        (range(10, 11), ("combat", *PLANNING), "rare", 14),
    ],
)
def test_slots_with_one_sheet_are_uniform(
    slots: range, kinds: tuple[str, ...], rarity_word: str, number: int
) -> None:
    cards = [card.slug for card in of_kind(*kinds) if card.rarity == rarity_word]
    assert len(cards) == number
    for slot in slots:
        assert odds(BOOSTER, slot - 1) == dict.fromkeys(cards, Fraction(1, number))


def test_the_kaiju_slot_holds_a_leader_in_one_of_five() -> None:
    found = odds(BOOSTER, 10)
    assert {CATALOG[card].kind for card in found} == {"kaiju"}
    leaders = {card: p for card, p in found.items() if "LEADER" in CATALOG[card]["keywords"]}
    assert set(leaders.values()) == {Fraction(20, 100) / 5}
    assert len(leaders) == 5
    others = {p for card, p in found.items() if card not in leaders}
    assert others == {Fraction(80, 100) / 15}
    assert len(found) == 20


def test_the_wild_slot() -> None:
    found = odds(BOOSTER, 11)

    def share(*kinds: str, rarity_word: str) -> Fraction:
        return sum(
            (
                p
                for card, p in found.items()
                if CATALOG[card].kind in kinds and CATALOG[card].rarity == rarity_word
            ),
            Fraction(0),
        )

    assert share(*PLANNING, rarity_word="common") * 100 == 50
    assert share(*PLANNING, rarity_word="uncommon") * 100 == 30
    assert share("team", rarity_word="uncommon") * 100 == 15
    assert share("combat", *PLANNING, rarity_word="rare") * 100 == 5
    assert "open-alliance" not in found
    assert len(found) == 27 + 19 + 5 + 14


def test_redraws_shift_the_wild_slot_by_less_than_one_in_a_hundred() -> None:
    """A wild card that repeats one of the pack is drawn again; nothing else ever is shifted."""
    for slot, told in enumerate(slot_odds(contents_of(GAME.slug, BOOSTER)), start=1):
        shares: dict[str, list[Fraction]] = {}
        for index, chances in enumerate((told.cards, told.settled)):
            for card, chance in chances.items():
                key = f"{CATALOG[card].kind} {CATALOG[card].rarity}"
                shares.setdefault(key, [Fraction(0), Fraction(0)])[index] += chance
        for drawn, lying in shares.values():
            assert drawn == lying if slot < 12 else abs(drawn - lying) < Fraction(1, 100)


def test_every_card_but_open_alliance_can_come_out_of_a_booster() -> None:
    drawn = {card for slot in range(12) for card in odds(BOOSTER, slot)}
    assert set(CATALOG) - drawn == {"open-alliance"}


def test_kits_hold_boosters() -> None:
    assert list(PRODUCTS) == [
        *STARTERS, "booster-lf1", "welcome-kit", "kaiju-den", "sealed-kit",
    ]  # fmt: skip
    welcome, den, sealed = (PRODUCTS[slug] for slug in ("welcome-kit", "kaiju-den", "sealed-kit"))
    assert welcome.cards == {"open-alliance": 1}
    assert welcome.packs == {"booster-lf1": 3}
    assert welcome.choice == STARTERS
    assert den.packs == sealed.packs == {"booster-lf1": 6}
    assert not den.cards and not sealed.cards and not sealed.slots
    leaders = [card.slug for card in of_kind("kaiju") if "LEADER" in card["keywords"]]
    assert odds(den, 0) == dict.fromkeys(leaders, Fraction(1, 5))
    assert len(den.slots) == 1
    assert not any(product.lent for product in PRODUCTS.values())


# -- modes (2.1) -----------------------------------------------------------------------------------


def test_both_modes_can_be_played_by_two_to_five() -> None:
    assert list(GAME.modes) == ["standard", "basic"]
    for mode in GAME.modes.values():
        assert mode.playable
        assert mode.own_decks
        assert list(mode.seats) == [2, 3, 4, 5]
        assert {option.slug: (option.values, option.default) for option in mode.options} == {
            "fury_mode": (("auto", "claim"), "auto"),
            "illegal_cards": (("refuse", "discard"), "refuse"),
            "glory_target": ((10, 40), 20),
            "turn_cap": ((10, 60), 30),
            "quiet_limit": ((3, 10), 5),
        }
        assert mode.sections == ("combat", "planning", "kaiju", "team")
    assert GAME.modes["standard"].kinds == ()
    assert GAME.modes["basic"].kinds == ("team", "kaiju", "combat")
