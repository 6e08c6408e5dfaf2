"""Prints in the API. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse

from accounts.models import User
from collection.drawing import sheets
from collection.errors import TooLate, Unacceptable
from collection.models import Backs, Paper
from collection.queries import prints as queries
from collection.services import prints as services
from core.operations import Idempotent, Rows, tagged
from core.pagination import LatestFirst
from core.serializers import Doc

operation = tagged("prints")


@dataclass(frozen=True, slots=True)
class NewPrint:
    """The cards of a print, and its layout."""

    cards: Annotated[list[queries.PrintCard], Doc(allow_empty=False)]
    title: Annotated[str, Doc(max_length=services.TITLE_LENGTH)] = ""
    paper: Paper = Paper.A4
    backs: Backs = Backs.NONE
    marks: Annotated[bool, Doc("Cut marks in the margins.")] = True
    gap: Annotated[int, Doc("Millimetres between cards.", choices=sheets.GAPS)] = 0


@operation("prints_list", pagination_class=LatestFirst)
def list_prints(user: User) -> Rows[queries.PrintShown]:
    """List your prints of the last week, newest first."""
    return Rows(queries.prints_of(user), queries.prints_shown)


@operation("prints_create", status=202, refuses=(404, 422))
def create_print(user: User, body: NewPrint, once: Idempotent) -> queries.PrintShown:
    """Create a PDF of cards to cut out, in the background: poll the print until it is `done`."""
    counts, unknown = queries.keys([(row.game, row.card, row.count) for row in body.cards])
    if unknown:
        raise Unacceptable(f"Unknown cards: {', '.join(unknown[:5])}.")

    def make() -> str:
        job = services.start_print(
            owner=user,
            title=body.title,
            cards=queries.chosen(counts),
            paper=body.paper,
            backs=body.backs,
            marks=body.marks,
            gap=body.gap,
        )
        return job.slug

    return queries.print_shown(queries.print_of(user, once(make)))


@operation("prints_retrieve")
def get_print(user: User, slug: str) -> queries.PrintShown:
    """A print and its progress."""
    return queries.print_shown(queries.print_of(user, slug))


@operation("prints_cancel")
def cancel_print(user: User, slug: str) -> queries.PrintShown:
    """Cancel or delete a print. Idempotent."""
    job = services.cancel_print(job=queries.print_of(user, slug), user=user)
    return queries.print_shown(job)


@operation(
    "prints_file",
    answers={(200, "application/pdf"): OpenApiResponse(OpenApiTypes.BINARY)},
    refuses=(409,),
)
def download_print(user: User, slug: str) -> FileResponse:
    """The PDF, once the print is done."""
    job = queries.print_of(user, slug)
    if not queries.has_file(job):
        raise TooLate("The file is not ready, or was deleted.")
    response = FileResponse(job.file.open("rb"), as_attachment=True, filename=f"{slug}.pdf")
    response["Cache-Control"] = "private, no-store"
    return response
