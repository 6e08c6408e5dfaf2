"""Copies told apart: what is said of them adds up, and every file brings back what it took away."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from accounts.services.guests import create_guest, merge_guest
from collection.copies import CONDITIONS, FINISHES, LANGUAGES, Described, counted, settled, tidied
from collection.errors import NotEnoughCards, Unacceptable
from collection.lists import dialects
from collection.lists.dialects import SITES, Dialect
from collection.lists.effects import NO_HOLDING, HoldingValues, Listed, effect
from collection.lists.matching import Catalog, shines
from collection.lists.reading import read
from collection.lists.writing import Owned, write
from collection.models import Card, DescribedCopies, Holding, JobState, Kind, Reason
from collection.queries import exports
from collection.queries.copies import of_cards
from collection.services import describing, holdings, imports, ledger
from collection.services.catalog import Synced
from core.errors import KeyUsedAgain
from tests.collection.test_lists import catalog_of_the_rules
from tests.games.examples import BLUE_CLAW, CLAW, GAME, GAME_NAME
from tests.support.sizes import sized

NM = Described(1, "near_mint", "en")
LP = Described(1, "good", "de", "foil", "Trade binder", "bent corner")


# -- what fits ------------------------------------------------------------------------------------

ROWS = st.lists(
    st.builds(
        Described,
        quantity=st.integers(0, 5),
        condition=st.sampled_from(["", *CONDITIONS]),
        language=st.sampled_from(["", "en", "de"]),
        finish=st.sampled_from(["", "foil", "etched", "Surge Foil"]),
        binder=st.sampled_from(["", "Red"]),
        tags=st.sampled_from(["", "a", "b"]),
        extra=st.sampled_from([{}, {"Price": "1"}]),
        for_trade=st.integers(0, 5),
    ),
    max_size=6,
)


@given(ROWS, st.integers(0, 20), st.integers(0, 20))
def test_rows_always_fit_their_holding(
    rows: list[Described], quantity: int, for_trade: int
) -> None:
    for_trade = min(for_trade, quantity)
    fitting = settled(rows, quantity, for_trade)
    plain = quantity - counted(fitting)
    unsaid = for_trade - sum(row.for_trade for row in fitting)
    assert plain >= 0 and 0 <= unsaid <= plain
    assert all(0 <= row.for_trade <= row.quantity > 0 for row in fitting)
    assert plain == 0 or counted(fitting) == counted(tidied(rows)), "plain copies go first"
    assert settled(fitting, quantity, for_trade) == fitting


def test_the_worst_go_first() -> None:
    rows = [replace(NM, quantity=2), replace(LP, quantity=1), Described(1, "damaged")]
    assert settled(rows, 5, 0) == settled(rows, 4, 0)
    left = [[row.condition for row in settled(rows, number, 0)] for number in (3, 2, 1)]
    assert left == [["near_mint", "good"], ["near_mint"], ["near_mint"]]
    shining = [replace(NM, finish="foil"), NM]
    assert settled(shining, 1, 0) == (replace(NM, finish="foil"),)


# -- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "site", "condition"),
    [
        ("Good (Lightly Played)", "deckbox", "good"),
        ("Good (Light Played)", "moxfield", "good"),
        ("LP", "moxfield", "good"),
        ("Poor", "deckbox", "damaged"),
        ("Damaged", "deckbox", "damaged"),
        ("light_played", "manabox", "played"),
        ("LightPlayed", "dragon-shield", "played"),
        ("D", "archidekt", "damaged"),
        ("Lightly Played Foil", "tcgplayer", "good"),
        ("Slighty Played", "delver", "good"),
    ],
)
def test_conditions_in_the_words_of_each_site(word: str, site: str, condition: str) -> None:
    (dialect,) = [candidate for candidate in SITES if candidate.slug == site]
    assert dialects.condition_of(word, dialect) == condition


@pytest.mark.parametrize(
    ("word", "site", "language"),
    [
        ("JP", "archidekt", "ja"),
        ("CS", "archidekt", "zhs"),
        ("CT", "archidekt", "zht"),
        ("Chinese", "moxfield", "zhs"),
        ("Traditional Chinese", "deckbox", "zht"),
        ("zh_TW", "manabox", "zht"),
        ("kr", "moxfield", "ko"),
        ("cs", "manabox", "cs"),
    ],
)
def test_languages_in_the_words_of_each_site(word: str, site: str, language: str) -> None:
    (dialect,) = [candidate for candidate in SITES if candidate.slug == site]
    assert dialects.language_of(word, dialect) == language


@pytest.mark.parametrize(
    ("word", "finish"),
    [("foil", "foil"), ("Foil", "foil"), ("TRUE", "foil"), ("yes", "foil"), ("etched", "etched"),
     ("Foil Etched", "etched"), ("Surge Foil", "Surge Foil"), ("normal", ""), ("Normal", ""),
     ("false", ""), ("", ""), ("Non-foil", "")],
)  # fmt: skip
def test_words_for_copies_that_shine(word: str, finish: str) -> None:
    assert dialects.shining(word) == finish


# -- out and in again, without a database ----------------------------------------------------------


@pytest.fixture(scope="module")
def known() -> Catalog:
    return Catalog(catalog_of_the_rules())


def sayable(dialect: Dialect) -> st.SearchStrategy[list[Described]]:
    """Rows of which everything has a word of this site's."""
    meant = set(dialect.columns.values())
    words = st.text(st.sampled_from("aé=\"'; 1"), max_size=6).map(lambda text: text.strip())

    def among(name: str, values: Any) -> Any:
        return values if name in meant else st.just("")

    return st.lists(
        st.builds(
            Described,
            quantity=st.integers(1, 4),
            condition=st.sampled_from(["", *dialect.conditions]),
            language=st.sampled_from(["", *LANGUAGES]),
            finish=st.sampled_from(["", *dialect.finishes]),
            binder=among("binder", words.map(lambda text: " ".join(text.split()))),
            note=among("note", words.map(lambda text: " ".join(text.split()))),
            tags=st.sampled_from(["", "gift"]) if "tags" in meant else st.just(""),
            for_trade=st.integers(0, 4) if "tradelist" in meant else st.just(0),
        ),
        min_size=1,
        max_size=4,
    )


