"""The history of cards in the API: page by page, by card and by reason, one's own alone."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from collection.models import Card, Collection, LedgerRow, Trade, Visibility
from collection.queries.ledger import history
from collection.services import holdings, trades
from collection.services.catalog import Synced
from tests.games.examples import CLAW, FLAME, GAME, MASTER_DECK, OTHER_GAME

pytestmark = pytest.mark.django_db
HISTORY = "/api/collection/history/"
CLAW_HISTORY = f"/api/collection/{GAME}/{CLAW}/history/"


@pytest.fixture
def ada(catalog: Synced) -> User:
    ada = User.objects.create_user("ada")
    holdings.take_starter(user=ada, game=GAME, product=MASTER_DECK)
    return ada


@pytest.fixture
def ben(catalog: Synced) -> User:
    ben = User.objects.create_user("ben")
    holdings.take_starter(user=ben, game=GAME, product=MASTER_DECK)
    return ben


@pytest.fixture
def claw(catalog: Synced) -> Card:
    return Card.objects.get(slug=CLAW)


@pytest.fixture
def trade(ada: User, ben: User, claw: Card) -> Trade:
    """Ada gave Ben her Claw for nothing."""
    Collection.objects.create(owner=ben, visibility=Visibility.PUBLIC)
    offer = trades.offer_trade(
        proposer=ada, partner=ben, gives={claw.pk: 1}, takes={}, token="t", message=""
    )
    return trades.accept_trade(trade=offer, user=ben)


def of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def keys(rows: list[dict[str, object]]) -> list[tuple[object, ...]]:
    return [(row["transfer"], row["card"], row["change"]) for row in rows]


def test_each_side_reads_a_trade_as_its_own(ada: User, ben: User, trade: Trade) -> None:
    gave = of(ada).get(CLAW_HISTORY).json()["results"]
    got = of(ben).get(CLAW_HISTORY).json()["results"]
    assert [row["change"] for row in gave] == [-1, 1]
    assert [row["change"] for row in got] == [1, 1]
    assert gave[0].pop("at")
    assert gave[0] == {
        "transfer": got[0]["transfer"], "reason": "trade", "note": "", "game": GAME,
        "card": CLAW, "title": "Red Claw", "kind": "digital", "change": -1,
        "other": "ben", "about": f"http://testserver/api/trades/{trade.slug}/",
    }  # fmt: skip
    assert of(ada).get(gave[0]["about"]).status_code == 200
    assert (got[0]["other"], gave[1]["other"], gave[1]["about"]) == ("ada", None, None)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 7, 60, 200])
def test_pages_forth_and_back_tell_everything_once(ada: User, trade: Trade, size: int) -> None:
    client, right = of(ada), [row.pk for row in history(ada)]
    rows, page = [], client.get(HISTORY, {"page_size": size}).json()
    assert page["previous"] is None
    while True:
        rows += page["results"]
        assert len(page["results"]) <= size
        if not page["next"]:
            break
        page = client.get(page["next"]).json()
    assert keys(rows) == [
        (row.transfer_id, row.card.slug, row.count if row.taker == ada else -row.count)
        for row in (LedgerRow.objects.get(pk=pk) for pk in right)
    ]
    back = page["results"]
    while page["previous"]:
        page = client.get(page["previous"]).json()
        back = page["results"] + back
    assert back == rows


def test_what_is_new_shifts_no_page(ada: User, claw: Card) -> None:
    first = of(ada).get(HISTORY, {"page_size": 5}).json()
    second = of(ada).get(first["next"]).json()
    holdings.count_by_hand(owner=ada, card=claw, token="a-new-token", change=1)
    assert of(ada).get(first["next"]).json()["results"] == second["results"]
    newest = of(ada).get(of(ada).get(first["next"]).json()["previous"]).json()
    assert newest["results"] == first["results"] and newest["previous"]


def test_by_card_and_by_reason(ada: User, trade: Trade, claw: Card) -> None:
    holdings.count_by_hand(owner=ada, card=claw, token="a-new-token", change=2)

    def told(address: str = HISTORY, **query: str) -> list[tuple[str, int]]:
        rows = of(ada).get(address, query).json()["results"]
        return [(row["reason"], row["change"]) for row in rows]

    of_claw = [("hand", 2), ("trade", -1), ("starter", 1)]
    assert told(card=claw.slug) == told(CLAW_HISTORY) == told(card=claw.slug, game=GAME) == of_claw
    assert told(reason="hand") == told(CLAW_HISTORY, reason="hand") == of_claw[:1]
    assert told(card=FLAME) == of_claw[2:]
    assert told(reason="import") == []
    assert of(ada).get(HISTORY, {"reason": "hand"}).json()["results"][0]["kind"] == "physical"


def test_refusals(ada: User, client: Client) -> None:
    assert client.get(HISTORY).status_code == client.get(CLAW_HISTORY).status_code == 401
    for address, status in (
        (f"{HISTORY}?reason=theft", 422),
        (f"{HISTORY}?card=none", 422),
        (f"{HISTORY}?card={CLAW}&game={OTHER_GAME}", 422),
        (f"{HISTORY}?after=x", 400),
        (f"{HISTORY}?before=-1", 400),
        (f"{HISTORY}?after={'9' * 19}", 400),
        (f"{HISTORY}?page_size=201", 400),
        (f"/api/collection/{GAME}/none/history/", 404),
    ):
        answer = of(ada).get(address)
        assert answer.status_code == status, address
        assert answer["Content-Type"] == "application/problem+json"
    assert of(ada).post(HISTORY).status_code == 405


def test_a_page_costs_the_same_however_much_there_is(
    ada: User, claw: Card, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = of(ada)
    for size in (5, 50):
        with django_assert_num_queries(5):  # session, person, given, taken, rows
            assert len(client.get(HISTORY, {"page_size": size}).json()["results"]) == size
