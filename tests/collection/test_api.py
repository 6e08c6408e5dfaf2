"""The catalog in the API."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import rules
from collection.models import Card
from collection.services.catalog import Synced, sync_catalog
from tests.collection.conftest import MakeGames, card
from tests.games.examples import (
    BOX_GAME,
    CLAW,
    EXAMPLE,
    GAME,
    MASTER_DECK,
    OTHER,
    OTHER_DOUBLES,
    OTHER_GAME,
    OTHER_LENT,
    OTHER_PACK,
    OTHER_STARTER,
    PACK,
    RULED_CARD,
    RULING,
    TILE_GAME,
)

pytestmark = pytest.mark.django_db


def test_games_with_their_sets(client: Client, catalog: Synced) -> None:
    (listed_game,) = (game for game in client.get("/api/games/").json() if game["slug"] == GAME)
    assert listed_game["cards"] == 97
    assert listed_game["sets"][1] == {"slug": "booster-1", "name": "Emberfall", "number": 2}


def test_a_game_tells_its_modes_and_options(client: Client, catalog: Synced) -> None:
    game = client.get(f"/api/games/{GAME}/").json()
    modes = {mode["slug"]: mode for mode in game["modes"]}
    assert set(modes) == set(EXAMPLE.modes)
    match = modes["match"]
    assert match["seats"] == [2, 3, 4]
    assert match["playable"] is True
    options = {option["slug"]: option for option in match["options"]}
    assert options["guards"]["values"] == [0, 1, 2, 3]
    assert options["guards"]["default"] == 3
    assert options["boosters"]["default"] == []
    assert options["boosters"]["names"]["booster-1"] == "Emberfall"
    assert options["turn_limit"]["kind"] == "integer"


def test_a_game_tells_what_its_decks_and_house_formats_are_made_of(
    client: Client, catalog: Synced
) -> None:
    modes = {mode["slug"]: mode for mode in client.get(f"/api/games/{OTHER_GAME}/").json()["modes"]}
    battle, multi = (
        {option["slug"]: option for option in modes[mode]["format_options"]}
        for mode in ("battle", "multi")
    )
    assert (battle["set_size"]["kind"], battle["set_size"]["values"]) == ("integer", [1, 300])
    assert (battle["doubles"]["kind"], battle["doubles"]["values"]) == ("switch", [])
    assert battle["doubles"]["rule"] == OTHER_DOUBLES
    shells = battle["plain_shells"]
    assert (shells["kind"], shells["usual"]) == ("subset", ["silver", "gold"])
    assert shells["names"]["saphire"] == "Saphire" and set(shells["names"]) == set(shells["values"])
    assert (multi["trump_size"]["kind"], multi["trump_size"]["values"]) == (
        "choice",
        [10, 15, 20, 30],
    )
    assert set(battle) - set(multi) == {"target", "set_size", "starter_clash"}
    army = client.get(f"/api/games/{TILE_GAME}/").json()["modes"][2]
    assert army["sections"] == ["field", "tokens", "towers"]


def test_a_game_tells_its_products_and_ready_made_decks(client: Client, catalog: Synced) -> None:
    games = {slug: client.get(f"/api/games/{slug}/").json() for slug in rules.games()}
    for slug, game in games.items():
        assert [deck["slug"] for deck in game["decks"]] == list(rules.game(slug).starter_decks)
        for product in game["products"]:
            if product["lent"]:
                assert product["odds"] is None and not product["gift"]
            else:
                assert client.get(product["odds"]).json()["product"] == product["slug"]
    other = {product["slug"]: product for product in games[OTHER_GAME]["products"]}
    assert other[OTHER_LENT]["lent"] and other[OTHER_PACK]["kind"] == "random"
    assert other[OTHER_PACK]["gift"] and other[OTHER_STARTER]["gift"]
    assert other[OTHER_STARTER]["starter"] == "Starter Deck"
    lunchbox = games[BOX_GAME]["products"][7]
    assert (lunchbox["slug"], lunchbox["kind"], lunchbox["gift"]) == ("lunchbox", "box", False)
    assert not games[GAME]["products"][0]["gift"]  # the one Master Deck is nobody's choice
    ready = games[GAME]["decks"][1]
    assert ready["modes"] == ["tournament"]
    assert sum(ready["cards"]["main"].values()) == 40
    assert "modes" not in client.get("/api/games/").json()[0]


def test_cards_with_filters_and_pages(client: Client, catalog: Synced) -> None:
    first = client.get(f"/api/cards/?game={GAME}").json()
    assert first["count"] == 97
    assert len(first["results"]) == 50
    second = client.get(first["next"]).json()
    slugs = [row["slug"] for row in first["results"] + second["results"]]
    assert slugs == list(Card.objects.filter(game__slug=GAME).values_list("slug", flat=True))
    for query, where in (
        (
            {"game": GAME, "kind": "power", "colour": "gold"},
            {"game__slug": GAME, "kind": "power", "colour": "gold"},
        ),
        ({"set": "booster-2"}, {"sets__slug": "booster-2"}),
        (
            {"set": f"{GAME}.booster-2", "rarity": "rare"},
            {"sets__slug": "booster-2", "rarity": "rare"},
        ),
        ({"q": "qualif"}, {"text__icontains": "qualif"}),
        ({"game": "nowhere"}, {"slug": "none"}),
    ):
        matching = [row["slug"] for row in client.get("/api/cards/", query).json()["results"]]
        assert matching == list(Card.objects.filter(**where).values_list("slug", flat=True))
    rarest = client.get("/api/cards/", {"game": GAME, "sort": "rarity"}).json()["results"]
    assert rarest[0]["rarity"] == "ultra"


def test_a_card_is_complete_and_its_pictures_are_there(client: Client, catalog: Synced) -> None:
    shown_card = client.get(f"/api/cards/{GAME}/{CLAW}/").json()
    assert shown_card["title"] == "Red Claw"
    assert shown_card["attributes"] == {
        "symbol": "claw",
        "level": 2,
        "limit": 3,
        "faces": [3, 4, 5, 6],
    }
    assert shown_card["sets"] == [
        {"slug": "master", "name": "Master Deck", "number": 4},
        {"slug": "booster-1", "name": "Emberfall", "number": 1},
    ]
    assert shown_card["alt"].startswith("Red Claw. ")
    assert list(shown_card["images"]) == ["thumb", "table", "full"]
    for address in (*shown_card["images"].values(), shown_card["url"]):
        assert address.startswith("http://testserver/")
        assert client.get(address).status_code == 200


def test_a_card_tells_its_rulings_and_where_it_is_to_be_had(
    client: Client, catalog: Synced
) -> None:
    card = client.get(f"/api/cards/{OTHER_GAME}/{RULED_CARD}/").json()
    (ruling,) = card["rulings"]
    assert ruling["rule"] == RULING and "MalApple" in ruling["text"]
    claw = client.get(f"/api/cards/{GAME}/{CLAW}/").json()
    products = {product["slug"]: product for product in claw["products"]}
    assert products[MASTER_DECK]["copies"] and not products[PACK]["copies"]
    assert products[PACK]["odds"] == (f"http://testserver/api/packs/odds/{GAME}/{PACK}/")
    assert MASTER_DECK in [deck["slug"] for deck in claw["decks"]]
    assert claw["rulings"] == []
    assert "rulings" not in client.get("/api/cards/").json()["results"][0]


def test_a_lent_product_has_no_odds_to_lead_to(client: Client, catalog: Synced) -> None:
    slug = next(iter(OTHER.products[OTHER_LENT].cards))
    card = client.get(f"/api/cards/{OTHER_GAME}/{slug}/").json()
    (lent,) = (product for product in card["products"] if product["lent"])
    assert (lent["slug"], lent["odds"]) == (OTHER_LENT, None)
    page = client.get(f"/cards/{OTHER_GAME}/{slug}/").content.decode()
    assert "provided for every match" in page
    for address in re.findall(r'href="(/packs/odds/[^"]+)"', page):
        assert client.get(address).status_code == 200


def test_refusals_are_problem_documents(client: Client, catalog: Synced) -> None:
    for path, status in (
        (f"/api/cards/{GAME}/none/", 404),
        (f"/api/cards/nowhere/{CLAW}/", 404),
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
    for path in ("/api/cards/", f"/api/cards/{GAME}/{CLAW}/", "/api/games/"):
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
