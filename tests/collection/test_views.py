"""The gallery, the card pages, and pictures over HTTP."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models.signals import post_init
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django import DjangoAssertNumQueries

from collection.drawing.pictures import card_back_url, card_image_url
from collection.models import Card, CardInSet, CardSet, Facet, Holding
from collection.services.catalog import Synced, sync_catalog
from tests.collection.conftest import MakeGames, card
from tests.games.examples import ABILITY_SLUGS, BATTLE_FURY, CLAW, DEEP_RESERVES, GAME, GAME_NAME

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
GALLERY = "/cards/"
CLAW_PAGE = f"/cards/{GAME}/{CLAW}/"


def shown(client: Client, query: str = "") -> list[str]:
    """Slugs of the cards on a gallery page, in order."""
    html = client.get(GALLERY + query).content.decode()
    return re.findall(r'<li>\s*<a href="/cards/[a-z-]+/([a-z0-9-]+)/">', html)


# Pictures


@pytest.mark.parametrize("size", ["thumb", "table", "full"])
def test_a_picture_may_be_kept_for_ever(client: Client, size: str) -> None:
    response = client.get(card_image_url(GAME, CLAW, size))
    assert response.status_code == 200
    assert response["Content-Type"] == "image/webp"
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")
    with Image.open(BytesIO(response.content)) as picture:
        assert picture.size == {"thumb": (126, 176), "table": (252, 352), "full": (756, 1056)}[size]

    for known in (response["ETag"], f"W/{response['ETag']}", f'"x", {response["ETag"]}', "*"):
        again = client.get(response.request["PATH_INFO"], headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == response["ETag"]
    other = client.get(response.request["PATH_INFO"], headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


@pytest.mark.parametrize(
    "address",
    [card_image_url(GAME, CLAW, "thumb"), card_back_url(GAME, "thumb")],
)
def test_an_outdated_address_leads_to_the_present_one(client: Client, address: str) -> None:
    old = re.sub(r"thumb-\w+", "thumb-0123456789abcdef", address)
    response = client.get(old)
    assert response.status_code == 302
    assert response["Location"] == address
    assert response["Cache-Control"] == "no-cache"
    assert client.get(response["Location"]).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        f"/cards/{GAME}/no-such-card/table-0123456789abcdef.webp",
        f"/cards/nowhere/{CLAW}/table-0123456789abcdef.webp",
        f"/cards/{GAME}/{CLAW}/huge-0123456789abcdef.webp",
        f"/cards/{GAME}/{CLAW}/table.webp",
        f"/cards/{GAME}/../../../etc/passwd/table-0123456789abcdef.webp",
        f"/cards/{GAME}/%2e%2e%2f%2e%2e%2fsecret/table-0123456789abcdef.webp",
        "/cards/%2e%2e/%2e%2e/table-0123456789abcdef.webp",
        f"/cards/{GAME}/{CLAW}/table-..%2f..%2fsecret.webp",
        f"/cards/{GAME}/{CLAW}%00/table-0123456789abcdef.webp",
        "/card-backs/nowhere/table-0123456789abcdef.webp",
        f"/card-backs/{GAME}/huge-0123456789abcdef.webp",
        "/card-backs/..%2f/table-0123456789abcdef.webp",
        f"/cards/{GAME}/no-such-card/",
        f"/cards/nowhere/{CLAW}/",
    ],
)
def test_what_does_not_exist_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [GALLERY, CLAW_PAGE, card_image_url(GAME, CLAW), card_back_url(GAME)],
)
def test_everybody_may_look_and_nobody_may_write(
    client: Client, catalog: Synced, path: str
) -> None:
    member = get_user_model().objects.create_user("mira")
    assert client.get(path).status_code == 200
    assert client.head(path).status_code == 200
    for method in ("post", "put", "patch", "delete"):
        assert getattr(client, method)(path).status_code == 405
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(path).status_code == 200


def test_a_picture_asks_the_database_nothing(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = card_image_url(GAME, CLAW, "thumb")
    with django_assert_num_queries(0):
        client.get(address)


# The gallery


@pytest.mark.parametrize(
    ("query", "where"),
    [
        (f"?game={GAME}&colour=gold", {"game__slug": GAME, "colour": "gold"}),
        ("?kind=ability", {"kind": "ability"}),
        ("?rarity=ultra", {"rarity": "ultra"}),
        (f"?set={GAME}.booster-3", {"sets__slug": "booster-3"}),
        (f"?set={GAME}.booster-3&kind=power&colour=gold",
         {"sets__slug": "booster-3", "kind": "power", "colour": "gold"}),
        ("?q=qualif", {"text__icontains": "qualif"}),
        ("?q=STINGER", {"title__icontains": "stinger"}),
        (f"?q={ABILITY_SLUGS}", {"kind": "ability"}),
    ],
)  # fmt: skip
def test_filters_show_just_what_they_say(
    client: Client, catalog: Synced, query: str, where: dict[str, str]
) -> None:
    expected = list(Card.objects.filter(**where).values_list("slug", flat=True))
    assert 0 < len(expected) <= 48
    assert shown(client, query) == expected


def test_every_word_must_occur(client: Client, catalog: Synced) -> None:
    assert shown(client, "?q=claw+red") == [CLAW]
    assert shown(client, "?q=%25") == []
    assert shown(client, "?q=_________") == []


def test_unknown_values_are_ignored_and_what_was_typed_is_kept_safe(
    client: Client, catalog: Synced
) -> None:
    for query in (
        "?game=nowhere", "?colour=pink", "?sort=price", f"?set={GAME}.x", "?page=x", "?page=0",
        "?rarity=&kind=&q=", "?q=%00",
    ):  # fmt: skip
        assert client.get(GALLERY + query).status_code == 200
    assert len(shown(client, "?colour=pink")) == 48
    html = client.get(GALLERY, {"q": '"><script>alert(1)</script>'}).content.decode()
    assert "<script>alert" not in html
    assert "No cards found" in html
    assert client.get(GALLERY, {"q": "x" * 5000}).status_code == 200


def test_orders(client: Client, catalog: Synced) -> None:
    assert shown(client, "?kind=ability&sort=name")[:2] == [
        BATTLE_FURY,
        DEEP_RESERVES,
    ]
    ranks = [Card.objects.get(slug=slug).rarity_rank for slug in shown(client, "?sort=rarity")]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] == max(Card.objects.values_list("rarity_rank", flat=True))


def walk(client: Client, address: str, rel: str) -> list[list[str]]:
    """The pages from an address on, following their links to the next or the previous one."""
    pages = []
    while address:
        html = client.get(address).content.decode()
        pages.append(re.findall(r'<li>\s*<a href="/cards/[a-z-]+/([a-z0-9-]+)/">', html))
        links = re.findall(rf'href="(\?[^"]+)" rel="{rel}"', html)
        address = GALLERY + links[0].replace("&amp;", "&") if links else ""
    return pages


@pytest.mark.parametrize("sort", ["number", "name", "rarity"])
def test_pages_hold_every_card_once_there_and_back(
    client: Client, catalog: Synced, sort: str
) -> None:
    forwards = walk(client, f"{GALLERY}?game={GAME}&sort={sort}", "next")
    assert [len(page) for page in forwards] == [48, 48, 1]
    column = {"number": "place", "name": "name_place", "rarity": "rarity_place"}[sort]
    cards = Card.objects.filter(game__slug=GAME).order_by(column)
    assert [slug for page in forwards for slug in page] == [card.slug for card in cards]
    mark = f"{getattr(cards[96], column)}.{cards[96].pk}"
    back = walk(client, f"{GALLERY}?game={GAME}&sort={sort}&before={mark}", "prev")
    assert back == [forwards[1], forwards[0]]


def test_pages_keep_the_filters(client: Client, catalog: Synced) -> None:
    html = client.get(GALLERY, {"game": GAME, "sort": "name", "view": "table"}).content.decode()
    assert f'href="?game={GAME}&amp;sort=name&amp;view=table&amp;after=' in html


def test_a_mark_that_is_none_leads_to_the_first_page(client: Client, catalog: Synced) -> None:
    first = shown(client)
    for mark in ("x", "1", "1.", "1.x", "1.2.3", "٣.٤", f"{10**30}.1", "999999999.1"):
        assert shown(client, f"?after={mark}") == first
        assert client.get(GALLERY, {"before": mark, "sort": "name"}).status_code == 200


def test_htmx_gets_the_wall_alone_and_a_clean_address(client: Client, catalog: Synced) -> None:
    query = {"q": "", "game": GAME, "set": "", "colour": "gold", "sort": "number"}
    part = client.get(GALLERY, query, headers={"HX-Request": "true"})
    html = part.content.decode()
    assert "<html" not in html
    assert part["HX-Push-Url"] == f"/cards/?game={GAME}&colour=gold"
    assert "HX-Request" in part["Vary"]
    assert html.count('hx-swap-oob="true" id="id_set"') == 1
    assert re.findall(r'id="(\w+)"[^>]* hx-swap-oob="innerHTML"', html) == [
        "found", "said_kind", "said_colour", "said_rarity",
        "boxes_kind", "boxes_colour", "boxes_rarity",
    ]  # fmt: skip
    assert "21 cards found." in html
    bare = client.get(GALLERY, headers={"HX-Request": "true"})
    assert bare["HX-Push-Url"] == "/cards/"
    back = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in client.get(GALLERY, headers=back).content.decode()


def test_retired_cards_leave_the_gallery_but_keep_their_page(
    client: Client, made_up: MakeGames
) -> None:
    made_up(card("adder"), card("boar"))
    sync_catalog()
    made_up(card("boar"))
    sync_catalog()
    assert shown(client) == ["boar"]
    html = client.get("/cards/moss-run/adder/").content.decode()
    assert "Retired" in html
    assert (
        client.get(re.findall(r'src="(/cards/moss-run/adder/full-\w+\.webp)"', html)[0]).status_code
        == 200
    )


def test_choices_follow_the_game(client: Client, catalog: Synced) -> None:
    from collection.models import CardSet, Game

    other = Game.objects.create(slug="other", name="Other", sort_number=9)
    CardSet.objects.create(game=other, slug="master", name="Main Set", number=1)
    html = client.get(GALLERY).content.decode()
    assert f"{GAME_NAME}: Master Deck" in html
    assert "Other: Main Set" in html
    html = client.get(GALLERY, {"game": GAME}).content.decode()
    assert ">Master Deck<" in html
    assert "Main Set" not in html


def test_the_wall_asks_a_constant_number_of_queries(
    client: Client, made_up: MakeGames, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (2, 47):
        made_up(*(card(f"card-{n}", "first", "second") for n in range(count)))
        sync_catalog()
        with django_assert_num_queries(6):  # games, facets, sets; keys, cards, printings
            assert len(shown(client)) == count
        # SQLite asks first how many cards have the word.
        with django_assert_num_queries(7 if connection.vendor == "sqlite" else 6):
            assert len(shown(client, "?q=card&kind=beast&set=moss-run.first&sort=name")) == count


# A card's page


def test_a_card_page_says_everything(client: Client, catalog: Synced) -> None:
    html = client.get(CLAW_PAGE).content.decode()
    for words in (
        "<h1>Red Claw</h1>", "Attacks on 3, 4, 5 or 6.", "<dt>Power limit</dt><dd>3</dd>",
        "Master Deck", "Emberfall", "Uncommon", 'alt="Red Claw. Red Character of level 2.',
    ):  # fmt: skip
        assert words in html
    assert card_image_url(GAME, CLAW, "full") in html
    others = re.findall(r'alt="([^"]+)"\s+width="126"', html)
    assert others == ["Green Claw", "Blue Claw", "Gold Claw"]


def test_neighbours_lead_through_the_whole_catalog(client: Client, catalog: Synced) -> None:
    slugs = list(Card.objects.filter(game__slug=GAME).values_list("slug", flat=True))
    first = client.get(reverse("collection:card", args=[GAME, slugs[0]])).content.decode()
    last = client.get(reverse("collection:card", args=[GAME, slugs[-1]])).content.decode()
    assert 'rel="prev"' not in first
    assert f'href="/cards/{GAME}/{slugs[1]}/" rel="next"' in first
    assert f'href="/cards/{GAME}/{slugs[-2]}/" rel="prev"' in last
    assert 'rel="next"' not in last


def test_a_card_page_asks_a_constant_number_of_queries(
    client: Client, made_up: MakeGames, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (3, 9):
        twins = (card(f"adder-{n}", "first", "second", name="Adder") for n in range(count))
        made_up(*twins)
        sync_catalog()
        with django_assert_num_queries(6):  # card, printings; before, after; twins, printings
            client.get("/cards/moss-run/adder-1/")


def test_a_wall_makes_no_rows_of_what_it_draws(client: Client, catalog: Synced) -> None:
    """A page of 48 cards would make hundreds; plain values take a third of the time."""
    member = get_user_model().objects.create_user("mira")
    Holding.objects.create(owner=member, card=Card.objects.order_by("place")[0], digital=1200)
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    built: list[type] = []

    def count(sender: type, **_: object) -> None:
        built.append(sender)

    drawn = (Card, CardInSet, CardSet, Facet, Holding)
    for model in drawn:
        post_init.connect(count, sender=model)
    try:
        html = client.get(GALLERY).content.decode()
    finally:
        for model in drawn:
            post_init.disconnect(count, sender=model)
    assert "×1,200" in html and html.count('class="playing-card"') == 48
    assert not built


@pytest.mark.parametrize("address", ["/", "/cards/", "/packs/"])
def test_a_visitor_is_led_to_a_collection_and_begins_one(
    client: Client, catalog: Synced, address: str
) -> None:
    assert re.search(
        r'href="/collection/">(<svg.*?</svg>)?(Begin|Start) a', client.get(address).text, re.S
    )
    page = client.get("/collection/").text
    assert "Start a collection" in page and "import a list" in page and "Claim" in page
