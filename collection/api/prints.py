"""Prints in the API. Pages use the same services and queries."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from django.http import FileResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import generics, serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.documents import LatestFirst, problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from collection import sheets
from collection.errors import TooLate, Unacceptable
from collection.models import Backs, JobState, Paper, PrintJob
from collection.queries import prints as queries
from collection.services import prints as services

_READ = problems(401, 403, 404, 406, 429)
_WRITE = problems(400, 401, 403, 404, 406, 413, 415, 422, 429)
_TAGS = ["prints"]


class PrintCardSerializer(serializers.Serializer[Any]):
    """Copies of a card to be printed."""

    game = serializers.CharField(max_length=50)
    card = serializers.CharField(max_length=80, help_text="The card's slug.")
    count = serializers.IntegerField(min_value=1, max_value=services.MOST_CARDS, default=1)


class NewPrintSerializer(serializers.Serializer[Any]):
    """What to print, and how."""

    title = serializers.CharField(
        max_length=services.TITLE_LENGTH, required=False, allow_blank=True, default=""
    )
    cards = PrintCardSerializer(many=True, allow_empty=False)
    paper = serializers.ChoiceField(Paper.choices, default=Paper.A4)
    backs = serializers.ChoiceField(Backs.choices, default=Backs.NONE)
    marks = serializers.BooleanField(default=True, help_text="Cut marks in the margins.")
    gap = serializers.ChoiceField(sheets.GAPS, default=0, help_text="Millimetres between cards.")


class PrintSerializer(serializers.ModelSerializer[PrintJob]):
    """A print and how far it is."""

    cards = serializers.SerializerMethodField()
    file = serializers.SerializerMethodField(help_text="Where the PDF lies once it is done.")

    class Meta:
        model = PrintJob
        fields = [
            "slug", "title", "state", "done", "total", "problem", "paper", "backs", "marks", "gap",
            "cards", "file", "created_at", "finished_at",
        ]  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(PrintCardSerializer(many=True))
    def get_cards(self, job: PrintJob) -> list[dict[str, Any]]:
        """What is printed."""
        return [{"game": game, "card": card, "count": count} for game, card, count in job.cards]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_file(self, job: PrintJob) -> str | None:
        """The file's address."""
        there = job.state == JobState.DONE and job.file
        return reverse("api-print-file", args=[job.slug]) if there else None


class PrintsView(generics.ListAPIView[PrintJob]):
    """My prints."""

    permission_classes = [IsAuthenticated]
    serializer_class = PrintSerializer
    pagination_class = LatestFirst
    filter_backends = []

    def get_queryset(self) -> QuerySet[PrintJob]:
        """The person's own."""
        return queries.prints_of(cast(User, self.request.user))

    @extend_schema(
        responses={200: PrintSerializer(many=True), **_READ},
        tags=_TAGS,
        operation_id="prints_list",
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """My prints of the last week, latest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=NewPrintSerializer,
        parameters=[ONCE],
        responses={202: PrintSerializer, **_WRITE},
        tags=_TAGS,
        operation_id="prints_create",
    )
    def post(self, request: Request) -> Response:
        """Have cards printed: a worker draws the PDF; ask for the print until it is `done`."""
        data = NewPrintSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        said = data.validated_data
        named = [(row["game"], row["card"], row["count"]) for row in said.pop("cards")]
        counts, unknown = queries.keys(named)
        if unknown:
            raise Unacceptable(f"There is no card {', '.join(unknown[:5])}.")
        user = cast(User, request.user)

        def make() -> str:
            return services.start_print(owner=user, cards=queries.chosen(counts), **said).slug

        job = queries.print_of(user, once_per_key(request, make))
        return Response(PrintSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class PrintView(APIView):
    """One print of mine."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        responses={200: PrintSerializer, **_READ}, tags=_TAGS, operation_id="prints_retrieve"
    )
    def get(self, request: Request, slug: str) -> Response:
        """How far it is."""
        job = queries.print_of(cast(User, request.user), slug)
        return Response(PrintSerializer(job).data)

    @extend_schema(
        responses={200: PrintSerializer, **_READ}, tags=_TAGS, operation_id="prints_cancel"
    )
    def delete(self, request: Request, slug: str) -> Response:
        """Stop it, or throw it away. Again changes nothing."""
        user = cast(User, request.user)
        job = services.cancel_print(job=queries.print_of(user, slug), user=user)
        return Response(PrintSerializer(job).data)


class PrintFileView(APIView):
    """A print's PDF."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        responses={
            (200, "application/pdf"): OpenApiResponse(OpenApiTypes.BINARY),
            **problems(401, 403, 404, 406, 409, 429),
        },
        tags=_TAGS,
        operation_id="prints_file",
    )
    def get(self, request: Request, slug: str) -> FileResponse:
        """The file, once the print is done."""
        job = queries.print_of(cast(User, request.user), slug)
        if job.state != JobState.DONE or not job.file:
            raise TooLate("There is no file (yet, or any more).")
        response = FileResponse(job.file.open("rb"), as_attachment=True, filename=f"{slug}.pdf")
        response["Cache-Control"] = "private, no-store"
        return response
