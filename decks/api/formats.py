"""House formats in the API. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Annotated, Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from accounts.models import User, Viewer
from core.operations import Idempotent, Rows, tagged
from core.pagination import LatestFirst
from core.serializers import Doc
from decks.api.decks import LARGEST_NUMBER, Slug
from decks.queries import formats as queries
from decks.services import formats as services
from rules.engine.deck_rules.house import MAX_RULES

operation = tagged("decks")


@dataclass(frozen=True, slots=True)
class Restricted:
    """How many copies of a card are allowed, and why."""

    most: Annotated[int, Doc(min_value=0)]
    reason: Annotated[str, Doc(max_length=services.REASON_LENGTH)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatRules:
    """The rules of a version of a format."""

    options: Annotated[
        dict[str, Any],
        Doc(
            "The game's own options: true for a switch; else a number, a value or a list of values "
            "(see `/api/games/`). Unknown options are refused with the list of known ones."
        ),
    ] = field(default_factory=dict)
    restricted: Annotated[dict[str, Restricted], Doc("By card slug; 0 bans the card.")] = field(
        default_factory=dict
    )
    sets: Annotated[
        list[Annotated[str, Doc(max_length=80)]],
        Doc("Slugs of sets; none: all.", max_length=services.MAX_RESTRICTED),
    ] = field(default_factory=list)
    owned_only: bool = False
    rules: Annotated[
        list[dict[str, Any]],
        Doc(
            "Rules of your own, one an object: what is counted (`cards`, `copies`, `sum`, "
            "`values`, `points`, `required`, `follows` or `apart`), `where`, `least`, `most` or "
            "`exactly`, and if you like `id`, `says`, `severity` and `from`. See "
            "`docs/house-formats.md`.",
            max_length=MAX_RULES,
        ),
    ] = field(default_factory=list)

    def rules_of(self) -> services.Rules:
        """The rules as the service takes them."""
        return services.Rules(
            options=self.options,
            restricted={card: asdict(limit) for card, limit in self.restricted.items()},
            sets=self.sets,
            owned_only=self.owned_only,
            rules=self.rules,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFormat(FormatRules):
    """A format to be defined."""

    game: Slug
    mode: Slug
    name: Annotated[str, Doc(max_length=services.NAME_LENGTH)]
    summary: Annotated[str, Doc(max_length=services.SUMMARY_LENGTH)] = ""
    listed: bool = True
    house: Annotated[
        bool,
        Doc("Official, without an owner. Staff only (403)."),
    ] = False


Follows = Annotated[
    int | None,
    Doc(
        "The number of the version that yours goes on from. Refused (409) where a newer one has "
        "come meanwhile. Default: not checked.",
        allow_null=True,
        default=None,
        min_value=0,
        max_value=LARGEST_NUMBER,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion(FormatRules):
    """New rules for a format."""

    note: Annotated[str, Doc(max_length=services.SUMMARY_LENGTH)] = ""
    name: Annotated[
        str | None,
        Doc(
            "The format’s new name, for all versions at once. Default: unchanged.",
            max_length=services.NAME_LENGTH,
            allow_null=True,
            default=None,
        ),
    ] = None
    summary: Annotated[
        str | None,
        Doc(
            "The format’s new description, for all versions at once. Default: unchanged.",
            max_length=services.SUMMARY_LENGTH,
            allow_null=True,
            allow_blank=True,
            default=None,
        ),
    ] = None
    valid_from: Annotated[
        datetime | None,
        Doc(
            "When the version takes effect. Default: now; up to two years ahead. Until then the "
            "previous version applies. An announced version that a newer one overtakes never "
            "takes effect.",
            allow_null=True,
            default=None,
        ),
    ] = None
    follows: Follows = None


@operation(
    "formats_list",
    parameters=[OpenApiParameter("game"), OpenApiParameter("mode")],
    tag="formats",
    pagination_class=LatestFirst,
)
def list_formats(user: Viewer, request: Request) -> Rows[queries.FormatShown]:
    """List the official and the listed custom formats, and your own."""
    query = request.query_params
    rows = queries.offered(user, query.get("game", ""), query.get("mode", ""))
    return Rows(rows, queries.formats_shown)


@operation("formats_create", status=201, refuses=(404, 422), is_metered=True, tag="formats")
def create_format(user: User, body: NewFormat, once: Idempotent) -> queries.FormatShown:
    """Create a custom format."""

    def make() -> str:
        created = services.create_format(
            by=user,
            game=body.game,
            mode=body.mode,
            name=body.name,
            summary=body.summary,
            listed=body.listed,
            house=body.house,
            rules_of=body.rules_of(),
        )
        return created.slug

    return queries.format_shown(once(make))


@operation("formats_retrieve", tag="formats")
def get_format(slug: str) -> queries.FormatShown:
    """A format with all its versions, retired or not."""
    return queries.format_shown(slug)


@operation("formats_publish", refuses=(409, 422), is_metered=True, tag="formats")
def publish_version(user: User, slug: str, body: NewVersion) -> queries.FormatShown:
    """Publish new rules for your format, from now or from a later day on.

    Idempotent.
    """
    services.publish_version(
        format=queries.format_of(slug),
        by=user,
        rules_of=body.rules_of(),
        note=body.note,
        valid_from=body.valid_from,
        name=body.name,
        summary=body.summary,
        follows=body.follows,
    )
    return queries.format_shown(slug)


@operation("formats_retire", tag="formats")
def retire_format(user: User, slug: str) -> None:
    """Retire your format. It can no longer be chosen, but stays visible."""
    services.retire_format(format=queries.format_of(slug), by=user)
