"""Deck checks in the API. Pages use the same services and queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
)
from rest_framework import generics, serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from accounts.documents import ByWholeNumber, LatestFirst, OnlyJSON, problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from collection.errors import NotAllowed, NotFound
from decks.api.decks import refusals, valid
from decks.api.versions import LARGEST_NUMBER
from decks.check_documents import SHEETS_AT_ONCE, sheet_of, sheets_of, verdicts_of
from decks.lists import MOST_BYTES
from decks.models import CheckedDeck, DeckCheck
from decks.queries import checks as queries
from decks.queries import decks as deck_queries
from decks.queries import formats
from decks.services import checks as services
from decks.services import uploads

_READ = problems(401, 403, 404, 406, 429)
_WRITE = problems(400, 401, 403, 404, 406, 409, 413, 415, 422, 429)
_TAGS = ["deck checks"]


class DeckCheckSerializer(serializers.ModelSerializer[DeckCheck]):
    """A pile of decks for one event."""

    organiser = serializers.CharField(source="organiser.username")
    format = serializers.CharField(source="house.format.slug", allow_null=True, default=None)
    format_version = serializers.IntegerField(source="house.number", allow_null=True, default=None)

    class Meta:
        model = DeckCheck
        fields = [
            "slug", "title", "organiser", "game", "mode", "format", "format_version", "open",
            "state", "done", "total", "locked_at", "created",
        ]  # fmt: skip
        read_only_fields = fields


class NewCheckSerializer(serializers.Serializer[Any]):
    """A check to be announced."""

    title = serializers.CharField(max_length=services.TITLE_LENGTH)
    game = serializers.CharField(max_length=50)
    mode = serializers.CharField(max_length=50)
    format = serializers.CharField(
        required=False, max_length=50, help_text="The slug of a house format."
    )


class PiledDeckSerializer(serializers.ModelSerializer[CheckedDeck]):
    """A deck on the pile."""

    sha256 = serializers.CharField(source="digest")
    report = serializers.SerializerMethodField(
        help_text="The verdict as the deck check gives it; null until it is judged."
    )
    deck = serializers.DictField(source="cards")

    class Meta:
        model = CheckedDeck
        fields = [
            "number", "player", "name", "deck", "unread", "sha256", "legal", "report", "judged_at",
            "locked_at",
        ]  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_report(self, row: CheckedDeck) -> Any:
        """The verdict."""
        return row.report


class HandedInSerializer(PiledDeckSerializer):
    """A deck that I have handed in, and where."""

    check = DeckCheckSerializer(source="check_of")

    class Meta(PiledDeckSerializer.Meta):
        fields = ["check", *PiledDeckSerializer.Meta.fields]
        read_only_fields = fields


class TallySerializer(serializers.Serializer[queries.Tally]):
    """How many decks of a check are legal, illegal, and not judged yet."""

    legal = serializers.IntegerField()
    illegal = serializers.IntegerField()
    waiting = serializers.IntegerField()
    total = serializers.IntegerField()


class EntrySerializer(serializers.Serializer[Any]):
    """A deck that the organiser brings."""

    player = serializers.CharField(max_length=services.NAME_LENGTH)
    name = serializers.CharField(
        max_length=services.NAME_LENGTH, required=False, allow_blank=True, default=""
    )
    list = serializers.CharField(
        trim_whitespace=False,
        max_length=MOST_BYTES,
        allow_blank=True,
        help_text="The deck in any form that deck import reads: a list, Riffle's JSON, a deck "
        "code, a Cockatrice or Tabletop Simulator file. It is known by what is in it.",
    )


class EntriesSerializer(serializers.Serializer[Any]):
    """Decks that the organiser brings."""

    decks = EntrySerializer(many=True, allow_empty=False)


class FilesSerializer(serializers.Serializer[Any]):
    """Decks that the organiser brings in files."""

    files = serializers.ListField(
        child=serializers.FileField(),
        allow_empty=False,
        max_length=uploads.FILES_AT_ONCE,
        help_text=f"At most {uploads.MOST_BYTES // 1024 // 1024} MB together. A file is a deck in"
        " any form that deck import reads, named like its player; a text with lines"
        " `== Player: Deck` holds many.",
    )


class AddedSerializer(serializers.Serializer[Any]):
    """How many were put on the pile."""

    added = serializers.IntegerField()


class HandInSerializer(serializers.Serializer[Any]):
    """A deck of one's own."""

    deck = serializers.CharField(max_length=50, help_text="The deck's slug.")


class StateSerializer(serializers.Serializer[Any]):
    """Whether players may hand in decks, or whether the lists are to be locked."""

    open = serializers.BooleanField(required=False)
    lock = serializers.BooleanField(default=False, help_text="For good.")


class ByNumber(ByWholeNumber):
    """Decks in the order of arrival."""

    ordering = "number"
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


