"""Comments on decks, in the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from accounts.models import User, Viewer
from accounts.models.moderation import WHY_LENGTH
from core.operations import BODY, Idempotent, tagged
from core.serializers import Doc, component
from decks.api.decks import LARGEST_NUMBER
from decks.models.comments import COMMENT_LENGTH
from decks.queries import comments as queries
from decks.queries import decks
from decks.services import comments as services

operation = tagged("decks")


@dataclass(frozen=True, slots=True)
class NewDeckComment:
    """A comment to post."""

    text: Annotated[
        str,
        Doc("“@name” notifies someone who has commented here.", max_length=COMMENT_LENGTH),
    ]


@dataclass(frozen=True, slots=True)
class CommentsAsked:
    """Which comments."""

    before: Annotated[
        int | None,
        Doc(
            "Comments before this one. Default: the latest.", min_value=1, max_value=LARGEST_NUMBER
        ),
    ] = None


@component("CommentReport")
@dataclass(frozen=True, slots=True)
class NewCommentReport:
    """The reason for a report."""

    reason: Annotated[str, Doc(max_length=WHY_LENGTH)]


@dataclass(frozen=True, slots=True)
class CommentReported:
    """The moderators have it."""

    id: int


@operation("decks_comments_list", refuses=(400,))
def list_comments(user: Viewer, slug: str, query: CommentsAsked) -> queries.Comments:
    """List the last 30 comments on a deck, or those before a comment."""
    return queries.page(decks.access_deck(user, slug), user, query.before)[0]


@operation("decks_comments_add", status=201, refuses=(*BODY, 403, 422, 429))
def add_comment(user: User, slug: str, body: NewDeckComment, once: Idempotent) -> queries.Comment:
    """Comment on a public or unlisted deck (5 per minute). Its owner is notified."""
    deck = decks.access_deck(user, slug)
    key = once(lambda: str(services.comment(deck=deck, user=user, text=body.text).pk))
    row = queries.readable(deck, user, int(key))
    return queries.comments_shown(deck, user, [row])[0]


@operation("decks_comments_remove", refuses=(403,))
def remove_comment(user: User, slug: str, number: int) -> None:
    """Delete your comment, or any comment on your deck. Idempotent."""
    services.remove(deck=decks.access_deck(user, slug), user=user, pk=number)


@operation("decks_comments_report", refuses=(*BODY, 404, 422, 429))
def report_comment(user: User, slug: str, number: int, body: NewCommentReport) -> CommentReported:
    """Report a comment. Repeats are ignored."""
    deck = decks.access_deck(user, slug)
    row = services.report(deck=deck, user=user, pk=number, why=body.reason)
    return CommentReported(row.pk)
