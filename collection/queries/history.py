"""The history page by page: a page of a long one costs what a page of a short one does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from collection.models import Kind, LedgerRow, Reason
from collection.queries.ledger import history
from core.serializers import Address, Doc


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some rows, latest first, and the marks of what is newer and older (None: nothing)."""

    rows: list[LedgerRow]
    newer: int | None = None
    older: int | None = None


def history_page(
    user: User,
    among: QuerySet[LedgerRow],
    size: int,
    *,
    older: int | None = None,
    newer: int | None = None,
) -> HistoryPage:
    """So many of a person's rows, ``older`` or ``newer`` than a mark; the latest without either.

    ``among`` says which rows may be theirs: of one card, for one reason, or all.
    """
    upwards = older is None and newer is not None
    if older is not None:
        among = among.filter(pk__lt=older)
    elif newer is not None:
        among = among.filter(pk__gt=newer)
    # Each side has an index in which its rows stand in order. Asked for both at once, the database
    # would read and sort everything that a person has ever had.
    seen: set[int] = set()
    for side in ("giver", "taker"):
        theirs = among.filter(**{side: user}).order_by("pk" if upwards else "-pk")
        seen.update(theirs.values_list("pk", flat=True)[: size + 1])
    keys = sorted(seen, reverse=not upwards)
    more, keys = len(keys) > size, sorted(keys[:size], reverse=True)
    if not keys:
        return HistoryPage([])
    return HistoryPage(
        rows=list(history(user).filter(pk__in=keys)),
        newer=keys[0] if (more if upwards else older is not None) else None,
        older=keys[-1] if upwards or more else None,
    )


#: Where to read of what a transfer was for, by the first word of its key.
_ABOUT = {
    "pack": "api-pack",
    "trade": "api-trade",
    "import": "api-import",
    "undo": "api-import",
    "ante": "api-match",
}


@dataclass(frozen=True, slots=True)
class Change:
    """Copies of a card that came to you, or went."""

    transfer: Annotated[int, Doc("Changes of one transfer have the same number.")]
    at: datetime
    reason: Annotated[str, Doc(choices=Reason.choices)]
    note: str
    game: str
    card: str
    title: str
    kind: Annotated[
        str,
        Doc("Digital or physical copies.", choices=Kind.choices),
    ]
    change: Annotated[int, Doc("Copies gained; negative: lost.")]
    other: Annotated[
        str | None,
        Doc("Username of the other person; null if there is none."),
    ]
    about: Annotated[
        str | None,
        Doc(
            "The pack, trade, import or match, if any.",
            field=Address,
        ),
    ]


def changes_shown(user: User, rows: Sequence[LedgerRow]) -> list[Change]:
    """Rows of a person's history from that person's side."""
    return [_change(row, came=row.taker_id == user.pk) for row in rows]


def _change(row: LedgerRow, *, came: bool) -> Change:
    other = row.giver if came else row.taker
    kind, _, slug = row.transfer.key.partition(":")
    known = kind in _ABOUT and ":" not in slug
    return Change(
        transfer=row.transfer_id,
        at=row.transfer.at,
        reason=row.transfer.reason,
        note=row.transfer.note,
        game=row.card.game.slug,
        card=row.card.slug,
        title=row.card.title,
        kind=row.kind,
        change=row.count if came else -row.count,
        other=other.username if other else None,
        about=reverse(_ABOUT[kind], args=[slug]) if known else None,
    )
