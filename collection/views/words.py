"""A row of the ledger as a person reads it: what came or went, why, with whom, when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

from django.urls import NoReverseMatch, reverse

from accounts.models import User
from collection.models import Card, Kind, LedgerRow, Reason
from collection.queries.ledger import Entry

#: Where a transfer came from, by the first word of its key.
_PAGES = {
    "pack": "collection:pack",
    "trade": "collection:trade",
    "import": "collection:import",
    "ante": "matches:result",
}
_IN_WORDS = {
    Reason.STARTER: "Starter deck",
    Reason.PACK: "Opened in a pack",
    Reason.GRANT: "Gift from Riffle",
    Reason.TRADE: "Trade",
    Reason.ANTE: "Won in a match",
    Reason.HAND: "Added manually",
    Reason.IMPORT: "Imported list",
    Reason.UNDO: "Import undone",
    Reason.MERGE: "From your guest account",
}


@dataclass(frozen=True, slots=True)
class Change:
    """``count`` copies came (or went: below 0), in these words; ``other`` is who was concerned."""

    card: Card
    count: int
    on_paper: bool
    words: str
    note: str
    other: User | None
    at: datetime
    address: str

    @property
    def gone(self) -> int:
        """How many copies went."""
        return max(0, -self.count)


def change_of(row: LedgerRow, owner: User) -> Change:
    """The row as its owner sees it: others are named, the owner is not."""
    came = row.taker_id == owner.pk
    reason = Reason(row.transfer.reason)
    words = "Lost in a match" if reason == Reason.ANTE and not came else _IN_WORDS[reason]
    return Change(
        card=row.card,
        count=row.count if came else -row.count,
        on_paper=row.kind == Kind.PHYSICAL,
        words=words,
        note=row.transfer.note,
        other=row.giver if came else row.taker,
        at=row.transfer.at,
        address=_address(row.transfer.key),
    )


@dataclass(frozen=True, slots=True)
class Event:
    """A transfer: ``came`` and ``went`` copies in ``lines`` lines; ``changes`` are the first."""

    came: int
    went: int
    lines: int
    changes: list[Change]
    by_hand: bool = False
    """One card was counted."""

    @property
    def first(self) -> Change:
        """Everything that the changes have in common, except the card."""
        return self.changes[0]

    @property
    def all_came(self) -> bool:
        return not self.went

    @property
    def all_on_paper(self) -> bool:
        return all(change.on_paper for change in self.changes)

    @property
    def left_out(self) -> int:
        """How many lines are not told."""
        return self.lines - len(self.changes)


MERGE_WINDOW = timedelta(minutes=1)
"""Presses on one card that follow each other within this are told as one."""


def changes_of(rows: Iterable[LedgerRow], owner: User) -> list[Change]:
    """Rows, latest first, with presses on one card within a moment as one change."""
    return [
        change
        for by_hand, run in groupby(rows, lambda row: row.transfer.reason == Reason.HAND)
        for change in _together([change_of(row, owner) for row in run], by_hand=by_hand)
    ]


def _together(changes: Iterable[Change], *, by_hand: bool) -> list[Change]:
    """Changes, latest first; presses on one card as one, unless nothing came of them."""
    runs: list[list[Change]] = []
    for change in changes:
        last = runs[-1][-1] if runs else None
        if by_hand and last and last.card == change.card and last.at - change.at <= MERGE_WINDOW:
            runs[-1].append(change)
        else:
            runs.append([change])
    merged: list[Change] = []
    for run in runs:
        count = sum(change.count for change in run)
        merged += [replace(run[0], count=count)] if count else run
    return merged


def pressed_together(events: Iterable[Event]) -> list[Event]:
    """Events, latest first, with presses on one card within a moment as one."""
    merged: list[Event] = []
    for by_hand, run in groupby(events, lambda event: event.by_hand):
        if by_hand:
            changes = _together([event.first for event in run], by_hand=True)
            merged += [Event(max(0, change.count), change.gone, 1, [change]) for change in changes]
        else:
            merged += run
    return merged


def event_of(entry: Entry, owner: User) -> Event:
    """A transfer as its owner sees it."""
    changes = [change_of(row, owner) for row in entry.rows]
    by_hand = entry.lines == 1 and entry.rows[0].transfer.reason == Reason.HAND
    return Event(entry.came, entry.went, entry.lines, changes, by_hand=by_hand)


def _address(key: str) -> str:
    """The page of what a transfer was for, where it has one."""
    kind, _, slug = key.partition(":")
    try:
        return reverse(_PAGES[kind], args=[slug])
    except (KeyError, NoReverseMatch):
        return ""
