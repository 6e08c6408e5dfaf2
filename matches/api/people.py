"""People, leaderboards and the export in the API."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from accounts.models import Viewer
from accounts.queries.people import somebody
from core.downloads import DownloadResponse
from core.operations import Rows, tagged
from core.pagination import CappedPages
from core.replica import wrote_lately
from core.serializers import Doc
from matches.models import Speed
from matches.queries import export, people

operation = tagged("people")


class LinesRenderer(JSONRenderer):
    """Lets clients accept JSON lines; the view writes them itself."""

    media_type = "application/x-ndjson"
    format = "ndjson"


@operation("people_retrieve", refuses=())
def get_person(user: Viewer, username: str) -> people.PersonShown:
    """A person's statistics, ratings, decks and matches, as far as they share them."""
    return people.person_shown(user, somebody(username))


@dataclass(frozen=True, slots=True)
class Ladders:
    """The speed of the leaderboard."""

    speed: Speed = Speed.WEB


@dataclass(frozen=True, slots=True)
class Exported:
    """Filters of the export."""

    mine: Annotated[
        bool, Doc("Your own matches, private ones included, instead of all public ones.")
    ] = False
    game: Annotated[str, Doc(max_length=40)] = ""
    mode: Annotated[str, Doc(max_length=40)] = ""
    since: Annotated[datetime | None, Doc("Only matches that ended at this time or later.")] = None
    after: Annotated[
        str,
        Doc("The `match` of your last line, to continue after it.", max_length=40),
    ] = ""


@operation(
    "matches_export",
    refuses=(400, 404, 503),
    answers={(200, "application/x-ndjson"): OpenApiTypes.STR},
    description=f"Up to {export.MAX_LINES} lines; continue with "
    "`after`. Two downloads at a time per person, or per address without a login.",
    renderer_classes=(LinesRenderer, JSONRenderer),
)
def export_matches(user: Viewer, request: Request, query: Exported) -> HttpResponseBase:
    """Export finished matches with all moves, one JSON object per line (see docs/export.md)."""
    matches = export.exported(user, **asdict(query))
    # One's own matches are all there at once; those of everybody may come a moment later.
    fresh = query.mine or wrote_lately(user)
    lines = export.lines(matches, from_replica=not fresh)
    return DownloadResponse(request, lines, "application/x-ndjson")


@operation("ratings_list", refuses=(400,), pagination_class=CappedPages, reads_replica=True)
def list_ratings(game: str, mode: str, query: Ladders) -> Rows[people.RatingShown]:
    """The leaderboard of a mode: established ratings after at least ten matches, best first."""
    people.require_rated(game, mode)
    return Rows(people.board(game, mode, query.speed), people.board_shown)
