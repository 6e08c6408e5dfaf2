"""One's own collection on pages: the front, counting, marks, history, settings; others' shelves."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Friendship, User
from collection.models import Card, Holding, LedgerRow, Reason, Transfer
from collection.services import holdings as services
from collection.services.catalog import Synced
from collection.services.ledger import Movement, digital_to, physical_of, transfer
from tests.games.examples import (
    BOOSTERS,
    CLAW,
    FLAME,
    GAME,
    GAME_NAME,
    MASTER_DECK,
    OTHER_GAME,
    OTHER_STARTER,
)

pytestmark = pytest.mark.django_db
CLAW_PAGE = f"/cards/{GAME}/{CLAW}/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def ada(catalog: Synced) -> User:
    ada = User.objects.create_user("ada")
    services.take_starter(user=ada, game=GAME, product=MASTER_DECK)
    return ada


@pytest.fixture
def ada_s(client: Client, ada: User) -> Client:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def claw(catalog: Synced) -> Card:
    return Card.objects.get(slug=CLAW)


def physical(owner: User) -> int:
    return Holding.objects.get(owner=owner, card__slug=CLAW).physical


def token(html: str) -> str:
    return re.findall(r'name="token" value="([^"]+)"', html)[0]


# The front


def test_somebody_new_becomes_a_guest_with_a_deck(client: Client, catalog: Synced) -> None:
    html = client.get("/collection/").content.decode()
    assert "Start a collection" in html
    assert not User.objects.exists(), "looking alone makes nobody a guest"
    done = client.post("/collection/starter/", {"product": f"{GAME}.{BOOSTERS[1]}"}, follow=True)
    html = done.content.decode()
    assert "Claimed: Booster Deck 2: Greenwood." in html
    guest = User.objects.get()
    assert guest.is_guest
    assert Holding.objects.filter(owner=guest, digital__gt=0).count() == 10
    assert html.count('class="tile-count"') == 10
    again = client.post("/collection/starter/", {"product": f"{GAME}.{BOOSTERS[2]}"}, follow=True)
    assert "You already have your Booster Deck" in again.content.decode()
    assert Holding.objects.filter(owner=guest, digital__gt=0).count() == 10


def test_starter_decks_can_be_looked_at_before_one_is_chosen(
    client: Client, catalog: Synced
) -> None:
    html = client.get("/collection/").content.decode()
    decks = set(re.findall(r'value="([\w-]+)\.([\w-]+)"', html))
    assert len(decks) > 5
    for game, product in decks:
        address = f"/packs/odds/{game}/{product}/"
        assert f'href="{address}"' in html
    assert "Red Claw" in client.get(f"/packs/odds/{GAME}/{MASTER_DECK}/").content.decode()


@pytest.mark.parametrize(
    ("product", "status"),
    [("", 404), (GAME, 404), (f"{GAME}.none", 404), ("x.y.z", 404), ("\0", 404)],
)
def test_a_starter_that_is_none(client: Client, catalog: Synced, product: str, status: int) -> None:
    assert client.post("/collection/starter/", {"product": product}).status_code == status


def test_my_collection_shows_what_is_owned_and_remembers_the_view(ada_s: Client, ada: User) -> None:
    html = ada_s.get("/collection/").content.decode()
    assert "60 cards." in html
    assert html.count('class="tile-count"') == 48
    assert f'value="60" aria-label="{GAME_NAME}"' in html
    table = ada_s.get(f"/collection/?view=table&game={GAME}").content.decode()
    assert "<table" in table
    assert table.count('<th scope="row">') == 48
    assert 'value="table"' in table and "checked" in table
    missing = ada_s.get(f"/collection/?have=missing&game={GAME}").content.decode()
    assert "37 cards found." in missing


def test_retired_cards_stay_in_a_collection(ada_s: Client, claw: Card) -> None:
    Card.objects.filter(pk=claw.pk).update(retired=True)
    assert CLAW in ada_s.get("/collection/").content.decode()
    assert CLAW not in ada_s.get("/cards/?q=claw").content.decode()


def test_the_gallery_counts_my_copies(ada_s: Client, ada: User, claw: Card) -> None:
    services.mark(owner=ada, card=claw, wishlist=3, for_trade=1)
    html = ada_s.get("/cards/?q=red+claw").content.decode()
    tile = html[html.index('class="tile-own"') :]
    words = re.sub(r"<[^>]+>", " ", tile[len('class="tile-own">') : tile.index("</p>")])
    assert words.split() == [
        "Owned:",
        "×1",
        "wishlist",
        "2",
        "trade",
        "1",
    ]


# Counting on the card's page


def test_plus_and_minus_without_a_script(ada_s: Client, ada: User) -> None:
    html = ada_s.get(CLAW_PAGE).content.decode()
    form = {"token": token(html), "change": "1"}
    done = ada_s.post(CLAW_PAGE + "count/", form)
    assert (done.status_code, done["Location"]) == (302, CLAW_PAGE + "#own")
    ada_s.post(CLAW_PAGE + "count/", form)  # a double click
    assert physical(ada) == 1
    html = ada_s.get(CLAW_PAGE).content.decode()
    assert "1 digital, 1 physical." in html
    ada_s.post(CLAW_PAGE + "count/", {"token": token(html), "change": "-1"})
    assert physical(ada) == 0
    refused = ada_s.post(CLAW_PAGE + "count/", {"token": "another-token", "change": "-1"})
    assert refused.status_code == 409
    assert "digital and can only leave by trade" in refused.content.decode()
    assert "<h1>Red Claw</h1>" in refused.content.decode()


def test_htmx_gets_the_section_with_a_new_token(ada_s: Client, ada: User) -> None:
    first = ada_s.get(CLAW_PAGE).content.decode()
    part = ada_s.post(
        CLAW_PAGE + "count/", {"token": token(first), "change": "1"}, headers=HTMX
    ).content.decode()
    assert "<html" not in part and 'id="own"' in part
    assert token(part) != token(first)
    assert ">2</output>" in part
    refused = ada_s.post(CLAW_PAGE + "count/", {"token": "x" * 9, "to": "-3"}, headers=HTMX)
    assert (refused.status_code, physical(ada)) == (200, 1)
    assert "greater than or equal to 0" in refused.content.decode()


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"token": "x"},
        {"token": "token-01"},
        {"token": "token-01", "change": "x"},
        {"token": "token-01", "change": "1000"},
        {"token": "token-01", "to": "1000001"},
        {"token": "token-01", "to": "9" * 40},
        {"token": "\0\0\0\0\0\0\0\0\0", "change": "1"},
    ],
)
def test_broken_forms_count_nothing(ada_s: Client, ada: User, form: dict[str, str]) -> None:
    rows = LedgerRow.objects.count()
    assert ada_s.post(CLAW_PAGE + "count/", form).status_code == 422
    assert LedgerRow.objects.count() == rows


def test_a_visitor_who_counts_becomes_a_guest(client: Client, catalog: Synced) -> None:
    html = client.get(CLAW_PAGE).content.decode()
    assert "I own a physical copy" in html
    client.post(CLAW_PAGE + "count/", {"token": token(html), "change": "1"})
    guest = User.objects.get()
    assert (guest.is_guest, physical(guest)) == (True, 1)


def test_marks_are_kept_and_refusals_keep_what_was_typed(ada_s: Client, ada: User) -> None:
    good = {"wishlist": "4", "for_trade": "1", "tags": "foil, binder", "notes": "<b>from Ben</b>"}
    assert ada_s.post(CLAW_PAGE + "mark/", good)["Location"] == CLAW_PAGE + "#own"
    html = ada_s.get(CLAW_PAGE).content.decode()
    assert "Wishlist: 3" in html and '<span class="badge">binder</span>' in html
    assert "&lt;b&gt;from Ben" in html
    bad = ada_s.post(CLAW_PAGE + "mark/", good | {"for_trade": "2", "notes": "typed"})
    assert bad.status_code == 422
    html = bad.content.decode()
    assert "You have 1 copy of Red Claw. Enter 0 to 1 for trade." in html
    assert "typed" in html and Holding.objects.get(card__slug=CLAW).for_trade == 1
    assert ada_s.post(CLAW_PAGE + "mark/", good | {"wishlist": "many"}).status_code == 422


def test_history_names_others_only(ada_s: Client, ada: User, claw: Card) -> None:
    ben = User.objects.create_user("ben", display_name="Ben the Bold")
    transfer(key="grant:1", reason=Reason.GRANT, movements=digital_to(ben, {claw.pk: 2}))
    swap = [Movement(claw.pk, 1, "digital", ben.pk, ada.pk)]  # type: ignore[arg-type]
    transfer(key="trade:abc", reason=Reason.TRADE, movements=swap, by=ben)
    User.objects.filter(pk=ada.pk).update(display_name="Ada the Adder")
    html = ada_s.get(CLAW_PAGE).content.decode()
    section = html[html.index('id="own-history"') :]
    section = section[: section.index("</details>")]
    assert "Ben the Bold" in section and "Ada the Adder" not in section
    assert '<a href="/trades/abc/">Trade</a>' in section
    assert "Starter deck" in section
    whole = ada_s.get("/collection/history/").content.decode()
    assert "Ben the Bold" in whole and "Ada the Adder" not in whole.split('<ol class="changes">')[1]


def events(html: str) -> list[str]:
    """The entries of the history, in words."""
    entry = (
        r"<(?=li class=\"change-many\"|li>\s+<span class=\"change-count[^<]*</span>\s+"
        r"<span class=\"change-w)"
    )
    (_, *pieces) = re.split(entry, html)
    return [" ".join(re.sub(r"<[^>]*>|^li[^>]*>", " ", piece).split()) for piece in pieces]


def test_history_tells_a_transfer_as_one_entry(ada_s: Client, ada: User, claw: Card) -> None:
    ben = User.objects.create_user("ben", display_name="Ben")
    flame = Card.objects.get(slug=FLAME)
    transfer(key="grant:1", reason=Reason.GRANT, movements=digital_to(ben, {claw.pk: 5}))
    swap = [
        Movement(claw.pk, 3, "digital", ben.pk, ada.pk),  # type: ignore[arg-type]
        Movement(flame.pk, 1, "digital", ada.pk, ben.pk),  # type: ignore[arg-type]
    ]
    transfer(key="trade:abc", reason=Reason.TRADE, movements=swap, by=ben)
    for other in ("x", "y"):
        moves = physical_of(ada, {claw.pk: 1})
        transfer(key=f"hand:{other}", reason=Reason.HAND, movements=moves)
    html = ada_s.get("/collection/history/").content.decode()
    lines = events(html[: html.index("</main>")])
    assert len(lines) == 3
    assert lines[0].startswith("+2 Red Claw Added manually · physical"), "pressed in one moment"
    assert lines[1].startswith("+3 −1 Trade with Ben 2 different cards")
    assert "+3 Red Claw" in lines[1] and "−1 Red Flame" in lines[1]
    assert re.match(r"\+60 Starter deck · .* 60 different cards", lines[2])
    assert html.count("<details>") == 2 and 'href="/trades/abc/"' in html


def test_history_is_turned_page_by_page(
    ada_s: Client, ada: User, claw: Card, django_assert_max_num_queries: Any
) -> None:
    """Every transfer stands on one page, once, however many cards it has."""
    cards = list(Card.objects.order_by("pk").values_list("pk", flat=True)[:75])
    for number in range(30):
        moves = physical_of(ada, dict.fromkeys(cards if number == 20 else cards[:2], 1))
        transfer(key=f"hand:{number}", reason=Reason.HAND, movements=moves, note=f"n{number}.")
    with django_assert_max_num_queries(11):
        first = ada_s.get("/collection/history/").content.decode()
    (earlier,) = re.findall(r'href="\?before=(\d+)"', first)
    rest = ada_s.get(f"/collection/history/?before={earlier}").content.decode()
    notes = re.findall(r"·\s+(n\d+\.)", first + rest)
    assert notes == [f"n{number}." for number in reversed(range(30))]
    assert rest.count('class="change-many"') == 6 and 'href="?before=' not in rest
    assert "And 15 more." in first, "of 75 cards 60 are told"
    for odd in ("x", "²", "9" * 30, "-1", "0"):
        assert ada_s.get("/collection/history/", {"before": odd}).status_code == 200


# Whose


def test_settings(ada_s: Client, ada: User) -> None:
    assert ada_s.post("/collection/settings/", {"visibility": "public"}).status_code == 302
    assert ada.collection.visibility == "public"
    refused = ada_s.post("/collection/settings/", {"visibility": "secret"})
    assert refused.status_code == 422
    User.objects.filter(pk=ada.pk).update(is_guest=True)
    refused = ada_s.post("/collection/settings/", {"visibility": "public"})
    assert refused.status_code == 422
    assert "Sign up to make" in refused.content.decode()


VISITORS = ("anonymous", "stranger", "asked", "friend", "owner")
ALLOWED = {
    "private": {"owner"},
    "friends": {"owner", "friend"},
    "public": set(VISITORS),
}


def visit_as(client: Client, visitor: str, owner: User) -> None:
    if visitor == "anonymous":
        return
    person = owner if visitor == "owner" else User.objects.create_user(visitor)
    if visitor in ("asked", "friend"):
        said_yes = timezone.now() if visitor == "friend" else None
        Friendship.objects.create(sender=owner, recipient=person, accepted_at=said_yes)
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("visibility", list(ALLOWED))
@pytest.mark.parametrize("address", ["/collections/ada/", "/api/collection/ada/"])
def test_who_sees_a_collection(
    client: Client, ada: User, claw: Card, visibility: str, visitor: str, address: str
) -> None:
    services.mark(owner=ada, card=claw, wishlist=3, tags="secret-tag", notes="secret note")
    services.set_visibility(owner=ada, visibility=visibility)
    visit_as(client, visitor, ada)
    for query in ("", "&have=all", "&have=wishlist", "&sort=newest", "&view=table"):
        answer = client.get(f"{address}?q=red+claw{query}")
        assert answer.status_code == (200 if visitor in ALLOWED[visibility] else 403)
        html = answer.content.decode()
        assert ("red-claw" in html) == (visitor in ALLOWED[visibility])
        assert "secret" not in html
    assert client.post(address).status_code in (403, 405)


@pytest.mark.parametrize("address", ["/collections/{}/", "/api/collection/{}/"])
def test_nobody_s_collection(client: Client, ada: User, address: str) -> None:
    for name in ("nobody", "ADA."):
        assert client.get(address.format(name)).status_code == 404
    # No PostgreSQL text holds a NUL; SQLite's does, and nobody is called so there.
    odd = client.get(address.format("%00")).status_code
    assert odd == (400 if connection.vendor == "postgresql" else 404)


@pytest.mark.parametrize(
    "address", ["/collection/progress/", "/collection/history/", "/collection/settings/"]
)
def test_pages_of_one_s_own_ask_who_it_is(client: Client, catalog: Synced, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 302
    assert "login" in answer["Location"]


# Queries


def test_pages_cost_the_same_whatever_the_collection(
    ada_s: Client, ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # session, person; games, facets, sets; keys, cards, printings, own copies; the header
    cost = {
        "/cards/": 10,
        "/cards/?have=missing": 10,
        "/collection/": 16,  # and tallies, marks, games, sizes; starters, visibility
        "/collection/?view=table": 16,
        "/collection/progress/": 7,
        CLAW_PAGE: 11,
        "/collections/ada/": 15,
    }
    for address in cost:
        ada_s.get(address)
    for _ in range(2):
        for address, number in cost.items():
            with django_assert_num_queries(number):
                assert ada_s.get(address).status_code == 200
        services.take_starter(user=ada, game=GAME, product=BOOSTERS[0])
        services.take_starter(user=ada, game=OTHER_GAME, product=OTHER_STARTER)


def test_presses_on_one_card_within_a_moment_are_one_row(
    ada_s: Client, ada: User, claw: Card
) -> None:
    for number in range(6):
        services.count_by_hand(owner=ada, card=claw, token=f"press-{number:04}", change=1)
    Transfer.objects.filter(key__endswith="press-0000").update(
        at=timezone.now() - timedelta(hours=1)
    )
    Transfer.objects.filter(key__endswith="press-0001").update(
        at=timezone.now() - timedelta(hours=1)
    )
    lines = events(ada_s.get("/collection/history/").text.split("</main>")[0])
    assert [line.split()[0] for line in lines] == ["+4", "+2", "+60"]
    on_card = ada_s.get(claw.get_absolute_url()).text.split('id="own-history"')[1]
    assert on_card.split("</details>")[0].count("<li>") == 3
    services.count_by_hand(owner=ada, card=claw, token="press-back", change=-1)
    assert len(events(ada_s.get("/collection/history/").text.split("</main>")[0])) == 3
