"""Versions, copies, likes and what others show, in the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

import rules
from accounts.models import User
from decks.models import Deck
from decks.services import decks as services
from decks.services import formats
from tests.games.examples import CLAW, GAME, OTHER_GAME, READY_CARDS, READY_DECK, RED_7
from tests.support.races import at_once

MakeDeck = Callable[..., Deck]

pytestmark = pytest.mark.django_db


def as_user(user: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def address(deck: Deck, end: str = "") -> str:
    return f"/api/decks/{deck.slug}/{end}"


def add(deck: Deck, by: int = 1) -> None:
    services.change_cards(user=deck.owner, slug=deck.slug, section="main", changes={CLAW: by})


def test_versions_are_listed_page_by_page(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    add(deck)
    add(deck, -1)
    client = as_user(owner)
    first = client.get(address(deck, "versions/"), {"page_size": 2}).json()
    assert [row["number"] for row in first["results"]] == [3, 2]
    assert first["results"][1]["deck"] == {"main": {CLAW: 3}}
    (last,) = client.get(first["next"]).json()["results"]
    assert (last["number"], last["size"], last["mode"], last["note"]) == (1, 2, "tournament", "")
    assert client.get(address(deck, "versions/1/")).json() == last
    assert client.get(address(deck, "versions/9/")).status_code == 404
    assert client.get(address(deck, f"versions/{10**30}/")).status_code == 404


def test_undo_redo_and_restore(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    add(deck)
    client = as_user(owner)
    undone = client.post(address(deck, "undo/")).json()
    assert (undone["version"], undone["deck"]) == (1, {"main": {CLAW: 2}})
    again = client.post(address(deck, "undo/"))
    assert (again.status_code, again.json()["type"]) == (409, "/api/problems/no-further/")
    assert client.post(address(deck, "redo/"), {"expected": 1}).json()["version"] == 2
    late = client.post(address(deck, "undo/"), {"expected": 1})
    assert late.status_code == 409
    assert late.json()["type"] == "/api/problems/deck-changed/"
    assert late.json()["version"] == 2
    restored = client.post(address(deck, "restore/"), {"version": 1}).json()
    assert (restored["version"], restored["deck"]) == (3, {"main": {CLAW: 2}})
    for wrong, status in (({}, 400), ({"version": 0}, 400), ({"version": 10**12}, 400)):
        assert client.post(address(deck, "restore/"), wrong).status_code == status
    assert client.post(address(deck, "restore/"), {"version": 99}).status_code == 404


def test_a_change_for_another_version_is_refused(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    add(deck)
    client = as_user(owner)
    late = client.patch(address(deck), {"expected": 1, "deck": {"main": {RED_7: 1}}})
    assert (late.status_code, late.json()["version"]) == (409, 2)
    assert client.get(address(deck)).json()["deck"] == {"main": {CLAW: 3}}
    assert client.patch(address(deck), {"expected": 2, "name": "Cinders"}).status_code == 200


def test_a_version_gets_a_name(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    client = as_user(owner)
    named = client.patch(address(deck, "versions/1/"), {"note": "First"}).json()
    assert (named["number"], named["note"]) == (1, "First")
    assert client.patch(address(deck, "versions/1/"), {"note": "x" * 121}).status_code == 400
    assert client.patch(address(deck, "versions/1/"), {}).status_code == 400
    bad = client.patch(address(deck, "versions/1/"), {"note": "a\u202eb"})
    assert (bad.status_code, list(bad.json()["errors"])) == (422, ["note"])


def test_lists_are_compared(make_deck: MakeDeck, owner: User, stranger: User) -> None:
    deck = make_deck(visibility="public")
    add(deck)
    other = make_deck(owner=stranger, visibility="unlisted", cards={"main": {RED_7: 1}})
    client = as_user(owner)
    changed = [{"section": "main", "card": CLAW, "before": 2, "after": 3}]
    for query in ({"a": 1}, {"a": 1, "b": 2}):
        assert client.get(address(deck, "compare/"), query).json() == {"changes": changed}
    beside = APIClient().get(address(deck, "compare/"), {"other": other.slug}).json()
    assert {(row["card"], row["before"], row["after"]) for row in beside["changes"]} == {
        (CLAW, 3, 0),
        (RED_7, 0, 1),
    }
    for wrong in ({}, {"b": 1}, {"a": 0}, {"a": 1, "other": other.slug}, {"a": "x"}):
        assert client.get(address(deck, "compare/"), wrong).status_code == 400
    other = make_deck(game=OTHER_GAME, mode="battle", cards={})
    answer = client.get(address(deck, "compare/"), {"other": other.slug})
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/problems/other-game/")


def test_a_deck_is_copied(make_deck: MakeDeck, stranger: User) -> None:
    deck = make_deck(visibility="public")
    client = as_user(stranger)
    answer = client.post(address(deck, "copy/"), {"name": "Cinders"})
    assert answer.status_code == 201
    copy = answer.json()
    assert (copy["name"], copy["owner"], copy["credit"]) == ("Cinders", "otto", "Embers by mira")
    assert copy["deck"] == {"main": {CLAW: 2}}
    assert copy["original"] == deck.slug
    services.update_deck(user=deck.owner, slug=deck.slug, visibility="private")
    assert client.get(f"/api/decks/{copy['slug']}/").json()["original"] is None
    services.update_deck(user=deck.owner, slug=deck.slug, visibility="public")
    assert client.post(address(deck, "copy/")).json()["name"] == "Embers"
    assert client.post(address(deck, "copy/"), {"name": "x" * 81}).status_code == 400


def test_a_deck_is_liked(make_deck: MakeDeck, owner: User, stranger: User) -> None:
    deck = make_deck(visibility="public")
    client = as_user(stranger)
    for _ in range(2):
        assert client.put(address(deck, "like/")).json() == {"likes": 1, "liked": True}
    assert client.get(address(deck)).json()["likes"] == 1
    assert client.delete(address(deck, "like/")).json() == {"likes": 0, "liked": False}
    client.put(address(deck, "like/"))
    for visitor, liked in ((client, True), (as_user(owner), False), (APIClient(), False)):
        assert visitor.get(address(deck, "like/")).json() == {"likes": 1, "liked": liked}
    own = as_user(owner).put(address(deck, "like/"))
    assert (own.status_code, own.json()["type"]) == (422, "/api/problems/own-deck/")


def test_notes_and_tags_are_kept(catalog: None, owner: User) -> None:
    client = as_user(owner)
    body = {"game": GAME, "mode": "tournament", "name": "Embers"}
    about = {"notes": "For clubs", "tags": ["Quick", "red, slow"]}
    kept = client.post("/api/decks/", body | about).json()
    assert (kept["notes"], kept["tags"]) == ("For clubs", ["quick", "red", "slow"])
    changed = client.patch(f"/api/decks/{kept['slug']}/", {"tags": []}).json()
    assert (changed["notes"], changed["tags"]) == ("For clubs", [])
    refused = {"tags": ["x" * 19]}, {"tags": "quick"}, {"notes": "x" * 4001}
    for wrong, status in zip(refused, (422, 400, 400), strict=True):
        answer = client.patch(f"/api/decks/{kept['slug']}/", wrong)
        assert (answer.status_code, list(answer.json()["errors"])) == (status, list(wrong))


def test_what_others_show_is_listed_by_cursor(
    make_deck: MakeDeck, stranger: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    decks = [make_deck(name=f"Embers {n}", visibility="public", tags=["red"]) for n in range(3)]
    make_deck(name="Embers private", tags=["red"])
    services.like_deck(user=stranger, slug=decks[0].slug, on=True)
    client = APIClient()
    query = {"q": "embers", "tag": "red", "game": GAME, "sort": "likes", "page_size": 2}
    with django_assert_num_queries(4):
        first = client.get("/api/decks/shared/", query).json()
    assert [row["name"] for row in first["results"]] == ["Embers 0", "Embers 2"]
    assert (first["results"][0]["likes"], first["results"][0]["tags"]) == (1, ["red"])
    rest = client.get(first["next"]).json()
    assert [row["name"] for row in rest["results"]] == ["Embers 1"]
    newest = client.get("/api/decks/shared/").json()
    assert [row["name"] for row in newest["results"]] == ["Embers 2", "Embers 1", "Embers 0"]
    assert client.get("/api/decks/shared/", {"mode": "match"}).json()["results"] == []
    assert client.get("/api/decks/shared/", {"sort": "luck"}).status_code == 400


READERS = {"anonymous": 200, "stranger": 200, "owner": 200}
OWNERS = {"anonymous": 401, "stranger": 403, "owner": 200}
# method, end of the address, body; and who gets what of a deck that is shown
ENDPOINTS: list[tuple[str, str, dict[str, Any], dict[str, int]]] = [
    ("get", "versions/", {}, OWNERS),
    ("get", "versions/1/", {}, OWNERS),
    ("patch", "versions/1/", {"note": "First"}, OWNERS),
    ("post", "undo/", {}, OWNERS),
    ("post", "redo/", {}, OWNERS | {"owner": 409}),
    ("post", "restore/", {"version": 1}, OWNERS),
    ("get", "compare/?a=1", {}, OWNERS | {"anonymous": 403}),
    ("get", "compare/?other=SELF", {}, READERS),
    ("post", "copy/", {}, {"anonymous": 401, "stranger": 201, "owner": 201}),
    ("get", "like/", {}, READERS),
    ("put", "like/", {}, {"anonymous": 401, "stranger": 200, "owner": 422}),
    ("delete", "like/", {}, {"anonymous": 401, "stranger": 200, "owner": 422}),
]


@pytest.mark.parametrize("visitor", ["anonymous", "stranger", "owner"])
@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
@pytest.mark.parametrize(("method", "end", "body", "statuses"), ENDPOINTS)
def test_who_may_do_what(
    make_deck: MakeDeck,
    owner: User,
    stranger: User,
    method: str,
    end: str,
    body: dict[str, Any],
    statuses: dict[str, int],
    visibility: str,
    visitor: str,
) -> None:
    deck = make_deck(visibility=visibility)
    add(deck)
    client = APIClient()
    if visitor != "anonymous":
        client.force_authenticate({"owner": owner, "stranger": stranger}[visitor])
    path = address(deck, end.replace("SELF", deck.slug))
    answer = getattr(client, method)(path, body or None)
    expected = statuses[visitor]
    if visibility == "private" and visitor != "owner":
        needs_account = method != "get" or "versions" in end
        expected = 401 if visitor == "anonymous" and needs_account else 404
    assert answer.status_code == expected, answer.content
    if expected >= 400:
        assert answer["Content-Type"] == "application/problem+json"


def test_my_decks_are_found_by_game_mode_and_tag(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    make_deck(name="Quick", tags=["quick", "red"])
    make_deck(name="Slow", tags=["slow"], mode="match")
    make_deck(name="Crabs", game=OTHER_GAME, mode="battle", cards={})
    make_deck(name="Other", owner=stranger, tags=["quick", "otto"], visibility="public")
    client = as_user(owner)

    def names(**query: str) -> list[str]:
        return [row["name"] for row in client.get("/api/decks/", query).json()["results"]]

    assert names(game=GAME) == ["Slow", "Quick"]
    assert names(game=GAME, mode="match") == ["Slow"]
    assert names(tag="Quick ") == ["Quick"]
    assert names(tag="qui") == names(game="chess") == []
    assert len(names()) == 3
    assert client.get("/api/decks/tags/").json() == {"tags": ["quick", "red", "slow"]}
    assert APIClient().get("/api/decks/tags/").status_code == 401


# Preconstructed decks, and requests that come twice

READY_MADE = "/api/decks/ready-made/"
COPY_READY_DECK = f"{READY_MADE}{GAME}/{READY_DECK}/copy/"


def test_ready_made_decks_are_listed(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        everything = APIClient().get(READY_MADE).json()
    assert {row["game"] for row in everything} == {
        slug for slug, game in rules.games().items() if game.starter_decks
    }
    ready = next(row for row in everything if row["slug"] == READY_DECK)
    assert (ready["deck"], ready["size"]) == (READY_CARDS, 40)
    decks = APIClient().get(READY_MADE, {"game": GAME, "mode": "tournament"}).json()
    assert {row["game"] for row in decks} == {GAME}
    assert all("tournament" in row["modes"] for row in decks)
    assert APIClient().get(READY_MADE, {"game": "chess"}).json() == []


def test_a_ready_made_deck_is_copied(catalog: None, owner: User) -> None:
    client = as_user(owner)
    copy = client.post(COPY_READY_DECK)
    assert copy.status_code == 201
    about = copy.json()
    assert (about["deck"], about["visibility"], about["owner"]) == (READY_CARDS, "private", "mira")
    wrong = client.post(COPY_READY_DECK, {"mode": "power"})
    assert (wrong.status_code, list(wrong.json()["errors"])) == (422, ["mode"])
    for nowhere in (f"chess/{READY_DECK}", f"{GAME}/none"):
        assert client.post(f"{READY_MADE}{nowhere}/copy/").status_code == 404
    assert APIClient().post(COPY_READY_DECK).status_code == 401
    assert Deck.objects.count() == 1


@pytest.mark.parametrize(
    ("end", "body"),
    [
        ("", {"game": GAME, "mode": "tournament", "name": "New"}),
        ("random/", {"game": GAME, "mode": "tournament"}),
        (f"ready-made/{GAME}/{READY_DECK}/copy/", {}),
        ("import/", {"text": "2 Red Claw", "keep": True}),
        ("SLUG/copy/", {}),
    ],
)
def test_the_same_request_twice_makes_one_deck(
    make_deck: MakeDeck, owner: User, stranger: User, end: str, body: dict[str, Any]
) -> None:
    deck = make_deck(visibility="public")
    path = f"/api/decks/{end.replace('SLUG', deck.slug)}"

    def ask(user: User, key: str) -> str:
        answer = as_user(user).post(path, body, headers={"Idempotency-Key": key})
        assert answer.status_code == 201, answer.content
        deck_slug: str = answer.json().get("kept") or answer.json()["slug"]
        return deck_slug

    first = ask(stranger, "one")
    assert Deck.objects.get(slug=first).owner == stranger
    assert ask(stranger, "one") == first
    assert ask(stranger, "two") != first
    assert ask(owner, "one") != first, "a key is its sender's own"
    again = as_user(stranger).post(path, body)
    assert again.status_code == 201
    assert Deck.objects.filter(owner=stranger).count() == 3
    for wrong in ("x" * 41, "\xe9"):
        refused = as_user(stranger).post(path, body, headers={"Idempotency-Key": wrong})
        assert (refused.status_code, list(refused.json()["errors"])) == (400, ["Idempotency-Key"])


@pytest.mark.django_db(transaction=True)
def test_the_same_request_twice_at_once_makes_one_deck(catalog: None, owner: User) -> None:
    def ask() -> int:
        key = {"Idempotency-Key": "one"}
        return int(as_user(owner).post(COPY_READY_DECK, headers=key).status_code)

    assert at_once(ask, ask, ask) == [201, 201, 201]
    assert Deck.objects.count() == 1


def test_a_copy_that_was_made_is_given_again_when_its_original_has_gone(
    make_deck: MakeDeck, stranger: User
) -> None:
    deck = make_deck(visibility="public")
    key = {"Idempotency-Key": "one"}
    first = as_user(stranger).post(address(deck, "copy/"), headers=key).json()
    services.delete_deck(user=deck.owner, slug=deck.slug)
    again = as_user(stranger).post(address(deck, "copy/"), headers=key).json()
    assert again == first | {"original": None}


def test_a_guest_s_keys_do_not_meet_those_of_their_account(
    catalog: None, owner: User, stranger: User
) -> None:
    key = {"Idempotency-Key": "one"}
    for user in (owner, stranger):
        as_user(user).post(COPY_READY_DECK, headers=key)
    services.move_decks(guest=stranger, user=owner)
    assert Deck.objects.filter(owner=owner).count() == 2


# How much is asked of the database


def test_versions_take_as_many_queries_however_many_there_are(
    make_deck: MakeDeck, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    deck, client = make_deck(), as_user(owner)
    for number in (1, 5):
        with django_assert_num_queries(2):
            assert len(client.get(address(deck, "versions/")).json()["results"]) == number
        for _ in range(4):
            add(deck)


def test_decks_take_as_many_queries_however_many_are_shown(
    make_deck: MakeDeck, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    house = formats.create_format(
        by=owner,
        game=GAME,
        mode="tournament",
        name="Own cards",
        rules_of=formats.Rules(owned_only=True),
    )
    client = as_user(owner)
    for number in (1, 4):
        for _ in range(number):
            make_deck(cards=READY_CARDS, visibility="public", tags=["red"], format=house.slug)
        # Decks, entries, cards; what their formats say now, and what the owner has.
        with django_assert_num_queries(5):
            listed = client.get("/api/decks/shared/").json()["results"]
        with django_assert_num_queries(6):  # and their number
            mine = client.get("/api/decks/", {"tag": "red"}).json()["results"]
        assert len(listed) == len(mine) == (1 if number == 1 else 5)
        assert {row["format"]["slug"] for row in listed} == {house.slug}
