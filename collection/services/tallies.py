"""Keeping the tallies: what each transfer and each new catalog adds to them, and counting anew."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connections, transaction
from django.db.models import Count, IntegerField, Sum, Value

from collection.models import Card, CardInSet, Holding, Tally
from collection.queries.tallies import Amount, Amounts, Part, added_up, counted

BATCH_SIZE = 1000
MANY = 100
"""So many rows of one person may be worth adding up."""
FEW = 10
"""Where more than one in so many cards moves, counting everything anew takes less time."""


@dataclass(frozen=True, slots=True)
class Change:
    """The change that a transfer made to a holding."""

    cards: int
    """1 where the card is new to its owner, -1 where the last copy went."""
    copies: int
    digital: int


def count(changes: Mapping[tuple[int, int], Change], into: Amounts) -> None:
    """Add changes (of a person's holding of a card) to the amounts of the parts they are in.

    The holdings must be written already: from then on no synchronisation of the catalog moves a
    card into another part before this transaction has ended (see ``block_transfers``).
    """
    places = _by_card(_places({card for _, card in changes}))
    for (owner, card), change in changes.items():
        for place in places[card]:
            amount = into.setdefault(Part(owner, *place), Amount())
            amount.add(change.cards, change.copies, change.digital)


#: Where a card counts: game, rarity, whether retired, and set.
Place = tuple[int, str, bool, int | None]
#: The same behind the card's key.
Placed = tuple[int, int, str, bool, int | None]


def _places(cards: Collection[int] | None = None) -> set[Placed]:
    """Where these cards (all cards) count, each for its rarity and in its sets."""
    located, printed = Card.objects.order_by(), CardInSet.objects.filter(number__isnull=False)
    if cards is not None:
        located, printed = located.filter(pk__in=cards), printed.filter(card__in=cards)
    no_set, any_rarity = Value(None, IntegerField()), Value("")
    rows = located.values_list("pk", "game_id", "rarity", "retired", no_set)
    in_sets = printed.order_by().values_list(
        "card_id", "card__game_id", any_rarity, Value(False), "card_set_id"
    )
    return {*rows.iterator(), *in_sets.iterator()}


def _by_card(placed: Collection[Placed]) -> dict[int, frozenset[Place]]:
    by_card: dict[int, set[Place]] = {}
    for card, game, rarity, retired, card_set in placed:
        by_card.setdefault(card, set()).add((game, rarity, retired, card_set))
    return {card: frozenset(places) for card, places in by_card.items()}


def write(amounts: Amounts) -> None:
    """Add rows for these amounts, and add up the rows of those who have many."""
    _add_rows(amounts)
    for owner in sorted({part.owner for part in amounts}):
        own = Tally.objects.filter(owner=owner)
        number = own.count()
        if number >= MANY and number >= 2 * len(added_up(own)):
            _add_up(owner)


def _add_up(owner: int) -> None:
    """Put one row in the place of all rows of a part.

    Rows that somebody else adds up at this moment are left to them; nobody waits. Whoever does
    this has written holdings, so that nobody counts anew meanwhile.
    """
    mine = Tally.objects.select_for_update(skip_locked=True).filter(owner=owner)
    keys = list(mine.values_list("pk", flat=True))
    rows = Tally.objects.filter(pk__in=keys)
    amounts = added_up(rows)
    rows.delete()
    _add_rows(amounts)


def _add_rows(amounts: Amounts) -> None:
    Tally.objects.bulk_create(
        (
            Tally(
                owner_id=part.owner,
                game_id=part.game,
                rarity=part.rarity,
                retired=part.retired,
                card_set_id=part.card_set,
                cards=amount.cards,
                copies=amount.copies,
                digital=amount.digital,
            )
            for part, amount in amounts.items()
            if amount
        ),
        batch_size=BATCH_SIZE,
    )


def block_transfers() -> None:
    """Let no card change hands until this transaction has ended; whoever began is waited for."""
    connection = connections[Holding.objects.db]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE collection_holding IN SHARE ROW EXCLUSIVE MODE")


@contextmanager
def kept_current() -> Iterator[None]:
    """Whatever cards come into other parts inside, the tallies follow them.

    No card changes hands until the transaction around this has ended.
    """
    block_transfers()
    before = _places()
    yield
    after = _places()
    left, reached = _by_card(before - after), _by_card(after - before)
    known = {card for card, *_ in before}
    moved = sorted(known & {*left, *reached})
    if len(moved) * FEW > len(known):
        count_anew()
        return
    moves: dict[tuple[frozenset[Place], frozenset[Place]], list[int]] = {}
    for card in moved:
        move = left.get(card, frozenset()), reached.get(card, frozenset())
        moves.setdefault(move, []).append(card)
    amounts: Amounts = {}
    for (old, new), cards in moves.items():
        for owner, number, copies, digital in _held(cards):
            for place in old:
                amounts.setdefault(Part(owner, *place), Amount()).add(-number, -copies, -digital)
            for place in new:
                amounts.setdefault(Part(owner, *place), Amount()).add(number, copies, digital)
    _add_rows(amounts)


def _held(cards: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """Everybody who has some of these cards: different ones, copies, and digital copies."""
    for start in range(0, len(cards), BATCH_SIZE):
        held = Holding.objects.filter(card__in=cards[start : start + BATCH_SIZE], quantity__gt=0)
        owners = held.order_by().values_list("owner_id")
        yield from owners.annotate(Count("pk"), Sum("quantity"), Sum("digital")).iterator()


@transaction.atomic
def count_anew() -> None:
    """Count what everybody has of every part, whatever the tallies say."""
    block_transfers()
    Tally.objects.all().delete()
    _add_rows(counted())
