"""Details of single copies: condition, language, finish, binder and note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from django.db import transaction

from accounts.models import User
from collection.copies import (
    CONDITIONS,
    LANGUAGES,
    MAX_LENGTHS,
    Described,
    counted,
    rest,
    settled,
    tidied,
)
from collection.errors import NotEnoughCards, Unacceptable
from collection.lists.effects import MAX_ROWS
from collection.models import Card, Holding
from collection.queries.copies import of_holdings
from collection.services import copies
from collection.services.holdings import TOKEN, locked_holding, tidy_tags
from core.idempotency import once


@transaction.atomic
def redescribe(
    *, owner: User, card: Card, key: str, count: int, to: Described, token: str
) -> Holding:
    """Say of ``count`` copies that are described so (``key``; "": plain ones) what they are.

    What an earlier import kept with them stays with them. The same token counts once. Raises
    ``NotEnoughCards`` where there are fewer, and ``Unacceptable``.
    """
    if TOKEN.fullmatch(token) is None:
        raise Unacceptable("This form is invalid. Reload the page.", field="token")
    to = checked(replace(to, quantity=count))

    def change() -> str:
        held = locked_holding(owner, card)
        rows = list(of_holdings([held]).get(held.pk, ()))
        source = next((row for row in rows if row.key == key), None)
        if not key:
            source = rest(rows, held.digital + held.physical, held.for_trade)
        available = source.quantity if source else 0
        if source is None or count > available:
            raise NotEnoughCards(_fewer(available), has=available, needs=count)
        if key:
            rows.remove(source)
            rows.append(
                replace(source, quantity=available - count, for_trade=_staying(source, count))
            )
        going = source.for_trade - _staying(source, count)
        rows.append(replace(to, extra=source.extra, tags=to.tags or source.tags, for_trade=going))
        _write(held, rows)
        return ""

    once(
        user=owner,
        key=f"copies:{token}",
        content=[card.pk, key, count, *to.said],
        make=change,
    )
    return locked_holding(owner, card)


def _staying(source: Described, count: int) -> int:
    """How many of the copies that stay as they were may go: those that may, stay if they can."""
    return min(source.for_trade, source.quantity - count)


def _fewer(available: int) -> str:
    if not available:
        return "These copies no longer exist. Reload the page."
    copies_there = "Only 1 copy matches" if available == 1 else f"Only {available:,} copies match"
    return f"{copies_there}. Choose a number up to {available:,}."


@transaction.atomic
def describe(*, owner: User, card: Card, rows: Iterable[Described]) -> Holding:
    """Say of all copies of a card what they are; those that no row names are plain.

    What an earlier import kept with copies stays with those that are described as before. When
    more of them may go than of the card, so many of the card may, too. Doing it again changes
    nothing. Raises ``Unacceptable`` where they are more than there are.
    """
    held = locked_holding(owner, card)
    before = of_holdings([held]).get(held.pk, ())
    described = tidied(_as_kept(map(checked, rows), before))
    have = held.digital + held.physical
    if counted(described) > have:
        copies_here = "1 copy" if have == 1 else f"{have:,} copies"
        raise Unacceptable(
            f"You described {counted(described):,} copies of {card.title}, but you have "
            f"{copies_here}.",
            field="copies",
        )
    held.for_trade = max(held.for_trade, sum(row.for_trade for row in described))
    _write(held, described)
    return held


def _as_kept(rows: Iterable[Described], before: Sequence[Described]) -> Iterator[Described]:
    """The rows, with what was kept with so many copies that were described as they are."""
    left = {known.key: known.quantity for known in before}
    for row in rows:
        for known in before:
            if not row.extra and known.said[:-1] == row.said[:-1]:
                count = min(row.quantity, left[known.key])
                for_trade = min(row.for_trade, count)
                left[known.key] -= count
                yield replace(row, quantity=count, for_trade=for_trade, extra=known.extra)
                row = replace(
                    row, quantity=row.quantity - count, for_trade=row.for_trade - for_trade
                )
        yield row


def _write(held: Holding, rows: Iterable[Described]) -> None:
    listed = settled(rows, held.digital + held.physical, held.for_trade)
    if len(listed) > MAX_ROWS:
        raise Unacceptable(f"Limit: {MAX_ROWS} different kinds of copies per card.", field="copies")
    copies.write({held.pk: listed})
    held.described = counted(listed)
    held.save(update_fields=["described", "for_trade"])


def checked(row: Described) -> Described:
    """Tidy the words of a row; raises ``Unacceptable``, whose ``field`` names the wrong one."""
    if row.quantity < 1:
        raise Unacceptable("Enter a number of copies, 1 or more.", field="count")
    if row.condition and row.condition not in CONDITIONS:
        raise Unacceptable(f"Choose one of {', '.join(CONDITIONS)}.", field="condition")
    if row.language and row.language not in LANGUAGES:
        raise Unacceptable(f"Choose one of {', '.join(LANGUAGES)}.", field="language")
    return replace(
        row,
        finish=_tidy("finish", row.finish),
        binder=_tidy("binder", row.binder),
        note=_tidy("note", row.note),
        tags=tidy_tags(row.tags),
        for_trade=max(0, min(row.for_trade, row.quantity)),
    )


def _tidy(name: str, text: str) -> str:
    """On one line, without what no page shows."""
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if len(words) > MAX_LENGTHS[name]:
        raise Unacceptable(f"The {name} can have up to {MAX_LENGTHS[name]} characters.", field=name)
    return words
