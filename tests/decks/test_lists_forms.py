"""Decks as files: each form gives back what was put in, and no file breaks a reader."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from decks.lists import (
    MAX_BYTES,
    Contents,
    DamagedCode,
    NotOurs,
    TooLarge,
    UnknownVersion,
    Unreadable,
    as_text,
    cockatrice,
    code,
    game_json,
    read_any,
    tabletop,
    textlist,
)
from decks.lists.contents import added_up
from decks.lists.tabletop import Place, Sheet
from tests.games.examples import CLAW, EXAMPLE, GAME, READY_DECK, RED_7, SECTION_GAME
from tests.support.sizes import sized

MODES = [
    (game.slug, mode.slug)
    for game in rules.games().values()
    for mode in game.modes.values()
    if mode.takes_decks
]
EMBERS = Contents(
    game=GAME,
    mode="tournament",
    name="Embers & “Ash” <1>",
    notes="Slow.\n\nVery slow.",
    tags=("red", "slow"),
    cards={"main": {CLAW: 2, RED_7: 3}},
)

words = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp"), max_codepoint=0xFFFD), max_size=40
).map(lambda text: " ".join(text.split()))


def places(game: str, slugs: list[str] | None = None) -> dict[str, Place]:
    """A place for each card, as the site gives them out."""
    slugs = slugs or list(rules.game(game).catalog)
    place_by_slug = {}
    for number, start in enumerate(range(0, len(slugs), tabletop.SHEET_SIZE), start=1):
        batch = slugs[start : start + tabletop.SHEET_SIZE]
        sheet = Sheet(number, f"https://x/{number}.jpg", "https://x/back.jpg",
                      *tabletop.sheet_shape(len(batch)))  # fmt: skip
        place_by_slug |= {slug: Place(sheet, index) for index, slug in enumerate(batch)}
    return place_by_slug


WRITERS: dict[str, Callable[[Contents], str]] = {
    "json": game_json.write,
    "cod": cockatrice.write,
    "tts": lambda deck: tabletop.write(deck, places(deck.game)),
    "code": code.write,
}


def contents(game: str, mode: str, most: int = 999) -> st.SearchStrategy[Contents]:
    """Any deck of a mode: a ready-made one, or one that no rule would allow."""
    slugs = st.sampled_from(list(rules.game(game).catalog))
    counts = st.dictionaries(slugs, st.integers(1, most), min_size=1, max_size=30)
    sections = rules.game(game).mode(mode).sections
    lists = [st.dictionaries(st.sampled_from(sections), counts, min_size=1)]
    ready = [deck.cards for deck in rules.game(game).starter_decks.values() if mode in deck.modes]
    if ready:
        lists.append(st.sampled_from([_without_nothing(cards) for cards in ready]))
    notes = st.lists(words, max_size=3).map(lambda lines: "\n".join(lines).strip())
    return st.builds(
        Contents,
        game=st.just(game),
        mode=st.just(mode),
        name=words,
        notes=notes,
        tags=st.lists(words.filter(bool), max_size=3).map(tuple),
        cards=st.one_of(lists),
    )


def _without_nothing(cards: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {section: dict(counts) for section, counts in cards.items() if counts}


def read_back(text: str, game: str, mode: str) -> dict[str, dict[str, int]]:
    """The deck list that a file makes once it is brought."""
    sections = rules.game(game).mode(mode).sections
    typed, notices = as_text(read_any(text), game, sections)
    reading = textlist.read_list(typed, game, sections)
    assert not notices
    assert not reading.unread
    return {section: dict(counts) for section, counts in reading.cards.items()}


def test_another_program_s_only_zone_is_sorted_by_what_cards_are() -> None:
    game = rules.game(SECTION_GAME)
    cards = next(iter(game.starter_decks.values())).cards
    lines = "".join(
        f'<card number="{count}" name="{game.catalog[card].title}"/>'
        for counts in reversed(list(cards.values()))
        for card, count in counts.items()
    )
    file = f'<cockatrice_deck version="1"><zone name="main">{lines}</zone></cockatrice_deck>'
    assert read_back(file, SECTION_GAME, "standard") == cards


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize(("game", "mode"), MODES)
@settings(deadline=None, max_examples=sized(8, large=2000))
@given(data=st.data())
def test_every_deck_comes_back_from_every_form(
    form: str, game: str, mode: str, data: st.DataObject
) -> None:
    deck = data.draw(contents(game, mode, most=9 if form == "tts" else 999))
    text = WRITERS[form](deck)
    recognised = read_any(text)
    assert (recognised.form, recognised.game, recognised.mode) == (form, game, mode)
    assert read_back(text, game, mode) == deck.cards
    if form != "code":
        assert (recognised.name, recognised.notes) == (deck.name, deck.notes)
    if form == "json":
        assert recognised.tags == deck.tags


# Fuzz


def check_sentence(error: Unreadable) -> None:
    assert str(error).endswith(".")


FILES = [write(EMBERS) for write in WRITERS.values()]


@settings(deadline=None, max_examples=sized(300, large=2000))
@given(st.one_of(st.binary(max_size=400), st.text(max_size=400)))
def test_no_bytes_break_the_reader(data: bytes | str) -> None:
    try:
        read_any(data)
    except Unreadable as error:
        check_sentence(error)


@settings(deadline=None, max_examples=sized(400, large=2000))
@given(st.sampled_from(FILES), st.integers(0, 3000), st.integers(0, 12), st.text(max_size=8))
def test_no_damaged_file_breaks_the_reader(text: str, at: int, gone: int, new: str) -> None:
    at %= len(text)
    try:
        recognised = read_any(text[:at] + new + text[at + gone :])
    except Unreadable as error:
        check_sentence(error)
    else:
        as_text(recognised, GAME, ("main",))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inside: st.lists(inside, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["cards", "main", "game", "mode", "name", "tags", "version", "ObjectStates", "Name",
             "ContainedObjects", "Nickname", "GMNotes", "Card", "DeckCustom"]
        ),
        inside | st.sampled_from(["Card", "DeckCustom", GAME]),
    ),
    max_leaves=25,
)  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=sized(300, large=2000))
@given(json_values)
def test_no_json_breaks_the_readers(value: Any) -> None:
    for read in (game_json.read, tabletop.read):
        try:
            recognised = read(value)
        except Unreadable as error:
            check_sentence(error)
        else:
            as_text(recognised, GAME, ("main",))


# Which form, and what is no deck at all


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        ("", Unreadable, "file is empty"),
        (b" \n\n", Unreadable, "file is empty"),
        (b"PK\x03\x04rest", NotOurs, "ZIP"),
        (b"%PDF-1.7", NotOurs, "PDF"),
        (b"\x89PNG\r\n", NotOurs, "picture"),
        (b"\x00\x01\x02", NotOurs, "Not a text"),
        (b"\x81\x01\x02\xff", NotOurs, "Not a text"),
        (b"\xff\xfe\x00", NotOurs, "Not a text"),
        ("x" * (MAX_BYTES + 1), TooLarge, "Too large"),
        ("<html></html>", NotOurs, "“html”"),
        ("<cockatrice_deck>", Unreadable, "Invalid"),
        ('<cockatrice_deck version="2"/>', UnknownVersion, "version “2”"),
        ('<cockatrice_deck version="1"><zone name="main"><card number="-1" name="x"/></zone>'
         "</cockatrice_deck>", Unreadable, "“-1”"),
        ("{}", NotOurs, "needs “game”"),
        ('{"game": 1', Unreadable, "line 1, column 11"),
        ("{" * 200_000, Unreadable, "Invalid"),
        ('{"a":' + "[" * 200_000, Unreadable, "nested"),
        (f'{{"game": "{GAME}", "game": "{GAME}"}}', Unreadable, "twice"),
        ('{"a": NaN}', Unreadable, "NaN"),
        ('{"a": ' + "1" * 5000 + "}", Unreadable, "too long"),
        ('{"name": "\\ud800"}', Unreadable, "invalid characters"),
        ('{"\\ud800": 1, "\\ud800": 2}', Unreadable, "“?” twice"),
        ('{"ObjectStates": [{"Name": "Card", "Nickname": "\\ud83d"}]}', Unreadable, "characters"),
        ('{"notes": "a\\u0000b"}', Unreadable, "invalid characters"),
        ('{"game": "a", "mode": "b", "cards": {}, "side": {}}', Unreadable, "“side”"),
        ('{"game": "a", "mode": "b", "cards": []}', Unreadable, "“cards” is an object"),
        ('{"game": "a", "mode": "b", "cards": {"main": []}}', Unreadable, "section “main”"),
        ('{"game": "a", "mode": "b", "cards": {"main": {"x": true}}}', Unreadable, "not true"),
        ('{"game": "a", "mode": "b", "cards": {"main": {"x": -1}}}', Unreadable, "is -1"),
        ('{"game": 7, "mode": "b", "cards": {}}', Unreadable, "“game” is text"),
        ('{"format": "riffle-collection", "cards": []}', NotOurs, "“riffle-deck”"),
        ('{"version": 2, "game": "a", "mode": "b", "cards": {}}', UnknownVersion, "Version 2"),
        ('{"ObjectStates": []}', Unreadable, "No cards"),
        ('{"ObjectStates": [{"Name": "DeckCustom", "DeckIDs": [100]}]}', Unreadable, "no list"),
        (f"{GAME}2:AAAA", UnknownVersion, "version 2"),
        ("chess1:AAAA", NotOurs, "“chess”"),
        (f"{GAME}1:", DamagedCode, "Most"),
        (f"{GAME}1:AAAAA", DamagedCode, "missing"),
        (f"{GAME}1:AAAAAAAAAAAA", DamagedCode, "wrong or missing"),
        (f"{GAME}1:{'A' * 9000}", TooLarge, "8,000 characters"),
    ],
)  # fmt: skip
def test_what_is_no_deck_is_named(data: bytes | str, error: type[Unreadable], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        read_any(data)


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "'
    + "&a;" * 100
    + '"><!ENTITY c "'
    + "&b;" * 100
    + '">]><cockatrice_deck version="1"><deckname>&c;</deckname></cockatrice_deck>'
)
LEAK = (
    '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    '<cockatrice_deck version="1"><deckname>&a;</deckname></cockatrice_deck>'
)


@pytest.mark.parametrize("text", [BOMB, LEAK, "<!DOCTYPE d><cockatrice_deck/>"])
def test_xml_that_declares_entities_is_refused(text: str) -> None:
    began = time.process_time()
    with pytest.raises(Unreadable, match="type or entity declarations"):
        read_any(text)
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_lists_in_any_usual_encoding_are_read(encoding: str) -> None:
    recognised = read_any("1 Hunter’s Mark\r\n2 Red Claw".encode(encoding))
    assert (recognised.form, recognised.text) == ("text", "1 Hunter’s Mark\n2 Red Claw\n")


def test_too_many_cards_are_too_large() -> None:
    with pytest.raises(TooLarge, match="1,000"):
        added_up(("main", f"card {number}", 1) for number in range(1_001))


def test_names_that_no_card_has_stay_entries_of_the_list() -> None:
    deck = Contents(
        form="json",
        cards={"main": {CLAW: 2, "Unicorn # 3": 1, "": 4, "Rde\nClaw": 2, "2 Griffins": 5}},
    )
    text, notices = as_text(deck, GAME, ("main",))
    reading = textlist.read_list(text, GAME)
    assert not notices
    assert reading.cards == {"main": {CLAW: 2}}
    assert {line.name: line.count for line in reading.unread} == {
        "Unicorn ＃ 3": 1,
        "a card without a name": 4,
        "Rde Claw": 2,
        "2 Griffins": 5,
    }


def test_cards_in_no_section_of_the_mode_stand_as_comments() -> None:
    deck = Contents(form="cod", cards={"main": {"Red Claw": 2}, "side": {"Red 7": 1}})
    text, notices = as_text(deck, GAME, ("main",))
    assert text == "# Character\n2 Red Claw\n\n# [side]\n# 1 Red 7\n"
    assert notices == (
        "“side” is not a section of this deck type. 1 card is kept as comments at the end.",
    )
    assert textlist.read_list(text, GAME).cards == {"main": {CLAW: 2}}


# Cockatrice

XS_INT = re.compile(r"[+-]?\d+")


def check_against_the_schema(text: str) -> None:
    """The rules of Cockatrice's schema for decks, in words of our own.

    A deck has a name, comments and any number of zones, in this order and nothing else; a zone has
    cards, a card has text alone. Attributes: a whole number as the deck's version, the zone's
    name, the card's number (whole), name and price (a number). None stands in a namespace.
    """
    root = fromstring(text.encode(), forbid_dtd=True)
    allowed: dict[str, tuple[dict[str, Callable[[str], Any]], str]] = {
        "cockatrice_deck": ({"version": _whole}, ""),
        "deckname": ({}, "text"),
        "comments": ({}, "text"),
        "zone": ({"name": str}, ""),
        "card": ({"number": _whole, "name": str, "price": float}, "text"),
    }
    assert root.tag == "cockatrice_deck"
    assert [child.tag for child in root][:2] == ["deckname", "comments"]
    assert {child.tag for child in root[2:]} <= {"zone"}
    for element in root.iter():
        attributes, text_allowed = allowed[element.tag]
        for name, value in element.attrib.items():
            attributes[name](value)
        if element.tag == "zone":
            assert {child.tag for child in element} <= {"card"}
        elif element is not root:
            assert not len(element)
        if not text_allowed:
            assert not (element.text or "").strip()
        assert not (element.tail or "").strip()


def _whole(value: str) -> None:
    assert XS_INT.fullmatch(value)
    assert -(2**31) <= int(value) < 2**31


@pytest.mark.slow
@pytest.mark.parametrize(("game", "mode"), MODES)
@settings(deadline=None, max_examples=sized(20, large=2000))
@given(data=st.data())
def test_what_is_written_for_cockatrice_keeps_its_schema(
    game: str, mode: str, data: st.DataObject
) -> None:
    check_against_the_schema(cockatrice.write(data.draw(contents(game, mode))))


@pytest.mark.parametrize(
    "broken",
    [
        ("<comments>", "<remarks>"),
        ("</comments>", "</comments><tags/>"),
        ('number="2"', 'number="two"'),
        ('number="2"', 'number="2" foil="yes"'),
        ("/>", "><card/></card>"),
        ('version="1"', 'version="one"'),
    ],
)
def test_the_check_of_the_schema_finds_what_breaks_it(broken: tuple[str, str]) -> None:
    text = cockatrice.write(EMBERS)
    head, _, rest = text.partition("?>")
    changed = rest.replace(*broken, 1)
    assert changed != rest
    changed = changed.replace("</comments>", "</remarks>") if "<remarks>" in changed else changed
    with pytest.raises((AssertionError, KeyError, ValueError)):
        check_against_the_schema(f"{head}?>{changed}")


def test_a_file_for_cockatrice() -> None:
    assert cockatrice.write(EMBERS) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<cockatrice_deck version="1">\n'
        "    <deckname>Embers &amp; “Ash” &lt;1&gt;</deckname>\n"
        f"    <comments>Slow.\n\nVery slow.\n\nRiffle: {GAME}/tournament</comments>\n"
        '    <zone name="main">\n'
        '        <card number="2" name="Red Claw"/>\n'
        '        <card number="3" name="Red 7"/>\n'
        "    </zone>\n"
        "</cockatrice_deck>\n"
    )


def test_signs_that_xml_cannot_hold_are_left_out() -> None:
    deck = Contents(game=GAME, mode="tournament", name="a\x01b\x0bc\ufffe", notes="\x1f")
    check_against_the_schema(cockatrice.write(deck))
    assert read_any(cockatrice.write(deck)).name == "abc"


def test_what_cockatrice_itself_writes_besides_is_read() -> None:
    recognised = read_any(
        "<?xml version='1.0'?><cockatrice_deck version='1'><lastLoadedTimestamp/>"
        "<deckname>Mine</deckname><bannerCard providerId=''>Red Claw</bannerCard>"
        "<comments/><tags><tag>fast</tag></tags><zone name='main'>"
        "<card number='2' name='Red Claw' setShortName='E' collectorNumber='1' uuid='u'/>"
        "<card name='Red 7'/></zone><sideboard_plan/></cockatrice_deck>"
    )
    assert recognised == Contents(
        form="cod", name="Mine", tags=("fast",), cards={"main": {"Red Claw": 2, "Red 7": 1}}
    )


def test_each_section_has_a_zone_of_its_own() -> None:
    assert cockatrice.zones(("main",)) == {"main": "main"}
    assert cockatrice.zones(("tokens", "towers", "field")) == {
        "tokens": "main",
        "towers": "side",
        "field": "field",
    }
    assert cockatrice.zones(("a", "b", "tokens", "side")) == {
        "a": "main",
        "b": "side",
        "tokens": "section tokens",
        "side": "section side",
    }


# Tabletop Simulator


@pytest.mark.slow
@pytest.mark.parametrize(("game", "mode"), MODES)
@settings(deadline=None, max_examples=sized(15, large=2000))
@given(data=st.data())
def test_every_card_on_the_table_has_its_place_on_a_sheet(
    game: str, mode: str, data: st.DataObject
) -> None:
    deck = data.draw(contents(game, mode, most=9))
    saved = json.loads(tabletop.write(deck, places(game)))
    sections = []
    for thing in saved["ObjectStates"]:
        inside = thing.get("ContainedObjects", [thing])
        sections.append(thing["GMNotes"])
        if thing["Name"] == "DeckCustom":
            assert len(inside) >= 2
            assert thing["DeckIDs"] == [card["CardID"] for card in inside]
        else:
            assert thing["Name"] == "CardCustom"
        for sheet in thing["CustomDeck"].values():
            assert 2 <= sheet["NumWidth"] <= 10
            assert 2 <= sheet["NumHeight"] <= 7
            assert sheet["FaceURL"].startswith("https://")
        used = set()
        for card in inside:
            sheet = thing["CustomDeck"][str(card["CardID"] // 100)]
            assert card["CardID"] % 100 < sheet["NumWidth"] * sheet["NumHeight"]
            used.add(str(card["CardID"] // 100))
        assert used == set(thing["CustomDeck"])
    assert len(set(sections)) == len(sections) == len(deck.cards)
    size = sum(sum(cards.values()) for cards in deck.cards.values())
    assert size == sum(len(thing.get("ContainedObjects", [1])) for thing in saved["ObjectStates"])


@given(st.integers(1, tabletop.SHEET_SIZE))
def test_a_sheet_has_room_for_its_cards(cards: int) -> None:
    columns, rows = tabletop.sheet_shape(cards)
    assert columns * rows >= cards
    assert 2 <= columns <= 10
    assert 2 <= rows <= 7


def test_a_table_takes_only_so_many_cards() -> None:
    deck = Contents(game=GAME, mode="tournament", cards={"main": {CLAW: 999, RED_7: 2}})
    with pytest.raises(TooLarge, match="1,000 cards, not 1,001"):
        tabletop.write(deck, places(GAME))


def test_a_table_of_somebody_else_is_read_by_nicknames_bags_and_all() -> None:
    card = {"Name": "Card", "Nickname": "Red Claw"}
    deck = {"Name": "DeckCustom", "Nickname": "My deck", "ContainedObjects": [card, card]}
    bag = {"Name": "Bag", "ContainedObjects": [deck, {"Name": "Card"}]}
    recognised = read_any(json.dumps({"SaveName": "X", "ObjectStates": [bag, {"Name": "Die_6"}]}))
    assert recognised.cards == {"": {"Red Claw": 2, "a card without a name": 1}}
    text, _ = as_text(recognised, GAME, ("main",))
    assert textlist.read_list(text, GAME).cards == {"main": {CLAW: 2}}


# Codes


@pytest.mark.parametrize("game", list(rules.games()))
def test_no_two_cards_of_a_game_share_a_number(game: str) -> None:
    slugs = list(rules.game(game).catalog)
    assert len({code.card_number(slug) for slug in slugs}) == len(slugs)


def test_a_code_is_one_word_for_addresses_and_the_same_however_the_deck_is_ordered() -> None:
    word = code.write(EMBERS)
    assert re.fullmatch(rf"{GAME}1:[\w-]{{20,60}}", word, re.ASCII)
    turned = Contents(
        game=GAME, mode="tournament", cards={"main": {RED_7: 3, CLAW: 2, "x": 0}, "side": {}}
    )
    assert code.write(turned) == word
    assert read_any(f"  {word}\n").cards == EMBERS.cards


def test_a_code_of_a_whole_deck_stays_short() -> None:
    deck = EXAMPLE.starter_decks[READY_DECK]
    word = code.write(Contents(game=GAME, mode="tournament", cards=deck.cards))
    assert len(word) < 330


def test_a_code_outlives_the_catalog() -> None:
    deck = Contents(game=GAME, mode="tournament", cards={"main": {CLAW: 1, "long-gone": 3}})
    word = code.write(deck)
    recognised = read_any(word)
    gone = f"unknown card {code.card_number('long-gone'):06x}"
    assert recognised.cards == {"main": {CLAW: 1, gone: 3}}
    assert code.write(recognised) == word


@settings(deadline=None, max_examples=sized(200, large=2000))
@given(st.binary(max_size=60))
def test_bytes_with_a_right_checksum_are_a_deck_or_refused(data: bytes) -> None:
    whole = data + code._checksum(GAME, data)
    word = f"{GAME}1:{base64.urlsafe_b64encode(whole).decode().rstrip('=')}"
    try:
        deck = code.read(word)
    except DamagedCode:
        return
    assert code.write(deck) == word


MODE, MAIN = b"\x0atournament", b"\x04main"


@pytest.mark.parametrize(
    "data",
    [
        MODE + b"\x80\x00",
        MODE + b"\x00\x00",
        MODE + b"\x01" + MAIN + b"\x00\x00\x00",
        MODE + b"\x01" + MAIN + b"\x02\x05\x00\x00\x00",
        MODE + b"\x01" + MAIN + b"\x00\x00\x01\x05\x02",
    ],
    ids=["a longer number", "a rest", "a section of nothing", "twice once", "two among the many"],
)
def test_a_code_that_says_it_in_a_roundabout_way_is_refused(data: bytes) -> None:
    whole = data + code._checksum(GAME, data)
    with pytest.raises(DamagedCode, match="not written by Riffle"):
        code.read(f"{GAME}1:{base64.urlsafe_b64encode(whole).decode().rstrip('=')}")


@settings(deadline=None)
@given(st.data())
def test_one_wrong_letter_is_found(data: st.DataObject) -> None:
    word = code.write(EMBERS)
    at = data.draw(st.integers(len(f"{GAME}1:"), len(word) - 1))
    letter = data.draw(st.sampled_from("abcdefghijkABCDEFGH0123456789-_"))
    if letter != word[at]:
        with pytest.raises(DamagedCode):
            code.read(word[:at] + letter + word[at + 1 :])