@pytest.mark.parametrize("dialect", [dialects.OWN, *SITES], ids=lambda dialect: dialect.slug)
@settings(max_examples=sized(20, large=500), deadline=None)
@given(data=st.data())
def test_rows_to_a_file_and_back(known: Catalog, dialect: Dialect, data: st.DataObject) -> None:
    drawn = data.draw(sayable(dialect))
    plain = data.draw(st.integers(0, 2))
    quantity = counted(drawn) + plain
    for_trade = sum(min(row.for_trade, row.quantity) for row in drawn)
    rows = settled(drawn, quantity, for_trade)
    owned = Owned(
        game=GAME, game_name=GAME_NAME, slug=CLAW, name="Claw", title="Red Claw", colour="red",
        set="booster-1", set_name="Emberfall", number=1, physical=quantity, for_trade=for_trade,
        copies=rows,
    )  # fmt: skip
    text = "".join(write(dialect.slug, [replace(owned, counted=owned.parts)]))
    after = taken_in(known, text)
    assert after.quantity == quantity
    assert spoken(after) == spoken(
        HoldingValues(physical=quantity, for_trade=for_trade, copies=rows)
    )


def taken_in(known: Catalog, text: str) -> HoldingValues:
    """A new collector's holding of one card after this file."""
    reading = read(text.encode())
    listed = Listed(reading.dialect in dialects.APART)
    for row in reading.rows:
        match = known.match(row)
        assert not row.problem and match.card, (row, match)
        extra = dict(row.extra)
        if shine := shines(row.finish, match.card):
            extra["foil"] = shine
        marks = {
            "digital": row.digital,
            "for_trade": row.for_trade,
            "wishlist": row.wishlist,
            "tags": row.tags,
        }
        assert not listed.add(quantity=row.quantity, notes=row.notes, extra=extra, **marks)
    return effect(NO_HOLDING, listed, replaces=False).after


