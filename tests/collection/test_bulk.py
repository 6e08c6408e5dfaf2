"""Many cards of a collection changed at once, and the table they are ticked in."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from collection.copies import Described
from collection.errors import Unacceptable
from collection.models import Card, Collection, Holding, Visibility
from collection.queries.copies import of_cards
from collection.services import describing, holdings
from collection.services.bulk import change_cards
from collection.services.catalog import Synced
from tests.games.examples import CLAW, FLAME, GAME, GOLD_CLAW, MASTER_DECK

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(catalog: Synced) -> User:
    ada = User.objects.create_user("ada")
    holdings.take_starter(user=ada, game=GAME, product=MASTER_DECK)
    return ada


@pytest.fixture
def ada_s(client: Client, ada: User) -> Client:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    return client


def key(slug: str) -> int:
    return Card.objects.get(slug=slug).pk


def rows(owner: User, slug: str) -> list[tuple[int, str, str, int]]:
    copies = of_cards(owner, [key(slug)]).get(key(slug), ())
    return [(row.quantity, row.condition, row.binder, row.for_trade) for row in copies]


def test_each_change_is_made_to_all_cards_and_keeps_what_else_is_said(ada: User) -> None:
    claw = Card.objects.get(slug=CLAW)
    holdings.count_by_hand(owner=ada, card=claw, token="three-more", change=3)
    describing.describe(owner=ada, card=claw, rows=[Described(1, "good", binder="Box")])
    cards = {key(CLAW), key(FLAME)}
    assert change_cards(owner=ada, cards=cards, change="binder", value=" Trades ") == 2
    assert rows(ada, CLAW) == [(1, "good", "Trades", 0), (3, "", "Trades", 0)]
    assert change_cards(owner=ada, cards=cards, change="for_trade", value="2") == 2
    assert list(Holding.objects.filter(card__in=cards).values_list("for_trade", flat=True)) in (
        [2, 1], [1, 2],
    )  # fmt: skip
    for _ in range(2):
        change_cards(owner=ada, cards=cards, change="condition", value="near_mint")
    assert rows(ada, CLAW) == [(4, "near_mint", "Trades", 2)]
    change_cards(owner=ada, cards=cards, change="binder", value="")
    change_cards(owner=ada, cards=cards, change="condition", value="")
    assert rows(ada, CLAW) == []
    assert set(Holding.objects.filter(card__in=cards).values_list("described", "for_trade")) == {
        (0, 2), (0, 1),
    }  # fmt: skip


def test_cards_that_nobody_has_can_be_wanted_alone(ada: User) -> None:
    cards = {key(CLAW), key(GOLD_CLAW)}
    assert change_cards(owner=ada, cards=cards, change="binder", value="Box") == 1
    assert change_cards(owner=ada, cards=cards, change="wishlist", value="3") == 2
    assert Holding.objects.get(owner=ada, card__slug=GOLD_CLAW).wishlist == 3


@pytest.mark.parametrize(
    ("change", "value", "words"),
    [
        ("for_trade", "some", "Enter a number from 0 to"),
        ("wishlist", "99999999", "Enter a number from 0 to"),
        ("condition", "shiny", "Choose one of"),
        ("binder", "x" * 101, "up to 100 characters"),
    ],
)
def test_a_change_that_cannot_be_changes_nothing(
    ada: User, change: str, value: str, words: str
) -> None:
    cards = {key(CLAW), key(FLAME)}
    with pytest.raises(Unacceptable, match=words):
        change_cards(owner=ada, cards=cards, change=change, value=value)  # type: ignore[arg-type]
    assert not Holding.objects.exclude(described=0, for_trade=0, wishlist=0).exists()
    with pytest.raises(Unacceptable, match="Tick the cards"):
        change_cards(owner=ada, cards=set(), change="wishlist", value="1")


def test_the_table_changes_what_is_ticked_or_all_of_the_page(ada_s: Client, ada: User) -> None:
    html = ada_s.get(f"/collection/?view=table&game={GAME}").content.decode()
    assert html.count('name="card"') == html.count('name="page"') == 48
    address = re.findall(r'id="bulk" method="post" action="([^"]+)"', html)[0]
    page = re.findall(r'name="page" value="(\d+)"', html)
    data = {"change": "wishlist", "value": "4", "back": f"game={GAME}&view=table", "page": page}
    answer = ada_s.post(address, data | {"card": page[:2]})
    assert answer["Location"] == f"/collection/?game={GAME}&view=table"
    assert Holding.objects.filter(wishlist=4).count() == 2
    ada_s.post(address, data | {"all": "1"})
    assert Holding.objects.filter(wishlist=4).count() == 48
    refused = ada_s.post(address, data | {"value": "many", "all": "1"}, follow=True)
    assert "Enter a number from 0 to" in refused.content.decode()
    assert "Choose what to change." in ada_s.post(address, {}, follow=True).content.decode()


def test_headers_sort_and_say_by_what(ada_s: Client) -> None:
    html = ada_s.get(f"/collection/?view=table&game={GAME}&sort=name").content.decode()
    assert html.count("aria-sort=") == 1 and 'aria-sort="ascending"' in html
    for name in ("name", "most", "rarity", "number"):
        assert f"sort={name}" in html
        sorted_page = ada_s.get(f"/collection/?view=table&game={GAME}&sort={name}").content.decode()
        assert sorted_page.count("aria-sort=") == 1


def test_the_language_filter_has_the_languages_there_are(ada_s: Client, ada: User) -> None:
    claw = Card.objects.get(slug=CLAW)
    describing.describe(owner=ada, card=claw, rows=[Described(1, language="de")])
    Collection.objects.create(owner=ada, visibility=Visibility.PUBLIC)
    for address in ("/collection/", "/collections/ada/"):
        html = ada_s.get(address).content.decode()
        select = html[html.index('id="id_language"') :].split("</select>")[0]
        assert re.findall(r"<option[^>]*>([^<]+)</option>", select) == ["Any language", "German"]


def test_others_have_nothing_to_tick(ada_s: Client, ada: User) -> None:
    Collection.objects.create(owner=ada, visibility=Visibility.PUBLIC)
    for client, address in (
        (Client(), "/collections/ada/?view=table"), (ada_s, "/cards/?view=table"),
    ):  # fmt: skip
        html = client.get(address).content.decode()
        assert 'id="bulk"' not in html and 'name="card"' not in html
