"""The only place where cards change hands: one transfer, its ledger rows and the holdings.

What a transfer was to each of its people is written beside the rows, for their histories.

A transfer has a key that says what it is for (``pack:<slug>``, ``trade:<slug>``). A key is carried
out once, however often it is asked for and by however many workers at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from collection.errors import NotEnoughCards, Unacceptable
from collection.models import Card, Holding, Kind, LedgerEntry, LedgerRow, Reason, Transfer
from collection.models.holdings import MAX_COPIES
from collection.queries.ledger import Sums, summed
from collection.queries.tallies import Amounts
from collection.services import copies, tallies

BATCH_SIZE = 1000


@dataclass(frozen=True, slots=True)
class Movement:
    """``count`` copies of a card go from ``giver`` to ``taker`` (keys of people; None: outside)."""

    card: int
    count: int
    kind: Kind
    giver: int | None = None
    taker: int | None = None


@transaction.atomic
def transfer(
    *,
    key: str,
    reason: Reason,
    movements: Iterable[Movement],
    by: User | None = None,
    note: str = "",
) -> tuple[Transfer, bool]:
    """Carry out movements together; gives the transfer and whether it was carried out now.

    Movements of the same card between the same people are added up; zero counts are left out.
    A transfer with the key of an earlier one changes nothing and gives that one, whatever its
    movements. Raises ``NotEnoughCards`` when somebody would have fewer than none of a card, and
    ``Unacceptable`` when more than ``MAX_COPIES``: then nothing at all has happened.
    """
    record, created = Transfer.objects.get_or_create(
        key=key, defaults={"reason": reason, "by": by, "note": note}
    )
    if not created:
        return record, False
    rows = _rows(record, movements)
    _change_holdings(_changes(rows))
    LedgerRow.objects.bulk_create(rows, batch_size=BATCH_SIZE)
    _add_entries(_entry_sums(rows))
    return record, True


def digital_to(user: User, cards: Mapping[int, int]) -> list[Movement]:
    """Movements that give a person digital copies (card key → copies) from the site."""
    return [
        Movement(card=card, count=count, kind=Kind.DIGITAL, taker=user.pk)
        for card, count in cards.items()
    ]


def physical_of(user: User, changes: Mapping[int, int]) -> list[Movement]:
    """Movements of a person's physical copies (card key → difference, of either sign)."""
    return [
        Movement(
            card=card,
            count=abs(change),
            kind=Kind.PHYSICAL,
            giver=user.pk if change < 0 else None,
            taker=user.pk if change > 0 else None,
        )
        for card, change in changes.items()
    ]


def _rows(record: Transfer, movements: Iterable[Movement]) -> list[LedgerRow]:
    """The ledger's rows, one for each card, kind and pair of people."""
    counts: dict[tuple[int, Kind, int | None, int | None], int] = {}
    for move in movements:
        if move.count < 0:
            raise ValueError(f"{move.count} copies cannot move.")
        where = (move.card, move.kind, move.giver, move.taker)
        counts[where] = counts.get(where, 0) + move.count
    return [
        LedgerRow(
            transfer=record, card_id=card, kind=kind, count=count, giver_id=giver, taker_id=taker
        )
        for (card, kind, giver, taker), count in counts.items()
        if count
    ]


def _entry_sums(rows: Iterable[LedgerRow]) -> Sums:
    """For each person of these rows: how many of them, how many copies came and went."""
    sums: Sums = {}
    for row in rows:
        for person, came, went in ((row.taker_id, row.count, 0), (row.giver_id, 0, row.count)):
            if person is not None:
                key = (person, row.transfer_id)
                lines, had, gave = sums.get(key, (0, 0, 0))
                sums[key] = (lines + 1, had + came, gave + went)
    return sums


def _add_entries(sums: Sums) -> None:
    LedgerEntry.objects.bulk_create(
        (
            LedgerEntry(
                person_id=person, transfer_id=transfer_id, lines=lines, came=came, went=went
            )
            for (person, transfer_id), (lines, came, went) in sums.items()
        ),
        batch_size=BATCH_SIZE,
    )


