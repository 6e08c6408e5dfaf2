"""Keeping rows of described copies in step with the holdings that they belong to.

Whoever calls has locked the holdings. Nothing else writes these rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from collection.copies import Described, counted, settled, tidied
from collection.models import DescribedCopies, Holding
from collection.queries import copies

Rows = tuple[Described, ...]
BATCH_SIZE = 500


def settle(held: Mapping[Holding, Holding]) -> dict[int, Rows]:
    """Rows that are others once locked holdings (before → after) are written; by holding.

    Writes into each holding after how many copies will be described. No query where none are.
    """
    before = copies.of_holdings(
        old
        for old, new in held.items()
        if (new.digital + new.physical, new.for_trade)
        != (old.digital + old.physical, old.for_trade)
    )
    changed = {}
    for old, new in held.items():
        rows = before.get(old.pk)
        if rows is not None:
            after = settled(rows, new.digital + new.physical, new.for_trade)
            new.described = counted(after)
            if after != rows:
                changed[old.pk] = after
    return changed


def write(rows: Mapping[int, Iterable[Described]]) -> None:
    """Write all rows of these holdings (by key); ``described`` is written by whoever calls."""
    wanted = {held: {row.key: row for row in tidied(listed)} for held, listed in rows.items()}
    keys = sorted(wanted)
    for start in range(0, len(keys), BATCH_SIZE):
        _write({held: wanted[held] for held in keys[start : start + BATCH_SIZE]})


def _write(wanted: Mapping[int, Mapping[str, Described]]) -> None:
    stored = DescribedCopies.objects.filter(holding__in=list(wanted)).order_by()
    gone, same = [], set()
    for pk, held, key, quantity, for_trade in stored.values_list(
        "pk", "holding_id", "key", "quantity", "for_trade"
    ):
        row = wanted[held].get(key)
        if row is None:
            gone.append(pk)
        elif (row.quantity, row.for_trade) == (quantity, for_trade):
            same.add((held, key))
    for start in range(0, len(gone), BATCH_SIZE):
        DescribedCopies.objects.filter(pk__in=gone[start : start + BATCH_SIZE]).delete()
    DescribedCopies.objects.bulk_create(
        [
            _model(held, row)
            for held, rows in wanted.items()
            for key, row in rows.items()
            if (held, key) not in same
        ],
        batch_size=BATCH_SIZE,
        update_conflicts=True,
        unique_fields=["holding", "key"],
        update_fields=["quantity", "for_trade"],
    )


def _model(held: int, row: Described) -> DescribedCopies:
    return DescribedCopies(
        holding_id=held,
        key=row.key,
        quantity=row.quantity,
        for_trade=row.for_trade,
        condition=row.condition,
        language=row.language,
        finish=row.finish,
        binder=row.binder,
        note=row.note,
        tags=row.tags,
        extra=dict(row.extra),
    )
