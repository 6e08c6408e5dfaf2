"""A guest who turns out to have an account brings the cards along, but nothing twice."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services.guests import create_guest, merge_guest
from collection.models import Card, Holding, Reason
from collection.queries.ledger import differences
from collection.services import holdings, ledger, packs
from collection.services.catalog import Synced
from tests.games.examples import CLAW, GAME, MASTER_DECK

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(catalog: Synced) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def guest(catalog: Synced) -> User:
    return create_guest(address="192.0.2.1")


def held(user: User) -> dict[str, int]:
    rows = Holding.objects.filter(owner=user, quantity__gt=0)
    return dict(rows.values_list("card__slug", "quantity"))


def starter(user: User) -> None:
    holdings.take_starter(user=user, game=GAME, product=MASTER_DECK)


def test_everything_goes_along(ada: User, guest: User) -> None:
    starter(guest)
    claw = Card.objects.get(slug=CLAW)
    paper = ledger.physical_of(guest, {claw.pk: 2})
    ledger.transfer(key="hand:1", reason=Reason.HAND, movements=paper)
    Holding.objects.filter(owner=guest, card=claw).update(for_trade=1, wishlist=4, notes="signed")
    before = held(guest)
    merge_guest(guest=guest, user=ada)
    assert held(ada) == before and held(guest) == {}
    row = Holding.objects.get(owner=ada, card=claw)
    assert (row.digital, row.physical, row.for_trade, row.wishlist, row.notes) == (
        1,
        2,
        1,
        4,
        "signed",
    )
    assert differences() == []


def test_marks_go_along_without_a_word_on_counts(ada: User, guest: User) -> None:
    cards = list(Card.objects.filter(game__slug=GAME)[:30])
    Holding.objects.bulk_create([Holding(owner=guest, card=card, wishlist=2) for card in cards])
    Holding.objects.create(owner=ada, card=cards[0], wishlist=1, tags="mine")
    with CaptureQueriesContext(connection) as queries:
        merge_guest(guest=guest, user=ada)
    wanted = Holding.objects.filter(owner=ada).values_list("wishlist", "tags")
    assert sorted(wanted) == [(2, "")] * 29 + [(2, "mine")]
    # Counts are the ledger's: written from what was read before, they would undo a trade.
    updates = [
        row["sql"] for row in queries if row["sql"].startswith('UPDATE "collection_holding"')
    ]
    assert len(updates) == 1 and '"digital" =' not in updates[0]


def test_merging_twice_changes_nothing(ada: User, guest: User) -> None:
    starter(guest)
    merge_guest(guest=guest, user=ada)
    once = held(ada)
    merge_guest(guest=guest, user=ada)
    assert held(ada) == once


def test_a_second_starter_stays_behind(ada: User, guest: User) -> None:
    starter(ada)
    starter(guest)
    merge_guest(guest=guest, user=ada)
    assert set(held(ada).values()) == {1}
    assert differences() == []


def test_a_starter_brought_along_is_the_account_s_own_one(ada: User, guest: User) -> None:
    starter(guest)
    merge_guest(guest=guest, user=ada)
    starter(ada)
    assert set(held(ada).values()) == {1}


def test_the_day_s_gift_comes_once(ada: User, guest: User) -> None:
    mine, _ = packs.take_gift(user=ada, game=GAME)
    packs.open_pack(slug=mine.slug, user=ada)
    theirs, _ = packs.take_gift(user=guest, game=GAME)
    packs.open_pack(slug=theirs.slug, user=guest)
    merge_guest(guest=guest, user=ada)
    assert sum(held(ada).values()) == 5 and sum(held(guest).values()) == 5
    assert list(ada.packs.all()) == [mine]
    assert differences() == []


def test_a_gift_that_the_account_has_not_taken_comes_along(ada: User, guest: User) -> None:
    pack, _ = packs.take_gift(user=guest, game=GAME)
    packs.open_pack(slug=pack.slug, user=guest)
    merge_guest(guest=guest, user=ada)
    assert sum(held(ada).values()) == 5 and held(guest) == {}
    assert list(ada.packs.all()) == [pack]