@transaction.atomic
def add_up_anew() -> None:
    """Write everybody's entries anew from the ledger's rows."""
    tallies.block_transfers()
    LedgerEntry.objects.all().delete()
    _add_entries(summed())


#: For a person and a card: how many more digital and physical copies.
Changes = dict[tuple[int, int], dict[str, int]]


def _changes(rows: Iterable[LedgerRow]) -> Changes:
    changes: Changes = {}
    for row in rows:
        for owner, sign in ((row.giver_id, -1), (row.taker_id, 1)):
            if owner is not None:
                change = changes.setdefault((owner, row.card_id), {"digital": 0, "physical": 0})
                change[row.kind] += sign * row.count
    return changes


def _change_holdings(changes: Changes) -> None:
    """Lock the holdings concerned, always in the same order; write new counts and tallies."""
    ordered = sorted(changes)
    amounts: Amounts = {}
    for start in range(0, len(ordered), BATCH_SIZE):
        keys = ordered[start : start + BATCH_SIZE]
        locked = _locked(keys)
        changed = {key: _changed(locked[key], changes[key]) for key in keys}
        rows = copies.settle({locked[key]: changed[key] for key in keys})
        Holding.objects.bulk_create(
            changed.values(),
            update_conflicts=True,
            unique_fields=["owner", "card"],
            update_fields=["digital", "physical", "described", "for_trade", "updated_at"],
        )
        copies.write(rows)
        tallies.count({key: _difference(locked[key], changed[key]) for key in keys}, amounts)
    tallies.write(amounts)


def _locked(keys: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Holding]:
    """The holdings of these people and cards, made where there were none, locked."""
    wanted = set(keys)
    Holding.objects.bulk_create(
        [Holding(owner_id=owner, card_id=card) for owner, card in sorted(wanted)],
        ignore_conflicts=True,
    )
    rows = Holding.objects.select_for_update().filter(
        owner_id__in={owner for owner, _ in wanted}, card_id__in={card for _, card in wanted}
    )
    rows_by_key = {(row.owner_id, row.card_id): row for row in rows.order_by("owner_id", "card_id")}
    return {key: rows_by_key[key] for key in sorted(wanted)}


def _changed(holding: Holding, change: Mapping[str, int]) -> Holding:
    """The row with its new counts; never more copies for trade than there are."""
    digital = holding.digital + change["digital"]
    physical = holding.physical + change["physical"]
    if digital < 0 or physical < 0:
        raise _not_enough(holding, change)
    if digital + physical > MAX_COPIES:
        raise Unacceptable(f"Limit: {MAX_COPIES:,} copies of one card.")
    return Holding(
        owner_id=holding.owner_id,
        card_id=holding.card_id,
        digital=digital,
        physical=physical,
        described=holding.described,
        for_trade=min(holding.for_trade, digital + physical),
        updated_at=timezone.now(),
    )


def _difference(old: Holding, new: Holding) -> tallies.Change:
    before, after = old.digital + old.physical, new.digital + new.physical
    return tallies.Change(
        cards=(after > 0) - (before > 0),
        copies=after - before,
        digital=new.digital - old.digital,
    )


def _not_enough(holding: Holding, change: Mapping[str, int]) -> NotEnoughCards:
    short = "digital" if holding.digital + change["digital"] < 0 else "physical"
    has, needs = getattr(holding, short), -change[short]
    card = Card.objects.select_related("game").get(pk=holding.card_id)
    owner = User.objects.get(pk=holding.owner_id)
    kind = "digital copies" if short == "digital" else "physical copies"
    return NotEnoughCards(
        f"{owner} has {has} {kind} of {card.title}, not {needs}.",
        owner=owner.username,
        game=card.game.slug,
        card=card.slug,
        has=has,
        needs=needs,
    )
