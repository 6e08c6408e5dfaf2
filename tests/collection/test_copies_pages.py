"""Copies told apart on pages and in the API: split, moved, found; others see three words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from collection.copies import Described
from collection.models import Card, Collection, Holding, Visibility
from collection.services import describing, holdings
from collection.services.catalog import Synced
from tests.collection.test_copies import LP, rows_of
from tests.games.examples import CLAW, FLAME, GAME, MASTER_DECK
from tests.matches.conftest import queries_of

pytestmark = pytest.mark.django_db
PAGE, COPIES = f"/cards/{GAME}/{CLAW}/", f"/cards/{GAME}/{CLAW}/copies/"
API = f"/api/collection/{GAME}/{CLAW}/"
SECRET = "a note of my own"


@pytest.fixture
def ada(catalog: Synced) -> User:
    ada = User.objects.create_user("ada")
    holdings.take_starter(user=ada, game=GAME, product=MASTER_DECK)
    holdings.count_by_hand(owner=ada, card=claw(), token="four-copies", to=3)
    return ada


@pytest.fixture
def ada_s(client: Client, ada: User) -> Client:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    return client


def claw() -> Card:
    return Card.objects.get(slug=CLAW)


def tokens(html: str) -> list[str]:
    section = html.partition('id="own-copies"')[2]
    return re.findall(r'name="token" value="([^"]+)"', section)


def said(client: Client, **words: Any) -> Any:
    token = tokens(client.get(PAGE).content.decode())[0]
    return client.post(COPIES, {"token": token, "key": "", "count": 1} | words)


def test_four_copies_become_three_and_one(ada_s: Client, ada: User) -> None:
    html = ada_s.get(PAGE).content.decode()
    assert "No details" in html and len(tokens(html)) >= 1
    done = said(ada_s, count=3, condition="near_mint", language="en")
    assert done.status_code == 302 and done["Location"] == f"{PAGE}#own"
    said(ada_s, key="", count=1, condition="good", language="de", finish="foil", note=SECRET)
    html = ada_s.get(PAGE).content.decode()
    assert "Near mint, English" in html and "Good (lightly played), German, Foil" in html
    assert "No details" not in html and SECRET in html
    near_mint = rows_of(ada)[0]
    said(ada_s, key=near_mint.key, count=2, condition="near_mint", language="en", binder="Box")
    assert [(row.quantity, row.binder) for row in rows_of(ada)] == [(1, ""), (2, "Box"), (1, "")]
    refused = said(ada_s, key=near_mint.key, count=2, binder="Typed")
    assert refused.status_code == 409 or refused.status_code == 422
    html = refused.content.decode()
    assert "Only 1 copy matches" in html and 'value="Typed"' in html
    refused = said(ada_s, count=1, condition="shiny")
    assert refused.status_code == 422 and Holding.objects.get(card__slug=CLAW).described == 4


def test_the_table_and_the_filters_know_copies(ada_s: Client, ada: User) -> None:
    plain = queries_of(lambda: ada_s.get("/collection/?view=table"))
    html = ada_s.get("/collection/").content.decode()
    assert 'name="condition"' not in html, "nobody is asked for what is said of nothing"
    describing.describe(owner=ada, card=claw(), rows=[LP])
    html = ada_s.get("/collection/?view=table").content.decode()
    assert "1 × Good (lightly played), German, Foil, Trade binder" in html
    assert 'name="binder"' in html and "Trade binder</option>" in html
    assert queries_of(lambda: ada_s.get("/collection/?view=table")) <= plain + 2
    for query, expected in (
        ("condition=good&language=de&finish=foil&binder=Trade+binder", True),
        ("condition=good&language=en", False),
        ("finish=etched", False),
        ("binder=Elsewhere", True),  # no binder of that name: nothing is asked
    ):
        html = ada_s.get(f"/collection/?view=table&{query}").content.decode()
        assert ("Good (lightly played), German" in html) == expected, query
    describing.describe(
        owner=ada, card=Card.objects.get(slug=FLAME), rows=[Described(1, finish="Surge Foil")]
    )
    expected = ada_s.get("/api/collection/?finish=foil").json()
    assert {row["card"] for row in expected["results"]} == {CLAW, FLAME}
    expected = ada_s.get("/api/collection/?finish=foil&condition=good&binder=Trade+binder").json()
    assert [row["card"] for row in expected["results"]] == [CLAW]


def test_others_see_condition_language_and_finish_and_no_more(ada_s: Client, ada: User) -> None:
    note = Described(1, "good", "de", "foil", "Secret binder", SECRET, "secret tag", {"Price": "9"})
    describing.describe(owner=ada, card=claw(), rows=[note, Described(2, binder="Secret binder")])
    Collection.objects.create(owner=ada, visibility=Visibility.PUBLIC)
    ben = Client()
    for address in ("/collections/ada/?view=table", "/api/collection/ada/"):
        text = ben.get(address).content.decode()
        assert "secret" not in text.casefold() and SECRET not in text and "Price" not in text
    assert (
        "1 × Good (lightly played), German, Foil"
        in ben.get("/collections/ada/?view=table").content.decode()
    )
    (row,) = [
        row
        for row in ben.get("/api/collection/ada/?condition=good").json()["results"]
        if row["card"] == CLAW
    ]
    assert row["copies"] == [
        {"quantity": 1, "condition": "good", "language": "de", "finish": "foil"}
    ]
    everything = ben.get("/api/collection/ada/").json()["count"]
    count = ben.get("/api/collection/ada/?binder=Elsewhere").json()["count"]
    assert count == everything, "nobody asks for somebody else's binders"


def test_rows_by_api(ada_s: Client, ada: User) -> None:
    assert ada_s.get(API).json()["copies"] == []
    rows = {
        "copies": [
            {"quantity": 3, "condition": "near_mint", "language": "en"},
            {"quantity": 1, "condition": "good", "finish": "foil", "binder": "Box", "for_trade": 1},
        ]
    }
    for _ in range(2):
        answer = ada_s.put(f"{API}copies/", rows, content_type="application/json")
        assert answer.status_code == 200, answer.content
    listed = ada_s.get(f"{API}copies/").json()
    assert listed == answer.json() == ada_s.get(API).json()["copies"]
    assert [(row["quantity"], row["condition"], row["binder"]) for row in listed] == [
        (3, "near_mint", ""),
        (1, "good", "Box"),
    ]
    too_many = {"copies": [{"quantity": 5, "language": "de"}]}
    refused = ada_s.put(f"{API}copies/", too_many, content_type="application/json")
    assert refused.status_code == 422 and "you have 4 copies" in refused.json()["detail"]
    wrong = {"copies": [{"quantity": 1, "language": "xx"}]}
    refused = ada_s.put(f"{API}copies/", wrong, content_type="application/json")
    assert refused.status_code == 400
    assert len(rows_of(ada)) == 2


def test_a_review_and_an_export_say_what_a_list_says_of_copies(ada_s: Client, ada: User) -> None:
    text = "name,quantity,condition,language,foil,binder\nRed Claw,2,LP,de,Foil,Box 1\n"
    page = ada_s.post("/collection/import/", {"text": text, "replaces": "add"}, follow=True)
    html = page.content.decode()
    assert "Good (lightly played) · German · Foil · Box 1" in html
    html = ada_s.get("/collection/export/").content.decode()
    assert "Leaves out binders, notes, etched foil" in " ".join(html.split())


def test_what_is_refused_is_seen_whatever_became_of_the_copies(ada_s: Client, ada: User) -> None:
    refused = said(ada_s, count=9).content.decode()
    opened = re.findall(r'<details class="own-more" open>', refused)
    assert "Only 4 copies match" in refused and len(opened) == 1
    describing.describe(owner=ada, card=claw(), rows=[LP])
    key = rows_of(ada)[0].key
    describing.describe(owner=ada, card=claw(), rows=[])
    gone = said(ada_s, key=key, note="Typed").content.decode()
    assert "These copies no longer exist" in gone and 'value="Typed"' in gone


def test_what_api_says_of_copies_is_what_it_then_tells(ada_s: Client, ada: User) -> None:
    kept = Described(2, "good", "de", extra={"Purchase Price": "3.50"})
    other = Described(1, "good", "de", extra={"Purchase Price": "4"})
    describing.describe(owner=ada, card=claw(), rows=[kept, other, Described(1, extra={"a": "b"})])
    answer = ada_s.get(f"{API}copies/").json()
    rows = [{name: row[name] for name in row if name != "extra"} for row in answer]
    for _ in range(2):
        again = ada_s.put(f"{API}copies/", {"copies": rows}, content_type="application/json")
        assert again.json() == answer and len(answer) == 3
    body = {"copies": [{"quantity": 3, "condition": "mint", "for_trade": 2}]}
    said_so = ada_s.put(f"{API}copies/", body, content_type="application/json").json()
    assert [(row["quantity"], row["for_trade"]) for row in said_so] == [(3, 2)]
    assert ada_s.get(API).json()["for_trade"] == 2
