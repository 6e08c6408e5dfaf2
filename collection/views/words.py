"""A row of the ledger as a person reads it: what came or went, why, with whom, when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.urls import NoReverseMatch, reverse

from accounts.models import User
from collection.models import Card, Kind, LedgerRow, Reason
from collection.queries.ledger import Entry

#: Where a transfer came from, by the first word of its key.
_PAGES = {"pack": "collection:pack", "trade": "collection:trade", "import": "collection:import"}
_IN_WORDS = {
    Reason.STARTER: "Starter deck",
    Reason.PACK: "Opened in a pack",
    Reason.GRANT: "Given by the house",
    Reason.TRADE: "Trade",
    Reason.ANTE: "Won in a match",
    Reason.HAND: "Counted by hand",
    Reason.IMPORT: "Imported list",
    Reason.UNDO: "Import taken back",
    Reason.MERGE: "Brought along as a guest",
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
        on_paper=row.kind == Kind.RECORDED,
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
        """What is true of all of them, but for the card."""
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


A_MOMENT = timedelta(minutes=1)
"""Presses on one card that follow each other within this are told as one."""


def changes_of(rows: Iterable[LedgerRow], owner: User) -> list[Change]:
    """Rows, latest first, with presses on one card within a moment as one change."""
    told: list[Change] = []
    keys: list[tuple[int, bool]] = []
    for row in rows:
        change = change_of(row, owner)
        key = (row.card_id, row.transfer.reason == Reason.HAND)
        if told and key[1] and keys[-1] == key and (both := _together(told[-1], change)):
            told[-1] = both
        else:
            told.append(change)
            keys.append(key)
    return told


def _together(later: Change, earlier: Change) -> Change | None:
    """Two presses as one; None where they lie apart or come to nothing."""
    count = later.count + earlier.count
    if not count or later.at - earlier.at > A_MOMENT:
        return None
    return replace(later, count=count)


def pressed_together(events: Iterable[Event]) -> list[Event]:
    """Events, latest first, with presses on one card within a moment as one."""
    told: list[Event] = []
    for event in events:
        before = told[-1] if told else None
        if (
            before
            and before.by_hand
            and event.by_hand
            and before.first.card == event.first.card
            and (both := _together(before.first, event.first))
        ):
            told[-1] = Event(max(0, both.count), both.gone, 1, [both], by_hand=True)
        else:
            told.append(event)
    return told


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
