"""Decks in the API: keep them, have any list checked. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.models import User, Viewer
from collection import examples
from collection.errors import NotFound
from collection.models.slugs import SLUG_LENGTH
from core.operations import Idempotent, Rows, tagged
from core.scopes import Scope
from core.serializers import Doc, component
from core.throttles import AnonThrottle, UserThrottle
from decks.errors import BadDeck
from decks.models import Visibility
from decks.models.tags import MAX_TAGS, TAG_LENGTH, tidy
from decks.queries import decks as queries
from decks.queries import formats, verdicts
from decks.services import decks as services
from rules.engine.errors import BadData
from rules.engine.legality import Problem

operation = tagged("decks")

MAX_COPIES_CHECKED = 1_000_000
LARGEST_NUMBER = 2**31 - 1
_CHECKED = examples.PLAY | {
    "format": {option.slug: True for option in examples.GAME.format_options[:1]}
}

Name = Annotated[str, Doc(max_length=services.NAME_LENGTH)]
Slug = Annotated[str, Doc(max_length=50)]
Expected = Annotated[
    int | None, Doc("The version that you saw: a 409 if the deck has a newer one.", min_value=0)
]
CardCounts = dict[str, dict[str, Annotated[int, Doc(min_value=0, max_value=MAX_COPIES_CHECKED)]]]
Tags = Annotated[
    list[Annotated[str, Doc(max_length=100)]],
    Doc(
        f"Up to {MAX_TAGS}, each of up to {TAG_LENGTH} characters; stored in lower case.",
        max_length=100,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOrDeck:
    """A deck in one of two forms."""

    list: Annotated[
        str | None,
        Doc(
            "The cards as text, one per line: `2 Card Name`. `#` starts a comment.",
            allow_blank=True,
            trim_whitespace=False,
            max_length=services.MAX_LIST_LENGTH,
        ),
    ] = None
    deck: Annotated[CardCounts | None, Doc("Or as `{section: {card slug: count}}`.")] = None

    def check(self) -> None:
        """Never both; whether one is needed depends on what is done with it."""
        if self.list is not None and self.deck is not None:
            raise serializers.ValidationError("Send either “list” or “deck”.")


@dataclass(frozen=True, slots=True)
class CheckedDeck:
    """The verdict on a deck that was sent."""

    legal: bool
    problems: tuple[Problem, ...]
    unread: Annotated[list[queries.UnreadLine], Doc("Empty unless a list was sent as text.")]


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": 50},
            {"type": "object", "additionalProperties": {}},
        ]
    }
)
class CheckFormatField(serializers.Field[Any, Any, Any, Any]):
    """The custom format of a deck: a format's slug, or a format in full."""

    def to_internal_value(self, data: Any) -> Any:
        """As it was sent: the game says what a format may hold."""
        if not isinstance(data, (str, dict)):
            raise serializers.ValidationError(
                "Send a format’s slug, a format as an object, or null."
            )
        if isinstance(data, str) and len(data) > 50:
            raise serializers.ValidationError("A slug can have up to 50 characters.")
        return data or None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckToCheck(ListOrDeck):
    """A deck to be checked."""

    game: Slug
    mode: Slug
    name: Annotated[Name, Doc("The name used in messages.")] = ""
    format: Annotated[
        Any,
        Doc(
            "A custom format's slug; or a format in full, the game's options with custom rules "
            "under `house`, as in a format's `check_format`. `house.owned_only` is checked "
            "against the collection of the logged-in user; without one, a notice (`HOUSE-03`) "
            "says that it was not checked.",
            field=CheckFormatField,
            allow_null=True,
            default=None,
        ),
    ] = None

    def check(self) -> None:
        """There has to be a deck, of a game and mode that has some."""
        ListOrDeck.check(self)
        if self.list is None and self.deck is None:
            raise serializers.ValidationError("Send the deck as “list” or as “deck”.")
        services.find_mode(self.game, self.mode)

    def rules(self) -> dict[str, Any] | None:
        """The format in full: of one that is named the version that holds now."""
        if not isinstance(self.format, str):
            in_full: dict[str, Any] | None = self.format
            return in_full
        try:
            known = formats.format_of(self.format)
        except NotFound as error:
            raise serializers.ValidationError({"format": [error.detail]}) from error
        if (known.game, known.mode) != (self.game, self.mode):
            raise serializers.ValidationError(
                {"format": [f"{known.name} is a format of another mode."]}
            )
        return formats.rules_format(formats.present(known))


class HouseField(serializers.CharField):
    """The slug of a house format; null is none, like nothing."""

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        return (True, "") if data is None else super().validate_empty_values(data)


