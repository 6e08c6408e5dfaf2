"""Decks in the API: keep them, have any list checked. Pages use the same services and queries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
)
from rest_framework import generics, serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle
from rest_framework.views import APIView

from accounts.documents import problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from accounts.scopes import Scope
from collection import examples
from collection.errors import NotFound
from collection.models.slugs import SLUG_LENGTH
from decks import verdicts
from decks.about import stamps, write_stamp
from decks.errors import BadDeck
from decks.models import Deck, FormatVersion, Visibility
from decks.queries import decks as queries
from decks.queries import formats
from decks.services import decks as services
from decks.tags import MOST_TAGS, TAG_LENGTH, tidy
from rules.engine.errors import BadData
from rules.engine.legality import report_to_json

MOST_COPIES_CHECKED = 1_000_000
_CHECKED = examples.PLAY | {
    "format": {option.slug: True for option in examples.GAME.format_options[:1]}
}


class ExpectedField(serializers.IntegerField):
    """The version that a change was made for."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            min_value=0,
            help_text="The version that the change was made for: refused (409) if the deck has "
            "another one now.",
        )


class ExpectedAboutField(serializers.CharField):
    """What an owner saw said about a deck when making a change to it."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            max_length=100,
            help_text="The “about_version” that the change was made for: refused (409) if name, "
            "visibility, tags or notes would overwrite what somebody else has changed since. "
            "What is sent as it was then stays as it is now.",
        )


class DecklistField(serializers.DictField):
    """``{section: {card slug: count}}``"""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        count = serializers.IntegerField(min_value=0, max_value=most)
        super().__init__(child=serializers.DictField(child=count), **kwargs)


class ListOrDeck(serializers.Serializer[Any]):
    """A deck in one of two forms."""

    list = serializers.CharField(
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        max_length=services.LETTERS_A_LIST,
        help_text="The cards as text, one a line: `2 Card Name`. `#` begins a comment.",
    )
    deck = DecklistField(
        required=False,
        most=MOST_COPIES_CHECKED,
        help_text="Or as `{section: {card slug: count}}`.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Never both; whether one is needed depends on what is done with it."""
        if "list" in attrs and "deck" in attrs:
            raise serializers.ValidationError("Send either “list” or “deck”.")
        return attrs


class DeckFixSerializer(serializers.Serializer[Any]):
    """A change to the list that mends a problem."""

    section = serializers.CharField()
    changes = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Copies to add of each card or, where negative, to take out.",
    )
    label = serializers.CharField()  # type: ignore[assignment]  # Field has a label of its own
    to = serializers.CharField(
        required=False, help_text="The section into which what is taken out goes, if into any."
    )


class DeckProblemSerializer(serializers.Serializer[Any]):
    """One thing wrong with a deck."""

    rule = serializers.CharField(help_text="The rule's ID in the game's specification.")
    severity = serializers.ChoiceField(["error", "warning"], help_text="Only errors block.")
    message = serializers.CharField()
    cards = serializers.ListField(child=serializers.CharField())
    found = serializers.IntegerField(allow_null=True)
    allowed = serializers.IntegerField(allow_null=True)
    fix = DeckFixSerializer(allow_null=True)


class UnreadLineSerializer(serializers.Serializer[Any]):
    """A line of the typed list that names no card."""

    line = serializers.IntegerField(help_text="Counted from 1.")
    text = serializers.CharField(help_text="The words that should be a card.")
    suggestions = serializers.ListField(
        child=serializers.CharField(), help_text="Cards with names like it, the likest first."
    )


class DeckReportSerializer(serializers.Serializer[Any]):
    """The verdict on a deck."""

    legal = serializers.BooleanField()
    problems = DeckProblemSerializer(many=True)


class CheckedDeckSerializer(DeckReportSerializer):
    """The verdict on a deck that was sent."""

    unread = UnreadLineSerializer(many=True, help_text="Empty unless a list was sent as text.")


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": 50},
            {"type": "object", "additionalProperties": {}},
        ]
    }
)
class CheckFormatField(serializers.Field[Any, Any, Any, Any]):
    """What a deck is judged by besides the game's rules: a format's slug, or a format in full."""

    def to_internal_value(self, data: Any) -> Any:
        """As it was sent: the game says what a format may hold."""
        if not isinstance(data, (str, dict)):
            raise serializers.ValidationError(
                "Send a format’s slug, a format as an object, or null."
            )
        if isinstance(data, str) and len(data) > 50:
            raise serializers.ValidationError("A slug has at most 50 letters.")
        return data or None