class DeckChecksView(generics.ListAPIView[DeckCheck]):
    """My checks."""

    permission_classes = [IsAuthenticated]
    serializer_class = DeckCheckSerializer
    pagination_class = LatestFirst
    filter_backends = []

    def get_queryset(self) -> QuerySet[DeckCheck]:
        """Those that I organise."""
        return queries.checks_of(cast(User, self.request.user)).select_related("organiser")

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_list",
        responses={200: DeckCheckSerializer(many=True), **_READ},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The checks that I organise, latest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_create",
        request=NewCheckSerializer,
        parameters=[ONCE],
        responses={201: DeckCheckSerializer, **_WRITE},
    )
    def post(self, request: Request) -> Response:
        """Announce a check."""
        said = NewCheckSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        data = said.validated_data
        slug = data.get("format")

        def make() -> str:
            made = services.create_check(
                organiser=cast(User, request.user),
                title=data["title"],
                game=data["game"],
                mode=data["mode"],
                house=formats.present(formats.format_of(slug)) if slug else None,
            )
            return made.slug

        with refusals():
            made = once_per_key(request, make)
        return _answer(made, status.HTTP_201_CREATED)


class DeckCheckView(APIView):
    """One check."""

    permission_classes = [AllowAny]

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_retrieve",
        responses={200: DeckCheckSerializer, **_READ},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What it is for, whether it is open, and how far the judging is."""
        return _answer(slug)

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_update",
        request=StateSerializer,
        responses={200: DeckCheckSerializer, **_WRITE},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Open or close registration, or lock the lists for good. Again changes nothing."""
        said = StateSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        found, user = queries.check_of(slug), _person(request)
        if said.validated_data["lock"]:
            services.lock_check(check=found, by=user)
        elif "open" in said.validated_data:
            services.set_open(check=found, by=user, open=said.validated_data["open"])
        return _answer(slug)


class PileView(generics.ListAPIView[CheckedDeck]):
    """The decks of a check that I organise."""

    permission_classes = [IsAuthenticated]
    serializer_class = PiledDeckSerializer
    pagination_class = ByNumber
    filter_backends = []
    parser_classes = [*APIView.parser_classes, MultiPartParser]

    def get_queryset(self) -> QuerySet[CheckedDeck]:
        """All, or those of one verdict."""
        if getattr(self, "swagger_fake_view", False):
            return CheckedDeck.objects.none()
        found = queries.own_check(cast(User, self.request.user), self.kwargs["slug"])
        return queries.pile(found, self.request.query_params.get("show", ""))

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_pile",
        parameters=[OpenApiParameter("show", enum=["illegal", "legal", "waiting"])],
        responses={200: PiledDeckSerializer(many=True), **_READ},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The decks with their verdicts, in the order of arrival; for the organiser."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_add",
        request={
            "application/json": EntriesSerializer,
            "multipart/form-data": FilesSerializer,
        },
        parameters=[ONCE],
        responses={201: AddedSerializer, **_WRITE},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Put lists on the pile, as data or as files; a worker judges them."""
        user = cast(User, request.user)
        found = queries.own_check(user, slug)
        many = request.content_type.startswith("multipart/")
        said = (FilesSerializer if many else EntriesSerializer)(data=request.data)
        said.is_valid(raise_exception=True)
        entries = list(_from_files(found, said) if many else _from_lists(found, said))

        def make() -> str:
            return str(services.add_decks(check=found, by=user, entries=entries))

        added = int(once_per_key(request, make))
        return Response({"added": added}, status=status.HTTP_201_CREATED)


def _from_files(found: DeckCheck, said: serializers.Serializer[Any]) -> Iterator[services.Entry]:
    for file in said.validated_data["files"]:
        data = file.read(uploads.MOST_BYTES + 1)
        yield from uploads.from_file(found, str(file.name or "deck"), data)


def _from_lists(found: DeckCheck, said: serializers.Serializer[Any]) -> Iterator[services.Entry]:
    for row in said.validated_data["decks"]:
        yield uploads.from_list(found, row["player"], row["name"], row["list"])


class MyCheckedDeckView(APIView):
    """My own deck in somebody's check."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_mine",
        responses={200: PiledDeckSerializer, **_READ},
    )
    def get(self, request: Request, slug: str) -> Response:
        """My deck and its verdict."""
        return _mine(slug, cast(User, request.user))

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_hand_in",
        request=HandInSerializer,
        responses={200: PiledDeckSerializer, **_WRITE},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Hand in a deck of mine; it takes the place of an earlier one."""
        said = HandInSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        user = cast(User, request.user)
        deck = deck_queries.access_deck(user, said.validated_data["deck"])
        services.hand_in(check=queries.check_of(slug), user=user, deck=deck)
        return _mine(slug, user)

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_take_out",
        responses={204: None, **problems(401, 403, 404, 406, 409, 429)},
    )
    def delete(self, request: Request, slug: str) -> Response:
        """Take my deck out again."""
        user = cast(User, request.user)
        found = queries.check_of(slug)
        mine = queries.mine_in(found, user)
        if mine is not None:
            services.take_out(check=found, by=user, number=mine.number)
        return Response(status=status.HTTP_204_NO_CONTENT)


class HandedInView(generics.ListAPIView[CheckedDeck]):
    """My decks in the checks of others."""

    permission_classes = [IsAuthenticated]
    serializer_class = HandedInSerializer
    pagination_class = LatestFirst
    filter_backends = []

    def get_queryset(self) -> QuerySet[CheckedDeck]:
        """All that I have handed in."""
        return queries.handed_in_by(cast(User, self.request.user))

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_handed_in",
        responses={200: HandedInSerializer(many=True), **_READ},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The decks that I have handed in, each with its check and its verdict, latest first."""
        return super().get(request, *args, **kwargs)


