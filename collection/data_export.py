"""The collection's files in the data export."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F, Q

from accounts.data_export import section, values_in_pages
from accounts.models import User
from collection.models import DescribedCopies, Holding, LedgerRow, Pack, SharedBinder, Stake, Trade


@section("cards")
def cards(user: User) -> Iterator[dict[str, Any]]:
    """The cards, with what their owner says of them."""
    fields = ("digital", "physical", "for_trade", "wishlist", "tags", "notes", "extra")
    rows = Holding.objects.filter(owner=user)
    card = {"game": F("card__game__slug"), "card_slug": F("card__slug")}
    yield from values_in_pages(rows, *fields, **card)


@section("copies")
def copies(user: User) -> Iterator[dict[str, Any]]:
    """Details of single copies: condition, language, finish, binder, note."""
    fields = ("quantity", "for_trade", "condition", "language", "finish", "binder", "note", "tags")
    rows = DescribedCopies.objects.filter(holding__owner=user)
    card = {"game": F("holding__card__game__slug"), "card_slug": F("holding__card__slug")}
    yield from values_in_pages(rows, *fields, "extra", **card)


@section("binders")
def binders(user: User) -> Iterator[dict[str, Any]]:
    """Binders that others can see."""
    fields = ("slug", "binder", "cards", "on_profile", "created_at")
    yield from values_in_pages(SharedBinder.objects.filter(owner=user), *fields)


@section("ledger")
def ledger(user: User) -> Iterator[dict[str, Any]]:
    """Every card that came or went."""
    rows = LedgerRow.objects.filter(Q(giver=user) | Q(taker=user))
    named = {"at": F("transfer__at"), "reason": F("transfer__reason"), "slug": F("card__slug")}
    for row in values_in_pages(rows, "kind", "count", "giver", **named):
        yield row | {"way": "went" if row.pop("giver") == user.pk else "came"}


@section("packs")
def packs(user: User) -> Iterator[dict[str, Any]]:
    """Packs; of the sealed ones nobody knows what is in them."""
    fields = ("slug", "game", "product", "source", "created_at", "opened_at", "cards")
    yield from values_in_pages(Pack.objects.filter(owner=user), *fields)


@section("trades")
def trades(user: User) -> Iterator[dict[str, Any]]:
    """Offers, made and received."""
    rows = Trade.objects.filter(Q(proposer=user) | Q(partner=user))
    fields = ("slug", "state", "message", "created_at", "settled_at")
    names = {"proposer_name": F("proposer__username"), "partner_name": F("partner__username")}
    yield from values_in_pages(rows, *fields, **names)


@section("stakes")
def stakes(user: User) -> Iterator[dict[str, Any]]:
    """Cards that may be lost in a match that is not over yet."""
    rows = Stake.objects.filter(owner=user)
    card = {"game": F("card__game__slug"), "slug": F("card__slug")}
    yield from values_in_pages(rows, "match", "at", **card)