class DeckToCheckSerializer(ListOrDeck):
    """A deck to be checked."""

    game = serializers.CharField(max_length=50)
    mode = serializers.CharField(max_length=50)
    name = serializers.CharField(
        max_length=services.NAME_LENGTH,
        default="",
        allow_blank=True,
        help_text="What the messages call it.",
    )
    format = CheckFormatField(
        required=False,
        allow_null=True,
        default=None,
        help_text="A house format's slug; or a format in full, the game's own options with house "
        "rules under `house`, as a format gives it in `check_format`. One that allows own cards "
        "only (`house.owned_only`) is held against the collection of whoever is logged in; for "
        "everybody else a notice (`HOUSE-03`) says that own cards were not checked.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """There has to be a deck, of a game and mode that has some."""
        attrs = super().validate(attrs)
        if "list" not in attrs and "deck" not in attrs:
            raise serializers.ValidationError("Send the deck as “list” or as “deck”.")
        try:
            services.find_mode(attrs["game"], attrs["mode"])
        except BadDeck as error:
            raise serializers.ValidationError({error.field: error.problems}) from error
        if isinstance(attrs["format"], str):
            attrs["format"] = self._named(attrs["format"], attrs["game"], attrs["mode"])
        return attrs

    def _named(self, slug: str, game: str, mode: str) -> dict[str, Any] | None:
        """The version of a format that holds now, in full."""
        try:
            found = formats.format_of(slug)
        except NotFound as error:
            raise serializers.ValidationError({"format": [error.detail]}) from error
        if (found.game, found.mode) != (game, mode):
            raise serializers.ValidationError(
                {"format": [f"{found.name} is a format of another mode."]}
            )
        return formats.rules_format(formats.present(found))


class HouseSerializer(serializers.Serializer[FormatVersion]):
    """The house format that a deck is built for."""

    slug = serializers.CharField(source="format.slug")
    name = serializers.CharField(source="format.name")
    version = serializers.IntegerField(source="number", help_text="The version that holds now.")


class DeckSummarySerializer(serializers.Serializer[queries.DeckPage]):
    """A deck without its cards."""

    slug = serializers.CharField(source="deck.slug")
    name = serializers.CharField(source="deck.name")
    game = serializers.CharField(source="deck.game")
    mode = serializers.CharField(source="deck.mode")
    visibility = serializers.ChoiceField(Visibility.choices, source="deck.visibility")
    owner = serializers.CharField(source="deck.owner.__str__")
    size = serializers.IntegerField(help_text="How many cards it has.")
    version = serializers.IntegerField(
        source="deck.version", help_text="Send it as “expected” with a change made for it."
    )
    about_version = serializers.SerializerMethodField(
        help_text="Stands for name, visibility, tags and notes: send it as “expected_about” with a "
        "change of them."
    )
    tags = serializers.ListField(child=serializers.CharField())
    likes = serializers.IntegerField(source="deck.like_count")
    credit = serializers.CharField(
        source="deck.credit", help_text="What it was copied from, and whose that was."
    )
    format = serializers.SerializerMethodField(
        help_text="The house format that it is built for and judged by. Null where there is none, "
        "and in other people's decks for one that is not listed."
    )
    legal = serializers.SerializerMethodField(help_text="Null where its game is not installed.")
    created = serializers.DateTimeField(source="deck.created")
    changed = serializers.DateTimeField(source="deck.changed")

    def get_about_version(self, page: queries.DeckPage) -> str:
        """The stamp of what is said about it."""
        return write_stamp(stamps(page.deck))

    @extend_schema_field(HouseSerializer(allow_null=True))
    def get_format(self, page: queries.DeckPage) -> dict[str, Any] | None:
        """The address of an unlisted format is for those who were told it."""
        version = formats.house_of(page.deck)
        if version is None:
            return None
        user = self.context["request"].user
        open_to_all = version.format.listed or version.format.owner_id is None
        if not open_to_all and user.pk not in (page.deck.owner_id, version.format.owner_id):
            return None
        return dict(HouseSerializer(version).data)

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_legal(self, page: queries.DeckPage) -> bool | None:
        """The report in one word."""
        return page.report.legal if page.report else None


class DeckSerializer(DeckSummarySerializer):
    """A deck with its cards and its report."""

    deck = serializers.DictField(
        source="cards", child=serializers.DictField(child=serializers.IntegerField())
    )
    notes = serializers.CharField(source="deck.notes")
    original = serializers.SerializerMethodField(
        help_text="The slug of the deck that it was copied from, if I may still look at that one."
    )
    report = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_original(self, page: queries.DeckPage) -> str | None:
        """Where the credit leads."""
        found = queries.original_of(page.deck, self.context["request"].user)
        return found.slug if found else None

    @extend_schema_field(DeckReportSerializer(allow_null=True))
    def get_report(self, page: queries.DeckPage) -> dict[str, Any] | None:
        """What the rules say."""
        return report_to_json(page.report) if page.report else None


class AboutSerializer(serializers.Serializer[Any]):
    """What an owner says about a deck."""

    notes = serializers.CharField(
        required=False, allow_blank=True, max_length=services.NOTES_LENGTH
    )
    tags = serializers.ListField(
        required=False,
        child=serializers.CharField(max_length=100),
        max_length=100,
        help_text=f"At most {MOST_TAGS}, each of at most {TAG_LENGTH} letters; kept in lower case.",
    )


class HouseField(serializers.CharField):
    """The slug of a house format."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_blank=True,
            allow_null=True,
            max_length=SLUG_LENGTH,
            help_text="The slug of a house format for the mode: one of the house, a listed one or "
            "one of mine. Null or empty for none.",
        )


