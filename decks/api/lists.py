"""Decks in and out in the API: in every form that the pages know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.models import User, Viewer
from collection import examples
from core.openapi import OnlyJSON
from core.operations import Answer, Idempotent, tagged
from core.serializers import Doc
from decks.api.decks import CheckAnonThrottle, CheckUserThrottle, Name, SkipUnread, Slug
from decks.downloads.decks import as_download
from decks.errors import BadDeck
from decks.lists import MAX_BYTES
from decks.lists.recognise import FORMS as LIST_FORMS
from decks.models import Visibility
from decks.queries import decks as queries
from decks.queries import lists as exports
from decks.queries.verdicts import ruling
from decks.services import lists as services
from rules.engine.legality import Decklist, Report

operation = tagged("decks")

_FORMS = list(LIST_FORMS.items())
Unblank = Doc(allow_blank=False)


@dataclass(frozen=True, slots=True)
class DeckToImport:
    """A deck in any form, and what is to be done with it."""

    file: Annotated[
        UploadedFile | None,
        Doc(
            f"Up to {MAX_BYTES // 1024 // 1024} MB. Only in multipart/form-data.",
            field=serializers.FileField,
        ),
    ] = None
    text: Annotated[
        str | None,
        Doc(
            "A text list, Riffle JSON, a .cod file, a Tabletop Simulator saved object or a deck "
            "code;"
            " detected from its contents.",
            trim_whitespace=False,
            max_length=MAX_BYTES,
        ),
    ] = None
    game: Annotated[
        Slug,
        Unblank,
        Doc("Default: detected from the file."),
    ] = ""
    mode: Annotated[Slug, Unblank] = ""
    keep: Annotated[
        bool, Doc("Save the deck. Otherwise it is only read, which needs no account.")
    ] = False
    into: Annotated[
        Slug,
        Unblank,
        Doc(
            "With `keep`: the slug of a deck of mine to replace the cards of. Default: a new deck."
        ),
    ] = ""
    name: Annotated[Name, Unblank, Doc("Default: from the file.")] = ""
    visibility: Visibility = Visibility.PRIVATE
    skip_unread: SkipUnread = False

    def check(self) -> None:
        """One thing is imported, and a mode belongs to a game."""
        if (self.file is None) == (self.text is None):
            raise serializers.ValidationError("Send the deck as “file” or as “text”.")
        if bool(self.game) != bool(self.mode):
            raise serializers.ValidationError("Send “game” and “mode” together, or neither.")

    def content(self) -> bytes | str:
        """A list to import."""
        return self.file.read(MAX_BYTES + 1) if self.file else self.text or ""


@dataclass(frozen=True, slots=True)
class ImportedDeck:
    """The imported list, read."""

    form: Annotated[str, Doc(choices=_FORMS)]
    game: str
    mode: str
    name: str
    notes: str
    tags: tuple[str, ...]
    list: Annotated[str, Doc("The whole list as text.")]
    deck: Decklist
    unread: tuple[queries.UnreadLine, ...]
    notices: tuple[str, ...]
    report: Annotated[Report, Doc("The result, including unrecognised lines.")]
    kept: Annotated[str | None, Doc("The slug of the saved deck.")]


def _imported(imported: services.ImportedList, kept: str | None) -> ImportedDeck:
    reading = imported.reading
    return ImportedDeck(
        form=imported.form,
        game=imported.game,
        mode=imported.mode,
        name=imported.name,
        notes=imported.notes,
        tags=tuple(imported.tags),
        list=imported.text,
        deck=reading.cards,
        unread=tuple(queries.unread_lines(reading)),
        notices=tuple(imported.notices),
        report=ruling(imported.game, imported.mode, name=imported.name).report(reading.everything),
        kept=kept,
    )


@operation(
    "decks_import",
    permission_classes=(AllowAny,),
    statuses=(200, 201),
    refuses=(404, 409),
    forms=("application/json", "multipart/form-data"),
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
    is_metered=True,
    throttle_classes=(CheckAnonThrottle, CheckUserThrottle),
)
def import_deck(user: Viewer, body: DeckToImport, once: Idempotent) -> Answer[ImportedDeck]:
    """Import a deck in any format and, with `keep`, save it as a new deck or a new version."""
    if body.keep and not isinstance(user, User):
        raise NotAuthenticated("Log in to save a deck. Reading one needs no account.")
    try:
        imported = services.import_list(body.content(), game=body.game, mode=body.mode)
        kept = _keep(user, body, imported, once) if body.keep and isinstance(user, User) else None
    except BadDeck as error:
        field = error.field if hasattr(body, error.field) else "text"
        raise serializers.ValidationError({field: error.problems}) from error
    return Answer(_imported(imported, kept), 201 if kept else 200)


def _keep(user: User, body: DeckToImport, imported: services.ImportedList, once: Idempotent) -> str:
    def make() -> str:
        deck = services.keep_imported(
            user=user,
            game=imported.game,
            mode=imported.mode,
            text=imported.text,
            name=body.name or imported.name or "Imported deck",
            notes=imported.notes,
            tags=imported.tags,
            into=body.into,
            skip_unread=body.skip_unread,
            visibility=body.visibility,
        )
        return deck.slug

    return once(make)


@dataclass(frozen=True, slots=True)
class Export:
    """In which form."""

    format: Annotated[
        str, Doc(choices=[(form.slug, form.name) for form in exports.FORMS.values()])
    ] = "text"


@operation(
    "decks_export",
    answers={
        (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR),
        (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT),
        (200, "application/xml"): OpenApiResponse(OpenApiTypes.STR),
    },
    refuses=(400, 409),
    is_metered=True,
    content_negotiation_class=OnlyJSON,
)
def export_deck(user: Viewer, request: Request, slug: str, query: Export) -> HttpResponse:
    """Export one of your decks, or a public or unlisted one, for other programs.

    `json` is complete; `code` is the cards as a short code; `tts` links to pictures of this site,
    which are drawn on the first request (503 until then).
    """
    return as_download(request, queries.access_deck(user, slug), query.format)
