"""Building by API: cards by number, random decks, shape."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

import rules
from accounts.models import User
from decks.models import Deck
from decks.queries import decks as queries

CLAW, RED_7 = "kao-char-red-claw", "kao-pow-red-07"
WILDFIRE = rules.game("kaolan").starter_decks["kaolan-ready-wildfire"].cards
MakeDeck = Callable[..., Deck]

pytestmark = pytest.mark.django_db


def as_user(user: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


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
        assert as_user(owner).patch(address, wrong, format="json").status_code == 400
    assert queries.decklist(deck) == {"main": {CLAW: 1, RED_7: 2}}


def test_a_random_deck_is_legal(catalog: None, owner: User) -> None:
    about = {"game": "kaolan", "mode": "tournament"}
    answer = as_user(owner).post("/api/decks/random/", about, format="json")
    assert answer.status_code == 201
    assert answer.json()["legal"] is True
    assert answer.json()["name"] == "Random deck"
    poor = as_user(owner).post("/api/decks/random/", about | {"owned_only": True}, format="json")
    assert poor.status_code == 422
    for wrong in ({"mode": "blitz"}, {"game": "chess"}, {"format": "nothing"}):
        answer = as_user(owner).post("/api/decks/random/", about | wrong, format="json")
        assert answer.status_code == 400, wrong
    assert APIClient().post("/api/decks/random/", about, format="json").status_code in (401, 403)
    assert Deck.objects.count() == 1


def test_the_shape_of_a_deck_that_one_may_see(make_deck: MakeDeck, stranger: User) -> None:
    deck = make_deck(cards=WILDFIRE, visibility="unlisted")
    address = f"/api/decks/{deck.slug}/shape/"
    asked = {"cards": RED_7, "seed": "cd" * 32}
    answer = APIClient().get(address, asked).json()
    copies = WILDFIRE["main"].get(RED_7, 0)
    assert answer["section"] == "main"
    assert answer["odds"]["size"] == 40
    assert (answer["odds"]["wanted"], answer["odds"]["hand"]) == (copies, 4)
    assert sum(answer["odds"]["exactly"]) == pytest.approx(1)
    assert {one["slug"] for one in answer["charts"]} >= {"kind", "colour", "numbers"}
    assert len(answer["sample"]["cards"]) == 4
    assert answer["sample"] == APIClient().get(address, asked).json()["sample"]
    for wrong in ({"hand": 0}, {"least": -1}, {"seed": "12"}):
        assert APIClient().get(address, wrong).status_code == 400
    private = make_deck()
    assert as_user(stranger).get(f"/api/decks/{private.slug}/shape/").status_code == 404
