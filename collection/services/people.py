"""Moving a guest's cards to the account that the guest turns out to have."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from django.db import transaction
from django.db.models import Sum

from accounts.models import User
from collection.copies import counted, fewer, settled
from collection.models import Holding, ImportJob, Kind, LedgerRow, PrintJob, Reason, Transfer
from collection.queries.copies import Rows, of_holdings
from collection.services import copies, ledger, packs


@transaction.atomic
def merge_guest(*, guest: User, user: User) -> None:
    """Move a guest's cards, packs, lists and prints to the account that the guest logged in to.

    Whatever the account may have only once (a starter deck, the day's packs) stays with the guest
    where the account has had its own: otherwise a new guest a minute would be a fountain of cards.
    """
    # Before any cards, as whoever applies a list locks them.
    ImportJob.objects.filter(owner=guest).update(owner=user)
    staying = packs.move_packs(guest=guest, user=user) | _settle_starters(guest, user)
    movements = [
        ledger.Movement(card=card, count=count, kind=Kind(kind), giver=guest.pk, taker=user.pk)
        for (card, kind), count in _leaving(guest, staying).items()
    ]
    marks = list(Holding.objects.filter(owner=guest))
    before = of_holdings(marks)
    ledger.transfer(
        key=f"merge:{guest.pk}:{user.pk}", reason=Reason.MERGE, movements=movements, by=user
    )
    _move_marks(marks, guest, user)
    _move_rows(before, marks, user)
    PrintJob.objects.filter(owner=guest).update(owner=user)


def _move_rows(before: Mapping[int, Rows], marks: list[Holding], user: User) -> None:
    """Move the details of the copies too; the account's rows of them are locked."""
    left = of_holdings(Holding.objects.filter(pk__in=list(before)))
    gone = {
        mark.card_id: fewer(before[mark.pk], left.get(mark.pk, ()))
        for mark in marks
        if mark.pk in before
    }
    if not gone:
        return
    locked = Holding.objects.select_for_update().filter(owner=user, card__in=list(gone))
    here = list(locked.order_by("card_id"))
    stored = of_holdings(here)
    rows = {}
    for held in here:
        merged = [*stored.get(held.pk, ()), *gone[held.card_id]]
        rows[held.pk] = settled(merged, held.digital + held.physical, held.for_trade)
        held.described = counted(rows[held.pk])
    Holding.objects.bulk_update(here, ["described"], batch_size=200)
    copies.write(rows)


def _settle_starters(guest: User, user: User) -> set[str]:
    """Keys of starter decks that stay behind; any other one now counts as the account's own."""
    staying = set()
    prefix = f"starter:{guest.pk}:"
    for taken in Transfer.objects.filter(key__startswith=prefix):
        own = f"starter:{user.pk}:{taken.key.removeprefix(prefix)}"
        _, now = ledger.transfer(
            key=own, reason=Reason.STARTER, movements=[], by=user, note=taken.note
        )
        if not now:
            staying.add(taken.key)
    return staying


def _leaving(guest: User, staying: set[str]) -> dict[tuple[int, str], int]:
    """The guest's copies by card and kind, less those of transfers that stay behind."""
    kept = LedgerRow.objects.filter(taker=guest, transfer__key__in=staying).order_by()
    held_back = {
        (card, kind): total
        for card, kind, total in kept.values_list("card_id", "kind").annotate(Sum("count"))
    }
    leaving = {}
    # Locked: a guest's other tab may be counting at this very moment.
    rows = Holding.objects.select_for_update().filter(owner=guest).order_by("card_id")
    for row in rows:
        for kind, held in ((Kind.DIGITAL, row.digital), (Kind.PHYSICAL, row.physical)):
            count = held - held_back.get((row.card_id, kind), 0)
            if count > 0:
                leaving[row.card_id, str(kind)] = count
    return leaving


def _move_marks(marks: list[Holding], guest: User, user: User) -> None:
    """Wishlist, copies for trade and notes go along; the larger count stays.

    The account's rows are locked and their counts left alone: somebody may be trading meanwhile.
    """
    Holding.objects.bulk_create(
        [Holding(owner=user, card_id=mark.card_id) for mark in marks],
        batch_size=ledger.BATCH_SIZE,
        ignore_conflicts=True,
    )
    cards = Holding.objects.filter(owner=guest).values("card")
    locked = Holding.objects.select_for_update().filter(owner=user, card__in=cards)
    here = {row.card_id: row for row in locked.order_by("card_id")}
    before = {copy(row): row for row in here.values()}
    for mark in marks:
        row = here[mark.card_id]
        row.wishlist = max(row.wishlist, mark.wishlist)
        row.for_trade = min(max(row.for_trade, mark.for_trade), row.digital + row.physical)
        row.tags = row.tags or mark.tags
        row.notes = row.notes or mark.notes
        row.extra = row.extra or mark.extra
    fields = ["wishlist", "for_trade", "tags", "notes", "extra"]
    rows = copies.settle(before)
    Holding.objects.bulk_update(here.values(), fields, batch_size=200)
    copies.write(rows)
