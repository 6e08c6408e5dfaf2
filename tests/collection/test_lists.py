"""Lists read row by row: encodings, dialects, quotes, what is wrong and where; never a crash."""

from __future__ import annotations

import codecs
import csv
import io
import json
import tracemalloc
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rules
from collection.lists import dialects, reading
from collection.lists.encodings import detect
from collection.lists.errors import Unreadable
from collection.lists.matching import Catalog, KnownCard, shines, written_finish
from collection.lists.reading import Reading, Row, escaped, read, unescaped
from collection.lists.writing import FORMATS, Owned, write
from tests.games.examples import CLAW, GAME, GAME_NAME, GOLD_CLAW, GREEN_10, OTHER_GAME, OTHER_NAME

# What each site writes for the same two cards, with its own header, line ends and words.
MOXFIELD = (
    '"Count","Tradelist Count","Name","Edition","Condition","Language","Foil","Tags",'
    '"Last Modified","Collector Number","Alter","Proxy","Purchase Price"\n'
    f'"2","1","Red Claw","{GAME}.booster-1","Near Mint","English","","first, gift",'
    '"2026-01-02 03:04:05","1","False","False","1.20"\n'
    '"1","0","Tansy Brightwing (Gold)","first-dawn","Heavily Played","German","","","","",'
    '"False","False",""\n'
)
DECKBOX = (
    "Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,"
    "Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,My Price\n"
    f"2,1,Red Claw,Emberfall,{GAME}.booster-1,1,Near Mint,English,,,,,,,,77,"
    '"a, b","first, gift",$1\n'
    "1,0,Tansy Brightwing (Gold),First Dawn,,,Heavily Played,German,,signed,,,,,,,,,\n"
)
MANABOX = (
    "\ufeffName,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,"
    "Purchase price,Misprint,Altered,Condition,Language,Purchase price currency\n"
    "Red Claw,booster-1,Emberfall,1,normal,common,2,10,x-y,1.20,false,false,near_mint,en,EUR\n"
    "Tansy Brightwing (Gold),first-dawn,First Dawn,,normal,rare,1,11,,,false,false,played,de,EUR\n"
)
ARCHIDEKT = (
    "Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,"
    "Edition Code,Multiverse Id,Scryfall ID,Collector Number\n"
    '2,Red Claw,Normal,NM,2026-01-02,EN,1.2,"first,gift",Emberfall,booster-1,0,x,1\n'
    "1,Tansy Brightwing (Gold),Normal,HP,2026-01-02,DE,,,First Dawn,first-dawn,,,\n"
)
DRAGON_SHIELD = (
    '"sep=,"\r\n'
    "Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,"
    "Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET\r\n"
    "Red,2,1,Red Claw,booster-1,Emberfall,1,NearMint,Normal,English,1.2,2026-01-02,1,2,3\r\n"
    "Red,1,0,Tansy Brightwing (Gold),first-dawn,First Dawn,,Played,Normal,German,,,1,2,3\r\n"
)
OWN = (
    "game,set,number,name,finish,condition,language,quantity,tradelist,wishlist,tags,notes,acquired,"
    "source\r\n"
    f'{GAME},booster-1,1,Claw,red,near_mint,en,2,1,4,"first, gift","a ""quote""\r\nand a line",'
    "2026-01-02,physical\r\n"
    f"{OTHER_GAME},first-dawn,,Tansy Brightwing,gold,heavily_played,de,1,,,,,,physical\r\n"
)
EXAMPLES = {
    "moxfield": MOXFIELD,
    "deckbox": DECKBOX,
    "manabox": MANABOX,
    "archidekt": ARCHIDEKT,
    "dragon-shield": DRAGON_SHIELD,
    "riffle": OWN,
}


def catalog_of_the_rules() -> Iterator[KnownCard]:
    key = 0
    for slug, game in rules.games().items():
        names = {card_set.slug: card_set.name for card_set in game.sets}
        numbers = dict.fromkeys(names, 0)
        for card in game.catalog.values():
            key += 1
            printings = []
            for card_set in card.sets:
                numbers[card_set] += 1
                printings.append((card_set, names[card_set], numbers[card_set]))
            yield KnownCard(
                key, slug, game.name, card.slug, card.name, card.title, card.colour,
                tuple(printings),
            )  # fmt: skip


@pytest.fixture(scope="module")
def known() -> Catalog:
    return Catalog(catalog_of_the_rules())


