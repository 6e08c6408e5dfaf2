"""Building decks by API: cards by number, random decks, what one owns and lacks, a deck's shape."""

from __future__ import annotations

from typing import Any, cast

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from accounts.documents import problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from collection import examples
from collection.models.slugs import SLUG_LENGTH
from decks.api.decks import DeckSerializer, ExpectedField, answer, refusals, valid
from decks.api.versions import ExpectedSerializer
from decks.errors import UnknownDeck
from decks.models import MOST_COPIES
from decks.queries import builder as queries
from decks.queries import decks
from decks.services import builder as services
from decks.services import decks as deck_services
from decks.shape import MOST_HAND, Odds
from rules.engine.chance import SEED_BYTES

_CHANGES = {examples.FIRST: 2, examples.SECOND: -1}


class ChangeSerializer(serializers.Serializer[Any]):
    """Cards that come or go."""

    section = serializers.CharField(
        required=False,
        max_length=50,
        help_text="Where nothing is said, the first of the mode's sections.",
    )
    changes = serializers.DictField(
        child=serializers.IntegerField(min_value=-MOST_COPIES, max_value=MOST_COPIES),
        allow_empty=False,
        help_text="Copies to add of each card or, where negative, to take out.",
    )
    to = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=50,
        help_text="The section into which what is taken out goes, if into any.",
    )
    expected = ExpectedField()

    def validate_changes(self, changes: dict[str, int]) -> dict[str, int]:
        """No more than a deck can hold."""
        if len(changes) > deck_services.ENTRIES_A_DECK:
            raise serializers.ValidationError(
                f"At most {deck_services.ENTRIES_A_DECK} cards change at once."
            )
        return changes


class CardsView(APIView):
    """The cards of a deck of mine."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_cards_update",
        request=ChangeSerializer,
        responses={200: DeckSerializer, **problems(400, 401, 403, 404, 406, 409, 413, 415, 429)},
        examples=[
            OpenApiExample(
                "Two in, one out",
                {"section": "main", "changes": _CHANGES, "expected": 3},
                request_only=True,
            )
        ],
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Add cards to a deck of mine, take some out, or carry out the fix of a report.

        Each change is a version. More is never taken out than there is.
        """
        data = valid(ChangeSerializer(data=request.data))
        user = cast(User, request.user)
        with refusals():
            found = decks.access_deck(user, slug)
            section = data.get("section") or deck_services.sections_of(found.game, found.mode)[0]
            deck = deck_services.change_cards(
                user=user,
                slug=slug,
                section=section,
                changes=data["changes"],
                to=data["to"],
                expected=data.get("expected"),
            )
        return answer(request, decks.access_deck(user, deck.slug))


class RandomDeckSerializer(serializers.Serializer[Any]):
    """What a random deck is for."""

    game = serializers.CharField(max_length=50)
    mode = serializers.CharField(max_length=50)
    name = serializers.CharField(max_length=deck_services.NAME_LENGTH, default="Random deck")
    format = serializers.CharField(
        max_length=SLUG_LENGTH, default="", allow_blank=True, help_text="A house format's slug."
    )
    owned_only = serializers.BooleanField(
        default=False, help_text="Only from the cards that I own, and no more copies than I have."
    )


class RandomThrottle(UserRateThrottle):
    """A random deck, or what fills one up, may take a second to find."""

    scope = "deck-random"
    rate = "30/min"


