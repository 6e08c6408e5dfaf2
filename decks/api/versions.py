"""What decks were, in the API: versions, undo, redo, restore, and two lists beside each other."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.documents import LatestFirst, problems
from accounts.models import User
from decks.api.decks import DeckSerializer, ExpectedField, answer, refusals, valid
from decks.errors import NotYourDeck, OtherGame
from decks.models import Deck, DeckVersion
from decks.queries import decks, versions
from decks.services import versions as services
from rules.engine.legality import Decklist

LARGEST_NUMBER = 2**31 - 1
_READ = problems(401, 403, 404, 406, 429)
_WRITE = problems(400, 401, 403, 404, 406, 409, 413, 415, 429)


def own(request: Request, slug: str) -> Deck:
    """A deck of the person's own."""
    deck = decks.access_deck(request.user, slug)
    if deck.owner_id != request.user.pk:
        raise NotYourDeck
    return deck


class ExpectedSerializer(serializers.Serializer[Any]):
    """What a change was made for."""

    expected = ExpectedField()


class RestoreSerializer(ExpectedSerializer):
    """Which version to bring back."""

    version = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER)


class NoteSerializer(serializers.Serializer[Any]):
    """A version's name."""

    note = serializers.CharField(
        allow_blank=True,
        max_length=services.NOTE_LENGTH,
        help_text="A version with a name is kept for good; empty takes the name away.",
    )


class VersionSerializer(serializers.ModelSerializer[DeckVersion]):
    """A deck as it was."""

    size = serializers.SerializerMethodField(help_text="How many cards it had.")
    deck = serializers.DictField(
        source="cards", child=serializers.DictField(child=serializers.IntegerField())
    )

    class Meta:
        model = DeckVersion
        fields = ["number", "note", "at", "mode", "size", "deck"]
        read_only_fields = fields

    def get_size(self, version: DeckVersion) -> int:
        """All cards of all sections."""
        return versions.count(version.cards)


class ByNumber(LatestFirst):
    """Versions, latest first."""

    ordering = "-number"


class VersionsView(generics.ListAPIView[DeckVersion]):
    """The versions of a deck of mine."""

    permission_classes = [IsAuthenticated]
    serializer_class = VersionSerializer
    pagination_class = ByNumber
    filter_backends = []

    def get_queryset(self) -> QuerySet[DeckVersion]:
        """Those that are kept."""
        return own(self.request, self.kwargs["slug"]).versions.all()

    @extend_schema(
        tags=["decks"],
        operation_id="decks_versions_list",
        responses={200: VersionSerializer(many=True), **_READ},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Every version of a deck of mine that is kept, latest first.

        The deck's own `version` says which one it is now; later ones were undone.
        """
        return super().get(request, *args, **kwargs)


class VersionView(APIView):
    """One version of a deck of mine."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_versions_retrieve",
        responses={200: VersionSerializer, **_READ},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """What a deck of mine was."""
        deck = own(request, slug)
        version = versions.version_of(deck, min(number, LARGEST_NUMBER))
        return Response(VersionSerializer(version).data)

    @extend_schema(
        tags=["decks"],
        operation_id="decks_versions_update",
        request=NoteSerializer,
        responses={200: VersionSerializer, **problems(422), **_WRITE},
    )
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Name a version, which keeps it for good."""
        data = valid(NoteSerializer(data=request.data))
        with refusals():
            version = services.name_version(
                user=cast(User, request.user),
                slug=slug,
                number=min(number, LARGEST_NUMBER),
                note=data["note"],
            )
        return Response(VersionSerializer(version).data)


class UndoView(APIView):
    """One version back."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_undo",
        request=ExpectedSerializer,
        responses={200: DeckSerializer, **_WRITE},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take the last change of a deck's cards back. 409 where there is none."""
        data = valid(ExpectedSerializer(data=request.data))
        return answer(request, services.undo_deck(user=cast(User, request.user), slug=slug, **data))


class RedoView(APIView):
    """One version on."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_redo",
        request=ExpectedSerializer,
        responses={200: DeckSerializer, **_WRITE},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a change that was undone again. 409 where there is none."""
        data = valid(ExpectedSerializer(data=request.data))
        return answer(request, services.redo_deck(user=cast(User, request.user), slug=slug, **data))


class RestoreView(APIView):
    """Any version again."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_restore",
        request=RestoreSerializer,
        responses={200: DeckSerializer, **_WRITE},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a deck what it was in a version; undo takes that back."""
        data = valid(RestoreSerializer(data=request.data))
        deck = services.restore_version(
            user=cast(User, request.user),
            slug=slug,
            number=data["version"],
            expected=data.get("expected"),
        )
        return answer(request, deck)


class DifferenceSerializer(serializers.Serializer[versions.Change]):
    """A card whose number is not the same."""

    section = serializers.CharField()
    card = serializers.CharField(help_text="The card's slug.")
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class ComparisonSerializer(serializers.Serializer[Any]):
    """What differs between two lists."""

    changes = DifferenceSerializer(many=True)


class WhatToCompare(serializers.Serializer[Any]):
    """Two versions of the deck, or another deck."""

    a = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_NUMBER)
    b = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_NUMBER)
    other = serializers.CharField(required=False, max_length=50)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two ways."""
        if ("other" in attrs) == ("a" in attrs) or ("other" in attrs and "b" in attrs):
            raise serializers.ValidationError(
                "Send a version as “a” (and another one as “b”), or another deck as “other”."
            )
        return attrs


class CompareView(APIView):
    """Two lists beside each other."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_compare",
        parameters=[
            OpenApiParameter("a", int, description="A version of the deck, the older one."),
            OpenApiParameter("b", int, description="Another version; the present one if left out."),
            OpenApiParameter("other", str, description="Instead: another deck of the same game."),
        ],
        responses={200: ComparisonSerializer, **problems(400, 401, 403, 404, 406, 422, 429)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What differs between two versions of a deck of mine, or between two decks."""
        asked = valid(WhatToCompare(data=request.query_params))
        before, after = self._lists(request, slug, asked)
        changes = versions.compare(before, after)
        return Response(ComparisonSerializer({"changes": changes}).data)

    def _lists(
        self, request: Request, slug: str, asked: dict[str, Any]
    ) -> tuple[Decklist, Decklist]:
        if "other" in asked:
            deck = decks.access_deck(request.user, slug)
            other = decks.access_deck(request.user, asked["other"])
            if other.game != deck.game:
                raise OtherGame("Only decks of one game can be compared.")
            return decks.decklist(deck), decks.decklist(other)
        deck = own(request, slug)
        older = versions.version_of(deck, asked["a"])
        return older.cards, versions.version_of(deck, asked.get("b", deck.version)).cards