def rows(text: str | bytes, filename: str = "") -> list[Row]:
    data = text.encode() if isinstance(text, str) else text
    return list(read(data, filename).rows)


def problems(text: str | bytes) -> dict[int, str]:
    return {row.number: row.problem for row in rows(text) if row.problem}


# -- dialects -------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", EXAMPLES)
def test_each_dialect_is_known_by_its_headers_and_read(slug: str, known: Catalog) -> None:
    reading = read(EXAMPLES[slug].encode())
    assert reading.dialect == slug
    first, second = reading.rows
    assert (first.problem, second.problem) == ("", "")
    claw, tansy = known.match(first), known.match(second)
    assert claw.card and claw.card.slug == CLAW
    assert tansy.card and tansy.card.slug == "tansy-brightwing-gold"
    assert (claw.quantity, tansy.quantity) == (2, 1)
    assert first.extra["condition"] == "near_mint" and first.extra["language"] == "en"
    assert second.extra["condition"] == "heavily_played" and second.extra["language"] == "de"
    if slug not in ("manabox", "archidekt"):
        assert first.for_trade == 1
    if slug not in ("manabox", "dragon-shield"):
        assert first.tags == "first, gift"
    kept = {"moxfield": "Last Modified", "deckbox": "Printing Note", "manabox": "ManaBox ID"}
    if column := kept.get(slug):
        assert (first.extra[column] and column not in second.extra) or slug == "manabox"


def test_our_own_form_says_most() -> None:
    first, second = rows(OWN)
    assert (first.wishlist, first.notes) == (4, 'a "quote"\nand a line')
    assert first.extra["acquired"] == "2026-01-02"
    assert (first.number, second.number) == (2, 4), "a quoted line end counts"


@pytest.mark.parametrize("slug", EXAMPLES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_change_nothing(slug: str, encoding: str, end: str) -> None:
    text = EXAMPLES[slug].removeprefix("\ufeff").replace("\r\n", "\n")
    plain = [row.extra | {"n": row.name, "q": row.quantity} for row in rows(text)]
    read_rows = rows(text.replace("\n", end).encode(encoding))
    assert [row.extra | {"n": row.name, "q": row.quantity} for row in read_rows] == plain
    assert not [row for row in read_rows if row.problem]


def test_delimiters_are_seen() -> None:
    for delimiter in ",;\t|":
        (row,) = rows(f"name{delimiter}quantity\nRed Claw{delimiter}2\n")
        assert (row.name, row.quantity) == ("Red Claw", 2)
    (row,) = rows("sep=;\nname;quantity\nRed Claw;2\n")
    assert (row.name, row.quantity, row.number) == ("Red Claw", 2, 3)


def test_columns_that_mean_nothing_here_are_kept_under_their_names() -> None:
    (row,) = rows("Quantity,Name,Bought at,Name of seller\n1,Red Claw,fair,\n")
    assert row.extra == {"Bought at": "fair"}


def test_a_foreign_column_does_not_pass_for_one_of_ours() -> None:
    (row,) = rows("Count,Name,Last Modified,Number,Quantity\n2,Red Claw,x,17,33\n")
    assert row.quantity == 2 and row.card_number is None
    assert row.extra == {"Last Modified": "x", "Moxfield Number": "17", "Moxfield Quantity": "33"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \r\n \n", "empty"),
        ("Quantity,Count,Name\n1,1,x\n", "mean the same"),
        ("sep=,\nfoo,bar\n", "No known columns"),
        ('{"decks": []}', "no list of cards"),
        (b"PK\x03\x04 and so on", "spreadsheet"),
        (b"%PDF-1.7", "PDF"),
        (bytes(range(32)) * 20, "Not a text"),
    ],
)
def test_what_cannot_be_read_at_all_is_said_in_a_sentence(text: str | bytes, words: str) -> None:
    with pytest.raises(Unreadable, match=words) as refusal:
        rows(text)
    assert str(refusal.value).endswith((".", "?", "]."))


def test_a_table_without_known_columns_is_refused_where_its_name_promises_one() -> None:
    with pytest.raises(Unreadable, match="No known columns"):
        rows("foo,bar\n1,2\n", "cards.CSV")
    assert rows("foo,bar\n1,2\n")[0].typed


# -- strictness -----------------------------------------------------------------------------------

