"""Reading copies that are told apart, for one holding or for many, in one query."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from accounts.models import User
from collection.copies import Described, tidied
from collection.models import DescribedCopies, Holding

_FIELDS = ("quantity", "condition", "language", "finish", "binder", "note", "tags", "extra")
_SAID = (*_FIELDS, "for_trade")

Rows = tuple[Described, ...]


def of_holdings(holdings: Iterable[Holding]) -> dict[int, Rows]:
    """The rows of these holdings by their keys; no query where none of them has any."""
    keys = [held.pk for held in holdings if held.pk and held.described]
    if not keys:
        return {}
    return grouped(DescribedCopies.objects.filter(holding__in=keys))


def of_cards(owner: User, cards: Iterable[int]) -> dict[int, Rows]:
    """The rows of these cards (keys) of somebody, by card."""
    rows = DescribedCopies.objects.filter(holding__owner=owner, holding__card__in=list(cards))
    return grouped(rows, by="holding__card_id")


def grouped(rows: QuerySet[DescribedCopies], by: str = "holding_id") -> dict[int, Rows]:
    """Rows by holding, or by something else of theirs, best first."""
    by_holding: dict[int, list[Described]] = {}
    for where, *values in rows.order_by().values_list(by, *_SAID).iterator(2000):
        by_holding.setdefault(where, []).append(Described(**dict(zip(_SAID, values, strict=True))))
    return {where: tidied(listed) for where, listed in by_holding.items()}


def filed(owner: User, *, binders: bool) -> tuple[list[str], list[str]]:
    """The binders and the languages of somebody's copies, in one query; languages by their code."""
    columns = ("binder", "language") if binders else ("language",)
    rows = DescribedCopies.objects.filter(holding__owner=owner).order_by()
    pairs = list(rows.values_list(*columns).distinct()[:2000])
    names = {row[0] for row in pairs if row[0]} if binders else set()
    return sorted(names, key=str.casefold)[:200], sorted({row[-1] for row in pairs if row[-1]})


def binders(owner: User) -> list[str]:
    """The names of somebody's binders, by the alphabet."""
    rows = (
        DescribedCopies.objects.filter(holding__owner=owner).exclude(binder="").order_by("binder")
    )
    return list(rows.values_list("binder", flat=True).distinct()[:200])
