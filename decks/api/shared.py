"""Decks among people, in the API: what others show, copies and likes."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.documents import LatestFirst, problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from decks.api.decks import DeckSerializer, DeckSummarySerializer, answer, refusals, valid
from decks.models import Deck
from decks.queries.decks import access_deck, likes, pages, with_entries
from decks.queries.shared import SORTS, DeckSearch, shared_decks
from decks.services import decks as services


class WishSerializer(serializers.Serializer[Any]):
    """What somebody looks for."""

    q = serializers.CharField(required=False, allow_blank=True, max_length=100)
    game = serializers.CharField(required=False, allow_blank=True, max_length=50)
    mode = serializers.CharField(required=False, allow_blank=True, max_length=50)
    tag = serializers.CharField(required=False, allow_blank=True, max_length=100)
    sort = serializers.ChoiceField(list(SORTS), default="newest")

    def search(self) -> DeckSearch:
        """The same for the query."""
        said = self.validated_data
        game, mode, tag = (said.get(name, "") for name in ("game", "mode", "tag"))
        return DeckSearch(said.get("q", ""), game, mode, tag, said["sort"])


class SharedOrder(LatestFirst):
    """The last changed or the most liked first."""

    page_size = 24
    max_page_size = 100

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """By the column of the order that was asked for; equal ones by key."""
        return (f"-{SORTS[view.search.sort]}", "-pk")


class SharedDeckSerializer(DeckSummarySerializer):
    """A deck in the list of public ones, whose pages are others than those of one's own list."""


class SharedView(generics.ListAPIView[Deck]):
    """Public decks."""

    permission_classes = [AllowAny]
    serializer_class = SharedDeckSerializer  # type: ignore[assignment]  # of what a page adds
    pagination_class = SharedOrder
    filter_backends = []
    search = DeckSearch()

    def get_queryset(self) -> QuerySet[Deck]:
        """Those that fit."""
        return with_entries(shared_decks(self.search))

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        return None if page is None else pages(page)

    @extend_schema(
        tags=["decks"],
        operation_id="decks_shared_list",
        parameters=[
            OpenApiParameter("q", str, description="Words in name, tags, owner or cards."),
            OpenApiParameter("game", str),
            OpenApiParameter("mode", str),
            OpenApiParameter("tag", str),
            OpenApiParameter("sort", str, enum=list(SORTS), default="newest"),
        ],
        responses={200: SharedDeckSerializer(many=True), **problems(400, 401, 404, 406, 429)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The decks that people show to everybody, the last changed or the most liked first."""
        asked = WishSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        self.search = asked.search()
        return super().get(request, *args, **kwargs)


class CopySerializer(serializers.Serializer[Any]):
    """What the copy is called."""

    name = serializers.CharField(
        max_length=services.NAME_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        help_text="Like the original if left out.",
    )


class CopyView(APIView):
    """A copy of a deck."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_copy",
        request=CopySerializer,
        parameters=[ONCE],
        responses={201: DeckSerializer, **problems(400, 401, 403, 404, 406, 413, 415, 422, 429)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a deck that I may see mine, with credit; it is private at first."""
        data = valid(CopySerializer(data=request.data))
        user = cast(User, request.user)

        def make() -> str:
            return services.copy_deck(user=user, slug=slug, name=data["name"]).slug

        with refusals():
            made = once_per_key(request, make)
        return answer(request, access_deck(user, made), status.HTTP_201_CREATED)


class LikesSerializer(serializers.Serializer[Any]):
    """How many people like a deck, and whether I do."""

    likes = serializers.IntegerField()
    liked = serializers.BooleanField()


class LikeView(APIView):
    """My like of a deck."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_likes",
        responses={200: LikesSerializer, **problems(401, 404, 406, 429)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """How many people like a deck that I may see, and whether I do."""
        deck = access_deck(request.user, slug)
        about = {"likes": deck.like_count, "liked": likes(request.user, deck)}
        return Response(LikesSerializer(about).data)

    @extend_schema(
        tags=["decks"],
        operation_id="decks_like",
        request=None,
        responses={200: LikesSerializer, **problems(401, 403, 404, 406, 422, 429)},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Like somebody's deck; twice is the same as once."""
        return self._like(request, slug, on=True)

    @extend_schema(
        tags=["decks"],
        operation_id="decks_unlike",
        responses={200: LikesSerializer, **problems(401, 403, 404, 406, 422, 429)},
    )
    def delete(self, request: Request, slug: str) -> Response:
        """Like it no longer."""
        return self._like(request, slug, on=False)

    def _like(self, request: Request, slug: str, *, on: bool) -> Response:
        deck = services.like_deck(user=cast(User, request.user), slug=slug, on=on)
        return Response(LikesSerializer({"likes": deck.like_count, "liked": on}).data)