def spoken(held: HoldingValues) -> set[tuple[Any, ...]]:
    """The details of each copy, wherever they are kept: with the card or with the copies."""
    plain = Described(held.quantity - counted(held.copies))
    unsaid = held.for_trade - sum(row.for_trade for row in held.copies)
    rows = [*held.copies, replace(plain, for_trade=unsaid)]
    details: dict[tuple[Any, ...], list[int]] = {}
    for row in rows:
        tags = frozenset(tag for tag in f"{held.tags}, {row.tags}".split(", ") if tag)
        extra = tuple(sorted({**held.extra, **row.extra}.items()))
        key = (row.condition, row.language, row.finish, row.binder, row.note, tags, extra)
        numbers = details.setdefault(key, [0, 0])
        numbers[0] += row.quantity
        numbers[1] += row.for_trade
    return {(*key, *numbers) for key, numbers in details.items() if numbers[0]}


# -- files as each program writes them -------------------------------------------------------------
# Headers, words and line ends from the programs' public format descriptions; our own cards.

FILES = {
    "moxfield": (
        '"Count","Tradelist Count","Name","Edition","Condition","Language","Foil","Tags",'
        '"Last Modified","Collector Number","Alter","Proxy","Purchase Price"\r\n'
        f'"3","1","Red Claw","{GAME}.booster-1","Near Mint","English","","gift",'
        '"2026-01-05 19:26:45.563000","1","False","False","1.20"\r\n'
        f'"1","1","Red Claw","{GAME}.booster-1","Good (Lightly Played)","German","foil","",'
        '"2026-02-05 10:26:45.563000","1","True","False","2.50"\r\n'
        f'"2","0","Blue Claw","{GAME}.booster-4","Damaged","Chinese","etched","swap, old",'
        '"2026-02-05 10:26:45.563000","{blue}","False","True",""\r\n'
    ),
    "archidekt": (
        "Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,"
        "Edition Code,Multiverse Id,Scryfall ID,Collector Number\n"
        f'3,Red Claw,Normal,NM,2026-01-02,EN,1.2,"gift,old",Emberfall,{GAME}.booster-1,0,x-1,1\n'
        f"1,Red Claw,Foil,LP,2026-01-03,DE,2.5,,Emberfall,{GAME}.booster-1,0,x-1,1\n"
        f"2,Red Claw,Etched,HP,2026-01-03,JP,,,Emberfall,{GAME}.booster-1,0,x-1,1\n"
        f"1,Red Claw,Normal,D,2026-01-03,CT,,,Emberfall,{GAME}.booster-1,0,x-1,1\n"
    ),
    "deckbox": (
        "Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,"
        "Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,"
        "My Price\n"
        f"3,1,Red Claw,Emberfall,{GAME}.booster-1,1,Near Mint,English,,,,,,,,77,,gift,$1.20\n"
        f"1,0,Red Claw,Emberfall,{GAME}.booster-1,1,Good (Lightly Played),German,foil,signed,,,,,"
        ",77,,,$0.00\n"
        f"1,0,Red Claw,Emberfall,{GAME}.booster-1,1,Poor,Traditional Chinese,,,proof,,,,,77,,,\n"
    ),
    "manabox": (
        "Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,"
        "ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,"
        "Purchase price currency\n"
        f"Rares,binder,Red Claw,{GAME}.booster-1,Emberfall,1,normal,uncommon,3,10,x-1,1.2,false,"
        "false,near_mint,en,EUR\n"
        f"Swaps,list,Red Claw,{GAME}.booster-1,Emberfall,1,foil,uncommon,1,10,x-1,2.5,false,true,"
        "light_played,de,EUR\n"
        f",,Red Claw,{GAME}.booster-1,Emberfall,1,etched,uncommon,2,10,x-1,,false,false,poor,zh_CN,"
        "USD\n"
    ),
    "dragon-shield": (
        '"sep=,"\r\n'
        "Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,"
        "Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET\r\n"
        f"Box 1,3,1,Red Claw,{GAME}.booster-1,Emberfall,1,NearMint,Normal,English,1.20,2026-01-02,"
        "1,2,3\r\n"
        f"Rares,1,0,Red Claw,{GAME}.booster-1,Emberfall,1,LightPlayed,Foil,German,2.50,2026-01-03,"
        "1,2,3\r\n"
        f"Rares,1,1,Red Claw,{GAME}.booster-1,Emberfall,1,Good,Surge Foil,Simplified Chinese,,,"
        "1,2,3\r\n"
    ),
    "delver": (
        '"Name","Edition","Edition code","Collector\'s number","QuantityX","Foil","Condition",'
        '"Language","List name","Acquired Price"\n'
        f'"Red Claw","Emberfall","{GAME}.booster-1","1","3x","","Near Mint","","Box 1","$1.20"\n'
        f'"Red Claw","Emberfall","{GAME}.booster-1","1","1x","Foil","Slightly Played","German",'
        '"Swaps","$2.50"\n'
        f'"Red Claw","Emberfall","{GAME}.booster-1","1","2x","","Moderately Played","Japanese",'
        '"","$0.10"\n'
    ),
    "tcgplayer": (
        "Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,"
        "Product ID,SKU\n"
        f"3,Red Claw,Claw,Emberfall,1,{GAME}.booster-1,Normal,Near Mint,English,uncommon,9,91\n"
        f"1,Red Claw,Claw,Emberfall,1,{GAME}.booster-1,Foil,Lightly Played,German,uncommon,9,92\n"
        f"2,Red Claw,Claw,Emberfall,1,{GAME}.booster-1,Normal,Damaged,English,uncommon,9,93\n"
    ),
}  # fmt: skip


