"""Pages of cards by what stands at their edges, so that page 4,000 is as quick as the first.

Nothing is skipped and nothing is counted: a page begins after (or ends before) a mark, which says
where a card stands in the chosen order. Cards that come or go meanwhile shift no page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

from collection.models import Card
from collection.queries.search import meant

_MARK = re.compile(r"(-?[0-9]{1,18})\.([0-9]{1,18})", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Order:
    """One way to line cards up: by a column, cards of the same value by their key."""

    column: str
    descending: bool = False

    def mark(self, key: int, value: Any) -> str:
        """Where the card of that key stands, as it goes into an address."""
        if isinstance(value, datetime):
            value = (value - _EPOCH) // timedelta(microseconds=1)
        return f"{value}.{key}"

    def line(self, cards: QuerySet[Card], *, backwards: bool = False) -> QuerySet[Card]:
        """The cards in this order, or in the opposite one."""
        sign = "-" if self.descending != backwards else ""
        return cards.order_by(f"{sign}{self.column}", f"{sign}pk")

    def beyond(self, mark: str, *, backwards: bool = False) -> Q | None:
        """Cards after a mark, or before it; None where the mark is none."""
        read = _MARK.fullmatch(mark)
        if read is None:
            return None
        value: int | datetime = int(read[1])
        if self.column == "own_since":
            try:
                value = _EPOCH + timedelta(microseconds=int(read[1]))
            except OverflowError:
                return None
        word = "lt" if self.descending != backwards else "gt"
        # The first part is implied by the second, and lets the database go straight to the place.
        return Q(**{f"{self.column}__{word}e": value}) & (
            Q(**{f"{self.column}__{word}": value}) | Q(**{f"pk__{word}": int(read[2])})
        )


ORDERS: Mapping[str, Order] = {
    "number": Order("place"),
    "name": Order("name_place"),
    "rarity": Order("rarity_place"),
    # The columns of somebody's holdings; ``queries.holdings.of`` brings them.
    "newest": Order("own_since", descending=True),
    "most": Order("own_quantity", descending=True),
}
BEST_MATCH = Order("match_place")
"""How well cards fit the words that are searched; ``queries.search.ranked`` brings the column."""
OWNED_ORDERS = ("newest", "most")
"""Orders that only cards have that somebody owns."""


C = TypeVar("C")
Read = Callable[[Collection[int]], Mapping[int, C]]
"""Reads the cards of some keys, in whatever form they are wanted."""


@dataclass(frozen=True, slots=True)
class Page(Generic[C]):
    """Some cards in order, and the marks of what comes before and after them ("": nothing)."""

    cards: list[C]
    before: str = ""
    after: str = ""


MANY = 1000
"""Where counting stops."""


@dataclass(frozen=True, slots=True)
class Found:
    """How many cards there are, or that there are more than anybody counts."""

    number: int
    more: bool = False


def page_of(
    cards: QuerySet[Card],
    order: Order,
    size: int,
    marks: Mapping[str, Any] | None = None,
    number: int | None = None,
    *,
    read: Read[C],
) -> tuple[Page[C], Found]:
    """A page after ``marks["after"]`` or before ``marks["before"]``, and how many cards there are.

    Without either mark it is the first one; a mark that cannot be read is no mark. Only keys are
    lined up; what else there is to know of the cards, ``read`` finds for those of the page alone.
    Cards are counted up to ``MANY``, unless their ``number`` is known already; of none, none is
    looked for.
    """
    if number == 0:
        return Page([]), Found(0)
    marks = marks or {}
    for backwards, name in ((False, "after"), (True, "before")):
        beyond = order.beyond(str(marks.get(name) or ""), backwards=backwards)
        if beyond is None:
            continue
        rows = _rows(order.line(cards.filter(beyond), backwards=backwards), order, size + 1)
        more, rows = len(rows) > size, rows[:size]
        if not rows:
            break
        if backwards:
            rows.reverse()
        page = _page(rows, order, read, before=more or not backwards, after=more or backwards)
        return page, _count(cards) if number is None else Found(number)
    # Whoever counts lines the cards up: the first page comes along with that.
    rows = _rows(order.line(cards), order, (size if number is not None else max(size, MANY)) + 1)
    page = _page(rows[:size], order, read, before=False, after=len(rows) > size)
    return page, _up_to_many(len(rows)) if number is None else Found(number)


def asked_or_meant(
    chosen: dict[str, Any], find: Callable[[dict[str, Any]], tuple[Page[C], Found]]
) -> tuple[str, Page[C], Found]:
    """The page that is asked for; where no card says the words, one of what may be meant.

    The first of the three are the words that were meant, "" where those asked for do.
    """
    page, total = find(chosen)
    if page.cards or "q" not in chosen or not (words := meant(chosen["q"])):
        return "", page, total
    page, total = find(chosen | {"q": words})
    return (words if page.cards else ""), page, total


Row = tuple[int, Any]


def _rows(cards: QuerySet[Card], order: Order, most: int) -> list[Row]:
    """Keys and what they are lined up by."""
    return list(cards.values_list("pk", order.column)[:most])


def _count(cards: QuerySet[Card]) -> Found:
    return _up_to_many(cards.order_by()[: MANY + 1].count())


def _up_to_many(number: int) -> Found:
    return Found(min(number, MANY), more=number > MANY)


def _page(rows: list[Row], order: Order, read: Read[C], *, before: bool, after: bool) -> Page[C]:
    cards = read([pk for pk, _ in rows])
    return Page(
        cards=[cards[pk] for pk, _ in rows if pk in cards],
        before=order.mark(*rows[0]) if rows and before else "",
        after=order.mark(*rows[-1]) if rows and after else "",
    )
