"""Collections in the API: one's own, other people's as far as they show them, starter decks."""

from __future__ import annotations

from typing import Any, cast

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import queries as accounts
from accounts.documents import problems
from accounts.models import User
from collection.api.pages import CardFilters, CardsByPage
from collection.errors import NotAllowed
from collection.filters import CollectionFilter
from collection.models import Card, Holding, Visibility
from collection.models.holdings import MOST_COPIES, MOST_NOTES, MOST_TAGS
from collection.queries import catalog, holdings, people
from collection.queries.keyset import OWNED_ORDERS
from collection.services import holdings as services

_READ = problems(400, 401, 406, 429)
_WRITE = problems(400, 401, 403, 404, 406, 409, 413, 415, 422, 429)
_TAGS = ["collection"]


# -- shapes ---------------------------------------------------------------------------------------


class ShownHoldingSerializer(serializers.Serializer[Any]):
    """What a person has of a card, as others may see it."""

    game = serializers.CharField(source="card.game.slug")
    card = serializers.CharField(source="card.slug")
    title = serializers.CharField(source="card.title")
    rarity = serializers.CharField(source="card.rarity")
    retired = serializers.BooleanField(source="card.retired")
    quantity = serializers.IntegerField(help_text="All copies.")
    dealt = serializers.IntegerField(help_text="Copies dealt here: these can be traded.")
    recorded = serializers.IntegerField(help_text="Copies on paper, on the owner's word.")
    spare = serializers.IntegerField(help_text="How many of all copies may go.")
    wanted = serializers.IntegerField(help_text="How many copies the owner wants in all.")
    missing = serializers.IntegerField(help_text="How many of the wanted ones are to be found.")


class HoldingSerializer(ShownHoldingSerializer):
    """What you have of a card."""

    tags = serializers.ListField(child=serializers.CharField(), source="tag_list")
    notes = serializers.CharField()
    updated_at = serializers.DateTimeField(help_text="When copies last came or went.")


class HoldingChangeSerializer(serializers.Serializer[Any]):
    """What is to be different; what is left out stays as it is."""

    change = serializers.IntegerField(
        required=False,
        min_value=-MOST_COPIES,
        max_value=MOST_COPIES,
        help_text="How many copies on paper more, or fewer (below 0).",
    )
    recorded = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_COPIES, help_text="Or: how many there are."
    )
    key = serializers.RegexField(
        r"^[A-Za-z0-9_-]{8,64}$",
        max_length=64,
        required=False,
        help_text="Your name for this change of copies, needed with it: the same change "
        "with the same key counts once, another one with it is refused (422).",
    )
    spare = serializers.IntegerField(required=False, min_value=0, max_value=MOST_COPIES)
    wanted = serializers.IntegerField(required=False, min_value=0, max_value=MOST_COPIES)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=100), required=False, max_length=MOST_TAGS
    )
    notes = serializers.CharField(required=False, allow_blank=True, max_length=MOST_NOTES)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Copies change in one way, and under a key."""
        if "change" in attrs and "recorded" in attrs:
            raise serializers.ValidationError("Send either “change” or “recorded”.")
        if ("change" in attrs or "recorded" in attrs) and "key" not in attrs:
            raise serializers.ValidationError({"key": "A change of copies needs a key."})
        return attrs


class ProgressSerializer(serializers.Serializer[Any]):
    """How many different cards of a part of the catalog are owned."""

    slug = serializers.CharField()
    name = serializers.CharField()
    owned = serializers.IntegerField()
    of = serializers.IntegerField()


class GameProgressSerializer(ProgressSerializer):
    """A game with its sets and rarities."""

    sets = ProgressSerializer(many=True)
    rarities = ProgressSerializer(many=True)


class SummarySerializer(serializers.Serializer[Any]):
    """A collection in numbers."""

    cards = serializers.IntegerField(help_text="Different cards.")
    copies = serializers.IntegerField()
    dealt = serializers.IntegerField(help_text="Copies that were dealt here.")
    spare = serializers.IntegerField()
    wanted = serializers.IntegerField(help_text="Wanted copies that are still to be found.")
    games = GameProgressSerializer(many=True)


class ProductSerializer(serializers.Serializer[Any]):
    """A product to choose."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()


class StarterSerializer(serializers.Serializer[Any]):
    """A group of starter decks, of which everybody gets one."""

    game = serializers.CharField()
    group = serializers.CharField()
    products = ProductSerializer(many=True)
    taken = serializers.CharField(help_text="The name of the one that you took, or nothing.")


class TakeStarterSerializer(serializers.Serializer[Any]):
    """Which one to take."""

    game = serializers.CharField(max_length=50)
    product = serializers.CharField(max_length=80)


class TakenSerializer(serializers.Serializer[Any]):
    """The deck that is yours."""

    product = serializers.CharField(source="note")
    at = serializers.DateTimeField()


class CollectionSettingsSerializer(serializers.Serializer[Any]):
    """Who may look."""

    visibility = serializers.ChoiceField(Visibility.choices)


# -- lists ----------------------------------------------------------------------------------------


class AmongOwners(CardFilters):
    """The gallery's filters for the cards of the view's owner; owned ones if nothing is said."""

    def get_filterset_kwargs(
        self, request: Request, queryset: QuerySet[Card], view: CardsByPage
    ) -> dict[str, Any]:
        made = super().get_filterset_kwargs(request, queryset, view)
        if not any(made["data"].getlist("have")):
            made["data"]["have"] = "owned"
        return {**made, "owner": cast(HoldingList, view).owner()}


