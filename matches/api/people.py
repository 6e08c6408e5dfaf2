"""People, ratings and records in the API."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.pagination import PageNumberPagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from accounts.models import Viewer
from accounts.queries.people import somebody
from core.downloads import DownloadResponse
from core.operations import Rows, View, operation
from core.serializers import Doc
from matches.models import Speed
from matches.queries import export, people


class LinesRenderer(JSONRenderer):
    """Lets a program ask for lines; the view itself writes them."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class PersonView(View):
    """Somebody."""

    tags = ("people",)

    @operation("people_retrieve", refuses=())
    def get(self, user: Viewer, username: str) -> people.PersonShown:
        """A member or guest, as far as they let you know: record, ratings, decks, matches."""
        return people.person_shown(user, somebody(username))


@dataclass(frozen=True, slots=True)
class Ladders:
    """Which of a mode's two ladders."""

    speed: Speed = Speed.WEB


@dataclass(frozen=True, slots=True)
class Exported:
    """Which matches to export."""

    mine: Annotated[bool, Doc("Your own, the private ones too, instead of all public ones.")] = (
        False
    )
    game: Annotated[str, Doc(max_length=40)] = ""
    mode: Annotated[str, Doc(max_length=40)] = ""
    since: Annotated[datetime | None, Doc("Only those that ended then or later.")] = None
    after: Annotated[
        str,
        Doc("The `match` of your last line: only those behind it.", max_length=40),
    ] = ""


class ExportView(View):
    """Matches in bulk."""

    tags = ("people",)
    renderer_classes = (LinesRenderer, JSONRenderer)

    @operation(
        "matches_export",
        refuses=(400, 404, 503),
        answers={(200, "application/x-ndjson"): OpenApiTypes.STR},
        description=f"At most {export.MAX_LINES} lines; where there may be more, ask again with "
        "`after`. Two downloads at once for each person, or address without a login.",
    )
    def get(self, user: Viewer, request: Request, query: Exported) -> HttpResponseBase:
        """Finished matches with all their moves, one JSON object a line (see docs/export.md)."""
        matches = export.exported(user, **asdict(query))
        return DownloadResponse(request, export.lines(matches), "application/x-ndjson")


class RatingsView(View):
    """The board of a mode."""

    tags = ("people",)
    pagination_class = PageNumberPagination

    @operation("ratings_list", refuses=(400,))
    def get(self, game: str, mode: str, query: Ladders) -> Rows[people.RatingShown]:
        """The settled ratings of a mode, the best first: ten matches at least, and sure enough."""
        people.require_rated(game, mode)
        return Rows(people.board(game, mode, query.speed), people.ratings_shown)
