"""Lists of cards in the API: brought, looked at, answered, applied, taken back; and taken away."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
)
from rest_framework import generics, serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.documents import LatestFirst, OnlyJSON, problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from collection import examples
from collection.downloads import exported
from collection.lists.dialects import WORDS
from collection.lists.writing import FORMATS
from collection.models import ImportJob, JobState, LineVerdict
from collection.queries import imports as queries
from collection.queries.exports import WHICH
from collection.services import imports as services

_READ = problems(401, 403, 404, 406, 429)
_WRITE = problems(400, 401, 403, 404, 406, 409, 413, 415, 422, 429)
_TAGS = ["imports"]
_MOST_LINES = 500


class NewImportSerializer(serializers.Serializer[Any]):
    """A list, as `file` (multipart) or as `text`."""

    file = serializers.FileField(
        required=False,
        allow_empty_file=True,
        help_text=f"CSV, plain text or JSON, at most {services.MOST_BYTES // 1024 // 1024} MB."
        " Only in multipart/form-data.",
    )
    text = serializers.CharField(
        required=False, allow_blank=True, trim_whitespace=False, max_length=services.MOST_BYTES
    )
    filename = serializers.CharField(
        max_length=200, required=False, allow_blank=True, default="", help_text="Beside `text`."
    )
    game = serializers.CharField(
        max_length=50,
        required=False,
        allow_blank=True,
        default="",
        help_text="Whose cards names mean where a line does not say.",
    )
    replaces = serializers.BooleanField(
        default=False,
        help_text="The list says what there is in all of its cards; otherwise it is added.",
    )
    skips_bad = serializers.BooleanField(
        default=False, help_text="Lines that are not understood are left out."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two."""
        if ("file" in attrs) == ("text" in attrs):
            raise serializers.ValidationError("Send either “file” or “text”.")
        return attrs


class ImportCardCountsSerializer(serializers.Serializer[Any]):
    """How many different cards."""

    new = serializers.IntegerField()
    changed = serializers.IntegerField()
    same = serializers.IntegerField()


class ImportCopiesSerializer(serializers.Serializer[Any]):
    """How many copies come and go."""

    more = serializers.IntegerField()
    fewer = serializers.IntegerField()


class ImportLineCountsSerializer(serializers.Serializer[Any]):
    """How many lines there are of each verdict; left out where there is none."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """One number a verdict."""
        return {verdict.value: serializers.IntegerField(required=False) for verdict in LineVerdict}


class ImportSummarySerializer(serializers.Serializer[Any]):
    """What a list does, once it is read; `apply` does exactly this."""

    cards = ImportCardCountsSerializer()
    copies = ImportCopiesSerializer()
    lines = ImportLineCountsSerializer()
    dealt = serializers.IntegerField(
        help_text="Lines about copies that were dealt here; they bring none."
    )


class ImportSerializer(serializers.ModelSerializer[ImportJob]):
    """A list and how far it is."""

    state = serializers.ChoiceField(JobState.choices)
    dialect = serializers.ChoiceField(list(WORDS.items()), allow_blank=True)
    undone = serializers.SerializerMethodField(help_text="It was applied and taken back.")
    summary = serializers.SerializerMethodField()

    class Meta:
        model = ImportJob
        fields = [
            "slug", "filename", "game", "dialect", "encoding", "replaces", "skips_bad", "state",
            "done", "total", "problem", "undone", "summary", "created_at", "finished_at",
        ]  # fmt: skip
        read_only_fields = fields

    def get_undone(self, job: ImportJob) -> bool:
        """Whether it was taken back."""
        return job.undone_id is not None

    @extend_schema_field(ImportSummarySerializer(allow_null=True))
    def get_summary(self, job: ImportJob) -> dict[str, Any] | None:
        """Null until it is read."""
        return ImportSummarySerializer(job.summary).data if "lines" in job.summary else None


class SuggestedCardSerializer(serializers.Serializer[Any]):
    """A card with a name like that of a line."""

    game = serializers.CharField()
    card = serializers.CharField()
    title = serializers.CharField()


class HeldSerializer(serializers.Serializer[Any]):
    """What somebody has of a card, and says about it."""

    dealt = serializers.IntegerField()
    recorded = serializers.IntegerField()
    spare = serializers.IntegerField()
    wanted = serializers.IntegerField()
    tags = serializers.CharField()
    notes = serializers.CharField()
    extra = serializers.DictField(child=serializers.CharField())


class ImportLineSerializer(serializers.Serializer[queries.ShownLine]):
    """A line, and what all lines of its card together do to it."""

    number = serializers.IntegerField(source="line.number")
    text = serializers.CharField(source="line.text")
    verdict = serializers.ChoiceField(LineVerdict.choices, source="line.verdict")
    problem = serializers.CharField(source="line.problem")
    suggestions = SuggestedCardSerializer(source="line.suggestions", many=True)
    game = serializers.SerializerMethodField()
    card = serializers.SerializerMethodField()
    quantity = serializers.IntegerField(source="line.quantity", allow_null=True)
    before = HeldSerializer(source="effect.before", allow_null=True, default=None)
    after = HeldSerializer(source="effect.after", allow_null=True, default=None)

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_game(self, shown: queries.ShownLine) -> str | None:
        """The card's game."""
        return shown.line.card.game.slug if shown.line.card else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_card(self, shown: queries.ShownLine) -> str | None:
        """The card's slug."""
        return shown.line.card.slug if shown.line.card else None


