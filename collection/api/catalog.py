"""The catalog in the API: games with their modes and options, and cards."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny

from collection.api.pages import CardsByPage
from collection.models import Card
from collection.queries import catalog as queries
from collection.queries.filters import CardFilter
from core.openapi import problems
from core.operations import tagged
from core.serializers import response_serializer

operation = tagged("catalog")
_WORDS = OpenApiParameter(
    "q", {"type": "string", "maxLength": 100}, description="Words in title, text or slug."
)


@operation("games_list", summary="The games")
def list_games() -> list[queries.GameShown]:
    """All games with their sets, in the site's order."""
    return queries.games_shown()


@operation("games_retrieve", summary="One game, its modes, products and decks")
def get_game(slug: str) -> queries.GameDetail:
    """Its modes, options, products and decks, as needed to create a match, a deck or a format."""
    return queries.game_detail(slug)


@extend_schema(
    tags=["catalog"],
    summary="Cards",
    parameters=[_WORDS],
    responses={200: response_serializer(queries.CardShown)(many=True), **problems(400)},
)
class CardList(CardsByPage):
    """Cards of all games, filtered and sorted; without retired ones.

    Typing errors are corrected: `meant` is the corrected search.
    """

    permission_classes = (AllowAny,)
    serializer_class = response_serializer(queries.CardShown)
    filterset_class = CardFilter

    def get_queryset(self) -> QuerySet[Card]:
        return queries.cards()

    def shown(self, cards: list[Card]) -> list[queries.CardShown]:
        return queries.cards_shown(cards)


@operation("cards_retrieve", summary="One card")
def get_card(game: str, slug: str) -> queries.CardDetail:
    """A card, retired or not, with its rulings and the products that contain it."""
    return queries.card_detail(game, slug)
