"""Deck checks in the API. Pages use the same services and queries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from django.core.files.uploadedfile import UploadedFile
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.models import User, Viewer
from collection.errors import NotFound
from core.errors import NotAllowed
from core.openapi import OnlyJSON
from core.operations import Idempotent, Rows, read_body, tagged
from core.pagination import ByWholeNumber, LatestFirst
from core.serializers import Doc, component, request_serializer
from core.throttles import UserThrottle
from decks.api.decks import LARGEST_NUMBER, Slug
from decks.downloads.checks import SHEETS_AT_ONCE, sheet_of, sheets_of, verdicts_of
from decks.lists import MAX_BYTES
from decks.models import DeckCheck
from decks.queries import checks as queries
from decks.queries import decks as deck_queries
from decks.queries import formats
from decks.services import checks as services
from decks.services import uploads

operation = tagged("deck checks")
_PDF = {(200, "application/pdf"): OpenApiResponse(OpenApiTypes.BINARY)}
Person = Annotated[str, Doc(max_length=services.NAME_LENGTH)]
Username = Annotated[str, Doc(max_length=150)]


@dataclass(frozen=True, slots=True)
class NewCheck:
    """A check to be announced."""

    title: Annotated[str, Doc(max_length=services.TITLE_LENGTH)]
    game: Slug
    mode: Slug
    format: Annotated[
        Slug | None, Doc("A format's slug. Default: the mode's default format, or its own rules.")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A deck that the organiser brings."""

    player: Person
    name: Person = ""
    list: Annotated[
        str,
        Doc(
            "A text list, Riffle JSON, a deck code, or a Cockatrice or Tabletop Simulator file; "
            "detected from its contents.",
            trim_whitespace=False,
            max_length=MAX_BYTES,
            allow_blank=True,
        ),
    ]


@dataclass(frozen=True, slots=True)
class Entries:
    """Decks that the organiser brings."""

    decks: Annotated[list[Entry], Doc(allow_empty=False)]

    def entries(self, check: DeckCheck) -> Iterator[services.Entry]:
        """Each of them as it is put on the pile."""
        for row in self.decks:
            yield uploads.from_list(check, row.player, row.name, row.list)


@dataclass(frozen=True, slots=True)
class Files:
    """Decks that the organiser brings in files."""

    files: Annotated[
        list[UploadedFile],
        Doc(
            f"Up to {uploads.MAX_BYTES // 1024 // 1024} MB in total. One deck per file, named after"
            " the player; a text with lines `== Player: Deck` holds several.",
            child_kwargs={"field": serializers.FileField},
            allow_empty=False,
            max_length=uploads.FILES_AT_ONCE,
        ),
    ]

    def entries(self, check: DeckCheck) -> Iterator[services.Entry]:
        """Each deck in them as it is put on the pile."""
        for file in self.files:
            data = file.read(uploads.MAX_BYTES + 1)
            yield from uploads.from_file(check, str(file.name or "deck"), data)


