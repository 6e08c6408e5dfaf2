"""Lists of packs, trades, prints and imports: five rows take no more queries than one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from collection.models import Card, Collection, ImportJob, JobState, PrintJob, Trade, Visibility
from collection.services import holdings, imports, packs, prints, trades
from collection.services.catalog import Synced
from tests.games.examples import BOOSTERS, CLAW, FLAME, GAME, MASTER_DECK, PACK
from tests.matches.conftest import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def ada(catalog: Synced) -> User:
    return person("ada")


def person(name: str) -> User:
    user = User.objects.create_user(name)
    Collection.objects.create(owner=user, visibility=Visibility.PUBLIC)
    holdings.take_starter(user=user, game=GAME, product=MASTER_DECK)
    return user


def a_trade(ada: User, number: int) -> None:
    """With somebody new each time: an offer made, one received, and one that is over."""
    other = person(f"other-{number}")
    gives, takes = ({Card.objects.get(slug=slug).pk: 1} for slug in (CLAW, FLAME))

    def offer(proposer: User, partner: User, token: str) -> Trade:
        return trades.offer_trade(
            proposer=proposer, partner=partner, gives=gives, takes=takes, token=token
        )

    offer(ada, other, f"open-{number}")
    offer(other, ada, f"open-{number}")
    trades.decline_trade(trade=offer(ada, other, f"over-{number}"), user=other)


def a_print(ada: User, number: int) -> None:
    card = Card.objects.get(slug=CLAW)
    job = prints.start_print(owner=ada, title=f"Print {number}", cards=[(card, 1)])
    states = [JobState.DONE, JobState.FAILED, JobState.CANCELLED]
    PrintJob.objects.filter(pk=job.pk).update(state=states[number % 3])


def an_import(ada: User, number: int) -> None:
    job = imports.start_import(owner=ada, data=b"2 Red Claw\n1 Rde Flmae\n", game=GAME)
    if number % 2:
        imports.cancel_import(owner=ada, slug=job.slug)
    else:
        ImportJob.objects.filter(pk=job.pk).update(state=JobState.DONE)


def a_pack(ada: User, number: int) -> None:
    """A sealed and an opened one of different products."""
    product = (PACK, BOOSTERS[0])[number % 2]
    grants = packs.grant(
        by=None, game=GAME, product=product, people=[ada], key=str(number), count=2
    )
    packs.open_pack(slug=grants[0][0].slug, user=ada)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "addresses"),
    [
        (a_trade, ("/trades/", "/api/trades/")),
        (a_print, ("/prints/", "/api/prints/")),
        (an_import, ("/collection/import/", "/api/imports/")),
        (a_pack, ("/packs/", "/api/packs/")),
    ],
)
def test_a_list_takes_as_many_queries_for_five_as_for_one(
    client: Client,
    ada: User,
    make: Callable[[User, int], None],
    addresses: tuple[str, ...],
) -> None:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    counts = []
    for numbers in (range(1), range(1, 5)):
        for number in numbers:
            make(ada, number)
        for address in addresses:
            client.get(address)  # what is looked up once a process is looked up now
        counts.append(
            {address: queries_of(lambda at=address: client.get(at)) for address in addresses}
        )
    assert counts[0] == counts[1]
    for address in addresses:
        if address.startswith("/api/"):
            assert len(client.get(address).json()["results"]) >= 5


def test_filters_that_no_card_passes_look_for_none(client: Client, catalog: Synced) -> None:
    known = set(Card.objects.filter(game__slug=GAME).values_list("kind", "colour"))
    kind, colour = next(
        (kind, colour)
        for kind, _ in known
        for _, colour in known
        if colour and (kind, colour) not in known
    )

    def looks_for_cards(path: str) -> bool:
        with CaptureQueriesContext(connection) as captured:
            client.get(path)
        return any('FROM "collection_card"' in query["sql"] for query in captured)

    path = f"/cards/?game={GAME}&kind={kind}"
    assert looks_for_cards(path)
    assert not looks_for_cards(f"{path}&colour={colour}")
    assert "No cards found" in client.get(f"{path}&colour={colour}").content.decode()