@pytest.fixture
def ada(catalog: Synced) -> User:
    return User.objects.create_user("ada")


def bring(owner: User, text: str, **options: Any) -> None:
    job = imports.start_import(owner=owner, data=text.encode(), **options)
    assert job.state == JobState.READY, job.problem
    problems = list(job.lines.exclude(problem="").values_list("text", "problem"))
    assert not problems
    imports.apply_import(owner=owner, slug=job.slug)


def exported(owner: User, form: str) -> str:
    return "".join(write(form, exports.cards(owner), exports.kept_columns(owner, form=form)))


def table(text: str) -> set[frozenset[tuple[str, str]]]:
    """The lines of a file as sets of columns with their values; tags in any order."""
    lines = text.removeprefix("\ufeff").removeprefix('"sep=,"\r\n')
    cells = set()
    for row in csv.DictReader(io.StringIO(lines, newline="")):
        if row.get("Tags"):
            row["Tags"] = ",".join(sorted(tag.strip() for tag in row["Tags"].split(",")))
        cells.add(frozenset(row.items()))
    return cells


def rows_of(owner: User, slug: str = CLAW) -> tuple[Described, ...]:
    return of_cards(owner, Card.objects.filter(slug=slug).values_list("pk", flat=True)).get(
        Card.objects.get(slug=slug).pk, ()
    )


def everything(owner: User) -> dict[str, Any]:
    rows = Holding.objects.filter(owner=owner).select_related("card")
    return {
        row.card.slug: (
            (row.digital, row.physical, row.described, row.for_trade, row.wishlist),
            (row.tags, row.notes, row.extra, rows_of(owner, row.card.slug)),
        )
        for row in rows
    }


@pytest.mark.django_db
@pytest.mark.parametrize("site", FILES)
def test_a_file_as_its_program_writes_it_comes_back_line_by_line(ada: User, site: str) -> None:
    blue = Card.objects.get(slug=BLUE_CLAW).printings.get(card_set__slug="booster-4").number
    text = FILES[site].replace("{blue}", str(blue))
    bring(ada, text)
    rows = rows_of(ada)
    assert counted(rows) == Holding.objects.get(owner=ada, card__slug=CLAW).quantity
    assert {row.finish for row in rows} & set(FINISHES)
    first = next(row for row in rows if row.quantity == 3)
    assert first.condition == "near_mint" and first.language == ("" if site == "delver" else "en")
    again = exported(ada, site)
    assert table(again) == table(text)
    ben = User.objects.create_user("ben")
    bring(ben, again)
    assert everything(ben) == everything(ada)
    assert exported(ben, site) == again
    own = User.objects.create_user("own")
    bring(own, exported(ada, "riffle"))
    assert everything(own) == everything(ada), "our own form carries all of it"


# -- one truth ------------------------------------------------------------------------------------


@pytest.fixture
def claw(ada: User) -> Card:
    """Four physical copies and a digital one, of one card."""
    card = Card.objects.get(slug=CLAW)
    moves = [
        *ledger.physical_of(ada, {card.pk: 4}),
        *ledger.digital_to(ada, {card.pk: 1}),
    ]
    ledger.transfer(key="hand:1", reason=Reason.HAND, movements=moves)
    return card


