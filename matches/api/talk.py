"""Chat, comments, notes and reports in the API. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rest_framework import serializers

from accounts.models import User, Viewer
from core.operations import BODY, Idempotent, tagged
from core.serializers import Doc
from matches.api.matches import MAX_INTEGER
from matches.models.talk import MAX_MESSAGE_LENGTH
from matches.queries import talk
from matches.queries.access import access_match
from matches.services import talk as talking

operation = tagged("talk")
_READ = (400, 403)
_WRITE = (*BODY, 403, 429)


@dataclass(frozen=True, slots=True)
class NewLine:
    """One line of plain text."""

    text: Annotated[
        str, Doc("“@” and a username notifies that person.", max_length=MAX_MESSAGE_LENGTH)
    ]


@dataclass(frozen=True, slots=True)
class NewComment:
    """A player's comment on a move."""

    text: Annotated[
        str, Doc("“@” and a username notifies that person.", max_length=MAX_MESSAGE_LENGTH)
    ]
    ply: Annotated[int, Doc("0: the start.", min_value=0, max_value=MAX_INTEGER)]


@dataclass(frozen=True, slots=True)
class ChatAsked:
    """The position in the chat."""

    since: Annotated[
        int | None,
        Doc(
            "Messages after this one, oldest first. Default: the latest.",
            min_value=0,
            max_value=MAX_INTEGER,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ReadUpTo:
    """The read marker."""

    line: Annotated[
        int, Doc("The ID of the last message that was read.", min_value=0, max_value=MAX_INTEGER)
    ]


@dataclass(frozen=True, slots=True)
class GuestsWords:
    """Guests' rights in the chat."""

    may_write: Annotated[bool, Doc("Typed messages; quick chat is always allowed.")]


@dataclass(frozen=True, slots=True)
class NewReport:
    """A report: of a message, or of the behaviour of a seat's person."""

    reason: Annotated[str, Doc(max_length=MAX_MESSAGE_LENGTH)] = ""
    line: Annotated[int | None, Doc(min_value=1, max_value=MAX_INTEGER)] = None
    seat: Annotated[int | None, Doc(min_value=0, max_value=63)] = None

    def check(self) -> None:
        """Require exactly one of the two."""
        if (self.line is None) == (self.seat is None):
            raise serializers.ValidationError("Send either “line” or “seat”.")


@dataclass(frozen=True, slots=True)
class ReportReceived:
    """The receipt for a report."""

    id: int


@operation("matches_chat_read", refuses=_READ)
def read_chat(user: Viewer, slug: str, query: ChatAsked) -> talk.Chat:
    """The chat of a table, as far as you may read it, and how you may write.

    Players write to the table's chat, others to the spectators' chat, which players can't read
    before the match is over.
    """
    return talk.chat(access_match(user, slug), user, since=query.since)


@operation("matches_chat_write", status=201, refuses=_WRITE)
def write_line(user: User, slug: str, body: NewLine, once: Idempotent) -> talk.Line:
    """Post a message (20 per minute; can't be edited or deleted)."""
    match = access_match(user, slug)
    pk = once(lambda: str(talking.say(match=match, user=user, text=body.text).pk))
    row = match.chat_lines.select_related("author").get(pk=int(pk))
    (line,) = talk.shown_lines(match, user, [row])
    return line


@operation("matches_comments_list", refuses=_READ)
def list_comments(user: Viewer, slug: str) -> list[talk.Line]:
    """List the players' comments, by move; they are part of the chat, too."""
    return talk.comments(access_match(user, slug), user)


@operation("matches_comments_add", status=201, refuses=(*_WRITE, 409, 422))
def add_comment(user: User, slug: str, body: NewComment, once: Idempotent) -> talk.Line:
    """Comment on a move of a finished match that you played; 409 before its end."""
    match = access_match(user, slug)

    def make() -> str:
        line = talking.comment(match=match, user=user, ply=body.ply, text=body.text)
        return str(line.pk)

    row = match.chat_lines.select_related("author").get(pk=int(once(make)))
    (line,) = talk.shown_lines(match, user, [row])
    return line


@operation("matches_chat_seen", refuses=_WRITE)
def mark_read(user: User, slug: str, body: ReadUpTo) -> talk.Chat:
    """Mark messages as read up to this one. It never moves back."""
    match = access_match(user, slug)
    talking.mark_read(match=match, user=user, line=body.line)
    return talk.chat(match, user)


@operation("matches_chat_mute", refuses=(403, 422))
def mute(user: User, slug: str, username: str) -> talk.Chat:
    """Hide a person's messages at this table. They aren't notified. Idempotent."""
    match = access_match(user, slug)
    talking.mute(match=match, user=user, username=username)
    return talk.chat(match, user)


@operation("matches_chat_unmute", refuses=(403,))
def unmute(user: User, slug: str, username: str) -> None:
    """Show a person's messages again. Idempotent."""
    match = access_match(user, slug)
    talking.unmute(match=match, user=user, username=username)


@operation("matches_chat_guests", refuses=(*BODY, 403))
def let_guests_write(user: User, slug: str, body: GuestsWords) -> talk.Chat:
    """Allow or forbid typed messages by guests; for the host."""
    match = access_match(user, slug)
    talking.let_guests_write(match=match, user=user, may=body.may_write)
    return talk.chat(match, user)


@operation("matches_notes_list", refuses=(403,))
def list_notes(user: User, slug: str) -> list[talk.OwnNote]:
    """List your private notes at a table, oldest first."""
    return talk.notes_of(access_match(user, slug), user)


@operation("matches_notes_add", status=201, refuses=(*_WRITE, 422))
def add_note(user: User, slug: str, body: NewLine, once: Idempotent) -> talk.OwnNote:
    """Add a private note."""
    match = access_match(user, slug)
    pk = once(lambda: str(talking.add_note(match=match, user=user, text=body.text).pk))
    return talk.note_of(match, user, int(pk))


@operation("matches_notes_remove", refuses=(403,))
def remove_note(user: User, slug: str, number: int) -> None:
    """Delete a note. Idempotent."""
    talking.remove_note(match=access_match(user, slug), user=user, pk=number)


@operation("matches_report", refuses=(*_WRITE, 422))
def report(user: User, slug: str, body: NewReport) -> ReportReceived:
    """Report a message or a player. Repeats are ignored."""
    match = access_match(user, slug)
    row = talking.report(match=match, user=user, why=body.reason, line=body.line, seat=body.seat)
    return ReportReceived(row.pk)