class RandomView(APIView):
    """Random legal decks."""

    permission_classes = [IsAuthenticated]
    throttle_classes = [RandomThrottle]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_random",
        request=RandomDeckSerializer,
        parameters=[ONCE],
        responses={201: DeckSerializer, **problems(400, 401, 403, 404, 406, 413, 415, 422, 429)},
        examples=[
            OpenApiExample("For a mode", examples.PLAY, request_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """Keep a new deck with a random legal list."""
        data = valid(RandomDeckSerializer(data=request.data))
        user = cast(User, request.user)
        with refusals():
            made = once_per_key(request, lambda: services.create_random(owner=user, **data).slug)
        return answer(request, decks.access_deck(user, made), status.HTTP_201_CREATED)


class HasSerializer(serializers.Serializer[queries.DeckCardCounts]):
    """A card of a deck, and what I have of it."""

    card = serializers.CharField(source="slug", help_text="The card's slug.")
    title = serializers.CharField()
    count = serializers.IntegerField(help_text="Copies in the deck, all sections together.")
    owned = serializers.IntegerField(help_text="Copies that I have, on paper or dealt here.")
    wanted = serializers.IntegerField(help_text="So many in all are on my wants list.")
    missing = serializers.IntegerField(help_text="Copies that I would still need.")


class NeedsSerializer(serializers.Serializer[Any]):
    """What I have of a deck, and what it still needs."""

    size = serializers.IntegerField()
    missing = serializers.IntegerField(help_text="Cards that I would still need, in all.")
    cards = HasSerializer(many=True, help_text="Every card of the deck, in catalog order.")
    needs = HasSerializer(many=True, help_text="Of these the ones that I have too few of.")


class NeedsView(APIView):
    """What a deck still needs."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_needs",
        responses={200: NeedsSerializer, **problems(401, 404, 406, 429)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What I have and what I lack of each card of a deck that I may see, mine or not."""
        found = decks.access_deck(request.user, slug)
        cards = queries.deck_card_counts(found, cast(User, request.user))
        about = {
            "size": sum(card.count for card in cards),
            "missing": sum(card.missing for card in cards),
            "cards": cards,
            "needs": [card for card in cards if card.missing],
        }
        return Response(NeedsSerializer(about).data)


class WantedSerializer(serializers.Serializer[Any]):
    """How many cards are new on my wants list."""

    added = serializers.IntegerField()


class WantsView(APIView):
    """The wishes that a deck gives."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_wants",
        request=None,
        responses={200: WantedSerializer, **problems(401, 403, 404, 406, 429)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Put what I lack for a deck that I may see on my wants list. Again adds nothing."""
        added = services.want_missing(user=cast(User, request.user), slug=slug)
        return Response(WantedSerializer({"added": added}).data)


class FilledSerializer(DeckSerializer):
    """A deck after it was filled up."""

    added = serializers.SerializerMethodField(help_text="Cards of mine that were put in.")

    def get_added(self, page: decks.DeckPage) -> int:
        """None, where no card that I have and that is not in it would help."""
        return int(self.context["added"])


class FillView(APIView):
    """Building from what I own."""

    permission_classes = [IsAuthenticated]
    throttle_classes = [RandomThrottle]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_fill",
        request=ExpectedSerializer,
        responses={200: FilledSerializer, **problems(400, 401, 403, 404, 406, 409, 413, 415, 429)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Fill a deck of mine up legally with cards that I own. Nothing is taken out.

        It is one version, which undo takes back; where nothing helps there is none.
        """
        data = valid(ExpectedSerializer(data=request.data))
        user = cast(User, request.user)
        with refusals():
            deck, added = services.fill_from_owned(user=user, slug=slug, **data)
        page = decks.deck_page(decks.access_deck(user, deck.slug))
        context = {"request": request, "added": added}
        return Response(FilledSerializer(page, context=context).data)


class RandomCardsView(APIView):
    """A random legal list for a deck that there is."""

    permission_classes = [IsAuthenticated]
    throttle_classes = [RandomThrottle]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_random_cards",
        request=ExpectedSerializer,
        responses={
            200: DeckSerializer,
            **problems(400, 401, 403, 404, 406, 409, 413, 415, 422, 429),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Put a random legal list in the place of the cards of a deck of mine.

        It keeps to the deck's house format; undo brings the old cards back.
        """
        data = valid(ExpectedSerializer(data=request.data))
        user = cast(User, request.user)
        with refusals():
            deck = services.make_random(user=user, slug=slug, **data)
        return answer(request, decks.access_deck(user, deck.slug))


class BarSerializer(serializers.Serializer[Any]):
    """So many cards are like this."""

    label = serializers.CharField()  # type: ignore[assignment]  # Field has a label of its own
    count = serializers.IntegerField()


class ChartSerializer(serializers.Serializer[Any]):
    """How a deck's cards are spread over something that tells them apart."""

    slug = serializers.CharField(help_text="“kind”, “colour”, or an attribute of the cards.")
    title = serializers.CharField()
    several = serializers.BooleanField(help_text="A card counts once for each number it has.")
    bars = BarSerializer(many=True)


class OpeningOddsSerializer(serializers.Serializer[Odds]):
    """The odds of holding some cards in a hand, exact."""

    size = serializers.IntegerField(help_text="Cards in the section.")
    wanted = serializers.IntegerField(help_text="So many of them were asked about.")
    hand = serializers.IntegerField()
    least = serializers.IntegerField()
    fraction = serializers.CharField(source="chance", help_text="The chance, as “1/4”.")
    chance = serializers.FloatField()
    exactly = serializers.ListField(
        child=serializers.FloatField(), help_text="The chance of 0, 1, 2 … of them."
    )


class DrawnSerializer(serializers.Serializer[Any]):
    """A hand from a shuffled section."""

    seed = serializers.CharField(help_text="Send it to see the same hand.")
    cards = serializers.ListField(child=serializers.CharField())


class ShapeSerializer(serializers.Serializer[Any]):
    """What a deck is like."""

    section = serializers.CharField(help_text="The section that odds and hand are about.")
    charts = ChartSerializer(many=True)
    odds = OpeningOddsSerializer()
    sample = DrawnSerializer()


class QuestionSerializer(serializers.Serializer[Any]):
    """What is asked about a deck's hands."""

    section = serializers.CharField(default="", allow_blank=True)
    cards = serializers.CharField(default="", allow_blank=True, max_length=10_000)
    hand = serializers.IntegerField(required=False, min_value=1, max_value=MOST_HAND)
    least = serializers.IntegerField(default=1, min_value=0, max_value=MOST_HAND)
    seed = serializers.RegexField(rf"^[0-9a-f]{{{2 * SEED_BYTES}}}$", required=False)


class ShapeView(APIView):
    """A deck's shape."""

    permission_classes = [AllowAny]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_shape",
        parameters=[
            OpenApiParameter("section", description="Hands come from it."),
            OpenApiParameter(
                "cards", description="Slugs with commas between: the odds are of holding these."
            ),
            OpenApiParameter(
                "hand", int, description="Cards in the hand; else as many as the mode deals, or 7."
            ),
            OpenApiParameter("least", int, description="At least so many of the cards; else 1."),
            OpenApiParameter("seed", description="64 hexadecimal digits: which hand to draw."),
        ],
        responses={200: ShapeSerializer, **problems(400, 401, 404, 406, 429)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Charts of a deck that I may see, the odds of its hands, and a sample hand."""
        data = valid(QuestionSerializer(data=request.query_params.dict()))
        found = decks.access_deck(request.user, slug)
        question = queries.Question(
            section=data["section"],
            cards=tuple(card for card in data["cards"].split(",") if card),
            hand=data.get("hand"),
            least=data["least"],
            seed=bytes.fromhex(data.get("seed", "")),
        )
        shown = queries.shape_of(found, decks.decklist(found), question)
        if shown is None:
            # Its game or mode has gone: there is a deck, but nobody knows its cards any more.
            raise UnknownDeck
        sample = {"seed": shown.seed_text, "cards": [card for card, _ in shown.hand]}
        about = {
            "section": shown.section,
            "charts": shown.charts,
            "odds": shown.odds,
            "sample": sample,
        }
        return Response(ShapeSerializer(about).data)
