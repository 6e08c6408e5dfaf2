"""Ready-made decks in the API: what there is, and copies to build on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import rules
from accounts.documents import problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from collection.errors import NotFound
from decks.api.decks import DeckSerializer, answer, refusals, valid
from decks.queries.decks import access_deck
from decks.services import decks as services


class ReadyMadeSerializer(serializers.Serializer[Any]):
    """A ready-made deck of a game."""

    slug = serializers.CharField()
    game = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    modes = serializers.ListField(child=serializers.CharField(), help_text="What it is made for.")
    size = serializers.IntegerField(help_text="How many cards it has.")
    deck = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))


class ReadyMadeView(APIView):
    """Ready-made decks."""

    permission_classes = [AllowAny]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_ready_made_list",
        parameters=[OpenApiParameter("game"), OpenApiParameter("mode")],
        responses={200: ReadyMadeSerializer(many=True), **problems(401, 406, 429)},
    )
    def get(self, request: Request) -> Response:
        """The decks that come with the games; of a game or a mode where one is named."""
        asked = request.query_params
        found = list(_ready_made(asked.get("game", ""), asked.get("mode", "")))
        return Response(ReadyMadeSerializer(found, many=True).data)


def _ready_made(wish: str, mode: str) -> Iterator[dict[str, Any]]:
    for slug, game in rules.games().items():
        for deck in game.starter_decks.values():
            if wish in ("", slug) and (not mode or mode in deck.modes):
                yield {
                    "slug": deck.slug,
                    "game": slug,
                    "name": deck.name,
                    "description": deck.description,
                    "modes": list(deck.modes),
                    "size": sum(sum(counts.values()) for counts in deck.cards.values()),
                    "deck": deck.cards,
                }


class CopyReadyMadeSerializer(serializers.Serializer[Any]):
    """What the copy is for."""

    mode = serializers.CharField(
        max_length=50, required=False, help_text="One that the deck is made for; else the first."
    )


class CopyReadyMadeView(APIView):
    """A copy of a ready-made deck."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_ready_made_copy",
        request=CopyReadyMadeSerializer,
        parameters=[ONCE],
        responses={201: DeckSerializer, **problems(400, 401, 403, 404, 406, 413, 415, 422, 429)},
    )
    def post(self, request: Request, game: str, starter: str) -> Response:
        """Make a ready-made deck mine, to change it; it is private at first."""
        if game not in rules.games() or starter not in rules.game(game).starter_decks:
            raise NotFound("There is no such ready-made deck.")
        data = valid(CopyReadyMadeSerializer(data=request.data))
        user = cast(User, request.user)

        def make() -> str:
            made = services.deck_from_starter(
                owner=user, game=game, starter=starter, mode=data.get("mode")
            )
            return made.slug

        with refusals():
            made = once_per_key(request, make)
        return answer(request, access_deck(user, made), status.HTTP_201_CREATED)
