"""What came to a person and went, in the API: of all cards or of one. Nobody sees another's."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from accounts.documents import problems
from collection.api.pages import HistoryPages
from collection.errors import Unacceptable
from collection.models import Card, Kind, LedgerRow, Reason
from collection.queries import catalog

_READ = problems(400, 401, 406, 422, 429)
_TAGS = ["collection"]
#: Where to read of what a transfer was for, by the first word of its key.
_ABOUT = {"pack": "api-pack", "trade": "api-trade", "import": "api-import", "undo": "api-import"}
_REASON = OpenApiParameter("reason", enum=Reason.values, description="Why they came or went.")


class ChangeSerializer(serializers.Serializer[LedgerRow]):
    """Copies of a card that came to you, or went."""

    transfer = serializers.IntegerField(
        source="transfer_id", help_text="What moved together, in one moment, has the same number."
    )
    at = serializers.DateTimeField(source="transfer.at")
    reason = serializers.ChoiceField(Reason.choices, source="transfer.reason")
    note = serializers.CharField(source="transfer.note")
    game = serializers.CharField(source="card.game.slug")
    card = serializers.CharField(source="card.slug")
    title = serializers.CharField(source="card.title")
    kind = serializers.ChoiceField(
        Kind.choices, help_text="dealt: dealt here; recorded: on paper, on your word."
    )
    change = serializers.SerializerMethodField(help_text="How many came; below 0: went.")
    other = serializers.SerializerMethodField(
        help_text="The username of who gave or got them; null where nobody else was concerned."
    )
    about = serializers.SerializerMethodField(
        help_text="The pack, the trade or the imported list that it was for, where there is one."
    )

    def _came(self, row: LedgerRow) -> bool:
        return bool(row.taker_id == self.context["request"].user.pk)

    def get_change(self, row: LedgerRow) -> int:
        return row.count if self._came(row) else -row.count

    def get_other(self, row: LedgerRow) -> str | None:
        other = row.giver if self._came(row) else row.taker
        return other.username if other else None

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_about(self, row: LedgerRow) -> str | None:
        kind, _, slug = row.transfer.key.partition(":")
        if kind not in _ABOUT or ":" in slug:
            return None
        return reverse(_ABOUT[kind], [slug], request=self.context["request"])


class HistoryView(generics.ListAPIView[LedgerRow]):
    """My history."""

    permission_classes = (IsAuthenticated,)
    serializer_class = ChangeSerializer
    pagination_class = HistoryPages
    filter_backends = ()
    queryset = LedgerRow.objects.none()

    def get_queryset(self) -> QuerySet[LedgerRow]:
        """Rows of the reason and of the card that are asked for; the pages leave one's own."""
        asked = self.request.query_params
        rows = LedgerRow.objects.order_by()
        if reason := asked.get("reason", ""):
            if reason not in Reason.values:
                raise Unacceptable(f"“reason” is one of {', '.join(Reason.values)}.")
            rows = rows.filter(transfer__reason=reason)
        if slug := asked.get("card", ""):
            cards = Card.objects.filter(slug=slug)
            if game := asked.get("game", ""):
                cards = cards.filter(game__slug=game)
            keys = list(cards.values_list("pk", flat=True))
            if not keys:
                raise Unacceptable(f"There is no card “{slug}”.")
            rows = rows.filter(card__in=keys)
        return rows

    @extend_schema(
        tags=_TAGS,
        summary="What came and went",
        operation_id="collection_history",
        parameters=[
            _REASON,
            OpenApiParameter("card", description="A card's slug."),
            OpenApiParameter("game", description="Its game's, where games share a card's slug."),
        ],
        responses={200: ChangeSerializer(many=True), **_READ},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Every copy of yours that came or went, latest first."""
        return super().get(request, *args, **kwargs)


class CardHistoryView(HistoryView):
    """My history with one card."""

    def get_queryset(self) -> QuerySet[LedgerRow]:
        """Rows of the card that the address names."""
        card = catalog.card_or_none(self.kwargs["game"], self.kwargs["slug"])
        if card is None:
            raise Http404
        return super().get_queryset().filter(card=card)

    @extend_schema(
        tags=_TAGS,
        summary="What came and went of a card",
        operation_id="collection_history_of_card",
        parameters=[_REASON],
        responses={200: ChangeSerializer(many=True), **_READ, **problems(404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Every copy of this card that came to you or went, latest first."""
        return generics.ListAPIView.get(self, request, *args, **kwargs)
