"""Shared binders: those that somebody shows, and the cards in one, with no more than is shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Literal

from django.db.models import QuerySet, Sum

from accounts.models import User
from collection.copies import Described
from collection.errors import NotFound
from collection.models import BinderCards, Card, DescribedCopies, Holding, SharedBinder
from collection.queries import catalog
from collection.queries.copies import grouped
from collection.queries.filters import CardFilter
from collection.queries.holdings import ShownCopies, shown
from core.serializers import Doc, component


@component("SharedBinder")
@dataclass(frozen=True, slots=True)
class BinderShown:
    """A binder that its owner shows to everyone who has its link."""

    slug: str
    owner: Annotated[str, Doc("Its owner's username.")]
    binder: Annotated[str, Doc("The binder's name; empty for the whole collection.")]
    cards: BinderCards
    on_profile: Annotated[bool, Doc("Linked from the owner's profile.")]
    created_at: datetime


@component("BinderCard")
@dataclass(frozen=True, slots=True)
class BinderCard:
    """A card in a shared binder."""

    game: str
    card: str
    title: str
    rarity: str
    quantity: Annotated[int, Doc("The copies shown.")]
    copies: Annotated[list[ShownCopies], Doc("Copies with details; the others are plain.")]


@dataclass(frozen=True, slots=True)
class InBinder:
    """The copies of a card that a shared binder shows."""

    quantity: int
    described: Sequence[Described]


def shared_by(owner: User) -> QuerySet[SharedBinder]:
    """All binders that somebody shares, by name."""
    return SharedBinder.objects.filter(owner=owner).select_related("owner").order_by("binder")


def on_profile(owner: User) -> QuerySet[SharedBinder]:
    """The binders that somebody's profile links to."""
    return shared_by(owner).filter(on_profile=True)


def binder_at(slug: str) -> SharedBinder:
    """A shared binder by its link; raises ``NotFound``, also once its owner is gone."""
    rows = SharedBinder.objects.select_related("owner").filter(owner__is_active=True)
    binder = rows.filter(slug=slug).first()
    if binder is None:
        raise NotFound("This binder doesn’t exist, or is no longer shared.")
    return binder


def _column(binder: SharedBinder) -> Literal["quantity", "for_trade"]:
    """The column that counts the copies it shows."""
    return "quantity" if binder.cards == BinderCards.ALL else "for_trade"


def _copies(binder: SharedBinder) -> QuerySet[DescribedCopies]:
    rows = DescribedCopies.objects.filter(holding__owner=binder.owner_id)
    if binder.binder:
        rows = rows.filter(binder=binder.binder)
    return rows.filter(**{f"{_column(binder)}__gt": 0})


def _holdings(binder: SharedBinder) -> QuerySet[Holding]:
    return Holding.objects.filter(owner=binder.owner_id, **{f"{_column(binder)}__gt": 0})


def cards_in(binder: SharedBinder, words: str = "") -> QuerySet[Card]:
    """The cards in it, retired ones too; those that say the ``words``."""
    cards = catalog.cards(retired=True)
    if binder.binder:
        cards = cards.filter(pk__in=_copies(binder).values("holding__card"))
    else:
        cards = cards.filter(pk__in=_holdings(binder).values("card"))
    return CardFilter({"q": words}, queryset=cards).qs if words else cards


def copies_in(binder: SharedBinder, cards: Collection[int]) -> dict[int, InBinder]:
    """How many copies of these cards (keys) it shows, and their details: two queries."""
    column = _column(binder)
    described = _copies(binder).filter(holding__card__in=list(cards))
    counts: dict[int, int]
    if binder.binder:
        summed = described.order_by().values_list("holding__card").annotate(Sum(column))
        counts = dict(summed)
    else:
        counts = dict(_holdings(binder).filter(card__in=list(cards)).values_list("card", column))
    rows = grouped(described, by="holding__card_id")
    if column == "for_trade":
        rows = {
            card: tuple(replace(row, quantity=row.for_trade) for row in listed)
            for card, listed in rows.items()
        }
    return {card: InBinder(number, rows.get(card, ())) for card, number in counts.items()}


def total_in(binder: SharedBinder) -> int:
    """All copies that it shows."""
    rows = _copies(binder) if binder.binder else _holdings(binder)
    return int(rows.aggregate(total=Sum(_column(binder), default=0))["total"])


def binder_shown(binder: SharedBinder) -> BinderShown:
    """A binder for the API."""
    return BinderShown(
        slug=binder.slug,
        owner=binder.owner.username,
        binder=binder.binder,
        cards=BinderCards(binder.cards),
        on_profile=binder.on_profile,
        created_at=binder.created_at,
    )


def cards_shown(binder: SharedBinder, cards: Sequence[Card]) -> list[BinderCard]:
    """Cards of a page for the API."""
    copies = copies_in(binder, [card.pk for card in cards])
    return [
        BinderCard(
            game=card.game.slug,
            card=card.slug,
            title=card.title,
            rarity=card.rarity,
            quantity=copies[card.pk].quantity,
            copies=shown(copies[card.pk].described),
        )
        for card in cards
        if card.pk in copies
    ]
