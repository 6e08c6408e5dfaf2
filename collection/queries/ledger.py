"""Reading the ledger: what happened to a card or a person, and whether the sums are right."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum

from accounts.models import User
from collection.models import Card, Holding, LedgerEntry, LedgerRow
from collection.queries.tallies import TallyDifference, tally_differences


def history(user: User, card: Card | None = None) -> QuerySet[LedgerRow]:
    """A transfer of a person's history, latest first; of one card or of all."""
    rows = LedgerRow.objects.filter(Q(giver=user) | Q(taker=user))
    if card is not None:
        rows = rows.filter(card=card)
    return _with_related(rows).order_by("-pk")


def _with_related(rows: QuerySet[LedgerRow]) -> QuerySet[LedgerRow]:
    """These rows with all that a page tells of them."""
    return rows.select_related("transfer", "card__game", "giver", "taker")


@dataclass(frozen=True, slots=True)
class Entry:
    """A transfer as one of its people sees it: so many copies came, so many went.

    Of its ``lines`` rows, a card each, ``rows`` are some; ``mark`` is its place in the history.
    """

    mark: int
    lines: int
    came: int
    went: int
    rows: list[LedgerRow]


def entries(user: User, *, before: int | None = None, most: int, rows_each: int) -> list[Entry]:
    """A person's history, transfer by transfer, latest first, from behind a mark on.

    Costs the same however much came and went: no more than the rows that are given is read.
    """
    recorded = LedgerEntry.objects.filter(person=user)
    if before is not None:
        recorded = recorded.filter(transfer__lt=before)
    in_line = history(user).filter(transfer=OuterRef("transfer")).order_by("card_id")
    last = Subquery(in_line.values("card_id")[rows_each - 1 : rows_each])
    page = list(recorded.annotate(last_card=last).order_by("-transfer_id")[:most])
    wanted = Q(pk__in=())
    for entry in page:
        wanted |= Q(transfer=entry.transfer_id) & (
            Q() if entry.last_card is None else Q(card__lte=entry.last_card)
        )
    rows: dict[int, list[LedgerRow]] = {entry.transfer_id: [] for entry in page}
    order = ("card__game__sort_number", "card__sort_number", "pk")
    # Asked whose rows they are, SQLite would look for them among all rows of the person.
    for row in _with_related(LedgerRow.objects.filter(wanted)).order_by(*order):
        if user.pk in (row.giver_id, row.taker_id):
            rows[row.transfer_id].append(row)
    return [
        Entry(
            entry.transfer_id,
            entry.lines,
            entry.came,
            entry.went,
            rows[entry.transfer_id][:rows_each],
        )
        for entry in page
    ]


#: For a person and a transfer: how many rows, and how many copies came and went.
Sums = dict[tuple[int, int], tuple[int, int, int]]


def summed(user: User | None = None) -> Sums:
    """The entries that the ledger's rows of this person (of everybody) add up to."""
    sums: Sums = {}
    for side in ("taker", "giver"):
        rows = _rows(side, user).values_list(f"{side}_id", "transfer_id")
        for person, transfer, number, copies in rows.annotate(Count("pk"), Sum("count")).iterator():
            lines, came, went = sums.get((person, transfer), (0, 0, 0))
            came, went = (came + copies, went) if side == "taker" else (came, went + copies)
            sums[person, transfer] = (lines + number, came, went)
    return sums


@dataclass(frozen=True, slots=True)
class Difference:
    """A holding that is not the ledger's sum."""

    owner: int
    card: int
    kind: str
    held: int
    summed: int

    def __str__(self) -> str:
        return (
            f"person {self.owner}, card {self.card}, {self.kind}: "
            f"{self.held} held, {self.summed} in the ledger"
        )


@dataclass(frozen=True, slots=True)
class EntryDifference:
    """An entry (of lines, copies that came and went) that is not the sum of its rows."""

    person: int
    transfer: int
    recorded: tuple[int, int, int] | None
    summed: tuple[int, int, int] | None

    def __str__(self) -> str:
        return (
            f"person {self.person}, transfer {self.transfer}: "
            f"{self.recorded} in the entry, {self.summed} in the ledger"
        )


def differences(user: User | None = None) -> list[Difference | EntryDifference | TallyDifference]:
    """Every holding and entry that differs from the ledger, every tally from the holdings.

    There should be none. The tallies are compared where the holdings are right.
    """
    held = _wrong_holdings(user)
    return [
        *held,
        *_wrong_entries(user),
        *([] if held else tally_differences(None if user is None else user.pk)),
    ]


def _wrong_entries(user: User | None) -> list[EntryDifference]:
    right = summed(user)
    entries = LedgerEntry.objects.all() if user is None else LedgerEntry.objects.filter(person=user)
    rows = entries.values_list("person_id", "transfer_id", "lines", "came", "went")
    recorded = {
        (person, transfer): (lines, came, went)
        for person, transfer, lines, came, went in rows.iterator()
    }
    return [
        EntryDifference(*key, recorded=recorded.get(key), summed=right.get(key))
        for key in sorted({*recorded, *right})
        if recorded.get(key) != right.get(key)
    ]


def _wrong_holdings(user: User | None) -> list[Difference]:
    sums = _sums("taker", user)
    for key, count in _sums("giver", user).items():
        sums[key] = sums.get(key, 0) - count
    held: dict[tuple[int, int, str], int] = {}
    holdings = Holding.objects.all() if user is None else Holding.objects.filter(owner=user)
    rows = holdings.values_list("owner_id", "card_id", "digital", "physical")
    for owner, card, digital, physical in rows.iterator():
        held[owner, card, "digital"] = digital
        held[owner, card, "physical"] = physical
    keys = sorted({*sums, *held})
    return [
        Difference(*key, held=held.get(key, 0), summed=sums.get(key, 0))
        for key in keys
        if held.get(key, 0) != sums.get(key, 0)
    ]


def _sums(side: str, user: User | None) -> dict[tuple[int, int, str], int]:
    rows = _rows(side, user).values_list(f"{side}_id", "card_id", "kind").annotate(Sum("count"))
    return {(owner, card, kind): total for owner, card, kind, total in rows}


def _rows(side: str, user: User | None) -> QuerySet[LedgerRow]:
    """The rows in which this person (anyone) got or gave a card."""
    rows = LedgerRow.objects.exclude(**{side: None}).order_by()
    return rows if user is None else rows.filter(**{side: user})
