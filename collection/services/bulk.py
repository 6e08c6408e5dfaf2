"""One change to many cards of a collection at once."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from dataclasses import replace
from typing import Literal

from django.db import transaction

from accounts.models import User
from collection.copies import Described, counted, rest, settled, tidied
from collection.errors import Unacceptable
from collection.lists.effects import MAX_ROWS
from collection.models import Card, Holding
from collection.models.holdings import MAX_COPIES
from collection.queries.copies import of_holdings
from collection.services import copies, describing

Change = Literal["binder", "condition", "for_trade", "wishlist"]
MAX_CARDS = 200
"""So many cards are changed at once."""


@transaction.atomic
def change_cards(*, owner: User, cards: Collection[int], change: Change, value: str) -> int:
    """Say one thing of all copies of these cards (keys); how many cards it is said of.

    ``value`` is a binder, a condition ("": not said any more), or a number: of copies for trade,
    at most as many as there are, or of copies wanted in all. Cards without copies can be wanted
    alone. Doing it again changes nothing. Raises ``Unacceptable``, and nothing is changed.
    """
    if not cards:
        raise Unacceptable("Tick the cards to change.", field="cards")
    if len(cards) > MAX_CARDS:
        raise Unacceptable(f"Change up to {MAX_CARDS} cards at once.", field="cards")
    number = _number(value) if change in ("for_trade", "wishlist") else 0
    if number and change == "wishlist":
        known = Card.objects.filter(pk__in=cards, retired=False).values_list("pk", flat=True)
        Holding.objects.bulk_create(
            [Holding(owner=owner, card_id=card) for card in sorted(known)], ignore_conflicts=True
        )
    rows = Holding.objects.select_for_update().filter(owner=owner, card__in=cards)
    held = list(rows.order_by("card_id"))
    if change == "wishlist":
        for row in held:
            row.wishlist = number
    else:
        held = [row for row in held if row.quantity]
        if change == "for_trade":
            _for_trade(held, number)
        else:
            _describe(held, change, value)
    Holding.objects.bulk_update(held, ["wishlist", "for_trade", "described"])
    return len(held)


def _number(value: str) -> int:
    text = value.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 8 and int(text) <= MAX_COPIES):
        raise Unacceptable(f"Enter a number from 0 to {MAX_COPIES:,}.", field="value")
    return int(text)


def _for_trade(held: Collection[Holding], number: int) -> None:
    before = {copy(row): row for row in held}
    for row in held:
        row.for_trade = min(number, row.quantity)
    copies.write(copies.settle(before))


def _describe(
    held: Collection[Holding], change: Literal["binder", "condition"], value: str
) -> None:
    described = of_holdings(held)
    written = {}
    for row in held:
        listed = list(described.get(row.pk, ()))
        plain = rest(listed, row.quantity, row.for_trade)
        changed = [
            describing.checked(_with(alike, change, value))
            for alike in (*listed, plain)
            if alike.quantity
        ]
        written[row.pk] = settled(tidied(changed), row.quantity, row.for_trade)
        if len(written[row.pk]) > MAX_ROWS:
            raise Unacceptable(f"Limit: {MAX_ROWS} different kinds of copies per card.")
        row.described = counted(written[row.pk])
    copies.write(written)


def _with(alike: Described, change: str, value: str) -> Described:
    if change == "binder":
        return replace(alike, binder=value)
    return replace(alike, condition=value)
