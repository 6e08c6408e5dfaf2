"""Collections in the API: one's own, other people's as far as they show them, starter decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from accounts.queries.people import person
from collection.api.pages import CardFilters, CardsByPage
from collection.copies import CONDITIONS, LANGUAGES, MAX_LENGTHS, Described
from collection.lists.effects import MAX_ROWS
from collection.models import Card, Holding, Visibility
from collection.models.holdings import MAX_COPIES, MAX_NOTES, MAX_TAGS
from collection.queries import catalog, copies, holdings, people
from collection.queries.filters import CollectionFilter, ShownCollectionFilter
from collection.queries.keyset import OWNED_ORDERS
from collection.services import describing
from collection.services import holdings as services
from core.errors import NotAllowed
from core.openapi import problems
from core.operations import Answer, tagged
from core.serializers import Doc, response_serializer

operation = tagged("collection")


# -- shapes ---------------------------------------------------------------------------------------

Copies = Annotated[int | None, Doc(min_value=0, max_value=MAX_COPIES)]


@dataclass(frozen=True, slots=True)
class HoldingChange:
    """The changes; an omitted member stays as it is."""

    change: Annotated[
        int | None,
        Doc(
            "Change in physical copies (negative: remove).",
            min_value=-MAX_COPIES,
            max_value=MAX_COPIES,
        ),
    ] = None
    physical: Annotated[Copies, Doc("Or the new number of physical copies.")] = None
    key: Annotated[
        str | None,
        Doc(
            "Idempotency key (required with it): the same change counts once; reusing the key for "
            "another change is a 422.",
            field=serializers.RegexField,
            regex=r"^[A-Za-z0-9_-]{8,64}$",
            max_length=64,
        ),
    ] = None
    for_trade: Copies = None
    wishlist: Copies = None
    tags: Annotated[list[Annotated[str, Doc(max_length=100)]] | None, Doc(max_length=MAX_TAGS)] = (
        None
    )
    notes: Annotated[str | None, Doc(allow_blank=True, max_length=MAX_NOTES)] = None

    def check(self) -> None:
        """Copies change in one way, and under a key."""
        if self.change is not None and self.physical is not None:
            raise serializers.ValidationError("Send either “change” or “physical”.")
        if self.key is None and (self.change is not None or self.physical is not None):
            raise serializers.ValidationError({"key": "“change” needs a “key”."})

    def marks(self) -> dict[str, Any]:
        marks = {name: getattr(self, name) for name in ("for_trade", "wishlist", "tags", "notes")}
        return {name: value for name, value in marks.items() if value is not None}


@dataclass(frozen=True, slots=True)
class SaidCopies:
    """Copies of which the same is said."""

    quantity: Annotated[int, Doc(min_value=1, max_value=MAX_COPIES)]
    condition: Annotated[str, Doc(choices=list(CONDITIONS.items()), allow_blank=True)] = ""
    language: Annotated[str, Doc(choices=list(LANGUAGES.items()), allow_blank=True)] = ""
    finish: Annotated[
        str, Doc("foil, etched, or another word.", max_length=MAX_LENGTHS["finish"])
    ] = ""
    binder: Annotated[
        str, Doc("Only visible to you, unless you share it.", max_length=MAX_LENGTHS["binder"])
    ] = ""
    note: Annotated[str, Doc("Only visible to you.", max_length=MAX_LENGTHS["note"])] = ""
    tags: Annotated[str, Doc("Comma-separated; only visible to you.", max_length=MAX_TAGS)] = ""
    for_trade: Annotated[
        int,
        Doc(
            "How many of these are for trade.",
            min_value=0,
            max_value=MAX_COPIES,
        ),
    ] = 0

    def described(self) -> Described:
        """The row as the services know it."""
        return Described(**asdict(self))


@dataclass(frozen=True, slots=True)
class AllCopies:
    """All copies of a card that are not plain."""

    copies: Annotated[list[SaidCopies], Doc(max_length=MAX_ROWS)]


@dataclass(frozen=True, slots=True)
class TakeStarter:
    """Which one to take."""

    game: Annotated[str, Doc(max_length=50)]
    product: Annotated[str, Doc(max_length=80)]


@dataclass(frozen=True, slots=True)
class Taken:
    """The deck that is yours."""

    product: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CollectionSettings:
    """Collection privacy."""

    visibility: Visibility


# -- lists ----------------------------------------------------------------------------------------


def _rows(held: Sequence[Holding]) -> dict[int, copies.Rows]:
    """How the copies of these are; no query where nothing is said of any."""
    return copies.of_holdings(held)


class AmongOwners(CardFilters):
    """The gallery's filters for the cards of the view's owner; owned ones if nothing is said."""

    def get_filterset_kwargs(
        self, request: Request, queryset: QuerySet[Card], view: CardsByPage
    ) -> dict[str, Any]:
        assert isinstance(view, HoldingList), "the filters need an owner"
        kwargs = super().get_filterset_kwargs(request, queryset, view)
        if not any(kwargs["data"].getlist("have")):
            kwargs["data"]["have"] = "owned"
        return {**kwargs, "owner": view.owner()}


class HoldingList(CardsByPage):
    """Cards with what somebody has of them."""

    filter_backends = (AmongOwners,)
    filterset_class = ShownCollectionFilter

    def owner(self) -> User:
        """Whose cards they are."""
        raise NotImplementedError

    def get_queryset(self) -> QuerySet[Card]:
        """All cards; the filters leave what the owner has."""
        return catalog.cards(retired=True)

    def order_name(self, request: Request) -> str:
        """The order that was asked for, if cards chosen like this have it."""
        name = super().order_name(request)
        haves = [have for have in request.query_params.getlist("have") if have] or ["owned"]
        return name if name not in OWNED_ORDERS or holdings.owns_in_order(haves) else "number"

    def held(self, cards: Sequence[Card]) -> list[Holding]:
        """The owner's holdings of these cards, with empty ones for cards they have none of."""
        own = holdings.own(self.owner(), cards)
        rows = []
        for card in cards:
            held = own.get(card.pk) or Holding(owner=self.owner(), card=card, quantity=0)
            held.card = card
            rows.append(held)
        return rows


