"""One's own cards in the API: lists, changes, sums, starters; who may do what."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from collection.models import Holding, Transfer
from collection.services import holdings as services
from collection.services.catalog import Synced
from tests.games.examples import (
    BOOSTERS,
    CLAW,
    GAME,
    GOLD_CLAW,
    MASTER_DECK,
    OTHER_GAME,
    OTHER_STARTER,
)

pytestmark = pytest.mark.django_db
CLAW_ENTRY = f"/api/collection/{GAME}/{CLAW}/"
JSON = "application/json"


@pytest.fixture
def ada(catalog: Synced) -> User:
    ada = User.objects.create_user("ada")
    services.take_starter(user=ada, game=GAME, product=MASTER_DECK)
    return ada


@pytest.fixture
def ada_s(client: Client, ada: User) -> Client:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    return client


def walk(client: Client, address: str) -> list[str]:
    slugs = []
    while address:
        page = client.get(address).json()
        slugs += [row["card"] for row in page["results"]]
        address = page["next"]
    return slugs


def test_own_cards_page_by_page(ada_s: Client, ada: User) -> None:
    first = ada_s.get("/api/collection/").json()
    assert (first["count"], len(first["results"]), first["previous"]) == (60, 50, None)
    second = ada_s.get(first["next"]).json()
    assert [second["next"], len(second["results"])] == [None, 10]
    assert ada_s.get(second["previous"]).json()["results"] == first["results"]
    held = Holding.objects.filter(owner=ada).order_by("card__place")
    for query in ("", "?page_size=7", "?sort=most&page_size=9", "?sort=newest"):
        rows = walk(ada_s, f"/api/collection/{query}")
        assert sorted(rows) == sorted(row.card.slug for row in held)
    assert walk(ada_s, "/api/collection/?page_size=7") == [row.card.slug for row in held]
    assert len(walk(ada_s, f"/api/collection/?have=missing&game={GAME}&sort=newest")) == 37
    assert len(walk(ada_s, f"/api/collection/?have=all&game={GAME}")) == 97


def test_a_holding_is_complete(ada_s: Client, ada: User) -> None:
    row = ada_s.get(CLAW_ENTRY).json()
    assert row.pop("updated_at")
    assert row == {
        "game": GAME, "card": CLAW, "title": "Red Claw", "rarity": "uncommon",
        "retired": False, "quantity": 1, "digital": 1, "physical": 0, "for_trade": 0, "wishlist": 0,
        "missing": 0, "copies": [], "tags": [], "notes": "",
    }  # fmt: skip
    nothing = ada_s.get(f"/api/collection/{GAME}/{GOLD_CLAW}/").json()
    assert nothing["quantity"] == 0
    assert not Holding.objects.filter(card__slug=GOLD_CLAW).exists()


def test_changes_are_all_or_nothing_and_once(ada_s: Client, ada: User) -> None:
    wish = {
        "change": 2,
        "key": "my-key-1",
        "for_trade": 3,
        "wishlist": 5,
        "tags": ["a", "b"],
        "notes": "n",
    }
    for _ in range(2):
        row = ada_s.patch(CLAW_ENTRY, wish, content_type=JSON).json()
        assert (row["physical"], row["quantity"], row["for_trade"], row["missing"]) == (2, 3, 3, 2)
        assert (row["tags"], row["notes"]) == (["a", "b"], "n")
    refused = ada_s.patch(
        CLAW_ENTRY, {"change": 1, "key": "my-key-2", "for_trade": 9}, content_type=JSON
    )
    assert refused.status_code == 422
    assert Holding.objects.get(card__slug=CLAW).physical == 2
    assert not Transfer.objects.filter(key__endswith="my-key-2").exists()
    row = ada_s.patch(CLAW_ENTRY, {"physical": 0, "key": "my-key-3"}, content_type=JSON).json()
    assert (row["physical"], row["for_trade"], row["wishlist"]) == (0, 1, 5)


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"change": 1}, 400),
        ({"change": 1, "physical": 1, "key": "my-key-1"}, 400),
        ({"change": 1, "key": "short"}, 400),
        ({"key": "only-a-key"}, 422),
        ({"change": -1, "key": "my-key-1"}, 409),
        ({"physical": -1, "key": "my-key-1"}, 400),
        ({"for_trade": 2}, 422),
        ({"wishlist": "many"}, 400),
        ({"tags": "a"}, 400),
        ({"notes": "x" * 2001}, 400),
        ([], 400),
    ],
)
def test_refusals(ada_s: Client, wish: object, status: int) -> None:
    answer = ada_s.patch(CLAW_ENTRY, wish, content_type=JSON)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"


def test_sums(ada_s: Client) -> None:
    summary = ada_s.get("/api/collection/summary/").json()
    assert (summary["cards"], summary["copies"], summary["digital"]) == (60, 60, 60)
    first = summary["games"][0]
    assert (first["slug"], first["owned"], first["of"]) == (GAME, 60, 97)
    assert first["sets"][0] == {"slug": "master", "name": "Master Deck", "owned": 60, "of": 60}


def test_starters(ada_s: Client) -> None:
    groups = {
        (row["game"], row["group"]): row for row in ada_s.get("/api/collection/starter/").json()
    }
    assert groups[GAME, "Master Deck"]["taken"] == "Master Deck"
    assert len(groups[GAME, "Booster Deck"]["products"]) == 6
    wish = {"game": GAME, "product": BOOSTERS[0]}
    for status in (201, 200):
        answer = ada_s.post("/api/collection/starter/", wish, content_type=JSON)
        assert (answer.status_code, answer.json()["product"]) == (
            status,
            "Booster Deck 1: Emberfall",
        )
    for other, status in ((BOOSTERS[1], 409), ("none", 404)):
        answer = ada_s.post(
            "/api/collection/starter/", wish | {"product": other}, content_type=JSON
        )
        assert answer.status_code == status


def test_settings(ada_s: Client, ada: User) -> None:
    assert ada_s.get("/api/collection/settings/").json() == {"visibility": "private"}
    for wish, status in (("public", 200), ("secret", 400)):
        answer = ada_s.patch("/api/collection/settings/", {"visibility": wish}, content_type=JSON)
        assert answer.status_code == status
    assert ada.collection.visibility == "public"


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", "/api/collection/"),
        ("get", "/api/collection/summary/"),
        ("get", "/api/collection/starter/"),
        ("post", "/api/collection/starter/"),
        ("get", "/api/collection/settings/"),
        ("patch", "/api/collection/settings/"),
        ("get", CLAW_ENTRY),
        ("patch", CLAW_ENTRY),
    ],
)
def test_one_s_own_is_for_people_who_are_known(
    client: Client, ada: User, method: str, address: str
) -> None:
    assert getattr(client, method)(address, content_type=JSON).status_code == 401


@pytest.mark.parametrize(
    "address",
    ["/api/collection/nowhere/x/", f"/api/collection/{GAME}/none/", "/api/collection/?after=x",
     "/api/collection/?have=x", "/api/collection/?page=2"],
)  # fmt: skip
def test_what_is_not_there(ada_s: Client, address: str) -> None:
    assert ada_s.get(address).status_code == (404 if "?" not in address else 400)


def test_lists_cost_the_same_whatever_the_collection(
    ada_s: Client, ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ada_s.get("/api/collection/")
    for _ in range(2):
        with django_assert_num_queries(6):  # session, person; keys, cards, printings, own copies
            ada_s.get("/api/collection/")
        services.take_starter(user=ada, game=OTHER_GAME, product=OTHER_STARTER)
