"""House formats in the API. Pages use the same services and queries."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers, status
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.documents import LatestFirst, problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from decks.api.decks import refusals
from decks.models import Format, FormatVersion
from decks.queries import formats as queries
from decks.services import formats as services

_READ = problems(401, 404, 406, 429)
_WRITE = problems(400, 401, 403, 404, 406, 413, 415, 422, 429)
_TAGS = ["formats"]


class RestrictedSerializer(serializers.Serializer[Any]):
    """How many copies of a card are allowed, and why."""

    most = serializers.IntegerField(min_value=0)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=200, default="")


class FormatRulesSerializer(serializers.Serializer[Any]):
    """What a version of a format says."""

    options = serializers.DictField(
        required=False,
        help_text="The game's own options: true where one is a switch; or a number, one of its "
        "values, or a list of them where it takes those (`/api/games/` says which). An option that "
        "the mode does not have is refused by a problem that names those it has.",
    )
    restricted = serializers.DictField(
        child=RestrictedSerializer(), required=False, help_text="By card slug; 0 bans the card."
    )
    sets = serializers.ListField(
        child=serializers.CharField(max_length=80),
        required=False,
        max_length=services.MOST_RESTRICTED,
        help_text="Slugs of sets; none: all.",
    )
    owned_only = serializers.BooleanField(default=False)


class FormatVersionSerializer(serializers.ModelSerializer[FormatVersion]):
    """A version of a format; it never changes."""

    class Meta:
        model = FormatVersion
        fields = ["number", "options", "restricted", "sets", "owned_only", "valid_from", "note"]
        read_only_fields = fields


class FormatSerializer(serializers.ModelSerializer[Format]):
    """A format, the newest version first."""

    owner = serializers.CharField(source="owner.username", allow_null=True, default=None)
    version = serializers.SerializerMethodField(
        help_text="The number of the version that holds now: of those whose `valid_from` has "
        "come, the newest. A newer one is announced."
    )
    versions = FormatVersionSerializer(many=True)
    check_format = serializers.SerializerMethodField(
        help_text="What to send as `format` to the deck check to be judged by it."
    )

    class Meta:
        model = Format
        fields = [
            "slug", "game", "mode", "name", "summary", "owner", "listed", "retired", "version",
            "versions", "check_format",
        ]  # fmt: skip
        read_only_fields = fields

    def get_version(self, format: Format) -> int:
        """By which version decks are judged now."""
        return queries.present(format).number

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_check_format(self, format: Format) -> dict[str, Any] | None:
        """The present version for the check."""
        return queries.rules_format(queries.present(format))


class NewFormatSerializer(FormatRulesSerializer):
    """A format to be defined."""

    game = serializers.CharField(max_length=50)
    mode = serializers.CharField(max_length=50)
    name = serializers.CharField(max_length=services.NAME_LENGTH)
    summary = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
    listed = serializers.BooleanField(default=True)
    house = serializers.BooleanField(
        default=False,
        help_text="One of the house's own, without an owner. Only the staff defines these (403).",
    )


class NewVersionSerializer(FormatRulesSerializer):
    """New rules for a format."""

    note = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
    valid_from = serializers.DateTimeField(
        required=False,
        allow_null=True,
        default=None,
        help_text="When the rules begin to hold: now, if none is given, or later, at most two "
        "years. Until then the version before holds; an announced version that is overtaken by a "
        "newer one never does.",
    )


def _rules(data: dict[str, Any]) -> services.Rules:
    return services.Rules(
        options=data.get("options", {}),
        restricted=data.get("restricted", {}),
        sets=data.get("sets", []),
        owned_only=data["owned_only"],
    )


class FormatsView(generics.ListAPIView[Format]):
    """Formats to choose from."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    serializer_class = FormatSerializer
    pagination_class = LatestFirst
    filter_backends = []

    def get_queryset(self) -> QuerySet[Format]:
        """Those of the house, the listed ones and my own; of a game or mode where one is named."""
        asked = self.request.query_params
        return queries.offered(self.request.user, asked.get("game", ""), asked.get("mode", ""))

    @extend_schema(
        tags=_TAGS,
        operation_id="formats_list",
        parameters=[OpenApiParameter("game"), OpenApiParameter("mode")],
        responses={200: FormatSerializer(many=True), **_READ},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Formats of the house, listed ones and my own."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        tags=_TAGS,
        operation_id="formats_create",
        request=NewFormatSerializer,
        parameters=[ONCE],
        responses={201: FormatSerializer, **_WRITE},
    )
    def post(self, request: Request) -> Response:
        """Define a format."""
        said = NewFormatSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        data = said.validated_data

        def make() -> str:
            made = services.create_format(
                by=cast(User, request.user),
                game=data["game"],
                mode=data["mode"],
                name=data["name"],
                summary=data["summary"],
                listed=data["listed"],
                house=data["house"],
                rules_of=_rules(data),
            )
            return made.slug

        with refusals():
            made = once_per_key(request, make)
        return _answer(made, status.HTTP_201_CREATED)


class FormatView(APIView):
    """One format."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        tags=_TAGS, operation_id="formats_retrieve", responses={200: FormatSerializer, **_READ}
    )
    def get(self, request: Request, slug: str) -> Response:
        """A format with all its versions, retired or not."""
        return _answer(slug)

    @extend_schema(
        tags=_TAGS,
        operation_id="formats_publish",
        request=NewVersionSerializer,
        responses={200: FormatSerializer, **_WRITE},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Publish new rules for a format of mine, from now or a later day on.

        The same rules again change nothing.
        """
        said = NewVersionSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        data = said.validated_data
        services.publish_version(
            format=queries.format_of(slug),
            by=cast(User, request.user),
            rules_of=_rules(data),
            note=data["note"],
            valid_from=data["valid_from"],
        )
        return _answer(slug)

    @extend_schema(
        tags=_TAGS,
        operation_id="formats_retire",
        responses={204: None, **problems(401, 403, 404, 406, 429)},
    )
    def delete(self, request: Request, slug: str) -> Response:
        """Offer a format of mine no longer; it stays readable."""
        services.retire_format(format=queries.format_of(slug), by=cast(User, request.user))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _answer(slug: str, code: int = status.HTTP_200_OK) -> Response:
    return Response(FormatSerializer(queries.format_of(slug)).data, status=code)
