"""Lists of cards in the API: brought, looked at, answered, applied, taken back; and taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from django.core.files.uploadedfile import UploadedFile
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import User
from collection import examples
from collection.downloads import exported
from collection.lists.writing import FORMATS
from collection.models import LineVerdict
from collection.queries import imports as queries
from collection.queries.exports import WHICH
from collection.services import imports as services
from core.openapi import OnlyJSON
from core.operations import BODY, Idempotent, Rows, tagged
from core.pagination import LatestFirst
from core.serializers import Doc

operation = tagged("imports")
_CHANGES = (409, 422)
_MAX_LINES = 500


@dataclass(frozen=True, slots=True)
class NewImport:
    """A list, as `file` (multipart) or as `text`."""

    file: Annotated[
        UploadedFile | None,
        Doc(
            f"CSV, plain text or JSON, up to {services.MAX_BYTES // 1024 // 1024} MB."
            " Only in multipart/form-data.",
            field=serializers.FileField,
            allow_empty_file=True,
        ),
    ] = None
    text: Annotated[
        str | None,
        Doc(allow_blank=True, trim_whitespace=False, max_length=services.MAX_BYTES),
    ] = None
    filename: Annotated[str, Doc("Beside `text`.", max_length=200)] = ""
    game: Annotated[str, Doc("Default game, for lines that don't name one.", max_length=50)] = ""
    replaces: Annotated[
        bool,
        Doc("Replace the counts of its cards instead of adding to them."),
    ] = False
    skips_bad: Annotated[bool, Doc("Skip unrecognised lines.")] = False

    def check(self) -> None:
        """One of the two."""
        if (self.file is None) == (self.text is None):
            raise serializers.ValidationError("Send either “file” or “text”.")

    def content(self) -> tuple[bytes, str]:
        """A list and its file's name."""
        if self.file is not None:
            return self.file.read(services.MAX_BYTES + 1), str(self.file.name)
        return (self.text or "").encode(), self.filename


@dataclass(frozen=True, slots=True)
class WhichLines:
    """Which lines to show."""

    verdict: LineVerdict | None = None
    after: Annotated[int, Doc(min_value=0, max_value=10**9)] = 0
    size: Annotated[int, Doc(min_value=1, max_value=_MAX_LINES)] = 50


@dataclass(frozen=True, slots=True)
class LineAnswer:
    """The action for a line: `card` (with game and card), `skip`, or `back`."""

    answer: Literal["card", "skip", "back"]
    game: Annotated[str, Doc(max_length=50)] = ""
    card: Annotated[str, Doc(max_length=80)] = ""


@dataclass(frozen=True, slots=True)
class Apply:
    """How to apply a list."""

    skips_bad: Annotated[
        bool | None,
        Doc(
            "Skip unrecognised lines. Default: as set on upload.",
            allow_null=True,
            default=None,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Export:
    """The cards to export, and their format."""

    format: Annotated[str, Doc(choices=list(FORMATS.items()))] = "riffle"
    which: Annotated[str, Doc(choices=WHICH)] = "all"
    game: Annotated[str, Doc(max_length=50)] = ""


@operation("imports_list", pagination_class=LatestFirst)
def list_imports(user: User) -> Rows[queries.ImportShown]:
    """List your imports, newest first."""
    return Rows(queries.imports_of(user), queries.imports_shown)


@operation(
    "imports_create",
    status=201,
    refuses=(404, *_CHANGES),
    forms=("application/json", "multipart/form-data"),
    examples=[
        OpenApiExample(
            "As text",
            request_only=True,
            value={"text": examples.LIST, "game": examples.GAME.slug},
        )
    ],
)
def create_import(user: User, body: NewImport, once: Idempotent) -> queries.ImportShown:
    """Upload a list. Nothing changes until you apply it.

    Short lists are read at once; poll long ones until their state is `ready`.
    """
    data, filename = body.content()
    job = services.start_import(
        owner=user,
        data=data,
        filename=filename,
        game=body.game,
        replaces=body.replaces,
        skips_bad=body.skips_bad,
        once=once,
    )
    return queries.import_shown(user, job.slug)


@operation("imports_retrieve")
def get_import(user: User, slug: str) -> queries.ImportShown:
    """The state of an import, and what it would change."""
    return queries.import_shown(user, slug)


@operation("imports_lines", refuses=(400,))
def list_lines(user: User, slug: str, query: WhichLines) -> queries.ImportLines:
    """The lines in order, each with its effect on the card. They are kept for 30 days."""
    job = queries.import_of(user, slug)
    return queries.import_lines(job, query.verdict or "", after=query.after, size=query.size)


@operation(
    "imports_answer",
    refuses=_CHANGES,
    examples=[
        OpenApiExample(
            "This card",
            request_only=True,
            value={"answer": "card", "game": examples.GAME.slug, "card": examples.FIRST},
        ),
        OpenApiExample("Skip it", request_only=True, value={"answer": "skip"}),
    ],
)
def answer_line(user: User, slug: str, number: int, body: LineAnswer) -> queries.ImportShown:
    """Choose the card of a line, skip the line, or include it again."""
    if body.answer == "skip":
        services.skip_line(owner=user, slug=slug, number=number)
    elif body.answer == "back":
        services.take_back_line(owner=user, slug=slug, number=number)
    else:
        services.answer_line(owner=user, slug=slug, number=number, game=body.game, card=body.card)
    return queries.import_shown(user, slug)


@operation("imports_accept_suggestions", refuses=(*BODY, *_CHANGES))
def accept_suggestions(user: User, slug: str) -> queries.ImportShown:
    """Accept the suggestion of each line that has exactly one. Idempotent."""
    services.accept_suggestions(owner=user, slug=slug)
    return queries.import_shown(user, slug)


@operation("imports_apply", refuses=_CHANGES)
def apply_import(user: User, slug: str, body: Apply) -> queries.ImportShown:
    """Apply the import as in the summary, or nothing. Idempotent.

    409: your cards have changed meanwhile; see the new summary.
    """
    services.apply_import(owner=user, slug=slug, skips_bad=body.skips_bad)
    return queries.import_shown(user, slug)


@operation("imports_cancel", refuses=(*BODY, *_CHANGES))
def cancel_import(user: User, slug: str) -> queries.ImportShown:
    """Discard a list that was not applied. Idempotent."""
    services.cancel_import(owner=user, slug=slug)
    return queries.import_shown(user, slug)


@operation("imports_undo", refuses=(*BODY, *_CHANGES))
def undo_import(user: User, slug: str) -> queries.ImportShown:
    """Undo an applied import, unless some of its copies are gone. Idempotent."""
    services.undo_import(owner=user, slug=slug)
    return queries.import_shown(user, slug)


@operation(
    "exports_retrieve",
    answers={
        (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR),
        (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR),
        (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT),
    },
    refuses=(400, 503),
    tag="exports",
    content_negotiation_class=OnlyJSON,
)
def export_cards(user: User, request: Request, query: Export) -> HttpResponseBase:
    """Export your cards.

    `riffle` and `json` are complete; the others have what their columns allow. Columns of earlier
    imports are included in `riffle`, up to 185 of them; further ones are in `other columns`, as a
    JSON object for each card.
    """
    return exported(request, user, query.format, query.which, query.game)
