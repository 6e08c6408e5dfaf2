"""A person's cards in catalog order, row by row, for exports of any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from django.db.models import F, Prefetch, Q, QuerySet

from accounts.models import User
from collection.copies import Described, rest
from collection.lists.dialects import COPY_COLUMNS, KEPT, OWN, OWN_COLUMNS, REST, SITES
from collection.lists.encodings import MAX_LINE_LENGTH
from collection.lists.reading import MAX_COLUMNS
from collection.lists.writing import Owned
from collection.models import CardInSet, DescribedCopies, Holding
from collection.queries.copies import Rows, of_holdings

WHICH = (
    ("all", "All my cards"),
    ("for_trade", "For trade"),
    ("missing", "Missing cards"),
)
_SAID = Q(quantity__gt=0) | Q(wishlist__gt=0)
_WHICH = {
    "all": _SAID,
    "for_trade": Q(for_trade__gt=0),
    "missing": Q(wishlist__gt=F("quantity")),
}
BATCH_SIZE = 1000
PAGE_SIZE = 200
MAX_KEPT_COLUMNS = MAX_COLUMNS - len(OWN_COLUMNS) - 2
"""More are not read back from one table; one is left for the rest, one for those of copies."""
_MAX_COLUMNS_LENGTH = MAX_LINE_LENGTH * 3 // 4


def holdings(owner: User, which: str = "all", game: str = "") -> QuerySet[Holding]:
    """The rows that an export is made of."""
    rows = Holding.objects.filter(_WHICH[which], owner=owner)
    if game:
        rows = rows.filter(card__game__slug=game)
    return rows.order_by("card__game__sort_number", "card__sort_number", "card__slug", "pk")


def cards(owner: User, which: str = "all", game: str = "") -> Iterator[Owned]:
    """A person's holdings, read in pages by key while they are iterated."""
    printings = CardInSet.objects.select_related("card_set").order_by("position")
    rows = (
        holdings(owner, which, game)
        .select_related("card__game")
        .defer("card__text", "card__attributes", "card__words")
        .prefetch_related(Prefetch("card__printings", queryset=printings))
    )
    # The order goes over three tables, so it is read once: a key for each card of the catalog.
    keys = iter(list(rows.values_list("pk", flat=True)))
    while page_keys := list(islice(keys, PAGE_SIZE)):
        page = list(rows.filter(pk__in=page_keys))
        described = of_holdings(page)
        for row in page:
            yield _owned(row, described.get(row.pk, ()), which)


def _owned(row: Holding, copies: Rows, which: str) -> Owned:
    card = row.card
    printings = list(card.printings.all())
    first = next(iter(printings), None)
    return Owned(
        game=card.game.slug,
        game_name=card.game.name,
        slug=card.slug,
        name=card.name,
        title=card.title,
        colour=card.colour,
        rarity=card.rarity,
        set=first.card_set.slug if first else "",
        set_name=first.card_set.name if first else "",
        number=first.number if first else None,
        digital=row.digital,
        physical=row.physical,
        counted=_counted(row, copies, which),
        for_trade=row.for_trade,
        wishlist=row.wishlist,
        tags=row.tags,
        notes=row.notes,
        extra=row.extra,
        copies=copies,
        printings={
            printing.card_set.slug: (printing.card_set.name, printing.number)
            for printing in printings
        },
    )


def _counted(row: Holding, copies: Rows, which: str) -> list[Described]:
    """The copies that a list of counts says; nothing is known of those that are missing."""
    if which == "missing":
        return [Described(row.missing)] if row.missing else []
    parts = [*copies, rest(copies, row.quantity, row.for_trade)]
    if which == "for_trade":
        parts = [replace(part, quantity=part.for_trade) for part in parts]
    return [part for part in parts if part.quantity]


def kept_columns(
    owner: User, which: str = "all", game: str = "", form: str = OWN.slug
) -> list[str]:
    """The columns of earlier imports that this export gives back, in alphabetical order.

    A table has as many as can be read back. Those of the first cards get one each; where there are
    more, ``REST`` comes last but for ``COPY_COLUMNS``, a column in which every card has what has
    none of its own. A site's table has those alone that the site knows.
    """
    held = holdings(owner, which, game)
    of_copies = DescribedCopies.objects.filter(holding__in=held.order_by()).exclude(extra={})
    site = next((site for site in SITES if site.slug == form), None)
    if site is not None:
        extras = (held.exclude(extra={}), of_copies.order_by("pk"))
        rows = chain(
            *(rows.values_list("extra", flat=True).iterator(BATCH_SIZE) for rows in extras)
        )
        used = {name for extra in rows for name in extra}
        return [name for name in site.also if name in used]
    last = [COPY_COLUMNS] if _any_column(of_copies) else []
    names: set[str] = set()
    room = _MAX_COLUMNS_LENGTH
    cards = held.exclude(extra={}).values_list("extra", flat=True)
    for extra in cards.iterator(BATCH_SIZE):
        for name in sorted(extra.keys() - names - set(KEPT)):
            room -= 2 * len(name) + len('"",')  # as if each letter were a quotation mark
            if len(names) == MAX_KEPT_COLUMNS or room < 0 or name == REST:
                return [*sorted(names), REST, *last]
            names.add(name)
    return [*sorted(names), *last]


def _any_column(rows: QuerySet[DescribedCopies]) -> bool:
    """True if any copies keep more than which printing they are and since when."""
    extras = rows.order_by("pk").values_list("extra", flat=True)
    return any(extra.keys() - set(KEPT) for extra in extras.iterator(BATCH_SIZE))