@dataclass(frozen=True, slots=True)
class Added:
    """How many were put on the pile."""

    added: int


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A deck of one's own."""

    deck: Annotated[Slug, Doc("The deck's slug.")]
    player_number: Annotated[
        str | None,
        Doc("The player number at the event.", max_length=services.NUMBER_LENGTH),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckEvent:
    """With the event’s date, place, deadline and judges."""

    held_on: date | None = None
    place: Annotated[str, Doc(max_length=services.TITLE_LENGTH)] = ""
    closes_at: datetime | None = None
    judges: Annotated[
        list[Username] | None,
        Doc("Only the organiser can name them. Null: unchanged."),
    ] = None


@dataclass(frozen=True, slots=True)
class CorrectedList:
    """The card that a player meant, where a line of their list is a slip of the pen."""

    list: Annotated[
        str, Doc("The whole list.", trim_whitespace=False, max_length=services.MAX_LIST_LENGTH)
    ]
    reason: Annotated[str, Doc("The player is notified.", max_length=services.REASON_LENGTH)] = ""
    expected: Annotated[
        str | None,
        Doc(
            "The list’s “sha256” as you saw it; if it has changed since, this is a 409.",
            max_length=64,
        ),
    ] = None


@component("State")
@dataclass(frozen=True, slots=True)
class Registration:
    """The new state: open for submissions, closed, or locked."""

    open: bool | None = None
    lock: Annotated[bool, Doc("Until they are unlocked.")] = False
    unlock_reason: Annotated[
        str,
        Doc(
            "Unlocks the decklists; players are notified of the reason.",
            max_length=services.REASON_LENGTH,
        ),
    ] = ""


class ByNumber(ByWholeNumber):
    """Decks in the order of arrival."""

    ordering = "number"
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


@operation("deck_checks_list", pagination_class=LatestFirst)
def list_checks(user: User) -> Rows[queries.CheckShown]:
    """List the deck checks that you organise, newest first."""
    return Rows(queries.checks_of(user).select_related("organiser"), queries.checks_shown)


@operation("deck_checks_create", status=201, refuses=(404, 409, 422))
def create_check(user: User, body: NewCheck, once: Idempotent) -> queries.CheckShown:
    """Create a deck check."""

    def make() -> str:
        house = formats.present(formats.format_of(body.format)) if body.format else None
        created = services.create_check(
            organiser=user, title=body.title, game=body.game, mode=body.mode, house=house
        )
        return created.slug

    return queries.check_shown(once(make))


@operation("deck_checks_retrieve")
def get_check(slug: str) -> queries.CheckShown:
    """A deck check: its event, its state, and how many decks are checked."""
    return queries.check_shown(slug)


@operation("deck_checks_update", permission_classes=(AllowAny,), refuses=(409, 422))
def change_check(user: Viewer, slug: str, body: Registration) -> queries.CheckShown:
    """Open or close submissions, lock the decklists, or unlock them. Idempotent."""
    deck_check = queries.check_of(slug)
    if not isinstance(user, User):
        raise NotAllowed("Only the organiser can do this.")
    if body.unlock_reason:
        services.unlock_check(check=deck_check, by=user, why=body.unlock_reason)
    elif body.lock:
        services.lock_check(check=deck_check, by=user, as_shown=True)
    elif body.open is not None:
        services.set_open(check=deck_check, by=user, open=body.open)
    return queries.check_shown(slug)


@operation("deck_checks_event_update", refuses=(404, 422))
def describe_event(user: User, slug: str, body: CheckEvent) -> CheckEvent:
    """Replace the event details; omitted fields are cleared, except judges."""
    row = services.describe_check(
        check=queries.check_of(slug),
        by=user,
        held_on=body.held_on,
        place=body.place,
        closes_at=body.closes_at,
        judges=body.judges,
    )
    return CheckEvent(
        held_on=row.held_on,
        place=row.place,
        closes_at=row.closes_at,
        judges=sorted(row.judges.values_list("username", flat=True)),
    )


@operation(
    "deck_checks_submissions",
    parameters=[OpenApiParameter("show", enum=["illegal", "legal", "waiting"])],
    pagination_class=ByNumber,
)
def list_submissions(user: User, request: Request, slug: str) -> Rows[queries.Submission]:
    """List the submissions with their results, in order of submission; for the organiser."""
    deck_check = queries.own_check(user, slug)
    rows = queries.pile(deck_check, request.query_params.get("show", ""))
    return Rows(rows, queries.piled_decks)


@operation(
    "deck_checks_add",
    status=201,
    refuses=(409, 422),
    forms={
        "application/json": request_serializer(Entries),
        "multipart/form-data": request_serializer(Files),
    },
)
def add_submissions(user: User, request: Request, slug: str, once: Idempotent) -> Added:
    """Add decklists, as data or as files; they are checked in the background."""
    deck_check = queries.own_check(user, slug)
    many = request.content_type.startswith("multipart/")
    body = read_body(request_serializer(Files if many else Entries), request.data)
    entries = list(body.entries(deck_check))

    def make() -> str:
        return str(services.add_decks(check=deck_check, by=user, entries=entries))

    return Added(int(once(make)))


@operation("deck_checks_mine")
def get_my_submission(user: User, slug: str) -> queries.Submission:
    """Your submission and its result."""
    return _mine(slug, user)


@operation("deck_checks_submit", refuses=(409, 422))
def submit_deck(user: User, slug: str, body: NewSubmission) -> queries.Submission:
    """Submit one of your decks. It replaces your earlier submission."""
    deck = deck_queries.access_deck(user, body.deck)
    services.hand_in(
        check=queries.check_of(slug), user=user, deck=deck, player_number=body.player_number
    )
    return _mine(slug, user)


@operation("deck_checks_withdraw", refuses=(409,))
def withdraw_deck(user: User, slug: str) -> None:
    """Withdraw your submission."""
    deck_check = queries.check_of(slug)
    mine = queries.mine_in(deck_check, user)
    if mine is not None:
        services.take_out(check=deck_check, by=user, number=mine.number)


@operation("deck_checks_submitted", pagination_class=LatestFirst)
def list_my_submissions(user: User) -> Rows[queries.OwnSubmission]:
    """List your submissions, each with its deck check and its result, newest first."""
    return Rows(queries.handed_in_by(user), queries.decks_handed_in)


@operation("deck_checks_tally")
def get_tally(user: User, slug: str) -> queries.Tally:
    """How many decks are legal, illegal, and not checked yet; for the organiser."""
    return queries.tally(queries.own_check(user, slug))


@operation("deck_checks_recheck")
def recheck(user: User, slug: str) -> queries.CheckShown:
    """Recheck all decks by the current rules; for the organiser.

    This runs in the background: poll the deck check. Locked lists are skipped.
    """
    services.judge_again(check=queries.own_check(user, slug), by=user)
    return queries.check_shown(slug)


@operation("deck_checks_submission_retrieve")
def get_submission(user: User, slug: str, number: int) -> queries.Submission:
    """A submission by its number; for its player and the organiser."""
    row = queries.readable_deck(queries.check_of(slug), user, number)
    return queries.piled_decks([row])[0]


@operation("deck_checks_submission_remove", refuses=(409,))
def remove_submission(user: User, slug: str, number: int) -> None:
    """Remove a submission: any for the organiser; for players their own, while it is open.

    409 once the lists are locked.
    """
    services.take_out(check=queries.check_of(slug), by=user, number=number)


@operation("deck_checks_submission_correct", refuses=(404, 409, 422))
def correct_list(user: User, slug: str, number: int, body: CorrectedList) -> queries.Submission:
    """Correct a list; for the organiser and the judges.

    Changes are logged, and the player is notified. 409 once the lists are locked, or if the
    list isn't the `expected` one.
    """
    deck_check = queries.check_of(slug)
    row = services.mend_list(
        check=deck_check,
        by=user,
        number=number,
        text=body.list,
        why=body.reason,
        expected=body.expected,
    )
    return queries.piled_decks([row])[0]


class PapersThrottle(UserThrottle):
    """Hundreds of sheets take seconds to draw."""

    scope = "deck-check-papers"
    rate = "30/min"


@operation(
    "deck_checks_sheet",
    answers=_PDF,
    is_metered=True,
    content_negotiation_class=OnlyJSON,
    throttle_classes=(PapersThrottle,),
)
def download_sheet(user: User, slug: str, number: int) -> HttpResponseBase:
    """The registration sheet of a deck with its result; for its player and the organiser."""
    deck_check = queries.check_of(slug)
    return sheet_of(deck_check, queries.readable_deck(deck_check, user, number))


@dataclass(frozen=True, slots=True)
class After:
    """Where to begin."""

    after: Annotated[int, Doc("The number of a deck.", min_value=0, max_value=LARGEST_NUMBER)] = 0


@operation(
    "deck_checks_sheets",
    answers=_PDF,
    refuses=(400,),
    description=f"Sheets of up to {SHEETS_AT_ONCE} decks in order of submission, after deck "
    "number `after`; 404 if there are none. For the organiser.",
    is_metered=True,
    content_negotiation_class=OnlyJSON,
    throttle_classes=(PapersThrottle,),
)
def download_sheets(user: User, slug: str, query: After) -> HttpResponseBase:
    """Registration sheets, to be signed."""
    deck_check = queries.own_check(user, slug)
    rows = queries.pile(deck_check, after=query.after)[:SHEETS_AT_ONCE]
    return sheets_of(deck_check, rows, deck_check.title)


@operation(
    "deck_checks_results",
    answers={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR)},
    refuses=(503,),
    content_negotiation_class=OnlyJSON,
)
def download_results(user: User, request: Request, slug: str) -> HttpResponseBase:
    """All results as CSV, one line per deck; for the organiser."""
    return verdicts_of(request, queries.own_check(user, slug))


def _mine(slug: str, user: User) -> queries.Submission:
    mine = queries.mine_in(queries.check_of(slug), user)
    if mine is None:
        raise NotFound("You have not submitted a deck here.")
    return queries.piled_decks([mine])[0]
