"""The ledger: what it writes, refuses and never does twice."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.models.signals import post_init
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from collection.errors import NotEnoughCards, Unacceptable
from collection.models import Card, Holding, Kind, LedgerEntry, LedgerRow, Reason, Transfer
from collection.models.holdings import MAX_COPIES
from collection.queries.ledger import differences, entries, history
from collection.services import ledger
from collection.services.catalog import Synced
from tests.games.examples import CLAW, FLAME

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben")


def card(slug: str) -> Card:
    return Card.objects.get(slug=slug)


def give(user: User, *slugs: str, key: str = "grant:1") -> tuple[Transfer, bool]:
    cards: dict[int, int] = {}
    for slug in slugs:
        pk = card(slug).pk
        cards[pk] = cards.get(pk, 0) + 1
    return ledger.transfer(
        key=key, reason=Reason.GRANT, movements=ledger.digital_to(user, cards), note="for the test"
    )


def count(user: User, slug: str) -> tuple[int, int, int]:
    row = Holding.objects.get(owner=user, card__slug=slug)
    return row.digital, row.physical, row.quantity


def test_a_grant_makes_holdings_and_rows(catalog: Synced, ada: User) -> None:
    transfer, now = give(ada, CLAW, CLAW, FLAME)
    assert now
    assert count(ada, CLAW) == (2, 0, 2)
    assert count(ada, FLAME) == (1, 0, 1)
    rows = {row.card.slug: row.count for row in history(ada)}
    assert rows == {CLAW: 2, FLAME: 1}
    assert transfer.reason == Reason.GRANT and transfer.note == "for the test"


def test_a_key_is_carried_out_once(catalog: Synced, ada: User) -> None:
    first, _ = give(ada, CLAW)
    again, now = give(ada, CLAW, FLAME)
    assert (again, now) == (first, False)
    assert count(ada, CLAW) == (1, 0, 1)
    assert LedgerRow.objects.count() == 1


def test_a_swap_moves_both_ways_in_one_transfer(catalog: Synced, ada: User, ben: User) -> None:
    give(ada, CLAW, CLAW)
    give(ben, FLAME, key="grant:2")
    swap = [
        ledger.Movement(card(CLAW).pk, 1, Kind.DIGITAL, ada.pk, ben.pk),
        ledger.Movement(card(FLAME).pk, 1, Kind.DIGITAL, ben.pk, ada.pk),
    ]
    ledger.transfer(key="trade:1", reason=Reason.TRADE, movements=swap, by=ben)
    assert count(ada, CLAW) == (1, 0, 1) and count(ada, FLAME) == (1, 0, 1)
    assert count(ben, CLAW) == (1, 0, 1) and count(ben, FLAME) == (0, 0, 0)
    assert differences() == []


def test_nobody_goes_below_none_and_nothing_of_it_stays(
    catalog: Synced, ada: User, ben: User
) -> None:
    give(ada, CLAW)
    too_much = [
        ledger.Movement(card(FLAME).pk, 1, Kind.DIGITAL, None, ben.pk),
        ledger.Movement(card(CLAW).pk, 2, Kind.DIGITAL, ada.pk, ben.pk),
    ]
    with pytest.raises(
        NotEnoughCards, match=r"ada has 1 digital copies of Red Claw, not 2\."
    ) as refusal:
        ledger.transfer(key="trade:1", reason=Reason.TRADE, movements=too_much)
    assert refusal.value.extra["card"] == CLAW
    assert not Transfer.objects.filter(key="trade:1").exists()
    assert not Holding.objects.filter(owner=ben).exists()


def test_recorded_copies_cannot_be_given_as_dealt_ones(
    catalog: Synced, ada: User, ben: User
) -> None:
    moves = ledger.physical_of(ada, {card(CLAW).pk: 5})
    ledger.transfer(key="hand:1", reason=Reason.HAND, movements=moves, by=ada)
    assert count(ada, CLAW) == (0, 5, 5)
    with pytest.raises(NotEnoughCards):
        ledger.transfer(
            key="trade:1",
            reason=Reason.TRADE,
            movements=[ledger.Movement(card(CLAW).pk, 1, Kind.DIGITAL, ada.pk, ben.pk)],
        )


def test_spare_copies_go_with_the_cards(catalog: Synced, ada: User) -> None:
    moves = ledger.physical_of(ada, {card(CLAW).pk: 3})
    ledger.transfer(key="hand:1", reason=Reason.HAND, movements=moves)
    Holding.objects.filter(owner=ada).update(for_trade=3)
    moves = ledger.physical_of(ada, {card(CLAW).pk: -2})
    ledger.transfer(key="hand:2", reason=Reason.HAND, movements=moves)
    row = Holding.objects.get(owner=ada)
    assert (row.quantity, row.for_trade) == (1, 1)


def test_the_database_itself_refuses_nonsense(catalog: Synced, ada: User) -> None:
    give(ada, CLAW)
    for nonsense in ({"digital": -1}, {"physical": -1}, {"for_trade": 2}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Holding.objects.filter(owner=ada).update(**nonsense)
    row = LedgerRow.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerRow.objects.filter(pk=row.pk).update(count=0)


def test_there_is_an_end_to_counting(catalog: Synced, ada: User) -> None:
    moves = ledger.physical_of(ada, {card(CLAW).pk: MAX_COPIES + 1})
    with pytest.raises(Unacceptable, match="1,000,000"):
        ledger.transfer(key="hand:1", reason=Reason.HAND, movements=moves)


def test_check_ledger_finds_a_count_that_is_wrong(
    catalog: Synced, ada: User, capsys: pytest.CaptureFixture[str]
) -> None:
    give(ada, CLAW)
    call_command("check_ledger")
    assert "Every holding is the ledger’s sum." in capsys.readouterr().out
    Holding.objects.update(digital=4)
    with pytest.raises(CommandError, match="1 counts differ"):
        call_command("check_ledger")


def test_a_person_who_leaves_takes_nothing_from_others(
    catalog: Synced, ada: User, ben: User
) -> None:
    give(ada, CLAW)
    moves = [ledger.Movement(card(CLAW).pk, 1, Kind.DIGITAL, ada.pk, ben.pk)]
    ledger.transfer(key="trade:1", reason=Reason.TRADE, movements=moves)
    ada.delete()
    assert count(ben, CLAW) == (1, 0, 1)
    assert differences() == []


@pytest.fixture
def entries_expected(catalog: Synced, ada: User, ben: User) -> list[tuple[int, int, int]]:
    """Three transfers of Ada's, latest first: lines, copies that came, copies that went."""
    cards = dict.fromkeys(Card.objects.order_by("pk").values_list("pk", flat=True)[:70], 2)
    first = next(iter(cards))
    ledger.transfer(key="one", reason=Reason.GRANT, movements=ledger.digital_to(ada, cards))
    swap = [
        *(ledger.Movement(card, 1, Kind.DIGITAL, ada.pk, ben.pk) for card in cards),
        ledger.Movement(first, 1, Kind.DIGITAL, ben.pk, ada.pk),
        *ledger.digital_to(ben, {first: 3}),
    ]
    ledger.transfer(key="two", reason=Reason.TRADE, movements=swap)
    moves = ledger.physical_of(ada, {first: 5})
    ledger.transfer(key="three", reason=Reason.HAND, movements=moves)
    return [(1, 5, 0), (71, 1, 70), (70, 140, 0)]


