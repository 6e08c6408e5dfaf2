"""Trades in the API. Pages use the same services and queries."""

from __future__ import annotations

import secrets
from typing import Any, cast

from django.db.models import Q, QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import queries as accounts
from accounts.documents import LatestFirst, problems
from accounts.models import User
from collection.errors import Unacceptable
from collection.models import Card, Trade, TradeItem, TradeState
from collection.models.holdings import MOST_COPIES
from collection.queries import trades as queries
from collection.services import trades as services

_READ = problems(401, 403, 404, 406, 429)
_WRITE = problems(400, 401, 403, 404, 406, 409, 413, 415, 422, 429)
_TAGS = ["trades"]


class TradeCardSerializer(serializers.Serializer[Any]):
    """Copies of a card on one side."""

    game = serializers.CharField(max_length=50)
    card = serializers.CharField(max_length=80, help_text="The card's slug.")
    count = serializers.IntegerField(min_value=1, max_value=MOST_COPIES, default=1)


class NewTradeSerializer(serializers.Serializer[Any]):
    """An offer to be made."""

    partner = serializers.CharField(max_length=150, help_text="A username.")
    gives = TradeCardSerializer(many=True, required=False, help_text="What you give.")
    takes = TradeCardSerializer(many=True, required=False, help_text="What you get.")
    message = serializers.CharField(max_length=280, required=False, allow_blank=True, default="")
    days = serializers.ChoiceField(services.DAYS, default=7)
    answer_to = serializers.CharField(
        required=False,
        max_length=50,
        help_text="The slug of the offer that this one answers.",
    )


class TradeSerializer(serializers.ModelSerializer[Trade]):
    """An offer and what became of it."""

    proposer = serializers.CharField(source="proposer.username")
    partner = serializers.CharField(source="partner.username")
    gives = serializers.SerializerMethodField(help_text="What the proposer gives.")
    takes = serializers.SerializerMethodField(help_text="What the partner gives.")
    answer_to = serializers.CharField(source="answer_to.slug", allow_null=True, default=None)

    class Meta:
        model = Trade
        fields = [
            "slug", "state", "proposer", "partner", "gives", "takes", "message", "answer_to",
            "created_at", "expires_at", "settled_at",
        ]  # fmt: skip
        read_only_fields = fields

    @staticmethod
    def _side(trade: Trade, from_proposer: bool) -> list[dict[str, Any]]:
        return [_card(row) for row in trade.items.all() if row.from_proposer == from_proposer]

    @extend_schema_field(TradeCardSerializer(many=True))
    def get_gives(self, trade: Trade) -> list[dict[str, Any]]:
        """The proposer's side."""
        return self._side(trade, True)

    @extend_schema_field(TradeCardSerializer(many=True))
    def get_takes(self, trade: Trade) -> list[dict[str, Any]]:
        """The partner's side."""
        return self._side(trade, False)


def _card(row: TradeItem) -> dict[str, Any]:
    return {"game": row.card.game.slug, "card": row.card.slug, "count": row.count}


def _keys(rows: list[dict[str, Any]]) -> dict[int, int]:
    """Cards by key; raises ``Unacceptable`` with the first one that is not in the catalog."""
    wanted = {(row["game"], row["card"]): 0 for row in rows}
    for row in rows:
        wanted[row["game"], row["card"]] += row["count"]
    found = Card.objects.filter(slug__in={slug for _, slug in wanted}).select_related("game")
    keys = {(card.game.slug, card.slug): card.pk for card in found}
    for game, slug in wanted:
        if (game, slug) not in keys:
            raise Unacceptable(f"There is no card “{slug}” in “{game}”.")
    return {keys[card]: count for card, count in wanted.items()}


class TradesView(generics.ListAPIView[Trade]):
    """My trades."""

    permission_classes = [IsAuthenticated]
    serializer_class = TradeSerializer
    pagination_class = LatestFirst
    filter_backends = []

    def get_queryset(self) -> QuerySet[Trade]:
        """Trades that I take part in, perhaps of one state."""
        user = cast(User, self.request.user)
        mine = queries.trades().filter(Q(proposer=user) | Q(partner=user))
        state = self.request.query_params.get("state", "")
        if state and state not in TradeState.values:
            raise Unacceptable(f"“state” is one of {', '.join(TradeState.values)}.")
        return mine.filter(state=state) if state else mine

    @extend_schema(
        parameters=[OpenApiParameter("state", enum=TradeState.values)],
        responses={200: TradeSerializer(many=True), **_READ, **problems(422)},
        tags=_TAGS,
        operation_id="trades_list",
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """My offers and those made to me, latest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=NewTradeSerializer,
        parameters=[
            OpenApiParameter(
                "Idempotency-Key",
                location="header",
                description=f"Up to {services.LONGEST_TOKEN} signs. The same offer with the same "
                "key again is the first one (201); another offer with it is refused (422).",
            )
        ],
        responses={201: TradeSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="trades_create",
    )
    def post(self, request: Request) -> Response:
        """Offer cards for cards."""
        key = request.headers.get("Idempotency-Key", "")
        if len(key) > services.LONGEST_TOKEN:
            longest = f"A key has at most {services.LONGEST_TOKEN} signs."
            raise serializers.ValidationError({"Idempotency-Key": [longest]})
        data = NewTradeSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        said = data.validated_data
        user = cast(User, request.user)
        answered = queries.trade_of(user, said["answer_to"]) if said.get("answer_to") else None
        made = services.offer_trade(
            proposer=user,
            partner=accounts.person(said["partner"]),
            gives=_keys(said.get("gives", [])),
            takes=_keys(said.get("takes", [])),
            token=key or secrets.token_urlsafe(18),
            message=said["message"],
            days=said["days"],
            answer_to=answered,
        )
        return _answer(user, made, status.HTTP_201_CREATED)


def _answer(user: User, trade: Trade, code: int = status.HTTP_200_OK) -> Response:
    return Response(TradeSerializer(queries.trade_of(user, trade.slug)).data, status=code)


class TradeView(APIView):
    """One trade of mine."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        responses={200: TradeSerializer, **_READ}, tags=_TAGS, operation_id="trades_retrieve"
    )
    def get(self, request: Request, slug: str) -> Response:
        """Both sides and what became of it."""
        user = cast(User, request.user)
        return _answer(user, queries.trade_of(user, slug))


class AcceptTradeView(APIView):
    """Say yes."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        request=None,
        responses={200: TradeSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="trades_accept",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Swap the cards at once. Only the partner may; again changes nothing."""
        user = cast(User, request.user)
        return _answer(user, services.accept_trade(trade=queries.trade_of(user, slug), user=user))


class DeclineTradeView(APIView):
    """Say no."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        request=None,
        responses={200: TradeSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="trades_decline",
    )
    def post(self, request: Request, slug: str) -> Response:
        """End it without a swap. Only the partner may; again changes nothing."""
        user = cast(User, request.user)
        return _answer(user, services.decline_trade(trade=queries.trade_of(user, slug), user=user))


class CancelTradeView(APIView):
    """Take it back."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        request=None,
        responses={200: TradeSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="trades_cancel",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take one's own offer back. Only the proposer may; again changes nothing."""
        user = cast(User, request.user)
        return _answer(user, services.cancel_trade(trade=queries.trade_of(user, slug), user=user))