class MyCollection(HoldingList):
    """Your holdings, filtered and in order; `have=all` shows every card there is."""

    permission_classes = (IsAuthenticated,)
    filterset_class = CollectionFilter
    serializer_class = response_serializer(holdings.HoldingForOwner)

    def owner(self) -> User:
        """The person who asks."""
        assert isinstance(self.request.user, User), "IsAuthenticated saw to it"
        return self.request.user

    def shown(self, cards: list[Card]) -> list[holdings.HoldingForOwner]:
        holdings_on_page = self.held(cards)
        rows = _rows(holdings_on_page)
        return [holdings.for_owner(held, rows.get(held.pk, ())) for held in holdings_on_page]

    @extend_schema(
        tags=["collection"],
        summary="Your cards",
        operation_id="collection_list",
        responses={200: serializer_class(many=True), **problems(400)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of your cards."""
        return self.list(request)


class CollectionOf(HoldingList):
    """A person's holdings, if you may see them: public to all, or to friends who are logged in."""

    permission_classes = (AllowAny,)
    serializer_class = response_serializer(holdings.HoldingForOthers)

    def owner(self) -> User:
        """The person that the address names."""
        if not hasattr(self, "_owner"):
            self._owner = person(self.kwargs["username"])
        return self._owner

    def shown(self, cards: list[Card]) -> list[holdings.HoldingForOthers]:
        holdings_on_page = self.held(cards)
        rows = _rows(holdings_on_page)
        return [holdings.for_others(held, rows.get(held.pk, ())) for held in holdings_on_page]

    @extend_schema(
        tags=["collection"],
        summary="A person's cards",
        operation_id="collection_of",
        responses={200: serializer_class(many=True), **problems(400, 403)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of their cards."""
        if not people.may_see(request.user, self.owner()):
            raise NotAllowed(f"{self.owner()}'s collection is not visible to you.")
        return self.list(request)


# -- one card, and all in all ---------------------------------------------------------------------


def card_of(game: str, slug: str) -> Card:
    """The card at an address of the API."""
    card = catalog.card_or_none(game, slug)
    if card is None:
        raise Http404
    return card


@operation("collection_retrieve", summary="Your copies of a card", refuses=(400,))
def get_holding(user: User, game: str, slug: str) -> holdings.HoldingForOwner:
    """All counts are 0 if you have none."""
    held = holdings.holding(user, card_of(game, slug))
    return holdings.for_owner(held, _rows([held]).get(held.pk, ()))


@operation("collection_partial_update", summary="Count and mark a card", refuses=(403, 409, 422))
@transaction.atomic
def change_holding(
    user: User, game: str, slug: str, body: HoldingChange
) -> holdings.HoldingForOwner:
    """Physical copies, wishlist, copies for trade, tags and notes: all of it or nothing."""
    card = card_of(game, slug)
    if body.key is not None:
        services.count_by_hand(
            owner=user,
            card=card,
            token=body.key,
            change=body.change,
            to=body.physical,
            marks=body.marks(),
        )
    held = services.mark(
        owner=user,
        card=card,
        for_trade=body.for_trade,
        wishlist=body.wishlist,
        tags=", ".join(body.tags) if body.tags is not None else None,
        notes=body.notes,
    )
    held.card = card
    return holdings.for_owner(held, _rows([held]).get(held.pk, ()))


@operation("collection_copies_retrieve", summary="Details of your copies")
def get_copies(user: User, game: str, slug: str) -> list[Described]:
    """The copies with details; all others are plain."""
    held = holdings.holding(user, card_of(game, slug))
    return list(copies.of_holdings([held]).get(held.pk, ()))


@operation("collection_copies_update", summary="Set the details of your copies", refuses=(403, 422))
def set_copies(user: User, game: str, slug: str, body: AllCopies) -> list[Described]:
    """Replaces all details; copies that are left out become plain. Idempotent.

    Leave out `extra` (columns of an imported list): copies with the same details keep theirs.
    """
    rows = [row.described() for row in body.copies]
    held = describing.describe(owner=user, card=card_of(game, slug), rows=rows)
    return list(copies.of_holdings([held]).get(held.pk, ()))


@operation("collection_summary_retrieve", summary="Totals and progress")
def get_summary(user: User) -> holdings.Summary:
    """Totals, and how many cards of each game, set and rarity you own."""
    return holdings.summary(user)


@operation("collection_starter_retrieve", summary="Starter decks to choose from")
def list_starters(user: User) -> list[holdings.Starter]:
    """The groups, and the deck that you claimed of each."""
    return holdings.starters(user)


@operation(
    "collection_starter_create",
    summary="Claim a starter deck",
    statuses=(200, 201),
    refuses=(403, 404, 409, 422),
)
def claim_starter(user: User, body: TakeStarter) -> Answer[Taken]:
    """201 if claimed now, 200 if you had claimed it before."""
    transfer, now = services.take_starter(user=user, game=body.game, product=body.product)
    return Answer(Taken(transfer.note, transfer.at), 201 if now else 200)


@operation("collection_settings_retrieve", summary="Collection privacy")
def get_settings(user: User) -> CollectionSettings:
    """Private by default."""
    return CollectionSettings(Visibility(people.collection_of(user).visibility))


@operation(
    "collection_settings_partial_update", summary="Change collection privacy", refuses=(422,)
)
def change_settings(user: User, body: CollectionSettings) -> CollectionSettings:
    """A guest's collection is never public."""
    settings = services.set_visibility(owner=user, visibility=body.visibility)
    return CollectionSettings(Visibility(settings.visibility))
