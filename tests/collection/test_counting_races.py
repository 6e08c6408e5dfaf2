"""Plus and minus from many tabs at the same moment: nothing lost, nothing twice, never below none.

On SQLite writers wait for each other from the start; PostgreSQL (``make services``) lets them meet.
"""

from __future__ import annotations

import threading

import pytest
from django.db import connections, transaction

from accounts.models import User
from collection.copies import Described, counted
from collection.errors import NotEnoughCards, TooLate
from collection.models import Card, Holding, LedgerRow, Transfer
from collection.queries.copies import of_cards
from collection.queries.ledger import differences
from collection.queries.tallies import Amounts, tallied
from collection.services import describing, tallies
from collection.services import holdings as services
from tests.games.examples import CLAW, GAME, MASTER_DECK
from tests.support.catalog import whole_catalog
from tests.support.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]
TABS = 6


@pytest.fixture
def ada() -> User:
    whole_catalog()
    return User.objects.create_user("ada")


@pytest.fixture
def claw(ada: User) -> Card:
    return Card.objects.get(slug=CLAW)


def physical(owner: User) -> int:
    assert differences() == []
    return Holding.objects.get(owner=owner).physical


def test_the_same_form_from_many_tabs_counts_once(ada: User, claw: Card) -> None:
    answers = at_once(
        *[lambda: services.count_by_hand(owner=ada, card=claw, token="one-form", change=1)] * TABS
    )
    assert [row.physical for row in answers] == [1] * TABS
    assert LedgerRow.objects.count() == 1
    assert physical(ada) == 1


def test_different_forms_all_count(ada: User, claw: Card) -> None:
    at_once(
        *[
            lambda n=n: services.count_by_hand(  # type: ignore[misc]
                owner=ada, card=claw, token=f"form-{n:04}", change=1
            )
            for n in range(TABS)
        ]
    )
    assert physical(ada) == TABS


def test_more_minuses_than_copies(ada: User, claw: Card) -> None:
    services.count_by_hand(owner=ada, card=claw, token="beginning", to=3)
    answers = at_once(
        *[
            lambda n=n: services.count_by_hand(  # type: ignore[misc]
                owner=ada, card=claw, token=f"form-{n:04}", change=-1
            )
            for n in range(TABS)
        ]
    )
    assert sum(isinstance(answer, NotEnoughCards) for answer in answers) == TABS - 3
    assert physical(ada) == 0


def test_a_number_from_two_tabs_is_a_number(ada: User, claw: Card) -> None:
    at_once(
        *[
            lambda n=n: services.count_by_hand(  # type: ignore[misc]
                owner=ada, card=claw, token=f"form-{n:04}", to=5
            )
            for n in range(TABS)
        ]
    )
    assert physical(ada) == 5


def test_marks_and_counts_do_not_undo_each_other(ada: User, claw: Card) -> None:
    services.count_by_hand(owner=ada, card=claw, token="beginning", to=1)
    at_once(
        lambda: services.count_by_hand(owner=ada, card=claw, token="form-0001", change=1),
        lambda: services.mark(owner=ada, card=claw, wishlist=4),
        lambda: services.mark(owner=ada, card=claw, for_trade=1),
        lambda: services.mark(owner=ada, card=claw, notes="mine"),
    )
    row = Holding.objects.get(owner=ada)
    assert (row.physical, row.wishlist, row.for_trade, row.notes) == (2, 4, 1, "mine")


def test_copies_are_described_and_counted_at_once(ada: User, claw: Card) -> None:
    """Whoever comes first: no more copies are described than there are, and none twice."""
    services.count_by_hand(owner=ada, card=claw, token="beginning", to=TABS)

    def describe(number: int) -> Holding:
        described = Described(2, "near_mint", binder=f"Binder {number}")
        return describing.redescribe(
            owner=ada, card=claw, key="", count=2, to=described, token=f"describe-{number}"
        )

    answers = at_once(
        *[lambda n=n: describe(n) for n in range(TABS)],  # type: ignore[misc]
        lambda: services.count_by_hand(owner=ada, card=claw, token="form-0001", change=-3),
        lambda: services.mark(owner=ada, card=claw, for_trade=1),
    )
    assert any(isinstance(answer, NotEnoughCards) for answer in answers)
    assert physical(ada) == 3
    held = Holding.objects.get(owner=ada)
    rows = of_cards(ada, [claw.pk])[claw.pk]
    assert held.described == counted(rows) <= 3 and len({row.key for row in rows}) == len(rows)
    assert sum(row.for_trade for row in rows) <= held.for_trade <= 1


def test_two_starter_decks_of_one_group(ada: User) -> None:
    answers = at_once(
        *[
            lambda n=n: services.take_starter(  # type: ignore[misc]
                user=ada, game=GAME, product=f"{GAME}-booster-{n}"
            )
            for n in (1, 2, 1, 2)
        ]
    )
    assert sum(isinstance(answer, TooLate) for answer in answers) == 2
    assert sum(answer[1] for answer in answers if isinstance(answer, tuple)) == 1
    assert Transfer.objects.count() == 1
    assert sum(Holding.objects.values_list("digital", flat=True)) == 10
    assert differences() == []


def test_nothing_moves_while_everything_is_counted_anew(
    ada: User, claw: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transfer that begins between the taking away and the counting waits, or counts twice."""
    count = tallies.counted
    threads = []

    def counted_late() -> Amounts:
        def give() -> None:
            services.take_starter(user=ada, game=GAME, product=MASTER_DECK)
            connections.close_all()

        threads.append(threading.Thread(target=give))
        threads[0].start()
        threads[0].join(2)
        return count()

    monkeypatch.setattr(tallies, "counted", counted_late)
    tallies.count_anew()
    threads[0].join(60)
    assert Holding.objects.filter(owner=ada).exists()
    assert differences() == []


def test_cards_come_into_other_parts_after_a_transfer_that_has_begun(ada: User, claw: Card) -> None:
    """A transfer counts a card where it was; whoever moves the card waits until it has ended."""

    def move() -> None:
        with transaction.atomic(), tallies.kept_current():
            Card.objects.filter(pk=claw.pk).update(rarity="unheard-of")
        connections.close_all()

    mover = threading.Thread(target=move)
    with transaction.atomic():
        services.take_starter(user=ada, game=GAME, product=MASTER_DECK)
        mover.start()
        mover.join(2)
    mover.join(60)
    moved = {part.rarity: amount.cards for part, amount in tallied(ada.pk).items()}
    assert moved["unheard-of"] == 1
    assert differences() == []
