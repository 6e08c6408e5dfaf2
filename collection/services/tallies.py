"""Keeping the tallies: what each transfer adds to them, and counting all of them anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connections, transaction

from collection.models import Card, CardInSet, Holding, Tally
from collection.queries.tallies import Amount, Amounts, Part, added_up, counted

A_BATCH = 1000
MANY = 100
"""So many rows of one person may be worth adding up."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a transfer did to a holding."""

    cards: int
    """1 where the card is new to its owner, -1 where the last copy went."""
    copies: int
    dealt: int


def count(changes: Mapping[tuple[int, int], Change], into: Amounts) -> None:
    """Add changes (of a person's holding of a card) to the amounts of the parts they are in.

    The holdings must be written already: from then on no synchronisation of the catalog moves a
    card into another part before this transaction has ended (see ``hold_still``).
    """
    keys = {card for _, card in changes}
    cards = {
        pk: (game, rarity, retired)
        for pk, game, rarity, retired in Card.objects.filter(pk__in=keys)
        .order_by()
        .values_list("pk", "game_id", "rarity", "retired")
    }
    sets: dict[int, list[int]] = {}
    printed = CardInSet.objects.filter(card__in=keys, number__isnull=False).order_by()
    for card, a_set in printed.values_list("card_id", "card_set_id"):
        sets.setdefault(card, []).append(a_set)
    for (owner, card), change in changes.items():
        game, rarity, retired = cards[card]
        parts = [Part(owner, game, rarity, retired)]
        parts += [Part(owner, game, card_set=a_set) for a_set in sets.get(card, ())]
        for part in parts:
            into.setdefault(part, Amount()).add(change.cards, change.copies, change.dealt)


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
                dealt=amount.dealt,
            )
            for part, amount in amounts.items()
            if amount
        ),
        batch_size=A_BATCH,
    )


def hold_still() -> None:
    """Let no card change hands until this transaction has ended; whoever began is waited for."""
    connection = connections[Holding.objects.db]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE collection_holding IN SHARE ROW EXCLUSIVE MODE")


@transaction.atomic
def count_anew() -> None:
    """Count what everybody has of every part: after cards have come into other parts."""
    hold_still()
    Tally.objects.all().delete()
    _add_rows(counted())