def fits(owner: User) -> Holding:
    held = Holding.objects.get(owner=owner, card__slug=CLAW)
    assert held.described == counted(rows_of(owner)) <= held.quantity
    return held


def split(ada: User, claw: Card, token: str = "token-one", **changes: Any) -> Holding:
    changes = {"key": "", "count": 3, "to": replace(NM, quantity=3)} | changes
    return describing.redescribe(owner=ada, card=claw, token=token, **changes)


@pytest.mark.django_db
def test_copies_are_split_moved_and_said_nothing_of_again(ada: User, claw: Card) -> None:
    for _ in range(2):
        split(ada, claw)
    assert [row.quantity for row in rows_of(ada)] == [3], "the same form counts once"
    with pytest.raises(KeyUsedAgain):
        split(ada, claw, count=1)
    split(ada, claw, "token-two", count=1, to=LP)
    assert rows_of(ada) == (replace(NM, quantity=3), LP)
    fits(ada)
    with pytest.raises(NotEnoughCards, match="Only 1 copy matches"):
        split(ada, claw, "token-three", key=LP.key, count=2)
    moved = replace(LP, binder="Box")
    split(ada, claw, "token-four", key=LP.key, count=1, to=moved)
    split(ada, claw, "token-five", key=NM.key, count=2, to=Described(2))
    assert rows_of(ada) == (NM, moved) and fits(ada).described == 2
    with pytest.raises(NotEnoughCards, match="no longer exist"):
        split(ada, claw, "token-six", key=LP.key, count=1)


@pytest.mark.django_db
def test_all_that_is_said_is_said_at_once(ada: User, claw: Card) -> None:
    rows = [replace(NM, quantity=2), replace(LP, note=" two\nlines ")]
    for _ in range(2):
        describing.describe(owner=ada, card=claw, rows=rows)
    assert rows_of(ada) == (rows[0], replace(LP, note="two lines"))
    for changes, field in (
        ([replace(NM, quantity=6)], "copies"),
        ([replace(NM, condition="shiny")], "condition"),
        ([replace(NM, language="xx")], "language"),
        ([replace(NM, binder="x" * 101)], "binder"),
        ([replace(NM, quantity=0)], "count"),
    ):
        with pytest.raises(Unacceptable) as refusal:
            describing.describe(owner=ada, card=claw, rows=changes)
        assert refusal.value.extra["field"] == field
    describing.describe(owner=ada, card=claw, rows=[])
    assert rows_of(ada) == () and fits(ada).described == 0


@pytest.mark.django_db
def test_copies_that_go_are_plain_ones_then_the_worst(ada: User, claw: Card) -> None:
    ben = User.objects.create_user("ben")
    describing.describe(owner=ada, card=claw, rows=[replace(NM, quantity=3), LP])
    holdings.mark(owner=ada, card=claw, for_trade=2)
    assert [row.for_trade for row in rows_of(ada)] == [0, 1], "a plain copy, then the worst"
    traded = ledger.Movement(claw.pk, 1, Kind.DIGITAL, giver=ada.pk, taker=ben.pk)
    for _ in range(2):
        ledger.transfer(key="trade:1", reason=Reason.TRADE, movements=[traded])
    assert [row.quantity for row in rows_of(ada)] == [3, 1] and fits(ada).quantity == 4
    assert rows_of(ben) == (), "what is said of copies is their owner's word"
    ledger.transfer(
        key="hand:2", reason=Reason.HAND, movements=ledger.physical_of(ada, {claw.pk: -2})
    )
    assert rows_of(ada) == (replace(NM, quantity=2, for_trade=2),)
    assert fits(ada).for_trade == 2
    holdings.mark(owner=ada, card=claw, for_trade=0)
    assert rows_of(ada) == (replace(NM, quantity=2),)