HouseSlug = Annotated[
    str | None,
    Doc(
        "The slug of a custom format for the mode: official, listed or mine. Null or empty for "
        "none.",
        field=HouseField,
        allow_null=True,
        allow_blank=True,
        max_length=SLUG_LENGTH,
    ),
]
SkipUnread = Annotated[bool, Doc("Save unrecognised lines as comments, instead of refusing.")]
Notes = Annotated[
    str | None,
    Doc(
        "Markdown; “[[Card name]]” is a link to that card.",
        allow_blank=True,
        max_length=services.NOTES_LENGTH,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeck(ListOrDeck):
    """A deck to be kept. It may be illegal: then it is a draft."""

    game: Slug
    mode: Slug
    name: Name
    notes: Notes = None
    tags: Tags | None = None
    visibility: Visibility = Visibility.PRIVATE
    skip_unread: SkipUnread = False
    format: HouseSlug = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDeck(ListOrDeck):
    """The changes to a deck; an omitted member stays as it is."""

    notes: Notes = None
    tags: Tags | None = None
    mode: Slug | None = None
    name: Name | None = None
    visibility: Visibility | None = None
    skip_unread: SkipUnread = False
    format: HouseSlug = None
    expected: Expected = None
    expected_about: Annotated[
        str | None,
        Doc(
            "The “about_version” that you saw: a 409 if your change would overwrite newer changes "
            "of name, visibility, tags or notes. Unchanged fields keep their current values.",
            max_length=100,
        ),
    ] = None


@operation(
    "decks_list",
    parameters=[OpenApiParameter("game"), OpenApiParameter("mode"), OpenApiParameter("tag")],
    pagination_class=PageNumberPagination,
)
def list_decks(user: User, request: Request) -> Rows[queries.DeckSummary]:
    """List your decks, most recently changed first."""
    query = request.query_params
    game, mode, tag = (query.get(name, "") for name in ("game", "mode", "tag"))
    rows = queries.with_entries(queries.own_decks(user, game, mode, tidy(tag)))
    return Rows(rows, lambda decks: queries.summaries(user, decks))


@operation("decks_create", status=201, refuses=(404, 422))
def create_deck(user: User, body: NewDeck, once: Idempotent) -> queries.DeckShown:
    """Create a deck."""

    def make() -> str:
        deck = services.create_deck(
            owner=user,
            game=body.game,
            mode=body.mode,
            name=body.name,
            visibility=body.visibility,
            cards=body.deck,
            text=body.list,
            skip_unread=body.skip_unread,
            notes=body.notes or "",
            tags=body.tags or (),
            format=body.format or "",
        )
        return deck.slug

    return queries.deck_shown(user, queries.access_deck(user, once(make)))


@component("Tags")
@dataclass(frozen=True, slots=True)
class TagList:
    """Words that I have given decks."""

    tags: list[str]


@operation("decks_tags_list")
def list_tags(user: User) -> TagList:
    """The tags of your decks, in alphabetical order."""
    return TagList(queries.tags_of(user))


@operation("decks_retrieve")
def get_deck(user: Viewer, slug: str) -> queries.DeckShown:
    """One of your decks, or a public or unlisted one."""
    return queries.deck_shown(user, queries.access_deck(user, slug))


@operation("decks_update", refuses=(409,))
def change_deck(user: User, slug: str, body: ChangedDeck) -> queries.DeckShown:
    """Change one of your decks. A list replaces all its cards."""
    deck = services.update_deck(
        user=user,
        slug=slug,
        name=body.name,
        mode=body.mode,
        visibility=body.visibility,
        cards=body.deck,
        text=body.list,
        skip_unread=body.skip_unread,
        notes=body.notes,
        tags=body.tags,
        format=body.format,
        expected=body.expected,
        expected_about=body.expected_about,
    )
    return queries.deck_shown(user, deck)


@operation("decks_delete")
def delete_deck(user: User, slug: str) -> None:
    """Delete one of your decks."""
    services.delete_deck(user=user, slug=slug)


class CheckAnonThrottle(AnonThrottle):
    """Checks of visitors, counted by themselves."""

    scope = "deck-check-anon"
    rate = "60/min"


class CheckUserThrottle(UserThrottle):
    """Checks of people with an account."""

    scope = "deck-check-user"
    rate = "600/min"


@operation(
    "decks_check",
    permission_classes=(AllowAny,),
    examples=[
        OpenApiExample(
            "As text",
            {**_CHECKED, "list": examples.LIST},
            request_only=True,
        ),
        OpenApiExample(
            "By a house format",
            {**_CHECKED, "format": "kr7vnq2hdmx4", "list": examples.LIST},
            request_only=True,
        ),
        OpenApiExample(
            "As data",
            {**_CHECKED, "deck": {examples.MODE.sections[0]: {examples.FIRST: 2}}},
            request_only=True,
        ),
    ],
    is_metered=True,
    token_scope=Scope.READ,
    throttle_classes=(CheckAnonThrottle, CheckUserThrottle),
)
def check_deck(user: Viewer, body: DeckToCheck) -> CheckedDeck:
    """Check a deck for a mode and a format. Nothing is saved; no account is needed."""
    format = body.rules()
    player = user if isinstance(user, User) else None
    ruling = verdicts.ruling(body.game, body.mode, format, name=body.name, player=player)
    if body.list is not None:
        reading = services.read_typed(body.game, body.mode, body.list)
        cards, unread = reading.everything, queries.unread_lines(reading)
    else:
        cards, unread = services.read_cards(body.game, body.mode, body.deck), []
    try:
        report = ruling.report(cards)
    except BadData as error:
        raise BadDeck("format", [str(error)]) from error
    return CheckedDeck(report.legal, report.problems, unread)