class NewDeckSerializer(AboutSerializer, ListOrDeck):
    """A deck to be kept. It may be illegal: then it is a draft."""

    game = serializers.CharField(max_length=50)
    mode = serializers.CharField(max_length=50)
    name = serializers.CharField(max_length=services.NAME_LENGTH)
    visibility = serializers.ChoiceField(Visibility.choices, default=Visibility.PRIVATE)
    skip_unread = serializers.BooleanField(
        default=False, help_text="Keep lines that name no card as comments, instead of refusing."
    )
    format = HouseField()


class ChangedDeckSerializer(AboutSerializer, ListOrDeck):
    """What is to be changed of a deck; the rest stays."""

    mode = serializers.CharField(max_length=50, required=False)
    name = serializers.CharField(max_length=services.NAME_LENGTH, required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    skip_unread = serializers.BooleanField(default=False)
    format = HouseField()
    expected = ExpectedField()
    expected_about = ExpectedAboutField()


class DecksView(generics.ListAPIView[Deck]):
    """My decks."""

    permission_classes = [IsAuthenticated]
    serializer_class = DeckSummarySerializer  # type: ignore[assignment]  # of what a page adds
    filter_backends = []

    def get_queryset(self) -> QuerySet[Deck]:
        asked = self.request.query_params
        game, mode, tag = (asked.get(name, "") for name in ("game", "mode", "tag"))
        return queries.with_entries(queries.own_decks(self.request.user, game, mode, tidy(tag)))

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        return None if page is None else queries.pages(page)

    @extend_schema(
        tags=["decks"],
        operation_id="decks_list",
        parameters=[OpenApiParameter("game"), OpenApiParameter("mode"), OpenApiParameter("tag")],
        responses={200: DeckSummarySerializer(many=True), **problems(401, 404, 406, 429)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """My decks, the last changed first; of a game, a mode or a tag where one is named."""
        return self.list(request, *args, **kwargs)

    @extend_schema(
        tags=["decks"],
        operation_id="decks_create",
        request=NewDeckSerializer,
        parameters=[ONCE],
        responses={201: DeckSerializer, **problems(400, 401, 403, 404, 406, 413, 415, 422, 429)},
    )
    def post(self, request: Request) -> Response:
        """Keep a new deck."""
        data = valid(NewDeckSerializer(data=request.data))
        user = cast(User, request.user)

        def make() -> str:
            made = services.create_deck(
                owner=user,
                game=data["game"],
                mode=data["mode"],
                name=data["name"],
                visibility=data["visibility"],
                cards=data.get("deck"),
                text=data.get("list"),
                skip_unread=data["skip_unread"],
                notes=data.get("notes", ""),
                tags=data.get("tags", ()),
                format=data.get("format") or "",
            )
            return made.slug

        with refusals():
            made = once_per_key(request, make)
        return answer(request, queries.access_deck(user, made), status.HTTP_201_CREATED)


class TagsSerializer(serializers.Serializer[Any]):
    """Words that I have given decks."""

    tags = serializers.ListField(child=serializers.CharField())


class TagsView(APIView):
    """My tags."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_tags_list",
        responses={200: TagsSerializer, **problems(401, 406, 429)},
    )
    def get(self, request: Request) -> Response:
        """The tags of my decks, in the order of the alphabet."""
        return Response(TagsSerializer({"tags": queries.tags_of(request.user)}).data)


class DeckView(APIView):
    """One deck."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_retrieve",
        responses={200: DeckSerializer, **problems(401, 404, 406, 429)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """A deck of mine, or one that its owner shows."""
        return answer(request, queries.access_deck(request.user, slug))

    @extend_schema(
        tags=["decks"],
        operation_id="decks_update",
        request=ChangedDeckSerializer,
        responses={200: DeckSerializer, **problems(400, 401, 403, 404, 406, 409, 413, 415, 429)},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change a deck of mine; a list that is sent takes the place of all its cards."""
        data = valid(ChangedDeckSerializer(data=request.data))
        with refusals():
            deck = services.update_deck(
                user=cast(User, request.user),
                slug=slug,
                name=data.get("name"),
                mode=data.get("mode"),
                visibility=data.get("visibility"),
                cards=data.get("deck"),
                text=data.get("list"),
                skip_unread=data["skip_unread"],
                notes=data.get("notes"),
                tags=data.get("tags"),
                format=(data["format"] or "") if "format" in data else None,
                expected=data.get("expected"),
                expected_about=data.get("expected_about"),
            )
        return answer(request, deck)

    @extend_schema(
        tags=["decks"],
        operation_id="decks_delete",
        responses={204: None, **problems(401, 403, 404, 406, 429)},
    )
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a deck of mine."""
        services.delete_deck(user=cast(User, request.user), slug=slug)
        return Response(status=status.HTTP_204_NO_CONTENT)


class CheckAnonThrottle(AnonRateThrottle):
    """Checks of visitors, counted by themselves."""

    scope = "deck-check-anon"
    rate = "60/min"


class CheckUserThrottle(UserRateThrottle):
    """Checks of people with an account."""

    scope = "deck-check-user"
    rate = "600/min"


class CheckView(APIView):
    """The rules' verdict on any list."""

    permission_classes = [AllowAny]
    token_scope = Scope.READ
    throttle_classes = [CheckAnonThrottle, CheckUserThrottle]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_check",
        request=DeckToCheckSerializer,
        responses={200: CheckedDeckSerializer, **problems(400, 401, 403, 406, 413, 415, 429)},
        examples=[
            OpenApiExample(
                "As text",
                {**_CHECKED, "list": examples.LIST},
                request_only=True,
            ),
            OpenApiExample(
                "By a house format",
                {**_CHECKED, "format": "kr7vnq2hdmx4", "list": examples.LIST},
                request_only=True,
            ),
            OpenApiExample(
                "As data",
                {**_CHECKED, "deck": {examples.MODE.sections[0]: {examples.FIRST: 2}}},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        """Check a deck for a mode and a format. Nothing is kept; no account is needed."""
        data = valid(DeckToCheckSerializer(data=request.data))
        game, mode = data["game"], data["mode"]
        player = request.user if isinstance(request.user, User) else None
        asked = verdicts.question(game, mode, data["format"], name=data["name"], player=player)
        unread: list[dict[str, Any]] = []
        with refusals():
            if "list" in data:
                reading = services.read_typed(game, mode, data["list"])
                report = asked.report(reading.everything)
                unread = [
                    {"line": row.number, "text": row.name, "suggestions": list(row.suggestions)}
                    for row in reading.unread
                ]
            else:
                cards = services.read_cards(game, mode, data["deck"])
                report = asked.report(cards)
        return Response({**report_to_json(report), "unread": unread})


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the services refuse into the API's answer for wrong data."""
    try:
        yield
    except BadDeck as error:
        field = {"text": "list", "house": "format"}.get(error.field, error.field)
        raise serializers.ValidationError({field: error.problems}) from error
    except BadData as error:
        raise serializers.ValidationError({"non_field_errors": [str(error)]}) from error


def valid(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    """What was sent, if it is as it should be."""
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def answer(request: Request, deck: Deck, code: int = status.HTTP_200_OK) -> Response:
    """A deck with its cards and report, as whoever asks may see it."""
    page = DeckSerializer(queries.deck_page(deck), context={"request": request})
    return Response(page.data, status=code)