@pytest.mark.django_db
def test_the_database_keeps_rows_within_their_holding(ada: User, claw: Card) -> None:
    describing.describe(owner=ada, card=claw, rows=[replace(NM, quantity=5)])
    held = Holding.objects.filter(owner=ada)
    for change in ({"described": 6}, {"physical": 3}):
        with pytest.raises(IntegrityError), transaction.atomic():
            held.update(**change)
    for wrong in ({"quantity": 0}, {"condition": "shiny"}, {"language": "xx"}, {"for_trade": 9}):
        with pytest.raises(IntegrityError), transaction.atomic():
            DescribedCopies.objects.update(**wrong)


@pytest.mark.django_db
def test_what_is_not_described_costs_no_query(
    ada: User, claw: Card, django_assert_num_queries: Any
) -> None:
    card = {claw.pk: 1}
    with django_assert_num_queries(0):
        assert exports.of_holdings(Holding.objects.none()) == {}
    plain = list(Holding.objects.filter(owner=ada))
    with django_assert_num_queries(0):
        assert exports.of_holdings(plain) == {}
    ledger.transfer(key="hand:3", reason=Reason.HAND, movements=ledger.physical_of(ada, card))
    assert fits(ada).quantity == 6


@pytest.mark.django_db
def test_an_import_is_taken_back_with_its_rows(ada: User, claw: Card) -> None:
    describing.describe(owner=ada, card=claw, rows=[replace(NM, quantity=2)])
    before = everything(ada)
    head = "name,quantity,condition,language,foil,binder,note\n"
    data = f"{head}Red Claw,2,NM,en,,,\nRed Claw,1,LP,de,Foil,Box,bent\n".encode()
    job = imports.start_import(owner=ada, data=data, game=GAME)
    imports.apply_import(owner=ada, slug=job.slug)
    described = [(row.quantity, row.condition, row.finish, row.binder) for row in rows_of(ada)]
    assert described == [(4, "near_mint", "", ""), (1, "good", "foil", "Box")]
    assert fits(ada).quantity == 8
    imports.undo_import(owner=ada, slug=job.slug)
    assert everything(ada) == before
    fits(ada)


@pytest.mark.django_db
def test_a_list_that_replaces_says_how_all_copies_are(ada: User, claw: Card) -> None:
    describing.describe(owner=ada, card=claw, rows=[replace(LP, quantity=3)])
    text = exported(ada, "riffle")
    job = imports.start_import(owner=ada, data=text.encode(), replaces=True)
    assert job.summary["cards"] == {"new": 0, "changed": 0, "same": 1}
    ben = User.objects.create_user("ben")
    bring(ben, text)
    assert rows_of(ben) == (replace(LP, quantity=3),), "those on paper alone come along"
    assert fits(ben).quantity == 4
    bring(ada, "name,quantity,condition\nRed Claw,5,mint\n", replaces=True)
    assert [(row.quantity, row.condition) for row in rows_of(ada)] == [(5, "mint")]
    bring(ada, "2 Red Claw\n", replaces=True)
    assert [(row.quantity, row.condition) for row in rows_of(ada)] == [(2, "mint")]


@pytest.mark.django_db
def test_what_a_guest_said_of_copies_goes_along(ada: User, claw: Card) -> None:
    guest = create_guest(address="192.0.2.1")
    ledger.transfer(
        key="hand:4", reason=Reason.HAND, movements=ledger.physical_of(guest, {claw.pk: 3})
    )
    describing.describe(owner=guest, card=claw, rows=[replace(LP, quantity=2)])
    describing.describe(owner=ada, card=claw, rows=[LP, replace(NM, quantity=2)])
    for _ in range(2):
        merge_guest(guest=guest, user=ada)
    assert rows_of(ada) == (replace(NM, quantity=2), replace(LP, quantity=3))
    assert fits(ada).quantity == 8 and rows_of(guest) == ()


@pytest.mark.parametrize(("replaces", "for_trade"), [(False, 2), (True, 3)])
def test_copies_that_a_list_calls_dealt_are_not_added_to_the_spare_ones(
    replaces: bool, for_trade: int
) -> None:
    listed = Listed()
    for digital, may_go in ((True, 2), (False, 1)):
        marks = {"tags": "", "notes": "", "extra": {}}
        listed.add(quantity=2, digital=digital, for_trade=may_go, wishlist=None, **marks)  # type: ignore[arg-type]
    assert (
        effect(HoldingValues(digital=3, for_trade=1), listed, replaces=replaces).after.for_trade
        == for_trade
    )
