"""What the collection adds to the file of everything that is somebody's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F, Q

from accounts.models import User
from accounts.own_data import part
from collection.models import DescribedCopies, Holding, LedgerRow, Pack, Stake, Trade


@part("cards")
def cards(user: User) -> Iterator[dict[str, Any]]:
    """The cards, with what their owner says of them."""
    fields = ("dealt", "recorded", "spare", "wanted", "tags", "notes", "extra")
    rows = Holding.objects.filter(owner=user).order_by("pk")
    named = rows.values(*fields, game=F("card__game__slug"), card_slug=F("card__slug"))
    yield from named.iterator(chunk_size=1000)


@part("copies")
def copies(user: User) -> Iterator[dict[str, Any]]:
    """What is said of single copies: condition, language, finish, binder, note."""
    fields = ("quantity", "spare", "condition", "language", "finish", "binder", "note", "tags")
    rows = DescribedCopies.objects.filter(holding__owner=user).order_by("pk")
    card = {"game": F("holding__card__game__slug"), "card_slug": F("holding__card__slug")}
    yield from rows.values(*fields, "extra", **card).iterator(chunk_size=1000)


@part("ledger")
def ledger(user: User) -> Iterator[dict[str, Any]]:
    """Every card that came or went."""
    rows = LedgerRow.objects.filter(Q(giver=user) | Q(taker=user)).order_by("pk")
    named = rows.annotate(at=F("transfer__at"), reason=F("transfer__reason"), slug=F("card__slug"))
    fields = ("at", "reason", "kind", "count", "slug", "giver_id")
    for *values, giver in named.values_list(*fields).iterator(chunk_size=1000):
        told = dict(zip(fields, values, strict=False))
        yield told | {"way": "went" if giver == user.pk else "came"}


@part("packs")
def packs(user: User) -> Iterator[dict[str, Any]]:
    """Packs; of the sealed ones nobody knows what is in them."""
    fields = ("slug", "game", "product", "source", "created_at", "opened_at", "cards")
    yield from Pack.objects.filter(owner=user).order_by("pk").values(*fields).iterator()


@part("trades")
def trades(user: User) -> Iterator[dict[str, Any]]:
    """Offers, made and received."""
    rows = Trade.objects.filter(Q(proposer=user) | Q(partner=user)).order_by("pk")
    fields = ("slug", "state", "message", "created_at", "settled_at")
    yield from rows.values(
        *fields, proposer_name=F("proposer__username"), partner_name=F("partner__username")
    )


@part("stakes")
def stakes(user: User) -> Iterator[dict[str, Any]]:
    """Cards that may be lost in a match that is not over yet."""
    rows = Stake.objects.filter(owner=user).order_by("pk")
    named = rows.values("match", "at", game=F("card__game__slug"), slug=F("card__slug"))
    yield from ({**row} for row in named.iterator())
