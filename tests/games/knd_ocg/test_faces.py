"""The cards of KND: OCG: all of them drawn, all told apart, all put into words."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from PIL import Image

from collection.drawing.faces import face_of
from collection.drawing.pictures import alt_text
from collection.drawing.printed import PrintedCard, printed_card
from games.knd_ocg.face import (
    SHORT,
    agents,
    attack_short,
    chalk,
    energies,
    paragraphs,
    places,
    required_type,
)
from games.knd_ocg.face.glossary import WORDS
from tests.collection.faces import WINDOW, assert_told_apart, cards_of, difference

GAME = "knd-ocg"
CARDS = cards_of(GAME)
FACE = face_of(GAME)


def by_kind(kind: str) -> list[PrintedCard]:
    return [card for card in CARDS if card.kind == kind]


def test_every_agent_slate_and_energy_is_drawn() -> None:
    agents_there = {card.slug for card in by_kind("character")}
    assert agents_there == set(agents.LOOKS) == set(agents.THINGS)
    assert len(set(agents.THINGS.values())) == 40
    assert {card.slug for card in by_kind("special")} == set(chalk.SIGNS) == set(SHORT)
    words = {str(card.attributes["type"]) for card in by_kind("character")}
    assert words == set(agents.BEARINGS) == set(places.PALETTES)
    assert {str(card.attributes["energy"]) for card in by_kind("energy")} == set(energies.SIGNS)


@pytest.mark.slow
def test_cards_are_told_apart_on_a_thumb(thumbs: dict[str, Image.Image]) -> None:
    """Within one type, and among the slates, every picture differs clearly from all others."""
    groups: dict[str, dict[str, Image.Image]] = defaultdict(dict)
    for card in CARDS:
        group = f"{card.kind} {card.attributes.get('type', '')}"
        groups[group][card.slug] = thumbs[card.slug].crop(WINDOW)
    for pictures in groups.values():
        assert_told_apart(pictures, 5)


@pytest.mark.slow
def test_types_are_told_apart_without_colour(thumbs: dict[str, Image.Image]) -> None:
    """Also in grey: by bearing, place and sign."""
    by_type: dict[str, list[Image.Image]] = defaultdict(list)
    for card in by_kind("character"):
        by_type[str(card.attributes["type"])].append(thumbs[card.slug].convert("L"))
    for word, own in by_type.items():
        for other, rivals in by_type.items():
            if other != word:
                gaps = [difference(figure, rival) for figure in own for rival in rivals]
                assert min(gaps) > 12, (word, other)


def test_every_energy_has_a_letter_a_colour_and_a_shape_of_its_own() -> None:
    assert set(energies.SIGNS) == set(energies.SKINS) == set("LDSAPN")
    assert {sign.letter for sign in energies.SIGNS.values()} == set("LDSAPN")
    assert len({sign.fill for sign in energies.SIGNS.values()}) == 6
    assert {sign.shape for sign in energies.SIGNS.values()} == set(energies.SHAPES)
    for card in by_kind("character") + by_kind("energy"):
        sign = FACE.layout(card).sign
        assert sign is not None
        assert sign.word.lower() == card.attributes["type"]
    assert not any(FACE.layout(card).sign for card in by_kind("special"))


def test_signs_of_energies_differ_in_their_outline() -> None:
    texts = {}
    for letter in energies.SIGNS:
        card = printed_card(GAME, f"{energies.SIGNS[letter].word.lower()}-energy")
        texts[letter] = FACE.draw(card, "thumb").crop(WINDOW).convert("L")
    assert_told_apart(texts, 12)


def test_what_an_attack_does_in_short() -> None:
    def shown(slug: str) -> list[str]:
        return [attack_short(attack) for attack in printed_card(GAME, slug).attributes["attacks"]]

    assert shown("commander-jigsaw") == ["+10", "35"]
    assert shown("trashcan-lid-tess") == ["=DP", "20"]
    assert shown("keyhole-kay") == ["5 each"]
    assert shown("double-cross-dot") == ["DP"]
    assert shown("headlock-hank") == ["+10 ×"]
    assert shown("numbuh-3") == ["", ""]


def test_special_cards_show_the_type_that_they_require() -> None:
    required = {card.slug: required_type(card.attributes) for card in by_kind("special")}
    assert required["snow-day"] == ("P", 2)
    assert required["blanket-fort"] == ("D", 1)
    assert required["crowbar-lesson"] == ("S", 1)
    assert required["fire-drill"] == required["roll-call"] == ("", 1)


def text_of(slug: str) -> list[str]:
    return [
        " ".join(f"<{words}>" if kind == "energy" else words for kind, words in line)
        for line in paragraphs(printed_card(GAME, slug))
    ]


def test_the_full_face_says_all_of_the_text() -> None:
    assert text_of("numbuh-1") == [
        "<L> <L> Charge! Strike +15.",
        "Follow the Leader (use while Active, discarding <L> ): Every opposing Character that is "
        "not a Leader is Shushed until your next turn, and Numbuh 1 has +10 AP this turn.",
    ]
    assert text_of("sugar-rush-bea")[1] == (
        "One More Candy (use while Active, losing 10 HP: Bea must have more than 10): "
        "Bea has +15 AP this turn."
    )
    assert text_of("home-base-tao") == [
        "<P> Safe! Cost: discard <N> . Trick: Tao is Safe until your next turn.",
    ]
    assert text_of("power-of-the-knd") == [
        "Requirement: Characters named Numbuh 1, Numbuh 2, Numbuh 3, Numbuh 4 and Numbuh 5 on "
        "your side.",
        "Destroy every opposing Character that is not a Pacifist.",
    ]
    for card in CARDS:
        texts = text_of(card.slug)
        assert len(texts) == len(card.text.splitlines())
        words = set(re.findall(r"[A-Za-z']{4,}", card.text)) - DRAWN
        assert words <= set(re.findall(r"[A-Za-z']{4,}", " ".join(texts))), card.slug


#: Words that may be drawn as signs.
DRAWN = {"Leader", "Defender", "Spy", "Attacker", "Pacifist", "Energy", "type"}


def test_no_card_s_text_is_in_code() -> None:
    code = r"KND-|\(\)|\b\d[LDASPN]\b|\((?:UYN|TT|act|cont|trig)|[\[\]]|A/R"
    for card in CARDS:
        layout = FACE.layout(card)
        for words in (card.text, *layout.facts, *(value for _, value in layout.details)):
            assert not re.search(code, words), (card.slug, words)


def test_marked_words_are_explained_and_no_others() -> None:
    def words(slug: str) -> list[str]:
        return [word for word, _ in FACE.layout(printed_card(GAME, slug)).glossary]

    assert words("numbuh-1") == ["Strike", "Shushed", "Until your next turn"]
    assert words("home-base-tao") == [
        "Trick", "Cost", "Of any type", "Safe", "Until your next turn"
    ]  # fmt: skip
    assert words("daydream-dilly") == ["Trick", "Stuck", "Away"]
    assert words("emergency-recess") == ["Once a turn"]
    assert words("leader-energy") == []
    seen = {word for card in CARDS for word, _ in FACE.layout(card).glossary}
    assert seen == {*WORDS, "Once a turn", "Stays", "Removed"}


def test_alternative_text_says_what_the_picture_shows() -> None:
    assert alt_text(printed_card(GAME, "treehouse-marshal")) == (
        "Treehouse Marshal. Leader character. HP 50, AP 15, DP 10. Fleeing cost 2 Leader Energy. "
        "Standing Orders, 1 Leader Energy and 1 of any type: Hit 15. No Spying, works while "
        "Active: Every opposing Spy is Shushed. Uncommon card."
    )
    assert alt_text(printed_card(GAME, "milk-money-shakedown")) == (
        "Milk Money Shakedown. Special Card. Once a turn. Requirement: a Spy on your side. "
        "The opponent discards 1 card from hand at random. Uncommon card."
    )
    assert alt_text(printed_card(GAME, "normal-energy")) == (
        "Normal Energy. 1 Normal Energy, grey. Energy card."
    )
    for card in CARDS:
        words = alt_text(card)
        assert card.name in words
        assert not re.search(r"[{}\[\]]|None|\d[LDASPN]\b", words), words
