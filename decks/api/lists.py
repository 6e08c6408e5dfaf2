"""Decks in and out in the API: in every form that the pages know."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotAuthenticated
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.documents import OnlyJSON, problems
from accounts.idempotency import ONCE, once_per_key
from accounts.models import User
from collection import examples
from decks.api.decks import (
    CheckAnonThrottle,
    CheckUserThrottle,
    DeckReportSerializer,
    UnreadLineSerializer,
)
from decks.downloads import as_download
from decks.errors import BadDeck
from decks.lists import MOST_BYTES
from decks.lists.recognise import FORMS as LIST_FORMS
from decks.models import Visibility
from decks.queries import decks as queries
from decks.queries import lists as exports
from decks.services import decks as deck_services
from decks.services import lists as services
from decks.verdicts import question
from rules.engine.legality import report_to_json


class DeckToImportSerializer(serializers.Serializer[Any]):
    """A deck in any form, and what is to be done with it."""

    file = serializers.FileField(
        required=False,
        help_text=f"At most {MOST_BYTES // 1024 // 1024} MB. Only in multipart/form-data.",
    )
    text = serializers.CharField(
        required=False,
        trim_whitespace=False,
        max_length=MOST_BYTES,
        help_text="What the file would hold: a list, our JSON, a .cod file, a saved object of"
        " Tabletop Simulator, or a deck code. It is known by what is in it.",
    )
    game = serializers.CharField(
        max_length=50,
        required=False,
        default="",
        help_text="Left out: what the file says or, where it says nothing, the game whose cards it"
        " names.",
    )
    mode = serializers.CharField(max_length=50, required=False, default="")
    keep = serializers.BooleanField(
        default=False, help_text="Keep it. Otherwise it is only read; that needs no account."
    )
    into = serializers.CharField(
        max_length=50,
        required=False,
        default="",
        help_text="With `keep`: the slug of a deck of mine that gets these cards. Left out: a new"
        " deck.",
    )
    name = serializers.CharField(
        max_length=deck_services.NAME_LENGTH,
        required=False,
        default="",
        help_text="Left out: what the file says.",
    )
    visibility = serializers.ChoiceField(Visibility.choices, default=Visibility.PRIVATE)
    skip_unread = serializers.BooleanField(
        default=False, help_text="Keep lines that name no card as comments, instead of refusing."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One thing is imported, and a mode belongs to a game."""
        if ("file" in attrs) == ("text" in attrs):
            raise serializers.ValidationError("Send the deck as “file” or as “text”.")
        if bool(attrs["game"]) != bool(attrs["mode"]):
            raise serializers.ValidationError("Send “game” and “mode” together, or neither.")
        return attrs


class ImportedDeckSerializer(serializers.Serializer[Any]):
    """What was read."""

    form = serializers.ChoiceField(list(LIST_FORMS.items()))
    game = serializers.CharField()
    mode = serializers.CharField()
    name = serializers.CharField()
    notes = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    list = serializers.CharField(help_text="All of it as text. Nothing is left out.")
    deck = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    unread = UnreadLineSerializer(many=True)
    notices = serializers.ListField(child=serializers.CharField())
    report = DeckReportSerializer(help_text="What the rules say, unread lines included.")
    kept = serializers.CharField(
        allow_null=True, help_text="The slug of the deck that holds it now."
    )


class ImportView(APIView):
    """Bringing decks."""

    permission_classes = [AllowAny]
    throttle_classes = [CheckAnonThrottle, CheckUserThrottle]
    parser_classes = [*APIView.parser_classes, MultiPartParser]

    @extend_schema(
        tags=["decks"],
        operation_id="decks_import",
        parameters=[ONCE],
        request={
            "application/json": DeckToImportSerializer,
            "multipart/form-data": DeckToImportSerializer,
        },
        responses={
            200: ImportedDeckSerializer,
            201: ImportedDeckSerializer,
            **problems(400, 401, 403, 404, 406, 409, 413, 415, 429),
        },
        examples=[
            OpenApiExample("As text", request_only=True, value={"text": examples.LIST}),
            OpenApiExample(
                "Kept, in a mode",
                request_only=True,
                value={
                    **examples.PLAY,
                    "text": f"{examples.LIST}3 Unicorn",
                    "name": "Embers",
                    "keep": True,
                    "skip_unread": True,
                },
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        """Read a deck in any form and, with `keep`, keep it: as a new deck or as a new version."""
        sent = DeckToImportSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        if said["keep"] and not request.user.is_authenticated:
            raise NotAuthenticated("Log in to keep a deck; reading one needs no account.")
        file = said.get("file")
        data = file.read(MOST_BYTES + 1) if file else said.get("text", "")
        try:
            imported = services.import_list(data, game=said["game"], mode=said["mode"])
            deck = self._keep(request, said, imported) if said["keep"] else None
        except BadDeck as error:
            field = error.field if error.field in sent.fields else "text"
            raise serializers.ValidationError({field: error.problems}) from error
        game, mode, reading = imported.game, imported.mode, imported.reading
        answer = {
            "form": imported.form,
            "game": game,
            "mode": mode,
            "name": imported.name,
            "notes": imported.notes,
            "tags": list(imported.tags),
            "list": imported.text,
            "deck": reading.cards,
            "unread": [
                {"line": row.number, "text": row.name, "suggestions": list(row.suggestions)}
                for row in reading.unread
            ],
            "notices": list(imported.notices),
            "report": report_to_json(
                question(game, mode, name=imported.name).report(reading.everything)
            ),
            "kept": deck,
        }
        return Response(answer, status.HTTP_201_CREATED if deck else status.HTTP_200_OK)

    def _keep(self, request: Request, said: dict[str, Any], imported: services.ImportedList) -> str:
        def make() -> str:
            deck = services.keep_imported(
                user=cast(User, request.user),
                game=imported.game,
                mode=imported.mode,
                text=imported.text,
                name=said["name"] or imported.name or "A deck from elsewhere",
                notes=imported.notes,
                tags=imported.tags,
                into=said["into"],
                skip_unread=said["skip_unread"],
                visibility=said["visibility"],
            )
            return deck.slug

        return once_per_key(request, make)


class ExportQuerySerializer(serializers.Serializer[Any]):
    """In which form."""

    format = serializers.ChoiceField(
        [(form.slug, form.name) for form in exports.FORMS.values()], default="text"
    )


class ExportView(APIView):
    """A deck as a file."""

    permission_classes = [AllowAny]
    content_negotiation_class = OnlyJSON

    @extend_schema(
        tags=["decks"],
        operation_id="decks_export",
        parameters=[ExportQuerySerializer],
        responses={
            (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR),
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT),
            (200, "application/xml"): OpenApiResponse(OpenApiTypes.STR),
            **problems(400, 401, 404, 409, 429),
        },
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """A deck of mine, or one that its owner shows, in a form that other programs read.

        `json` is read back whole; `code` is the cards in one word; `tts` shows pictures from here,
        which are drawn when they are first asked for (503 until then).
        """
        asked = ExportQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        deck = queries.access_deck(request.user, slug)
        return as_download(request, deck, asked.validated_data["format"])