class TallyView(APIView):
    """The verdicts in numbers."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=_TAGS, operation_id="deck_checks_tally", responses={200: TallySerializer, **_READ}
    )
    def get(self, request: Request, slug: str) -> Response:
        """How many decks are legal, illegal, and not judged yet; for the organiser."""
        found = queries.own_check(cast(User, request.user), slug)
        return Response(TallySerializer(queries.tally(found)).data)


class AgainView(APIView):
    """Judging anew."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_judge_again",
        request=None,
        responses={200: DeckCheckSerializer, **_READ},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Have all decks judged by the rules as they are now; for the organiser.

        A worker does it: ask the check how far it is. Locked lists stay as they are.
        """
        user = cast(User, request.user)
        services.judge_again(check=queries.own_check(user, slug), by=user)
        return _answer(slug)


class OnPileView(APIView):
    """One deck of a pile."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_pile_retrieve",
        responses={200: PiledDeckSerializer, **_READ},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A deck by its number, for its player and the organiser."""
        row = queries.readable_deck(queries.check_of(slug), request.user, number)
        return Response(PiledDeckSerializer(row).data)

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_pile_take_out",
        responses={204: None, **problems(401, 403, 404, 406, 409, 429)},
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Take a deck off the pile: the organiser any, a player their own while it is open.

        409 once the lists are locked. For the organiser again changes nothing.
        """
        services.take_out(check=queries.check_of(slug), by=cast(User, request.user), number=number)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PapersThrottle(UserRateThrottle):
    """Hundreds of sheets take seconds to draw."""

    scope = "deck-check-papers"
    rate = "30/min"


_PDF = {(200, "application/pdf"): OpenApiResponse(OpenApiTypes.BINARY)}
_PAPERS = problems(401, 403, 404, 429)


class SheetView(APIView):
    """The registration sheet of one deck."""

    permission_classes = [IsAuthenticated]
    content_negotiation_class = OnlyJSON
    throttle_classes = [PapersThrottle]

    @extend_schema(tags=_TAGS, operation_id="deck_checks_sheet", responses={**_PDF, **_PAPERS})
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        """A deck on paper, with its hash and verdict; for its player and the organiser."""
        found = queries.check_of(slug)
        return sheet_of(found, queries.readable_deck(found, request.user, number))


class AfterSerializer(serializers.Serializer[Any]):
    """Where to begin."""

    after = serializers.IntegerField(
        default=0, min_value=0, max_value=LARGEST_NUMBER, help_text="The number of a deck."
    )


class SheetsView(APIView):
    """The registration sheets of a pile."""

    permission_classes = [IsAuthenticated]
    content_negotiation_class = OnlyJSON
    throttle_classes = [PapersThrottle]

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_sheets",
        parameters=[AfterSerializer],
        responses={**_PDF, **_PAPERS, **problems(400)},
        description=f"The sheets of {SHEETS_AT_ONCE} decks at most, in the order of arrival, from "
        "the first one after the deck of the number `after`; 404 where there is none. For the "
        "organiser.",
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Decks on paper, to be signed."""
        asked = valid(AfterSerializer(data=request.query_params.dict()))
        found = queries.own_check(cast(User, request.user), slug)
        return sheets_of(
            found, queries.pile(found, after=asked["after"])[:SHEETS_AT_ONCE], found.title
        )


class VerdictsView(APIView):
    """The verdicts as a table."""

    permission_classes = [IsAuthenticated]
    content_negotiation_class = OnlyJSON

    @extend_schema(
        tags=_TAGS,
        operation_id="deck_checks_verdicts",
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR), **_PAPERS},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """All verdicts as CSV for spreadsheets, a deck a line; for the organiser."""
        return verdicts_of(queries.own_check(cast(User, request.user), slug))


def _mine(slug: str, user: User) -> Response:
    found = queries.check_of(slug)
    mine = queries.mine_in(found, user)
    if mine is None:
        raise NotFound("You have handed in no deck here.")
    return Response(PiledDeckSerializer(mine).data)


def _person(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotAllowed("Only the organiser may do this.")
    return request.user


def _answer(slug: str, code: int = status.HTTP_200_OK) -> Response:
    return Response(DeckCheckSerializer(queries.check_of(slug)).data, status=code)