HEAD = "game,name,quantity,condition,language,source,acquired,tradelist\n"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (f"{GAME},Red Claw,two,,,,,", "“two” is not a count."),
        (f"{GAME},Red Claw,-1,,,,,", "“-1” is not a count."),
        (f"{GAME},Red Claw,1.5,,,,,", "“1.5” is not a count."),
        (f"{GAME},Red Claw,²,,,,,", "“²” is not a count."),
        (f"{GAME},Red Claw,1000001,,,,,", "1000001 is too large (limit: 1,000,000)."),
        (f"{GAME},Red Claw,,,,,,", "No count on this line."),
        (f"{GAME},,1,,,,,", "No card name on this line."),
        (f'{GAME},Red Claw,"1,00",,,,,', "“1,00” is not a count."),
        (f"{GAME},Red Claw,1,,,stolen,,", "Unknown source “stolen”"),
        (f"{GAME},Red Claw,1,,,,yesterday,", "“yesterday” is not a date like 2026-11-21."),
        (f"{GAME},Red Claw,1,,,,,x", "“x” is not a tradelist count."),
        (f"{GAME},Red, Claw,1,,,,,", "This line has 9 values for 8 columns"),
        (f"{GAME},Red Claw,1", "This line has only 3 values for 8 columns."),
        (f'{GAME},"Red Claw" x,1,,,,,', "The quotation marks in this line don’t match."),
        (f"{GAME},{'x' * 201},1,,,,,", "“name” is longer than 200 characters."),
        (f"{GAME},Red\0Claw,1,,,,,", "This line is not valid text; save the file as UTF-8."),
    ],
)
def test_a_bad_value_is_a_problem_with_its_line(line: str, problem: str) -> None:
    first, second, third = rows(f"{HEAD}{GAME},Red Claw,1,,,,,\n{line}\n{GAME},Red Claw,3,,,,,\n")
    assert second.number == 3 and second.problem.startswith(problem)
    assert second.text == line.replace("\0", "�")[:500], "the line is shown as it stands"
    assert (first.problem, third.problem) == ("", "")
    assert third.quantity == 3


@pytest.mark.parametrize("count", ["1,000", "1 000", "1\u202f000", "1’000"])
def test_a_count_may_be_written_in_groups_of_three(count: str) -> None:
    (row,) = rows(f'{HEAD}{GAME},Red Claw,"{count}",,,,,\n')
    assert (row.problem, row.quantity) == ("", 1000)


@pytest.mark.parametrize("count", ["4x", "4 X", "×4", "x 4"])
def test_a_count_may_have_its_sign(count: str) -> None:
    (row,) = rows(f"{HEAD}{GAME},Red Claw,{count},,,,,\n")
    assert (row.problem, row.quantity) == ("", 4)


def test_words_that_mean_nothing_here_are_kept_as_they_are_written() -> None:
    known, region, odd = rows(
        f"{HEAD}{GAME},Red Claw,1,nm,en-US,,,\n{GAME},Red Claw,1,,English (UK),,,\n"
        f"{GAME},Red Claw,1,PSA 9,Klingon,,,\n"
    )
    assert known.extra == {"condition": "near_mint", "language": "en"}
    assert region.extra == {"language": "en"}
    assert odd.problem == ""
    assert odd.extra == {"written condition": "PSA 9", "written language": "Klingon"}


@pytest.mark.parametrize(("mark", "finish"), [("*F*", "foil"), ("*E*", "etched"), ("*f*", "foil")])
def test_a_mark_at_the_end_of_a_line_says_how_a_copy_shines(
    known: Catalog, mark: str, finish: str
) -> None:
    (row,) = rows(f"2 Red Claw (Emberfall) 1 {mark}")
    match = known.match(row)
    assert match.card and (match.card.slug, match.quantity) == (CLAW, 2)
    assert shines(row.finish, match.card) == finish


def test_a_colour_and_a_foil_column_say_different_things(known: Catalog) -> None:
    (row,) = rows("Name,Count,Colour,Foil\nClaw,2,Red,foil\n")
    match = known.match(row)
    assert match.card and match.card.slug == CLAW and row.extra == {"foil": "foil"}


def test_an_unknown_finish_of_a_known_card_is_left_out(known: Catalog) -> None:
    match = known.match(Row(1, "", name="Red Claw", finish="Cracked ice", quantity=1))
    assert match.card and match.card.slug == CLAW
    assert written_finish("Cracked ice", match.card) == "Cracked ice"


