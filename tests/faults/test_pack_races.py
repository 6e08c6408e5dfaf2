"""Packs under real concurrency: opened once, given once; without the guards, they are not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from collection.models import Holding, LedgerRow, Pack, Transfer
from collection.queries.ledger import differences
from collection.services import ledger, packs
from collection.services.catalog import sync_catalog
from core import outbox
from core.models import UnreadMatch
from core.outbox import FinalSeat
from tests.games.examples import BOOSTERS, GAME, OTHER_GAME
from tests.matches.conftest import api, person
from tests.support.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]

TABS = 8
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def ada(transactional_db: None) -> User:
    sync_catalog()
    return person("Ada")


@pytest.fixture
def pack(ada: User) -> Pack:
    return packs.take_gift(user=ada, game=GAME, now=NOON)[0]


def digital(user: User) -> int:
    return sum(Holding.objects.filter(owner=user).values_list("digital", flat=True))


def test_a_pack_opened_in_many_tabs_is_opened_once(ada: User, pack: Pack) -> None:
    answers = at_once(
        *[
            lambda client_seed=client_seed: packs.open_pack(
                slug=pack.slug, user=ada, client_seed=client_seed
            )
            for client_seed in map(str, range(TABS))
        ]
    )
    assert sum(now for _, now in answers) == 1, answers
    (first,) = (opened for opened, now in answers if now)
    assert [(opened.cards, opened.client_seed) for opened, _ in answers] == [
        (first.cards, first.client_seed)
    ] * TABS
    assert digital(ada) == sum(LedgerRow.objects.values_list("count", flat=True)) == 5
    assert differences() == []


def test_many_tabs_through_the_api(ada: User, pack: Pack) -> None:
    clients = [api(ada) for _ in range(TABS)]
    answers = at_once(
        *[
            lambda client=client: client.post(f"/api/packs/{pack.slug}/open/", {})
            for client in clients
        ]
    )
    assert [answer.status_code for answer in answers] == [200] * TABS
    assert len({tuple(answer.json()["cards"]) for answer in answers}) == 1
    assert digital(ada) == 5


def test_several_packs_with_the_same_cards_at_once(ada: User) -> None:
    """Fixed decks in different hands and one; the sums come out right, whoever waits for whom."""
    bob = person("Bob")
    grant = packs.grant(
        by=None, game=GAME, product=BOOSTERS[0], people=[ada, bob], key="k", count=4
    )
    answers = at_once(
        *[lambda pack=pack: packs.open_pack(slug=pack.slug, user=pack.owner) for pack, _ in grant]
    )
    assert all(now for _, now in answers), answers
    assert digital(ada) == digital(bob) == 40
    assert set(Holding.objects.values_list("digital", flat=True)) == {4}
    assert differences() == []


def test_the_gift_of_a_day_is_one_gift(ada: User) -> None:
    games = [GAME, OTHER_GAME] * (TABS // 2)
    answers = at_once(
        *[lambda game=game: packs.take_gift(user=ada, game=game, now=NOON) for game in games]
    )
    assert sum(value for _, value in answers) == 1, answers
    assert len({pack.pk for pack, _ in answers}) == Pack.objects.count() == 1


def ended(match: str, *people: User) -> int:
    """A match that has ended and that packs have not read."""
    seats = [FinalSeat(user=person.pk, bot="", rank=1, stayed=True) for person in people]
    outbox.match_finished(match=match, game=GAME, mode="match", seats=seats, at=NOON)
    return UnreadMatch.objects.get(finished__match=match, subscriber="packs").pk


@pytest.fixture
def nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "enqueue", lambda task, *args: None)


@pytest.mark.usefixtures("nothing_is_sent")
def test_several_workers_hand_out_the_packs_of_a_match_once(ada: User) -> None:
    unread = ended("m1", ada, person("Bob"), person("Cleo"))
    answers = at_once(*[lambda: outbox.read(unread)] * TABS)
    assert sorted(answers) == [False] * (TABS - 1) + [True], answers
    assert Pack.objects.count() == 3
    assert not UnreadMatch.objects.filter(subscriber="packs").exists()


@pytest.mark.usefixtures("nothing_is_sent")
def test_matches_that_end_together_give_three_packs_a_day(ada: User) -> None:
    unread = [ended(f"m{number}", ada) for number in range(TABS)]
    at_once(*[lambda item=item: outbox.read(item) for item in unread])
    assert sorted(Pack.objects.values_list("key", flat=True)) == [
        f"match:2026-11-21:{number}" for number in (1, 2, 3)
    ]
    assert not UnreadMatch.objects.filter(subscriber="packs").exists()


# -- negative controls ----------------------------------------------------------------------------


@pytest.fixture
def all_read_first(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Each of n threads reads the pack, outside any lock, and waits until all have read it."""

    def arrange(threads: int) -> None:
        barrier = threading.Barrier(threads)
        draw = packs.engine.contents_from_json

        def draw_and_wait(data: Any) -> Any:
            barrier.wait(30)
            return draw(data)

        monkeypatch.setattr(packs.engine, "contents_from_json", draw_and_wait)
        monkeypatch.setattr(packs, "open_pack", packs.open_pack.__wrapped__)
        manager = type(Pack.objects.all())
        monkeypatch.setattr(manager, "select_for_update", lambda self: self)

    return arrange


def test_without_the_lock_the_ledger_s_key_still_deals_once(
    ada: User, pack: Pack, all_read_first: Callable[[int], None]
) -> None:
    all_read_first(2)
    answers = at_once(*[lambda: packs.open_pack(slug=pack.slug, user=ada)] * 2)
    assert all(now for _, now in answers), "both believed that they opened it"
    assert Transfer.objects.filter(key=f"pack:{pack.slug}").count() == 1
    assert digital(ada) == 5


def test_without_lock_and_key_the_cards_are_dealt_twice(
    ada: User,
    pack: Pack,
    all_read_first: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The negative control: so the tests above do reach the moment that they are about."""
    numbers = iter(range(100))
    transfer = ledger.transfer

    def transfer_anyway(*, key: str, **options: Any) -> Any:
        return transfer(key=f"{key}:{next(numbers)}", **options)

    monkeypatch.setattr(ledger, "transfer", transfer_anyway)
    all_read_first(2)
    at_once(*[lambda: packs.open_pack(slug=pack.slug, user=ada)] * 2)
    assert digital(ada) == 10, connection.vendor
