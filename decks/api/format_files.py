"""Previews of rules, and formats as TOML, in the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse

from accounts.models import User, Viewer
from core.openapi import OnlyJSON
from core.operations import Idempotent, tagged
from core.scopes import Scope
from core.serializers import Doc
from decks.api.decks import LARGEST_NUMBER, Slug
from decks.api.formats import Follows, FormatRules
from decks.downloads.formats import as_toml
from decks.queries import format_preview
from decks.queries import formats as queries
from decks.services import format_files as services
from decks.services.decks import find_mode
from decks.services.formats import NAME_LENGTH, SUMMARY_LENGTH, checked_rules
from rules.engine.format_files import MAX_SIZE

operation = tagged("formats")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(FormatRules):
    """Rules that are not published."""

    game: Slug
    mode: Slug
    name: Annotated[str, Doc("For messages.", max_length=NAME_LENGTH)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatToml:
    """A format as TOML."""

    toml: Annotated[str, Doc("See `docs/house-formats.md`.", max_length=MAX_SIZE)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFormatToml(FormatToml):
    """A format to be defined."""

    listed: bool = True
    house: Annotated[bool, Doc("Official, without an owner. Staff only (403).")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersionToml(FormatToml):
    """New rules for a format; its name and description stay."""

    note: Annotated[str, Doc(max_length=SUMMARY_LENGTH)] = ""
    valid_from: Annotated[
        datetime | None,
        Doc("When the version takes effect. Default: now.", allow_null=True, default=None),
    ] = None
    follows: Follows = None


@operation("formats_preview", refuses=(404, 422), is_metered=True, token_scope=Scope.READ)
def preview(user: User, body: Draft) -> format_preview.Preview:
    """Rules in plain English, and which preconstructed decks and decks of yours they allow.

    Nothing is saved.
    """
    game, mode = find_mode(body.game, body.mode)
    rules_of = checked_rules(game, mode, body.rules_of())
    return format_preview.preview(game, mode, rules_of, user, body.name)


@operation("formats_import", status=201, refuses=(404, 422), is_metered=True)
def import_format(user: User, body: NewFormatToml, once: Idempotent) -> queries.FormatShown:
    """Create a custom format from TOML."""

    def make() -> str:
        created = services.create_from_toml(
            by=user, text=body.toml, listed=body.listed, house=body.house
        )
        return created.slug

    return queries.format_shown(once(make))


@dataclass(frozen=True, slots=True)
class WhichVersion:
    """A version of a format."""

    version: Annotated[
        int, Doc("Its number. Default: the one in effect.", min_value=0, max_value=LARGEST_NUMBER)
    ] = 0


@operation(
    "formats_export",
    refuses=(400, 404),
    answers={(200, "text/plain"): OpenApiResponse(OpenApiTypes.STR)},
    content_negotiation_class=OnlyJSON,
)
def export_format(user: Viewer, slug: str, query: WhichVersion) -> HttpResponse:
    """A version of a format as TOML, which can be imported again."""
    return as_toml(queries.version_of(slug, query.version))


@operation("formats_publish_toml", refuses=(409, 422), is_metered=True)
def publish_toml(user: User, slug: str, body: NewVersionToml) -> queries.FormatShown:
    """Publish the rules of a TOML file as a version of your format.

    Idempotent.
    """
    services.publish_from_toml(
        format=queries.format_of(slug),
        by=user,
        text=body.toml,
        note=body.note,
        valid_from=body.valid_from,
        follows=body.follows,
    )
    return queries.format_shown(slug)
