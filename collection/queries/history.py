"""The history page by page: a page of a long one costs what a page of a short one does."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.models import User
from collection.models import LedgerRow
from collection.queries.ledger import history


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
    found: set[int] = set()
    for side in ("giver", "taker"):
        theirs = among.filter(**{side: user}).order_by("pk" if upwards else "-pk")
        found.update(theirs.values_list("pk", flat=True)[: size + 1])
    keys = sorted(found, reverse=not upwards)
    more, keys = len(keys) > size, sorted(keys[:size], reverse=True)
    if not keys:
        return HistoryPage([])
    return HistoryPage(
        rows=list(history(user).filter(pk__in=keys)),
        newer=keys[0] if (more if upwards else older is not None) else None,
        older=keys[-1] if upwards or more else None,
    )
