"""Building by API: cards by number, random decks, shape."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from accounts.models import User
from collection.models import Card, Game, Holding
from collection.services.ledger import digital_to, transfer
from decks.models import Deck
from decks.queries import decks as queries
from decks.services import formats
from tests.games.examples import CLAW, FLAME, GAME, READY_CARDS, RED_7

MakeDeck = Callable[..., Deck]

pytestmark = pytest.mark.django_db


def as_user(user: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def give(owner: User, cards: dict[str, int]) -> None:
    """Deal a person these cards."""
    keys = dict(Card.objects.filter(slug__in=cards).values_list("slug", "pk"))
    moves = digital_to(owner, {keys[slug]: count for slug, count in cards.items()})
    transfer(key=f"test:{owner.pk}", reason="grant", movements=moves)


def test_cards_change_by_number_for_the_version_that_was_seen(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    deck = make_deck(visibility="public")
    address = f"/api/decks/{deck.slug}/cards/"
    body = {"changes": {CLAW: -1, RED_7: 2}, "expected": 1}
    answer = as_user(owner).patch(address, body, format="json")
    assert answer.status_code == 200
    assert answer.json()["deck"] == {"main": {CLAW: 1, RED_7: 2}}
    assert answer.json()["version"] == 2
    late = as_user(owner).patch(address, body, format="json")
    assert (late.status_code, late.json()["version"]) == (409, 2)
    assert as_user(stranger).patch(address, body, format="json").status_code == 403
    assert APIClient().patch(address, body, format="json").status_code in (401, 403)
    for wrong in ({}, {"changes": {}}, {"changes": {CLAW: 1000}}, {"changes": {CLAW: "x"}}):
        assert as_user(owner).patch(address, wrong, format="json").status_code == 400
    for wrong in ({"changes": {"none": 1}}, {"section": "side", "changes": {CLAW: 1}}):
        assert as_user(owner).patch(address, wrong, format="json").status_code == 422
    assert queries.decklist(deck) == {"main": {CLAW: 1, RED_7: 2}}


def test_a_maybeboard_is_its_owner_s(make_deck: MakeDeck, owner: User, stranger: User) -> None:
    deck = make_deck(visibility="public")
    address = f"/api/decks/{deck.slug}/maybeboard/"
    for _ in range(2):
        answer = as_user(owner).put(address, {"cards": {CLAW: 2, RED_7: 1}}, format="json")
        assert (answer.status_code, answer.json()) == (200, {"cards": {CLAW: 2, RED_7: 1}})
    assert as_user(owner).get(address).json() == {"cards": {CLAW: 2, RED_7: 1}}
    deck.refresh_from_db()
    assert (deck.maybe, deck.version) == ({CLAW: 2, RED_7: 1}, 1)
    for wrong in ({"cards": {"none": 1}}, {"cards": {}, "section": "main"}):
        assert as_user(owner).put(address, wrong, format="json").status_code == 422
    for wrong in ({"cards": {CLAW: 0}}, {"cards": {CLAW: 1000}}, {}):
        assert as_user(owner).put(address, wrong, format="json").status_code == 400
    for call in (as_user(stranger).get, as_user(stranger).put):
        assert call(address, {"cards": {}}, format="json").status_code == 403
    assert CLAW not in str(APIClient().get(f"/api/decks/{deck.slug}/").json().get("maybe"))
    assert as_user(owner).put(address, {"cards": {}}, format="json").json() == {"cards": {}}


def test_decks_to_build_are_those_of_the_page(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    make_deck(name="Near", cards={"main": {CLAW: 30}}, visibility="public")
    give(stranger, {CLAW: 20})
    page = as_user(stranger).get("/api/decks/buildable/").json()
    (near,) = [row for row in page["results"] if row["deck"]]
    assert page["game"] == GAME and page["next_page"] is None
    assert (near["name"], near["size"], near["owned"], near["missing"]) == ("Near", 30, 20, 10)
    missing = [row["missing"] for row in page["results"]]
    assert missing == sorted(missing) and any(row["ready_made"] for row in page["results"])
    assert as_user(stranger).get("/api/decks/buildable/?page=2").json()["results"] == []
    for wrong in ("game=chess", "page=0", "page=x"):
        assert as_user(stranger).get(f"/api/decks/buildable/?{wrong}").status_code == 400
    Game.objects.filter(slug=GAME).update(slug="not-installed")
    assert as_user(stranger).get("/api/decks/buildable/").status_code == 200


def test_a_random_deck_is_legal(catalog: None, owner: User) -> None:
    about = {"game": GAME, "mode": "tournament"}
    answer = as_user(owner).post("/api/decks/random/", about, format="json")
    assert answer.status_code == 201
    assert answer.json()["legal"] is True
    assert answer.json()["name"] == "Random deck"
    poor = as_user(owner).post("/api/decks/random/", about | {"owned_only": True}, format="json")
    assert poor.status_code == 422
    for wrong in ({"mode": "blitz"}, {"game": "chess"}, {"format": "nothing"}):
        answer = as_user(owner).post("/api/decks/random/", about | wrong, format="json")
        assert answer.status_code == 422, wrong
    assert APIClient().post("/api/decks/random/", about, format="json").status_code in (401, 403)
    assert Deck.objects.count() == 1


def test_the_shape_of_a_deck_that_one_may_see(make_deck: MakeDeck, stranger: User) -> None:
    deck = make_deck(cards=READY_CARDS, visibility="unlisted")
    address = f"/api/decks/{deck.slug}/stats/"
    query = {"cards": RED_7, "seed": "cd" * 32}
    answer = APIClient().get(address, query).json()
    copies = READY_CARDS["main"].get(RED_7, 0)
    assert answer["section"] == "main"
    assert answer["odds"]["size"] == 40
    assert (answer["odds"]["wanted"], answer["odds"]["hand"]) == (copies, 4)
    assert sum(answer["odds"]["exactly"]) == pytest.approx(1)
    assert {chart["slug"] for chart in answer["charts"]} >= {"kind", "colour", "numbers"}
    assert len(answer["sample"]["cards"]) == 4
    assert answer["sample"] == APIClient().get(address, query).json()["sample"]
    for wrong in ({"hand": 0}, {"least": -1}, {"seed": "12"}):
        assert APIClient().get(address, wrong).status_code == 400
    private = make_deck()
    assert as_user(stranger).get(f"/api/decks/{private.slug}/stats/").status_code == 404


# What I own and what I lack


def test_what_a_deck_needs_is_counted_for_whoever_asks(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    deck = make_deck(cards={"main": {CLAW: 2, RED_7: 1, FLAME: 1}}, visibility="unlisted")
    give(stranger, {CLAW: 1, FLAME: 3})
    address = f"/api/decks/{deck.slug}/needs/"
    answer = as_user(stranger).get(address).json()
    assert (answer["size"], answer["missing"]) == (4, 2)
    rows = {row["card"]: row for row in answer["cards"]}
    claw = {"card": CLAW, "title": "Red Claw", "count": 2, "owned": 1, "wishlist": 0, "missing": 1}
    assert rows[CLAW] == claw
    assert (rows[FLAME]["owned"], rows[FLAME]["missing"]) == (3, 0)
    assert [(row["card"], row["missing"]) for row in answer["needs"]] == [(CLAW, 1), (RED_7, 1)]
    mine = as_user(owner).get(address).json()
    assert (mine["missing"], {row["owned"] for row in mine["cards"]}) == (4, {0})


def test_needs_take_as_many_queries_however_large_the_deck(
    make_deck: MakeDeck, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    small, large = make_deck(), make_deck(cards=READY_CARDS)
    client = as_user(owner)
    for deck in (small, large):
        with django_assert_num_queries(3):
            client.get(f"/api/decks/{deck.slug}/needs/")


def test_what_is_missing_is_wished_for_once(make_deck: MakeDeck, stranger: User) -> None:
    deck = make_deck(cards={"main": {CLAW: 2, RED_7: 1}}, visibility="public")
    give(stranger, {CLAW: 1})
    client, address = as_user(stranger), f"/api/decks/{deck.slug}/wishlist/"
    assert client.post(address).json() == {"added": 2}
    assert client.post(address).json() == {"added": 0}
    wanted = Holding.objects.filter(owner=stranger, wishlist__gt=0)
    assert dict(wanted.values_list("card__slug", "wishlist")) == {CLAW: 2, RED_7: 1}
    needs = client.get(f"/api/decks/{deck.slug}/needs/").json()["needs"]
    assert {row["card"]: row["wishlist"] for row in needs} == {CLAW: 2, RED_7: 1}


def test_a_deck_is_filled_from_what_i_own(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(cards={"main": {CLAW: 1}})
    client, address = as_user(owner), f"/api/decks/{deck.slug}/fill/"
    nothing = client.post(address).json()
    assert (nothing["added"], nothing["version"]) == (0, 1)
    give(owner, dict(READY_CARDS["main"]))
    filled = client.post(address, {"expected": 1}).json()
    assert (filled["added"], filled["version"]) == (filled["size"] - 1, 2)
    assert filled["legal"] is True
    late = client.post(address, {"expected": 1})
    assert (late.status_code, late.json()["version"]) == (409, 2)
    again = client.post(address).json()
    assert (again["added"], again["version"]) == (0, 2)
    assert client.post(address, {"expected": "x"}).status_code == 400


def test_a_deck_gets_random_cards(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    client, address = as_user(owner), f"/api/decks/{deck.slug}/random/"
    drawn = client.post(address, {"expected": 1}).json()
    assert (drawn["legal"], drawn["version"], drawn["name"]) == (True, 2, "Embers")
    late = client.post(address, {"expected": 1})
    assert (late.status_code, late.json()["type"]) == (409, "/api/problems/deck-changed/")
    assert queries.decklist(deck) == drawn["deck"]
    assert client.post(f"/api/decks/{deck.slug}/undo/").json()["deck"] == {"main": {CLAW: 2}}


def test_a_format_that_leaves_no_deck_is_said(make_deck: MakeDeck, owner: User) -> None:
    custom = formats.create_format(
        by=owner,
        game=GAME,
        mode="tournament",
        name="Own cards",
        rules_of=formats.Rules(owned_only=True),
    )
    deck = make_deck(format=custom.slug)
    answer = as_user(owner).post(f"/api/decks/{deck.slug}/random/")
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/problems/no-legal-deck/")
    assert queries.decklist(deck) == {"main": {CLAW: 2}}


ANYBODY = {"anonymous": 401, "stranger": 200, "friend": 200, "staff": 200, "owner": 200}
ITS_OWNER = {"anonymous": 401, "stranger": 403, "friend": 403, "staff": 403, "owner": 200}


@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
@pytest.mark.parametrize(
    ("method", "end", "statuses"),
    [
        ("get", "needs/", ANYBODY),
        ("post", "wishlist/", ANYBODY),
        ("post", "fill/", ITS_OWNER),
        ("post", "random/", ITS_OWNER),
    ],
)
def test_who_may_build(
    make_deck: MakeDeck,
    people: dict[str, APIClient],
    method: str,
    end: str,
    statuses: dict[str, int],
    visibility: str,
) -> None:
    deck = make_deck(visibility=visibility)
    for name, expected in statuses.items():
        if visibility == "private" and name not in ("anonymous", "owner"):
            expected = 404
        answer = getattr(people[name], method)(f"/api/decks/{deck.slug}/{end}")
        assert answer.status_code == expected, name
    nowhere = getattr(people["owner"], method)(f"/api/decks/nothing-here/{end}")
    assert nowhere.status_code == 404