def test_a_quotation_mark_that_stays_open_spoils_only_its_line() -> None:
    text = 'name,quantity\nRed Claw,1\n"Blue Claw,2\nGreen Claw,3\n'
    assert problems(text) == {3: "A quotation mark is opened here but not closed."}
    assert [row.name for row in rows(text)] == ["Red Claw", "", "Green Claw"]


def test_a_row_with_line_ends_in_it_has_so_many_lines_and_letters_at_most() -> None:
    def listed(note: str) -> str:
        return f'name,quantity,notes\nRed Claw,1,"{note}"\nBlue Claw,2,\n'

    lines, length = reading.MAX_ROW_LINES, reading.MAX_ROW_LENGTH
    (first, second) = rows(listed("\n" * lines))
    assert (first.number, first.problem, second.number) == (2, "", lines + 3)
    wrong = problems(listed("x\n" * (lines + 1)))
    assert wrong[2] == "A quotation mark is opened here but not closed within 60 lines."
    long = "\n".join(["x" * (length // 4)] * 5)
    wrong = problems(listed(long))
    assert wrong[2] == "A quotation mark is opened here but not closed within 20,000 characters."
    assert rows(listed(long))[-1].name == "Blue Claw"
    # The line behind the mark is itself too long to be held: it is named, too.
    wrong = problems(listed("\n" + "x" * 30_000))
    assert wrong[2].endswith("within 20,000 characters.") and "more than 20,000" in wrong[3]


@pytest.mark.parametrize("length", [1, 150, 900, 9_000])
def test_marks_that_are_opened_in_every_line_cost_a_fixed_share_of_the_file(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line closes what the one before opened, and opens anew: no row ever ends."""
    looked_at, real = 0, csv.reader

    def counted(lines: Iterable[str], **form: Any) -> Any:
        def watched() -> Iterator[str]:
            nonlocal looked_at
            for line in lines:
                looked_at += len(line)
                yield line

        return real(watched(), **form)

    def work(lines: int) -> float:
        """How often a letter is looked at."""
        nonlocal looked_at
        looked_at = 0
        line = f'{"a" * length}","b\n'
        text = "name,quantity\n" + line * lines
        assert len(problems(text)) == lines
        return looked_at / len(text)

    monkeypatch.setattr(csv, "reader", counted)
    most = 1 + min(reading.MAX_ROW_LINES, reading.MAX_ROW_LENGTH // length)
    few, many = work(150), work(600)
    assert 1.9 < few <= many <= most


def test_broken_bytes_in_a_utf8_file_are_named_and_not_guessed() -> None:
    data = "name,quantity\nRed Claw,1\nCafé,1\n".encode() + b"Caf\xe9,1\n"
    assert detect(data) == "utf-8"
    assert list(problems(data)) == [4]
    assert detect(b"Caf\xe9,1\n") == "cp1252"
    assert rows(b"name,quantity\nCaf\xe9,1\n")[0].name == "Café"


def test_huge_lines_are_read_over() -> None:
    text = f"name,quantity\n{'x' * 300_000},1\nRed Claw,2\n"
    assert list(problems(text)) == [2]
    assert rows(text)[1].quantity == 2
    assert len(rows(text)[0].text) == 500


@pytest.mark.slow
def test_more_than_a_hundred_thousand_entries_are_refused() -> None:
    with pytest.raises(Unreadable, match="more than 100,000 entries"):
        rows("Red Claw\n" * 100_001)
    assert len(rows("Red Claw\n" * 100_000)) == 100_000


# -- JSON -----------------------------------------------------------------------------------------


def test_json_as_a_list_or_under_cards() -> None:
    entry = {"name": "Red Claw", "quantity": 2, "tags": ["a", "b"], "seen": True, "gone": None}
    for document in ([entry], {"format": "x", "cards": [entry], "more": 1}):
        for indent in (None, 2):
            (row,) = rows(json.dumps(document, indent=indent))
            assert (row.name, row.quantity, row.tags) == ("Red Claw", 2, "a, b")
            assert row.extra == {"seen": "true"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[{"name": "Red Claw", "quantity": true}]', "“true” is not a count."),
        ('[{"name": "Red Claw", "quantity": 1e400}]', "“Infinity” is not a count."),
        ('[{"name": "\\ud800", "quantity": 1}]', "This line is not valid text"),
        ("[{}, 3]", "An entry has to be an object"),
        ('[{"name": "Red Claw"', "Invalid JSON from here on"),
        ("[" * 9000, "Invalid JSON from here on: it is nested too deeply."),
        ("[] []", "Invalid JSON from here on: there is text after"),
        (f'[{{"name": "{"x" * 40_000}"}}]', "“name” is longer than"),
        (f'[{{"name": "{"x" * 90_000}"}}]', "Invalid JSON from here on: an entry is"),
    ],
)
def test_bad_json_is_named(text: str, problem: str) -> None:
    assert rows(text)[-1].problem.startswith(problem)


# -- which card it is -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "card", "count"),
    [
        ("Red Claw", CLAW, 1),
        ("3 red  claw", CLAW, 3),
        ("3x Red Claw", CLAW, 3),
        ("Red Claw ×3", CLAW, 3),
        (CLAW, CLAW, 1),
        ("2 Claw (Red)", CLAW, 2),
        ("2 Claw (Red) // mine", CLAW, 2),
        ("2 Red Claw (Emberfall) 1", CLAW, 2),
        ("2 Red Claw [booster-1]", CLAW, 2),
        ("1,000 Red Claw", CLAW, 1000),
        ("1 000 Red Claw", CLAW, 1000),
        ("Red Claw x 1,000", CLAW, 1000),
        ("2 Claw red", CLAW, 2),
        ("Claw, Red", CLAW, 1),
        ("3 Krabi Long Legs - Silver", "krabbi-long-legs-silver", 3),
        ("Green 10", GREEN_10, 1),
        ("2 Green 10", GREEN_10, 2),
        ("1 Krabbi Long Legs (Silver)", "krabbi-long-legs-silver", 1),
    ],
)
def test_typed_lines(known: Catalog, line: str, card: str, count: int) -> None:
    (row,) = rows(line)
    match = known.match(row)
    assert match.card and (match.card.slug, match.quantity) == (card, count)


def test_headings_name_the_game(known: Catalog) -> None:
    text = (
        f"# my cards\n[{OTHER_NAME}]\n1 Krabbi Long Legs (Gold)\n1 Red Claw\n"
        f"{GAME_NAME}:\n1 Red Claw\n"
    )
    matches = [known.match(row) for row in rows(text)]
    assert [match.card.slug if match.card else "" for match in matches] == [
        "krabbi-long-legs-gold",
        "",
        CLAW,
    ]


@pytest.mark.parametrize(
    ("row", "problem", "first"),
    [
        ({"name": "Rde Claw"}, "No card named “Rde Claw”.", "Red Claw"),
        ({"name": "Calw Red"}, "No card named “Calw Red”.", "Red Claw"),
        ({"name": "Red Claw", "finish": "blue"}, "“blue” is not a colour of Red Claw.", "Red Claw"),
        ({"name": "Claw"}, "4 cards are named “Claw”. Choose one.", "Red Claw"),
        (
            {"name": "Claw", "finish": "x"},
            "“x” is not a colour of Claw. Colours: blue,",
            "Red",
        ),
        ({"name": "Claw", "finish": "foil"}, "4 cards are named “Claw”. Choose one.", "Red"),
        ({"name": "Red Claw", "set": "booster-2"}, "Red Claw is not in “booster-2”.", "Red Claw"),
        (
            {"name": "Red Claw", "set": "booster-1", "card_number": 9},
            "Red Claw does not have number 9 there.",
            "Red Claw",
        ),
        ({"card_number": 9}, "Add the set: a number alone doesn’t identify a card.", ""),
        ({"set": "nowhere", "card_number": 9}, "No card number 9 in “nowhere”.", ""),
        ({"name": "Red Claw", "game": "chess"}, "Unknown game “chess”.", ""),
    ],
)
def test_what_names_no_card_gets_the_nearest(
    known: Catalog, row: dict[str, object], problem: str, first: str
) -> None:
    match = known.match(Row(1, "", **row, quantity=1))  # type: ignore[arg-type]
    assert match.card is None and match.quantity == 1
    assert match.problem.startswith(problem)
    titles = [card.title for card in match.suggestions]
    assert titles[0].startswith(first) if first else titles == []


def test_set_and_number_alone_name_a_card(known: Catalog) -> None:
    for words in ("booster-1", f"{GAME}.booster-1", "Emberfall"):
        match = known.match(Row(1, "", set=words, card_number=1, quantity=1))
        assert match.card and match.card.title == "Red Claw"


def test_colour_tells_cards_of_the_same_name_apart(known: Catalog) -> None:
    match = known.match(Row(1, "", name="Claw", finish="Gold", quantity=1))
    assert match.card and match.card.slug == GOLD_CLAW
    match = known.match(Row(1, "", name="Red Claw", finish="normal", quantity=1))
    assert match.card and match.card.slug == CLAW


def test_nearest_names_are_looked_for_so_often_only(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Catalog(catalog_of_the_rules())
    monkeypatch.setattr("collection.lists.matching.SUGGESTED_NAMES", 3)
    looked: list[str] = []
    look = known._look
    monkeypatch.setattr(
        known, "_look", lambda words, game: looked.append(words) or look(words, game)
    )
    for _ in range(2):
        for number in range(10):
            known.match(Row(1, "", name=f"Red Clow {number}", quantity=1))
    assert looked == ["red clow 0", "red clow 1", "red clow 2"]


# -- formulas -------------------------------------------------------------------------------------


@given(st.text(st.sampled_from("'=+-@\t\r\n＝ab"), max_size=6))
@example("=1+1")
@example("'=1+1")
@example("'")
def test_formulas_are_made_harmless_and_come_back(value: str) -> None:
    safe = escaped(value)
    assert not safe.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝"))
    assert unescaped(safe) == value


ODD = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufffd"), min_size=1, max_size=30
)


COLUMN = ODD.map(lambda name: " ".join(name.split())).filter(bool)


@given(st.dictionaries(COLUMN, ODD, max_size=4), ODD)
@example({"=cmd()": '=HYPERLINK("x")'}, "@SUM(A1)")
@example({"a;b": ";=1+1"}, "-1,'\"")
def test_whatever_is_kept_is_written_harmless_and_read_back(
    extra: dict[str, str], notes: str
) -> None:
    ours = {name for name in extra if dialects.OWN.meaning(name)}
    extra = {name: value for name, value in extra.items() if name not in ours}
    card = Owned(
        game=GAME, game_name=GAME_NAME, slug="x", name="=Claw", title="=Claw", physical=1,
        notes=notes.strip(), extra=extra,
    )  # fmt: skip
    text = "".join(write("riffle", [card], list(extra)))
    (row,) = rows(text)
    assert row.problem == ""
    assert row.name == "=Claw"
    assert row.extra == extra
    assert row.notes == notes.replace("\r\n", "\n").strip()
    for values in csv.reader(io.StringIO(text, newline="")):
        assert not [value for value in values if value[:1] in {*"=+-@\t\r\n"}]


# -- never a crash --------------------------------------------------------------------------------

FORMED = st.builds(
    lambda head, body: f"{head}\n{body}".encode(),
    st.sampled_from([HEAD.strip(), "Count,Name,Alter", "[", '{"cards": [', "sep=,", ""]),
    st.text(st.sampled_from("\"',;\r\n\t [](){}:=-x1é\0\ufeff"), max_size=60),
)


@given(st.one_of(st.binary(max_size=200), FORMED, st.text(max_size=100).map(str.encode)))
@example(b"\xff\xfe")
@example(codecs.BOM_UTF16_BE + b"\0")
@example(b'[{"quantity":' + b"9" * 5000 + b"}]")
@example(b'name,quantity\n"')
def test_nothing_that_is_brought_makes_it_crash(data: bytes) -> None:
    try:
        reading: Reading = read(data, "list.csv")
        for row in reading.rows:
            assert row.number >= 1 and len(row.text) <= 500
            assert row.problem or row.name or row.card_number is not None
            assert len(row.problem) <= 300 and "\0" not in row.text
            row.text.encode()
    except Unreadable:
        return


# -- memory ---------------------------------------------------------------------------------------


def peak(lines: int, *, hold: bool = False) -> int:
    """The most bytes that are taken while so many lines are read, the file itself left out."""
    data = b"name,quantity,notes\n" + b"".join(
        b"Red Claw %d,1,%s\n" % (number, b"x" * 120) for number in range(lines)
    )
    held: list[Row] = []
    tracemalloc.start()
    try:
        for row in read(data).rows:
            if hold:
                held.append(row)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_list() -> None:
    assert peak(15_000) < 1_000_000
    assert peak(5_000, hold=True) > 2_000_000, "the measure sees rows that are held"


def test_every_format_that_is_offered_can_be_written() -> None:
    for form in FORMATS:
        assert "".join(write(form, [])) is not None
    assert reading.MAX_ROWS == 100_000
