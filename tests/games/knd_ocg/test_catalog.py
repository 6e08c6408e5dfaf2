"""Texts and data of the cards say the same; the tables themselves are in ``catalog.txt``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from rules.engine.cards import load_catalog, load_products
from tests.games.catalogs import NOTHING, rows

CATALOG = load_catalog("games.knd_ocg")
PRODUCTS = load_products("games.knd_ocg")

TYPES = ("leader", "defender", "attacker", "spy", "pacifist")
CARDS = rows("knd_ocg", "cards")
CHARACTERS = {row["slug"]: row for row in CARDS if row["kind"] == "character"}
SPECIALS = [row["slug"] for row in CARDS if row["kind"] == "special"]


def energy(cost: str) -> dict[str, int]:
    """``L 2 + N 1`` as data."""
    return {part[0]: int(part[2:]) for part in cost.split(" + ")}


def in_words(cost: Mapping[str, int]) -> str:
    """``{"L": 1, "N": 1}`` as a card says it: Normal Energy is asked for where any will do."""
    names = {word[0].upper(): word.capitalize() for word in TYPES}
    typed = [f"{count} {names[letter]} Energy" for letter, count in cost.items() if letter != "N"]
    free = cost.get("N")
    return " and ".join(
        [*typed, *([f"{free} {'' if typed else 'Energy '}of any type"] if free else [])]
    )


WHERE = {
    "active": "while Active",
    "reserve": "in the Reserve",
    "either": "while Active or in the Reserve",
}
FROM_THE_RESERVE = "Cost: discard 1 Attacker Energy. May be used from the Reserve. "


def numbers_in(data: Any) -> Iterator[int]:
    """Every number in a card's data, but for those that are no part of its texts."""
    if isinstance(data, bool):
        return
    if isinstance(data, int):
        yield abs(data)
    elif isinstance(data, Mapping):
        for key, value in data.items():
            if key not in ("reserve", "opposing_reserve", "characters", "carrying", "count"):
                yield from numbers_in(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from numbers_in(value)


@pytest.mark.rules("KND-A-08", "KND-F-10", "KND-X-01", "KND-Y-01")
@pytest.mark.parametrize("slug", CHARACTERS)
def test_a_character_has_a_line_of_text_for_each_attack_and_for_its_effect(slug: str) -> None:
    card = CATALOG[slug]
    lines = card.text.splitlines()
    row = CHARACTERS[slug]
    costs = row["attacks.energy"].split(" / ")
    has_effect = row["effect"] != NOTHING
    assert 1 <= len(costs) <= 2
    assert sum(card["flee"].values()) >= 1
    assert len(lines) == len(costs) + has_effect
    assert ("special_effect" in card.attributes) == has_effect
    for attack, cost, line in zip(card["attacks"], costs, lines, strict=False):
        assert line.startswith(f"{attack['name']} ({in_words(energy(cost))}): ")
        assert line.endswith(".")
        words = line.partition("): ")[2]
        assert ("Trick: " in words) == (attack["form"] == "trick")
        assert ("Cost: " in words) == ("cost" in attack)
        assert ("Needs" in words) == ("needs" in attack)
        assert ("Then" in words) == ("then" in attack and attack["form"] != "trick")
        form = {"strike": "Strike", "hit": "Hit", "clash": "Clash"}.get(attack["form"], "Trick")
        assert form in words
        assert ("Reserve Character" in words and form != "Trick") == (
            attack["on"] == "reserve" or slug == "scooter-skye"
        )
        if attack["form"] == "strike" and "plus" in attack:
            assert words.startswith(f"Strike +{attack['plus']}")
        if attack["form"] == "hit" and isinstance(attack["amount"], int):
            assert words.removeprefix(FROM_THE_RESERVE).startswith(f"Hit {attack['amount']}")
    if has_effect:
        kind, place, title = (row[f"special_effect.{part}"] for part in ("kind", "where", "name"))
        how = "use" if kind == "activated" else "works"
        assert lines[-1].startswith(f"{title} ({how} {WHERE[place]}")
        effect = card["special_effect"]
        once = kind == "activated" and "attached" in effect
        needs = lines[-1].removeprefix(f"{title} (").partition("): ")[0]
        assert needs.endswith(", once a turn") == once
        for need in ("cost", "attached"):
            if need in effect and "hp" not in effect[need]:
                assert in_words(effect[need]) in needs


@pytest.mark.parametrize("slug", [*CHARACTERS, *SPECIALS])
def test_every_number_of_a_card_s_data_stands_in_its_text(slug: str) -> None:
    card = CATALOG[slug]
    words = {"one of your": "1", "this turn may": "1", "a card": "1", "the top card": "1"}
    numbers = set(re.findall(r"\d+", card.text)) | {
        number for word, number in words.items() if word in card.text.lower()
    }
    numbers |= {"1", "2"} if " two" in card.text or "either" in card.text else {"1"}
    numbers |= {"3"} if "1 to 3" in card.text else set()
    parts = ("attacks", "special_effect", "requires", "cost", "does")
    data = [card.attributes[part] for part in parts if part in card.attributes]
    assert {str(number) for number in numbers_in(data)} <= numbers | {"0"}


BANDS = {
    "leader": ((45, 60), (15, 20), (5, 10)),
    "defender": ((35, 45), (5, 10), (20, 30)),
    "attacker": ((30, 40), (30, 40), (0, 5)),
    "spy": ((45, 50), (20, 25), (5, 5)),
    "pacifist": ((25, 35), (0, 5), (5, 5)),
}


@pytest.mark.rules("KND-Y-03", "KND-Y-04", "KND-Y-05", "KND-Y-06", "KND-Y-07")
@pytest.mark.parametrize("word", TYPES)
def test_characters_keep_to_the_band_of_their_type(word: str) -> None:
    cards = [card for card in CATALOG.values() if card.attributes.get("type") == word]
    characters = [card for card in cards if card.kind == "character"]
    assert len(characters) == 8
    for key, (low, high) in zip(("hp", "ap", "dp"), BANDS[word], strict=True):
        values = [card[key] for card in characters]
        assert (min(values), max(values)) == (low, high), key


@pytest.mark.rules("KND-Y-15")
def test_pacifists_have_no_special_effect_and_deal_no_damage() -> None:
    pacifists = [CATALOG[slug] for slug in [*CHARACTERS][32:]]
    assert {card["type"] for card in pacifists} == {"pacifist"}
    assert not [card.slug for card in pacifists if "special_effect" in card.attributes]
    assert {attack["form"] for card in pacifists for attack in card["attacks"]} == {"trick"}


@pytest.mark.rules("KND-R-36")
def test_leaders_shush_no_leaders() -> None:
    whom = set()
    for card in CATALOG.values():
        effects = [card.attributes.get("special_effect", {}).get("does", ())]
        effects += [card.attributes.get("does", ())]
        for steps in effects:
            chosen = [step["who"] for step in steps if step["do"] == "choose"]
            whom |= {
                chosen[0] if step["who"] == "chosen" else step["who"]
                for step in steps
                if step["do"] == "shush"
            }
    assert whom == {"opposing-non-leaders", "opposing-non-leader", "opposing-spies"}


@pytest.mark.parametrize("slug", SPECIALS)
def test_a_special_card_says_what_it_requires_and_costs(slug: str) -> None:
    card = CATALOG[slug]
    assert card.text.startswith("Requirement: ") == ("requires" in card.attributes)
    assert ("Cost:" in card.text) == ("cost" in card.attributes)
    assert card.text.count("\n") == ("requires" in card.attributes)
    assert card["does"]


def test_texts_say_in_words_what_the_specification_says_in_code() -> None:
    assert CATALOG["numbuh-1"].text == (
        "Charge! (2 Leader Energy): Strike +15.\n"
        "Follow the Leader (use while Active, discarding 1 Leader Energy): Every opposing "
        "Character that is not a Leader is Shushed until your next turn, and Numbuh 1 has +10 AP "
        "this turn."
    )
    assert CATALOG["mudball-mo"].text == (
        "Lob from the Back (2 Attacker Energy): Cost: discard 1 Attacker Energy. "
        "May be used from the Reserve. Hit 15."
    )
    assert CATALOG["emergency-recess"].text == "Draw 2 cards."
    assert CATALOG["crowbar-lesson"].text == (
        "Requirement: your Active Character is a Spy with 1 Spy Energy attached; the opponent has "
        "an Active Character.\nThe opposing Active Character has −15 DP until your next turn."
    )


UNTIL = {"next": "until your next turn", "turn": "this turn"}


def test_what_ends_is_said_to_end_then() -> None:
    for card in CATALOG.values():
        values = {letter["until"] for letter in steps_in(card.attributes) if "until" in letter}
        for until, words in UNTIL.items():
            lasts = until in values or (until == "next" and card.attributes.get("flag") == "stays")
            assert (words in card.text.lower()) == lasts, (card.slug, until)


def steps_in(data: Any) -> Iterator[Mapping[str, Any]]:
    """Everything that a card's data says is to be done."""
    if isinstance(data, Mapping):
        if "do" in data:
            yield data
        for value in data.values():
            yield from steps_in(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from steps_in(value)


def test_data_says_what_the_texts_say() -> None:
    """Cards of each manner, as the rules will read them."""
    follow = CATALOG["numbuh-1"]["special_effect"]
    assert follow["cost"] == {"L": 1}
    assert follow["does"] == [
        {"do": "shush", "who": "opposing-non-leaders", "until": "next"},
        {"do": "ap", "who": "self", "amount": 10, "until": "turn"},
    ]
    assert CATALOG["trashcan-lid-tess"]["attacks"][0]["equals"] == "own-dp"
    assert CATALOG["cannonball-kit"]["attacks"][0]["then"] == [{"do": "destroy", "who": "self"}]
    assert CATALOG["power-of-the-knd"]["requires"] == {
        "names": [f"Numbuh {number}" for number in range(1, 6)]
    }
    assert CATALOG["second-wind"]["requires"] == {"active": "attacker", "attached": {"N": 3}}
    assert CATALOG["snow-day"]["requires"] == {"side": "pacifist", "count": 2}
    assert CATALOG["cooties-outbreak"]["cost"] == {"hand": 1}
    assert CATALOG["milo-the-mole"]["special_effect"]["on"] == "placed"


@pytest.mark.rules("KND-E-01", "KND-E-02")
def test_no_character_is_of_the_normal_type() -> None:
    characters = [card for card in CATALOG.values() if card.kind == "character"]
    assert {card["type"] for card in characters} == set(TYPES)


def test_every_card_comes_in_packs() -> None:
    pack = PRODUCTS["recess-pack"]
    assert {card for sheet in pack.sheets.values() for card in sheet.cards} == set(CATALOG)
