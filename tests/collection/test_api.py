"""The catalog in the API."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import rules
from collection.models import Card
from collection.services.catalog import Synced, sync_catalog
from tests.collection.conftest import MakeGames, card

pytestmark = pytest.mark.django_db


def test_games_with_their_sets(client: Client, catalog: Synced) -> None:
    (kaolan,) = (game for game in client.get("/api/games/").json() if game["slug"] == "kaolan")
    assert kaolan["cards"] == 97
    assert kaolan["sets"][1] == {"slug": "booster-1", "name": "Emberfall", "number": 2}


def test_a_game_tells_its_modes_and_options(client: Client, catalog: Synced) -> None:
    game = client.get("/api/games/kaolan/").json()
    modes = {mode["slug"]: mode for mode in game["modes"]}
    assert set(modes) == set(rules.game("kaolan").modes)
    match = modes["match"]
    assert match["seats"] == [2, 3, 4]
    assert match["playable"] is True
    options = {option["slug"]: option for option in match["options"]}
    assert options["guards"]["values"] == [0, 1, 2, 3]
    assert options["guards"]["default"] == 3
    assert options["boosters"]["default"] == []
    assert options["boosters"]["names"]["booster-1"] == "Emberfall"
    assert options["turn_limit"]["kind"] == "integer"


def test_cards_with_filters_and_pages(client: Client, catalog: Synced) -> None:
    first = client.get("/api/cards/?game=kaolan").json()
    assert first["count"] == 97
    assert len(first["results"]) == 50
    second = client.get(first["next"]).json()
    slugs = [row["slug"] for row in first["results"] + second["results"]]
    assert slugs == list(Card.objects.filter(game__slug="kaolan").values_list("slug", flat=True))
    for query, where in (
        (
            {"game": "kaolan", "kind": "power", "colour": "gold"},
            {"game__slug": "kaolan", "kind": "power", "colour": "gold"},
        ),
        ({"set": "booster-2"}, {"sets__slug": "booster-2"}),
        (
            {"set": "kaolan.booster-2", "rarity": "rare"},
            {"sets__slug": "booster-2", "rarity": "rare"},
        ),
        ({"q": "qualif"}, {"text__icontains": "qualif"}),
        ({"game": "nowhere"}, {"slug": "none"}),
    ):
        found = [row["slug"] for row in client.get("/api/cards/", query).json()["results"]]
        assert found == list(Card.objects.filter(**where).values_list("slug", flat=True))
    rarest = client.get("/api/cards/", {"game": "kaolan", "sort": "rarity"}).json()["results"]
    assert rarest[0]["rarity"] == "ultra"


def test_a_card_is_complete_and_its_pictures_are_there(client: Client, catalog: Synced) -> None:
    found = client.get("/api/cards/kaolan/kao-char-red-claw/").json()
    assert found["title"] == "Red Claw"
    assert found["attributes"] == {"symbol": "claw", "level": 2, "limit": 3, "faces": [3, 4, 5, 6]}
    assert found["sets"] == [
        {"slug": "master", "name": "Master Deck", "number": 4},
        {"slug": "booster-1", "name": "Emberfall", "number": 1},
    ]
    assert found["alt"].startswith("Red Claw. ")
    assert list(found["images"]) == ["thumb", "table", "full"]
    for address in (*found["images"].values(), found["url"]):
        assert address.startswith("http://testserver/")
        assert client.get(address).status_code == 200


def test_refusals_are_problem_documents(client: Client, catalog: Synced) -> None:
    for path, status in (
        ("/api/cards/kaolan/none/", 404),
        ("/api/cards/nowhere/kao-char-red-claw/", 404),
        ("/api/games/nowhere/", 404),
        ("/api/cards/?sort=price", 400),
        ("/api/cards/?page=2", 400),
        ("/api/cards/?after=x", 400),
        ("/api/cards/?before=1.", 400),
        ("/api/cards/?page_size=0", 400),
        ("/api/cards/?page_size=201", 400),
        (f"/api/cards/?q={'x' * 200}", 400),
        ("/api/cards/?q=%00", 400),
        ("/api/cards/?kind=%00", 400),
    ):
        response = client.get(path)
        assert response.status_code == status, path
        assert response["Content-Type"] == "application/problem+json"


def test_nobody_writes_the_catalog(client: Client, catalog: Synced) -> None:
    before = Card.objects.filter(retired=False).count()
    for path in ("/api/cards/", "/api/cards/kaolan/kao-char-red-claw/", "/api/games/"):
        for method in ("post", "put", "patch", "delete"):
            response = getattr(client, method)(path, {}, content_type="application/json")
            assert response.status_code in (401, 403, 405)
    assert Card.objects.filter(retired=False).count() == before >= 97


def test_retired_cards_are_found_by_name_only(client: Client, made_up: MakeGames) -> None:
    made_up(card("adder"), card("boar"))
    sync_catalog()
    made_up(card("boar"))
    sync_catalog()
    assert client.get("/api/cards/").json()["count"] == 1
    assert client.get("/api/cards/moss-run/adder/").json()["retired"] is True


def test_constant_query_counts(
    client: Client, made_up: MakeGames, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (2, 40):
        made_up(*(card(f"card-{n}", "first", "second") for n in range(count)))
        sync_catalog()
        with django_assert_num_queries(3):  # keys, cards, printings
            assert len(client.get("/api/cards/").json()["results"]) == count
        with django_assert_num_queries(2):  # games, sets
            client.get("/api/games/")
