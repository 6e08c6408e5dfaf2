"""What somebody takes away: their cards in catalog order, one by one, however many there are."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Prefetch, Q, QuerySet

from accounts.models import User
from collection.lists.dialects import KEPT, OWN_COLUMNS, REST
from collection.lists.encodings import LETTERS_A_LINE
from collection.lists.reading import MOST_COLUMNS
from collection.lists.writing import Owned
from collection.models import CardInSet, Holding

WHICH = (
    ("all", "All my cards"),
    ("spare", "Copies that may go"),
    ("wanted", "Copies I miss"),
)
_SAID = Q(quantity__gt=0) | Q(wanted__gt=0)
_WHICH = {
    "all": _SAID,
    "spare": Q(spare__gt=0),
    "wanted": Q(wanted__gt=F("quantity")),
}
A_BATCH = 1000
MOST_KEPT_COLUMNS = MOST_COLUMNS - len(OWN_COLUMNS) - 1
"""More are not read back from one table; one is left for the rest."""
_LETTERS_OF_COLUMNS = LETTERS_A_LINE * 3 // 4


def holdings(owner: User, which: str = "all", game: str = "") -> QuerySet[Holding]:
    """The rows that an export is made of."""
    found = Holding.objects.filter(_WHICH[which], owner=owner)
    if game:
        found = found.filter(card__game__slug=game)
    return found.order_by("card__game__sort_number", "card__sort_number", "card__slug", "pk")


def cards(owner: User, which: str = "all", game: str = "") -> Iterator[Owned]:
    """What somebody has of each card; a few hundred rows are held at a time."""
    printings = CardInSet.objects.select_related("card_set").order_by("position")
    rows = (
        holdings(owner, which, game)
        .select_related("card__game")
        .defer("card__text", "card__attributes", "card__words")
        .prefetch_related(Prefetch("card__printings", queryset=printings))
    )
    for row in rows.iterator(A_BATCH):
        yield _owned(row, which)


def _owned(row: Holding, which: str) -> Owned:
    card = row.card
    first = next(iter(card.printings.all()), None)
    counts = {"all": row.quantity, "spare": row.spare, "wanted": row.missing}
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
        dealt=row.dealt,
        recorded=row.recorded,
        count=counts[which],
        spare=row.spare,
        wanted=row.wanted,
        tags=row.tags,
        notes=row.notes,
        extra=row.extra,
    )


def kept_columns(owner: User, which: str = "all", game: str = "") -> list[str]:
    """The columns of earlier imports that this export gives back, in alphabetical order.

    A table has as many as can be read back. Those of the first cards get one each; where there are
    more, ``REST`` comes last, a column in which every card has what has none of its own.
    """
    names: set[str] = set()
    room = _LETTERS_OF_COLUMNS
    rows = holdings(owner, which, game).exclude(extra={})
    for extra in rows.values_list("extra", flat=True).iterator(A_BATCH):
        for name in sorted(extra.keys() - names - set(KEPT)):
            room -= 2 * len(name) + len('"",')  # as if each letter were a quotation mark
            if len(names) == MOST_KEPT_COLUMNS or room < 0 or name == REST:
                return [*sorted(names), REST]
            names.add(name)
    return sorted(names)
