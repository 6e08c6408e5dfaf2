"""Binders that are shared: what others see, what they never see, and how it ends."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from collection.copies import Described
from collection.errors import Unacceptable
from collection.models import Card, SharedBinder
from collection.queries import binders as queries
from collection.services import binders, describing, holdings
from collection.services.catalog import Synced
from tests.games.examples import CLAW, FLAME, GAME

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def ada(catalog: Synced) -> User:
    """She has 5 Claws, 3 of them in “Trades” (2 for trade), and 2 Flames in “Vault”."""
    ada = User.objects.create_user("ada")
    claw, flame = (Card.objects.get(slug=slug) for slug in (CLAW, FLAME))
    for card, total in ((claw, 5), (flame, 2)):
        holdings.count_by_hand(owner=ada, card=card, token=f"token-{card.slug}"[:40], total=total)
    rows = [
        Described(2, "near_mint", binder="Trades", note="from Eve", tags="red", for_trade=2),
        Described(1, "damaged", binder="Trades"),
    ]
    describing.describe(owner=ada, card=claw, rows=rows)
    holdings.mark(owner=ada, card=claw, wishlist=77, notes="a secret")
    describing.describe(owner=ada, card=flame, rows=[Described(2, binder="Vault")])
    return ada


def share(owner: User, binder: str, cards: str = "all", on_profile: bool = False) -> SharedBinder:
    return binders.share_binder(owner=owner, binder=binder, cards=cards, on_profile=on_profile)


@pytest.mark.parametrize(
    ("binder", "cards", "copies_by_card"),
    [
        ("Trades", "all", {CLAW: (3, [(2, "near_mint"), (1, "damaged")])}),
        ("Trades", "for_trade", {CLAW: (2, [(2, "near_mint")])}),
        ("Vault", "all", {FLAME: (2, [])}),
        ("Vault", "for_trade", {}),
        ("", "all", {CLAW: (5, [(2, "near_mint"), (1, "damaged")]), FLAME: (2, [])}),
        ("", "for_trade", {CLAW: (2, [(2, "near_mint")])}),
    ],
)
def test_a_shared_binder_shows_its_cards_and_nothing_else(
    client: Client,
    ada: User,
    binder: str,
    cards: str,
    copies_by_card: dict[str, tuple[int, list[tuple[int, str]]]],
) -> None:
    shared = share(ada, binder, cards)
    response = client.get(f"/api/binders/{shared.slug}/cards/")
    rows = {
        row["card"]: (
            row["quantity"],
            [(copies["quantity"], copies["condition"]) for copies in row["copies"]],
        )
        for row in response.json()["results"]
    }
    assert rows == copies_by_card
    members = {"game", "card", "title", "rarity", "quantity", "copies"}
    assert all(set(row) == members for row in response.json()["results"])
    page = shared.get_absolute_url()
    html = "".join(client.get(page + query).content.decode() for query in ("", "?view=table"))
    for slug in (CLAW, FLAME):
        assert (f"/cards/{GAME}/{slug}/" in html) == (slug in copies_by_card)
    for hidden in ("from Eve", "a secret", "77", "wishlist"):
        assert hidden not in html.partition("<main")[2].partition("</main")[0]
        assert hidden not in response.content.decode()
    if copies_by_card.get(CLAW, (0,))[0] == 2:
        assert "2 × Near mint" in html and "Damaged" not in html
    searched = client.get(f"{page}?q=claw").content.decode()
    assert (f"/cards/{GAME}/{CLAW}/" in searched) == (CLAW in copies_by_card)


def test_a_link_stays_while_it_is_changed_and_goes_when_it_is_revoked(
    client: Client, ada: User
) -> None:
    shared = share(ada, "Trades")
    assert share(ada, "Trades", "for_trade").slug == shared.slug
    assert SharedBinder.objects.get().cards == "for_trade"
    for _ in range(2):
        binders.revoke_binder(owner=User.objects.create_user(f"eve{_}"), slug=shared.slug)
    assert client.get(shared.get_absolute_url()).status_code == 200
    for _ in range(2):
        binders.revoke_binder(owner=ada, slug=shared.slug)
    for address in ("/binders/{}/", "/api/binders/{}/", "/api/binders/{}/cards/"):
        assert client.get(address.format(shared.slug)).status_code == 404
    assert share(ada, "Trades").slug != shared.slug


def test_who_left_shows_nothing(client: Client, ada: User) -> None:
    shared = share(ada, "Trades")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert client.get(shared.get_absolute_url()).status_code == 404


def test_what_cannot_be_shared(ada: User) -> None:
    with pytest.raises(Unacceptable, match="You have no binder “Shelf”."):
        share(ada, "Shelf")
    with pytest.raises(Unacceptable, match="all or for_trade"):
        share(ada, "Trades", "some")
    with pytest.raises(Unacceptable, match="Sign up"):
        share(User.objects.create_user("guest", is_guest=True), "")


def test_only_what_its_owner_chose_is_on_a_profile(client: Client, ada: User) -> None:
    hidden, linked = share(ada, "Vault"), share(ada, "Trades", on_profile=True)
    html = client.get("/people/ada/").content.decode()
    assert linked.get_absolute_url() in html and hidden.get_absolute_url() not in html
    rows = client.get("/api/people/ada/binders/").json()
    assert [row["slug"] for row in rows] == [linked.slug]
    assert (
        'name="robots" content="noindex"' in client.get(hidden.get_absolute_url()).content.decode()
    )
    assert client.get("/api/people/nobody/binders/").status_code == 404


def test_a_binder_is_shared_and_revoked_on_a_page(client: Client, ada: User) -> None:
    client.force_login(ada, backend=BACKEND)
    html = client.get("/collection/binders/").content.decode()
    assert "Whole collection" in html and "Trades" in html
    form = {"binder": "Trades", "cards": "for_trade", "on_profile": "on"}
    listed = client.post("/collection/binders/", form, follow=True).content.decode()
    shared = SharedBinder.objects.get(on_profile=True, cards="for_trade")
    assert f"http://testserver{shared.get_absolute_url()}" in listed
    refused = client.post("/collection/binders/", form | {"binder": "Shelf"})
    assert refused.status_code == 422 and SharedBinder.objects.count() == 1
    client.post(f"/collection/binders/{shared.slug}/revoke/")
    assert not SharedBinder.objects.exists()


def test_a_binder_is_shared_and_revoked_by_api(client: Client, ada: User) -> None:
    client.force_login(ada, backend=BACKEND)
    body = {"binder": "Trades", "cards": "for_trade"}
    for _ in range(2):
        row = client.post("/api/binders/", body, content_type="application/json").json()
    assert row["owner"] == "ada" and row["cards"] == "for_trade" and not row["on_profile"]
    assert client.get("/api/binders/").json() == [row]
    assert Client().get(f"/api/binders/{row['slug']}/").json() == row
    assert Client().delete(f"/api/binders/{row['slug']}/").status_code == 401
    assert client.delete(f"/api/binders/{row['slug']}/").status_code == 204
    assert client.get("/api/binders/").json() == []
    refused = client.post("/api/binders/", body | {"notes": 1}, content_type="application/json")
    assert refused.status_code == 422 and "notes" in refused.content.decode()


def test_a_page_costs_the_same_whatever_is_in_it(client: Client, ada: User) -> None:
    counts = []
    shared = share(ada, "")
    for many in (2, 40):
        for number, card in enumerate(Card.objects.filter(game__slug=GAME)[:many]):
            token = f"more-{many}-{number:04}"
            holdings.count_by_hand(owner=ada, card=card, token=token, change=1)
        client.get(shared.get_absolute_url())
        with CaptureQueriesContext(connection) as captured:
            client.get(f"{shared.get_absolute_url()}?view=table")
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 10, counts


def test_the_shared_copies_of_no_cards_are_none(ada: User) -> None:
    assert queries.copies_in(share(ada, ""), []) == {}