class HoldingList(CardsByPage):
    """Cards with what somebody has of them."""

    filter_backends = (AmongOwners,)
    filterset_class = CollectionFilter

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

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of them."""
        cards = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        own = holdings.own(self.owner(), cards)
        rows = []
        for card in cards:
            held = own.get(card.pk) or Holding(owner=self.owner(), card=card, quantity=0)
            held.card = card
            rows.append(held)
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)


class MyCollection(HoldingList):
    """What you have, filtered and in order; `have=all` shows every card there is."""

    permission_classes = (IsAuthenticated,)
    serializer_class = HoldingSerializer

    def owner(self) -> User:
        """The person who asks."""
        return cast(User, self.request.user)

    @extend_schema(
        tags=_TAGS,
        summary="Your cards",
        operation_id="collection_list",
        responses={200: HoldingSerializer(many=True), **_READ},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of your cards."""
        return self.list(request)


class CollectionOf(HoldingList):
    """What a person has, if you may see it: public to all, or to friends who are logged in."""

    permission_classes = (AllowAny,)
    serializer_class = ShownHoldingSerializer

    def owner(self) -> User:
        """The person that the address names."""
        if not hasattr(self, "_owner"):
            self._owner = accounts.person(self.kwargs["username"])
        return self._owner

    @extend_schema(
        tags=_TAGS,
        summary="Somebody's cards",
        operation_id="collection_of",
        responses={
            200: ShownHoldingSerializer(many=True),
            **problems(400, 401, 403, 404, 406, 429),
        },
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of their cards."""
        if not people.may_see(request.user, self.owner()):
            raise NotAllowed(f"{self.owner()} does not show this collection to you.")
        return self.list(request)


# -- one card, and all in all ---------------------------------------------------------------------


class HoldingView(APIView):
    """What you have of one card."""

    permission_classes = (IsAuthenticated,)

    def _card(self, game: str, slug: str) -> Card:
        found = catalog.card_or_none(game, slug)
        if found is None:
            raise Http404
        return found

    @extend_schema(
        tags=_TAGS,
        summary="Your copies of a card",
        responses={200: HoldingSerializer, **_READ, **problems(404)},
    )
    def get(self, request: Request, game: str, slug: str) -> Response:
        """Zero of everything where you have none."""
        held = holdings.holding(cast(User, request.user), self._card(game, slug))
        return Response(HoldingSerializer(held).data)

    @extend_schema(
        tags=_TAGS,
        summary="Count and mark a card",
        request=HoldingChangeSerializer,
        responses={200: HoldingSerializer, **_WRITE},
    )
    @transaction.atomic
    def patch(self, request: Request, game: str, slug: str) -> Response:
        """Copies on paper, wants, spares, tags and notes: all of it or nothing."""
        user, card = cast(User, request.user), self._card(game, slug)
        asked = HoldingChangeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        wish = asked.validated_data
        marks = {name: wish[name] for name in ("spare", "wanted", "tags", "notes") if name in wish}
        if "key" in wish:
            services.count_by_hand(
                owner=user,
                card=card,
                token=wish["key"],
                change=wish.get("change"),
                to=wish.get("recorded"),
                marks=marks,
            )
        held = services.mark(
            owner=user,
            card=card,
            spare=wish.get("spare"),
            wanted=wish.get("wanted"),
            tags=", ".join(wish["tags"]) if "tags" in wish else None,
            notes=wish.get("notes"),
        )
        held.card = card
        return Response(HoldingSerializer(held).data)


class SummaryView(APIView):
    """Your collection in numbers."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        tags=_TAGS,
        summary="How much, and how complete",
        responses={200: SummarySerializer, **problems(401, 406, 429)},
    )
    def get(self, request: Request) -> Response:
        """Totals, and how many cards of each game, set and rarity you own."""
        user = cast(User, request.user)
        games = holdings.completion(user)
        totals = holdings.totals(user, [])
        names = ("cards", "copies", "dealt", "spare", "wanted")
        counted = {name: getattr(totals, name) for name in names}
        return Response(SummarySerializer(counted | {"games": games}).data)


class StarterView(APIView):
    """Starter decks."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        tags=_TAGS,
        summary="Starter decks to choose from",
        responses={200: StarterSerializer(many=True), **problems(401, 406, 429)},
    )
    def get(self, request: Request) -> Response:
        """Every group, and which of its decks you took."""
        found = holdings.starters(cast(User, request.user))
        return Response(StarterSerializer(found, many=True).data)

    @extend_schema(
        tags=_TAGS,
        summary="Take a starter deck",
        request=TakeStarterSerializer,
        responses={200: TakenSerializer, 201: TakenSerializer, **_WRITE},
    )
    def post(self, request: Request) -> Response:
        """201 when you have it now, 200 when you had taken the same one before."""
        asked = TakeStarterSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        made, now = services.take_starter(user=cast(User, request.user), **asked.validated_data)
        return Response(TakenSerializer(made).data, status=201 if now else 200)


class SettingsView(APIView):
    """Who may look at your cards."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        tags=_TAGS,
        summary="Who may look",
        responses={200: CollectionSettingsSerializer, **problems(401, 406, 429)},
    )
    def get(self, request: Request) -> Response:
        """Private where nothing was ever said."""
        found = people.collection_of(cast(User, request.user))
        return Response(CollectionSettingsSerializer(found).data)

    @extend_schema(
        tags=_TAGS,
        summary="Say who may look",
        request=CollectionSettingsSerializer,
        responses={
            200: CollectionSettingsSerializer,
            **problems(400, 401, 406, 413, 415, 422, 429),
        },
    )
    def patch(self, request: Request) -> Response:
        """A guest's collection is never public."""
        asked = CollectionSettingsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        found = services.set_visibility(owner=cast(User, request.user), **asked.validated_data)
        return Response(CollectionSettingsSerializer(found).data)
