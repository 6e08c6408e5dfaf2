"""Reading the ledger: what happened to a card or a person, and whether the sums are right."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet, Sum

from accounts.models import User
from collection.models import Card, Holding, LedgerRow
from collection.queries.tallies import Astray, astray


def history(user: User, card: Card | None = None) -> QuerySet[LedgerRow]:
    """What came to a person and went, latest first; of one card or of all."""
    rows = LedgerRow.objects.filter(Q(giver=user) | Q(taker=user))
    if card is not None:
        rows = rows.filter(card=card)
    return rows.select_related("transfer", "card__game", "giver", "taker").order_by("-pk")


@dataclass(frozen=True, slots=True)
class Difference:
    """A holding that is not the ledger's sum."""

    owner: int
    card: int
    kind: str
    held: int
    summed: int

    def __str__(self) -> str:
        return (
            f"person {self.owner}, card {self.card}, {self.kind}: "
            f"{self.held} held, {self.summed} in the ledger"
        )


def differences(user: User | None = None) -> list[Difference | Astray]:
    """Every holding that differs from the ledger, every tally from the holdings: none, or a fault.

    The tallies are compared where the holdings are right.
    """
    return [*_wrong_holdings(user)] or [*astray(None if user is None else user.pk)]


def _wrong_holdings(user: User | None) -> list[Difference]:
    sums = _sums("taker", user)
    for key, count in _sums("giver", user).items():
        sums[key] = sums.get(key, 0) - count
    held: dict[tuple[int, int, str], int] = {}
    holdings = Holding.objects.all() if user is None else Holding.objects.filter(owner=user)
    rows = holdings.values_list("owner_id", "card_id", "dealt", "recorded")
    for owner, card, dealt, recorded in rows.iterator():
        held[owner, card, "dealt"] = dealt
        held[owner, card, "recorded"] = recorded
    keys = sorted({*sums, *held})
    return [
        Difference(*key, held=held.get(key, 0), summed=sums.get(key, 0))
        for key in keys
        if held.get(key, 0) != sums.get(key, 0)
    ]


def _sums(side: str, user: User | None) -> dict[tuple[int, int, str], int]:
    rows = LedgerRow.objects.exclude(**{side: None})
    if user is not None:
        rows = rows.filter(**{side: user})
    counted = rows.order_by().values_list(f"{side}_id", "card_id", "kind").annotate(Sum("count"))
    return {(owner, card, kind): total for owner, card, kind, total in counted}