class ImportLinesSerializer(serializers.Serializer[queries.LinePage]):
    """Some lines in order; ask again with `after` for the next ones, until it is 0."""

    lines = ImportLineSerializer(many=True)
    after = serializers.IntegerField()


class WhichLinesSerializer(serializers.Serializer[Any]):
    """Which lines to show."""

    verdict = serializers.ChoiceField(LineVerdict.choices, required=False)
    after = serializers.IntegerField(default=0, min_value=0, max_value=10**9)
    size = serializers.IntegerField(default=50, min_value=1, max_value=_MOST_LINES)


class LineAnswerSerializer(serializers.Serializer[Any]):
    """What to do with a line: `card` (with game and card), `skip`, or `back`."""

    answer = serializers.ChoiceField(["card", "skip", "back"])
    game = serializers.CharField(max_length=50, required=False, default="", allow_blank=True)
    card = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class ApplySerializer(serializers.Serializer[Any]):
    """How to apply a list."""

    skips_bad = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Leave out what is not understood; left out: as said when it was brought.",
    )


class ImportsView(generics.ListAPIView[ImportJob]):
    """My lists."""

    permission_classes = [IsAuthenticated]
    serializer_class = ImportSerializer
    pagination_class = LatestFirst
    filter_backends = []
    parser_classes = [*APIView.parser_classes, MultiPartParser]

    def get_queryset(self) -> QuerySet[ImportJob]:
        """The person's own."""
        return queries.imports_of(cast(User, self.request.user))

    @extend_schema(
        responses={200: ImportSerializer(many=True), **_READ},
        tags=_TAGS,
        operation_id="imports_list",
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """My lists, latest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request={
            "application/json": NewImportSerializer,
            "multipart/form-data": NewImportSerializer,
        },
        parameters=[ONCE],
        responses={201: ImportSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="imports_create",
        examples=[
            OpenApiExample(
                "As text",
                request_only=True,
                value={"text": examples.LIST, "game": examples.GAME.slug},
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Bring a list. Nothing of yours changes before you apply it.

        A short one is read at once; ask for a long one until its state is `ready`.
        """
        sent = NewImportSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        file, text = said.pop("file", None), said.pop("text", "")
        filename = said.pop("filename")
        if file is not None:
            data, filename = file.read(services.MOST_BYTES + 1), str(file.name)
        else:
            data = text.encode()
        user = cast(User, request.user)

        def make() -> str:
            return services.start_import(owner=user, data=data, filename=filename, **said).slug

        job = queries.import_of(user, once_per_key(request, make))
        return Response(ImportSerializer(job).data, status=status.HTTP_201_CREATED)


class _ImportView(APIView):
    """One list of mine."""

    permission_classes = [IsAuthenticated]

    def shown(self, slug: str) -> Response:
        """The list as it stands now."""
        return Response(ImportSerializer(queries.import_of(self.user, slug)).data)

    @property
    def user(self) -> User:
        """The person, who is logged in."""
        return cast(User, self.request.user)


class ImportView(_ImportView):
    """One list."""

    @extend_schema(
        responses={200: ImportSerializer, **_READ}, tags=_TAGS, operation_id="imports_retrieve"
    )
    def get(self, request: Request, slug: str) -> Response:
        """How far it is, and what it would do."""
        return self.shown(slug)


class ImportLinesView(_ImportView):
    """A list's lines."""

    @extend_schema(
        parameters=[WhichLinesSerializer],
        responses={200: ImportLinesSerializer, **_READ, **problems(400)},
        tags=_TAGS,
        operation_id="imports_lines",
    )
    def get(self, request: Request, slug: str) -> Response:
        """Lines in order, each with what becomes of its card. They are kept for thirty days."""
        asked = WhichLinesSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        page = queries.lines_of(
            queries.import_of(self.user, slug),
            said.get("verdict", ""),
            after=said["after"],
            size=said["size"],
        )
        return Response(ImportLinesSerializer(page).data)


class ImportLineView(_ImportView):
    """One line of a list."""

    @extend_schema(
        request=LineAnswerSerializer,
        responses={200: ImportSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="imports_answer",
        examples=[
            OpenApiExample(
                "This card",
                request_only=True,
                value={"answer": "card", "game": examples.GAME.slug, "card": examples.FIRST},
            ),
            OpenApiExample("Leave it out", request_only=True, value={"answer": "skip"}),
        ],
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Say which of the suggested cards a line means, leave it out, or take it in again."""
        sent = LineAnswerSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        user = self.user
        if said["answer"] == "skip":
            services.skip_line(owner=user, slug=slug, number=number)
        elif said["answer"] == "back":
            services.take_back_line(owner=user, slug=slug, number=number)
        else:
            services.answer_line(
                owner=user, slug=slug, number=number, game=said["game"], card=said["card"]
            )
        return self.shown(slug)


class ApplyImportView(_ImportView):
    """Applying a list."""

    @extend_schema(
        request=ApplySerializer,
        responses={200: ImportSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="imports_apply",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Do all that the summary says, or nothing. Again changes nothing.

        A conflict (409) means that your cards have changed meanwhile: look at the new summary.
        """
        sent = ApplySerializer(data=request.data or {})
        sent.is_valid(raise_exception=True)
        services.apply_import(
            owner=self.user, slug=slug, skips_bad=sent.validated_data["skips_bad"]
        )
        return self.shown(slug)


class CancelImportView(_ImportView):
    """Throwing a list away."""

    @extend_schema(
        request=None,
        responses={200: ImportSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="imports_cancel",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Throw a list away that was not applied. Again changes nothing."""
        services.cancel_import(owner=self.user, slug=slug)
        return self.shown(slug)


class UndoImportView(_ImportView):
    """Taking an import back."""

    @extend_schema(
        request=None,
        responses={200: ImportSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="imports_undo",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take an applied list back, unless copies of it have gone. Again changes nothing."""
        services.undo_import(owner=self.user, slug=slug)
        return self.shown(slug)


class ExportQuerySerializer(serializers.Serializer[Any]):
    """What to take away, and how it is written."""

    format = serializers.ChoiceField(list(FORMATS.items()), default="riffle")
    which = serializers.ChoiceField(WHICH, default="all")
    game = serializers.CharField(max_length=50, required=False, default="", allow_blank=True)


class ExportView(APIView):
    """My cards as a file."""

    permission_classes = [IsAuthenticated]
    content_negotiation_class = OnlyJSON

    @extend_schema(
        parameters=[ExportQuerySerializer],
        responses={
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR),
            (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR),
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT),
            **problems(400, 401, 403, 429),
        },
        tags=["exports"],
        operation_id="exports_retrieve",
    )
    def get(self, request: Request) -> HttpResponseBase:
        """My own cards, written while they are sent.

        `riffle` and `json` carry everything and are read back whole; the others carry what their
        columns can. Columns of earlier imports come back in `riffle`, up to 185 of them; what has
        no column then stands in one called `other columns`, as a JSON object for each card.
        """
        asked = ExportQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        return exported(cast(User, request.user), said["format"], said["which"], said["game"])
