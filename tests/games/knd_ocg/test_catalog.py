"""The catalog is section 6 of the rules specification, card by card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

from rules.engine.cards import load_catalog, load_decks, load_products, load_sets
from tests.rules.pack_odds import odds

CATALOG = load_catalog("games.knd_ocg")
PRODUCTS = load_products("games.knd_ocg")
DECKS = load_decks("games.knd_ocg")

TYPES = ("leader", "defender", "attacker", "spy", "pacifist")
COLOURS = {
    "leader": "red",
    "defender": "blue",
    "spy": "green",
    "attacker": "gold",
    "pacifist": "black",
    "normal": "grey",
}
# Name, HP/AP/DP, Fleeing cost, Energy of the Special Attacks, kind and place of the Special Effect
# and its name, rarity; eight of each type, in the order of the types
CHARACTERS = {
    "numbuh-1": ("Numbuh 1", "55/20/10", "2L", "2L", "act A Follow the Leader", "rare"),
    "treehouse-marshal": (
        "Treehouse Marshal",
        "50/15/10",
        "2L",
        "1L + 1N",
        "cont A No Spying",
        "uncommon",
    ),
    "captain-cartwheel": (
        "Captain Cartwheel",
        "50/20/5",
        "1L + 1N",
        "2L",
        "cont A Cartwheel Past",
        "rare",
    ),
    "sergeant-sprocket": ("Sergeant Sprocket", "50/15/10", "1L", "1L", "cont R Drumbeat", "common"),
    "quartermaster-quill": (
        "Quartermaster Quill",
        "45/15/5",
        "1N",
        "1L / 1L + 1N",
        "act A/R Pass It On",
        "uncommon",
    ),
    "commander-jigsaw": ("Commander Jigsaw", "60/20/10", "2L + 1N", "1L + 1N / 3L", "", "common"),
    "debate-captain-dee": (
        "Debate Captain Dee",
        "50/15/10",
        "1L",
        "1L + 2N",
        "act A Objection",
        "uncommon",
    ),
    "head-cadet-hazel": (
        "Head Cadet Hazel",
        "50/20/5",
        "1L + 1N",
        "2L",
        "act A Step Forward",
        "common",
    ),
    "numbuh-2": ("Numbuh 2", "45/10/25", "2D", "2D", "act A Quick Fix", "rare"),
    "pillow-fort-warden": (
        "Pillow Fort Warden",
        "40/5/30",
        "2D",
        "1D + 1N",
        "cont A Soft Walls",
        "uncommon",
    ),
    "crossing-guard-gus": (
        "Crossing Guard Gus",
        "40/10/20",
        "1D",
        "1D / 2D",
        "cont A/R Look Both Ways",
        "common",
    ),
    "trampoline-trish": (
        "Trampoline Trish",
        "40/5/25",
        "1D + 1N",
        "1D + 1N",
        "cont A Bounce Back",
        "uncommon",
    ),
    "trashcan-lid-tess": ("Trashcan-Lid Tess", "45/10/30", "2D + 1N", "2D / 2D + 1N", "", "common"),
    "snow-fort-sana": ("Snow-Fort Sana", "35/5/25", "1D", "2D", "act A/R Pack the Snow", "common"),
    "bus-stop-bruno": ("Bus-Stop Bruno", "45/10/20", "3N", "2D", "cont A Not Moving", "common"),
    "booby-trap-boz": ("Booby-Trap Boz", "35/5/20", "1N", "1D", "trig A Parting Gift", "rare"),
    "numbuh-4": ("Numbuh 4", "40/35/5", "2A", "2A", "act A Hot Temper", "rare"),
    "slingshot-sadie": ("Slingshot Sadie", "35/30/5", "2A", "1A + 1N / 2A", "", "common"),
    "mudball-mo": ("Mudball Mo", "35/30/5", "1A", "2A", "", "uncommon"),
    "headlock-hank": ("Headlock Hank", "40/30/5", "2A", "1A + 1N", "", "common"),
    "sugar-rush-bea": ("Sugar-Rush Bea", "35/35/0", "2A", "2A", "act A One More Candy", "uncommon"),
    "relay-rosa": ("Relay Rosa", "40/30/5", "2A", "1A + 1N", "trig A Pass the Baton", "common"),
    "cannonball-kit": ("Cannonball Kit", "30/40/0", "2A", "2A", "", "rare"),
    "scooter-skye": ("Scooter Skye", "35/30/0", "1N", "1A", "cont A/R Always Rolling", "common"),
    "numbuh-5": ("Numbuh 5", "50/25/5", "2S", "2S", "act A Read the Room", "rare"),
    "locker-lou": ("Locker Lou", "50/20/5", "1S", "1S + 1N / 3S", "", "common"),
    "keyhole-kay": ("Keyhole Kay", "45/20/5", "1S", "1S + 1N", "act A/R Peephole", "common"),
    "shredder-pip": ("Shredder Pip", "45/20/5", "1S + 1N", "2S", "", "uncommon"),
    "double-cross-dot": (
        "Double-Cross Dot",
        "45/25/5",
        "2S",
        "1S + 1N",
        "cont A Inside Job",
        "rare",
    ),
    "whisper-wes": ("Whisper Wes", "45/20/5", "1N", "1S", "act A/R Hot Tip", "uncommon"),
    "pickpocket-penny": (
        "Pickpocket Penny",
        "50/20/5",
        "1S",
        "1S + 1N",
        "trig A Loose Change",
        "common",
    ),
    "milo-the-mole": ("Milo the Mole", "45/20/5", "1N", "1S", "trig A/R Scouting Report", "common"),
    "numbuh-3": ("Numbuh 3", "35/5/5", "1P", "1P / 2P", "", "rare"),
    "nap-time-nora": ("Nap-Time Nora", "30/0/5", "1P", "2P", "", "rare"),
    "hide-and-seek-hugo": ("Hide-and-Seek Hugo", "25/0/5", "1N", "1P", "", "common"),
    "peace-sign-petra": ("Peace-Sign Petra", "35/5/5", "1P", "2P + 1N", "", "ultra"),
    "home-base-tao": ("Home-Base Tao", "30/5/5", "1P", "1P", "", "common"),
    "daydream-dilly": ("Daydream Dilly", "25/0/5", "1N", "1P", "", "uncommon"),
    "lemonade-lena": ("Lemonade Lena", "35/5/5", "1P", "1P / 2P + 1N", "", "common"),
    "quiet-corner-quinn": ("Quiet-Corner Quinn", "35/5/5", "1N", "1N / 1N", "", "common"),
}
SPECIALS = {
    "power-of-the-knd": ("Power of the KND", "", "ultra"),
    "emergency-recess": ("Emergency Recess", "once", "common"),
    "double-shift": ("Double Shift", "", "uncommon"),
    "rewire": ("Rewire", "", "common"),
    "bandage-brigade": ("Bandage Brigade", "", "common"),
    "fire-drill": ("Fire Drill", "", "common"),
    "called-to-the-office": ("Called to the Office", "", "uncommon"),
    "detention-slip": ("Detention Slip", "", "common"),
    "radio-silence": ("Radio Silence", "", "rare"),
    "milk-money-shakedown": ("Milk Money Shakedown", "once", "uncommon"),
    "shredding-party": ("Shredding Party", "once", "uncommon"),
    "loose-floorboard": ("Loose Floorboard", "", "uncommon"),
    "through-the-air-vent": ("Through the Air Vent", "", "uncommon"),
    "crowbar-lesson": ("Crowbar Lesson", "", "common"),
    "tattletale": ("Tattletale", "", "uncommon"),
    "pep-rally": ("Pep Rally", "", "common"),
    "second-wind": ("Second Wind", "once", "ultra"),
    "wrecking-swing": ("Wrecking Swing", "", "rare"),
    "cooties-outbreak": ("Cooties Outbreak", "once", "rare"),
    "take-one-for-the-team": ("Take One for the Team", "", "uncommon"),
    "blanket-fort": ("Blanket Fort", "stays", "uncommon"),
    "snow-day": ("Snow Day", "stays", "rare"),
    "count-to-twenty": ("Count to Twenty", "", "common"),
    "pushed-too-far": ("Pushed Too Far", "", "uncommon"),
    "no-more-mr-nice": ("No More Mr. Nice", "", "rare"),
    "snack-break": ("Snack Break", "", "common"),
    "bike-helmet": ("Bike Helmet", "gear", "common"),
    "giant-slingshot": ("Giant Slingshot", "gear", "common"),
    "walkie-talkie": ("Walkie-Talkie", "gear", "uncommon"),
    "confiscated": ("Confiscated", "", "common"),
    "roll-call": ("Roll Call", "once", "common"),
    "juice-box-stash": ("Juice Box Stash", "once", "uncommon"),
    "lost-and-found": ("Lost and Found", "", "common"),
    "recycling-bin": ("Recycling Bin", "removed", "ultra"),
}

KINDS = {"act": "activated", "cont": "continuous", "trig": "triggered"}
PLACES = {"A": "active", "R": "reserve", "A/R": "either"}


def energy(cost: str) -> dict[str, int]:
    """``2L + 1N`` as data."""
    return {part[1]: int(part[0]) for part in cost.split(" + ")}


def in_words(cost: Mapping[str, int]) -> str:
    """``{"L": 1, "N": 1}`` as a card says it: Normal Energy is asked for where any will do."""
    names = {word[0].upper(): word.capitalize() for word in TYPES}
    typed = [f"{count} {names[one]} Energy" for one, count in cost.items() if one != "N"]
    free = cost.get("N")
    return " and ".join(
        [*typed, *([f"{free} {'' if typed else 'Energy '}of any type"] if free else [])]
    )


WHERE = {
    "A": "while Active",
    "R": "in the Reserve",
    "A/R": "while Active or in the Reserve",
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


def test_the_treehouse_set_has_80_cards() -> None:
    assert [one.name for one in load_sets("games.knd_ocg")] == ["Treehouse Set"]
    assert {card.sets for card in CATALOG.values()} == {("treehouse",)}
    kinds = Counter(card.kind for card in CATALOG.values())
    assert kinds == {"character": 40, "special": 34, "energy": 6}
    rarities = Counter(card.rarity for card in CATALOG.values())
    assert rarities == {"common": 33, "uncommon": 22, "rare": 15, "ultra": 4, "energy": 6}
    assert [card["number"] for card in CATALOG.values()] == list(range(1, 81))
    assert [*CATALOG] == [*CHARACTERS, *SPECIALS, *(f"{word}-energy" for word in COLOURS)]


@pytest.mark.rules("KND-Y-01", "KND-A-08", "KND-F-10", "KND-X-01")
@pytest.mark.parametrize("slug", CHARACTERS)
def test_a_character_is_printed_as_the_tables_say(slug: str) -> None:
    card = CATALOG[slug]
    name, strengths, flee, needed, effect, rarity = CHARACTERS[slug]
    assert (card.kind, card.name, card.title, card.rarity) == ("character", name, name, rarity)
    assert f"{card['hp']}/{card['ap']}/{card['dp']}" == strengths
    assert card["type"] == TYPES[[*CHARACTERS].index(slug) // 8]
    assert card.colour == COLOURS[card["type"]]
    assert card["flee"] == energy(flee)
    assert sum(card["flee"].values()) >= 1
    assert [attack["energy"] for attack in card["attacks"]] == [
        energy(cost) for cost in needed.split(" / ")
    ]
    if effect:
        kind, place, title = effect.split(" ", 2)
        special = card["special_effect"]
        assert (special["kind"], special["where"]) == (KINDS[kind], PLACES[place])
        assert special["name"] == title
        assert card.effect == re.sub("[^a-z]+", "-", title.lower())
    else:
        assert "special_effect" not in card.attributes
        assert not card.effect


@pytest.mark.rules("KND-A-08", "KND-X-01")
@pytest.mark.parametrize("slug", CHARACTERS)
def test_a_character_has_a_line_of_text_for_each_attack_and_for_its_effect(slug: str) -> None:
    card = CATALOG[slug]
    lines = card.text.splitlines()
    words = CHARACTERS[slug]
    costs = words[3].split(" / ")
    assert 1 <= len(costs) <= 2
    assert len(lines) == len(costs) + bool(words[4])
    for attack, cost, line in zip(card["attacks"], costs, lines, strict=False):
        assert line.startswith(f"{attack['name']} ({in_words(energy(cost))}): ")
        assert line.endswith(".")
        said = line.partition("): ")[2]
        assert ("Trick: " in said) == (attack["form"] == "trick")
        assert ("Cost: " in said) == ("cost" in attack)
        assert ("Needs" in said) == ("needs" in attack)
        assert ("Then" in said) == ("then" in attack and attack["form"] != "trick")
        form = {"strike": "Strike", "hit": "Hit", "clash": "Clash"}.get(attack["form"], "Trick")
        assert form in said
        assert ("Reserve Character" in said and form != "Trick") == (
            attack["on"] == "reserve" or slug == "scooter-skye"
        )
        if attack["form"] == "strike" and "plus" in attack:
            assert said.startswith(f"Strike +{attack['plus']}")
        if attack["form"] == "hit" and isinstance(attack["amount"], int):
            assert said.removeprefix(FROM_THE_RESERVE).startswith(f"Hit {attack['amount']}")
    if words[4]:
        kind, place, title = words[4].split(" ", 2)
        how = "use" if kind == "act" else "works"
        assert lines[-1].startswith(f"{title} ({how} {WHERE[place]}")
        effect = card["special_effect"]
        once = kind == "act" and "attached" in effect
        asked = lines[-1].removeprefix(f"{title} (").partition("): ")[0]
        assert asked.endswith(", once a turn") == once
        for need in ("cost", "attached"):
            if need in effect and "hp" not in effect[need]:
                assert in_words(effect[need]) in asked


@pytest.mark.parametrize("slug", [*CHARACTERS, *SPECIALS])
def test_every_number_of_a_card_s_data_stands_in_its_text(slug: str) -> None:
    card = CATALOG[slug]
    words = {"one of your": "1", "this turn may": "1", "a card": "1", "the top card": "1"}
    said = set(re.findall(r"\d+", card.text)) | {
        number for word, number in words.items() if word in card.text.lower()
    }
    said |= {"1", "2"} if " two" in card.text or "either" in card.text else {"1"}
    said |= {"3"} if "1 to 3" in card.text else set()
    parts = ("attacks", "special_effect", "requires", "cost", "does")
    data = [card.attributes[part] for part in parts if part in card.attributes]
    assert {str(number) for number in numbers_in(data)} <= said | {"0"}


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
        found = [card[key] for card in characters]
        assert (min(found), max(found)) == (low, high), key


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
def test_a_special_card_is_printed_as_the_tables_say(slug: str) -> None:
    card = CATALOG[slug]
    name, flag, rarity = SPECIALS[slug]
    assert (card.kind, card.name, card.rarity) == ("special", name, rarity)
    assert card.attributes.get("flag", "") == flag
    assert card.effect == slug
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
        found = {one["until"] for one in steps_in(card.attributes) if "until" in one}
        for until, words in UNTIL.items():
            lasts = until in found or (until == "next" and card.attributes.get("flag") == "stays")
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
def test_there_is_an_energy_card_of_each_type_and_a_normal_one() -> None:
    cards = [card for card in CATALOG.values() if card.kind == "energy"]
    assert {card["type"]: card.colour for card in cards} == COLOURS
    for card in cards:
        assert card.slug == f"{card['type']}-energy"
        assert card.name == f"{card['type'].capitalize()} Energy"
        assert card["energy"] == card.name[0]
    assert "normal" not in {card["type"] for card in CATALOG.values() if card.kind == "character"}


# -- decks and products ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "name", "characters"),
    [
        ("starter-leaders", "Follow My Lead", 25),
        ("starter-defenders", "Fortress of Pillows", 25),
        ("starter-attackers", "Recess Riot", 26),
        ("starter-spies", "Behind the Lockers", 25),
        ("starter-pacifists", "Lemonade Truce", 26),
        ("starter-mixed", "Five of a Kind", 25),
    ],
)
def test_a_starter_deck_has_60_cards(slug: str, name: str, characters: int) -> None:
    deck = DECKS[slug]
    cards = deck.cards["main"]
    assert (deck.name, deck.modes) == (name, ("duel",))
    kinds = Counter[str]()
    for card, count in cards.items():
        kinds[CATALOG[card].kind] += count
    assert kinds == {"character": characters, "special": 40 - characters, "energy": 20}
    types = {CATALOG[card]["type"] for card in cards if CATALOG[card].kind == "character"}
    if slug == "starter-mixed":
        assert types == set(TYPES)
    else:
        assert len(types) == 1
        assert cards[f"{types.pop()}-energy"] == 17
        assert cards["normal-energy"] == 3
    assert PRODUCTS[slug].cards == cards
    assert PRODUCTS[slug].name == name


# Section 6, "Starter decks", as it is written there
DECK_LISTS = {
    "starter-leaders": (
        "2 numbuh-1, 3 treehouse-marshal, 3 captain-cartwheel, 3 sergeant-sprocket, 3 "
        "quartermaster-quill, 4 commander-jigsaw, 3 debate-captain-dee, 4 head-cadet-hazel, 3 "
        "emergency-recess, 2 roll-call, 2 called-to-the-office, 2 radio-silence, 2 "
        "no-more-mr-nice, 2 bandage-brigade, 1 rewire, 1 double-shift, 17 leader-energy, 3 "
        "normal-energy"
    ),
    "starter-defenders": (
        "2 numbuh-2, 3 pillow-fort-warden, 3 crossing-guard-gus, 4 trampoline-trish, 4 "
        "trashcan-lid-tess, 3 snow-fort-sana, 3 bus-stop-bruno, 3 booby-trap-boz, 3 "
        "emergency-recess, 2 roll-call, 3 blanket-fort, 2 bike-helmet, 1 bandage-brigade, 2 "
        "fire-drill, 1 walkie-talkie, 1 snack-break, 17 defender-energy, 3 normal-energy"
    ),
    "starter-attackers": (
        "2 numbuh-4, 4 slingshot-sadie, 3 mudball-mo, 3 headlock-hank, 3 sugar-rush-bea, 4 "
        "relay-rosa, 3 cannonball-kit, 4 scooter-skye, 2 emergency-recess, 2 roll-call, 3 "
        "pep-rally, 2 wrecking-swing, 1 second-wind, 2 giant-slingshot, 1 snack-break, 1 "
        "take-one-for-the-team, 17 attacker-energy, 3 normal-energy"
    ),
    "starter-spies": (
        "2 numbuh-5, 4 locker-lou, 3 keyhole-kay, 3 shredder-pip, 3 double-cross-dot, 2 "
        "whisper-wes, 4 pickpocket-penny, 4 milo-the-mole, 2 milk-money-shakedown, 1 "
        "shredding-party, 2 loose-floorboard, 1 through-the-air-vent, 2 tattletale, 2 "
        "crowbar-lesson, 2 emergency-recess, 2 roll-call, 1 confiscated, 17 spy-energy, 3 "
        "normal-energy"
    ),
    "starter-pacifists": (
        "4 numbuh-3, 3 nap-time-nora, 3 hide-and-seek-hugo, 3 peace-sign-petra, 4 "
        "home-base-tao, 1 daydream-dilly, 4 lemonade-lena, 4 quiet-corner-quinn, 4 "
        "detention-slip, 2 snow-day, 4 count-to-twenty, 2 recycling-bin, 2 roll-call, 17 "
        "pacifist-energy, 3 normal-energy"
    ),
    "starter-mixed": (
        "3 numbuh-1, 3 numbuh-2, 3 numbuh-3, 3 numbuh-4, 3 numbuh-5, 2 commander-jigsaw, 2 "
        "trashcan-lid-tess, 2 relay-rosa, 4 milo-the-mole, 2 power-of-the-knd, 4 roll-call, 3 "
        "emergency-recess, 2 juice-box-stash, 1 double-shift, 1 lost-and-found, 1 "
        "snack-break, 1 cooties-outbreak, 4 leader-energy, 3 defender-energy, 4 spy-energy, 5 "
        "attacker-energy, 2 pacifist-energy, 2 normal-energy"
    ),
}


@pytest.mark.parametrize("slug", DECKS)
def test_a_starter_deck_is_the_list_of_the_specification(slug: str) -> None:
    entries = (entry.split(" ") for entry in DECK_LISTS[slug].split(", "))
    assert DECKS[slug].cards["main"] == {card: int(count) for count, card in entries}


def test_the_odds_of_a_recess_pack() -> None:
    pack = PRODUCTS["recess-pack"]
    assert pack.unique
    slots = [odds(pack, number) for number in range(len(pack.slots))]
    rarities = [{CATALOG[card].rarity for card in slot} for slot in slots]
    assert rarities == [{"common"}] * 5 + [{"uncommon"}] * 2 + [{"rare", "ultra"}, {"energy"}]
    assert set(slots[0].values()) == {Fraction(1, 33)}
    assert set(slots[5].values()) == {Fraction(1, 22)}
    for card, chance in slots[7].items():
        rare = CATALOG[card].rarity == "rare"
        assert chance == (Fraction(5, 6 * 15) if rare else Fraction(1, 6 * 4))
    assert slots[8] == {
        f"{word}-energy": Fraction(5 if word == "normal" else 3, 20) for word in COLOURS
    }


def test_every_card_comes_in_packs() -> None:
    pack = PRODUCTS["recess-pack"]
    assert {card for sheet in pack.sheets.values() for card in sheet.cards} == set(CATALOG)


def test_fixed_products() -> None:
    energies = [f"{word}-energy" for word in COLOURS]
    lunchbox = PRODUCTS["lunchbox"]
    assert lunchbox.packs == {"recess-pack": 6}
    assert lunchbox.cards == dict.fromkeys(energies, 2)
    crate = PRODUCTS["energy-crate"]
    assert crate.cards == dict.fromkeys(energies, 5)
    assert not crate.random
    assert [*PRODUCTS] == [*DECKS, "recess-pack", "lunchbox", "energy-crate"]
