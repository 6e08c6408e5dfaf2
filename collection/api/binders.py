"""Shared binders in the API. Pages use the same services and queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from accounts.queries.people import person
from collection.api.pages import CardsByPage
from collection.copies import MAX_LENGTHS
from collection.models import BinderCards, Card
from collection.queries import binders as queries
from collection.queries.filters import CardFilter
from collection.services import binders as services
from core.openapi import problems
from core.operations import tagged
from core.serializers import Doc, response_serializer

operation = tagged("collection")


@dataclass(frozen=True, slots=True)
class ShareBinder:
    """A binder to show to everyone who has its link."""

    binder: Annotated[
        str,
        Doc("Its name; empty for the whole collection.", max_length=MAX_LENGTHS["binder"]),
    ]
    cards: BinderCards = BinderCards.FOR_TRADE
    on_profile: Annotated[bool, Doc("Link it from your profile.")] = False


@operation("binders_list", summary="Your shared binders")
def list_binders(user: User) -> list[queries.BinderShown]:
    """All binders that you share, by name."""
    return [queries.binder_shown(binder) for binder in queries.shared_by(user)]


@operation("binders_share", summary="Share a binder", refuses=(422, 429))
def share_binder(user: User, body: ShareBinder) -> queries.BinderShown:
    """A binder that is shared already keeps its link. Idempotent."""
    shared = services.share_binder(
        owner=user, binder=body.binder, cards=body.cards, on_profile=body.on_profile
    )
    return queries.binder_shown(shared)


@operation("binders_retrieve", summary="A shared binder", refuses=(404,))
def get_binder(slug: str) -> queries.BinderShown:
    """Whose it is and what it shows."""
    return queries.binder_shown(queries.binder_at(slug))


@operation("binders_revoke", summary="Stop sharing a binder")
def revoke_binder(user: User, slug: str) -> None:
    """Its link is gone for good; your cards stay as they are. Idempotent."""
    services.revoke_binder(owner=user, slug=slug)


@operation("binders_of_person", summary="A person’s binders", refuses=(404,))
def list_of_person(username: str) -> list[queries.BinderShown]:
    """The binders that their profile links to."""
    return [queries.binder_shown(binder) for binder in queries.on_profile(person(username))]


class BinderCardList(CardsByPage):
    """The cards in a shared binder, filtered and in order like all cards."""

    permission_classes = (AllowAny,)
    queryset = Card.objects.none()  # names the model to the API's document
    filterset_class = CardFilter
    serializer_class = response_serializer(queries.BinderCard)

    def get_queryset(self) -> QuerySet[Card]:
        self.binder = queries.binder_at(self.kwargs["slug"])
        return queries.cards_in(self.binder)

    def shown(self, cards: list[Card]) -> Sequence[queries.BinderCard]:
        return queries.cards_shown(self.binder, cards)

    @extend_schema(
        tags=["collection"],
        summary="Cards in a shared binder",
        operation_id="binders_cards",
        responses={200: serializer_class(many=True), **problems(400, 404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of its cards."""
        return self.list(request)