def test_a_history_is_read_without_adding_up(
    ada: User, entries_expected: list[tuple[int, int, int]]
) -> None:
    """Of hundreds of thousands of rows no more is read than is shown, in two queries."""
    read: list[int] = []

    def note(instance: LedgerRow, **_: object) -> None:
        read.append(instance.pk)

    post_init.connect(note, sender=LedgerRow)
    try:
        with CaptureQueriesContext(connection) as queries:
            read_entries = entries(ada, most=5, rows_each=4)
    finally:
        post_init.disconnect(note, sender=LedgerRow)
    assert [(entry.lines, entry.came, entry.went) for entry in read_entries] == entries_expected
    assert [len(entry.rows) for entry in read_entries] == [1, 4, 4]
    assert all(
        ada.pk in (row.giver_id, row.taker_id) for entry in read_entries for row in entry.rows
    )
    assert len(read) <= 1 + 4 + 4 + 1, "Ben's own row of a shown card is read in vain"
    assert len(queries) == 2
    assert not any("GROUP BY" in query["sql"] for query in queries.captured_queries)


def test_a_history_goes_on_behind_a_mark(
    ada: User, entries_expected: list[tuple[int, int, int]]
) -> None:
    (latest,) = entries(ada, most=1, rows_each=4)
    rest = entries(ada, before=latest.mark, most=5, rows_each=4)
    assert [(entry.lines, entry.came, entry.went) for entry in rest] == entries_expected[1:]
    assert entries(ada, before=rest[-1].mark, most=5, rows_each=4) == []


def test_an_entry_that_is_off_is_found_and_mended(
    ada: User, entries_expected: list[tuple[int, int, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    LedgerEntry.objects.filter(person=ada, lines=71).update(went=7)
    LedgerEntry.objects.filter(person=ada, lines=1).delete()
    assert len(differences()) == len(differences(ada)) == 2
    with pytest.raises(CommandError, match="2 counts differ"):
        call_command("check_ledger")
    assert "(71, 1, 7) in the entry, (71, 1, 70) in the ledger" in capsys.readouterr().err
    call_command("check_ledger", "--count")
    assert [entry.went for entry in entries(ada, most=5, rows_each=1)] == [0, 70, 0]
