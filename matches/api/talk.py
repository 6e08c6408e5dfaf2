"""What is said around a match, in the API. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rest_framework import serializers

from accounts.models import User, Viewer
from core.operations import BODY, Idempotent, PersonalView, View, operation
from core.serializers import Doc
from matches.api.matches import MAX_INTEGER
from matches.models.talk import MAX_MESSAGE_LENGTH
from matches.queries import talk
from matches.queries.access import access_match
from matches.services import talk as talking

_TAGS = ("talk",)
_READ = (400, 403)
_WRITE = (*BODY, 403, 429)


@dataclass(frozen=True, slots=True)
class NewLine:
    """One line of plain text."""

    text: Annotated[str, Doc("“@” and a name tells that person.", max_length=MAX_MESSAGE_LENGTH)]


@dataclass(frozen=True, slots=True)
class NewComment:
    """What somebody who played says about a move."""

    text: Annotated[str, Doc("“@” and a name tells that person.", max_length=MAX_MESSAGE_LENGTH)]
    ply: Annotated[int, Doc("0: the start.", min_value=0, max_value=MAX_INTEGER)]


@dataclass(frozen=True, slots=True)
class ChatAsked:
    """From where on."""

    since: Annotated[
        int | None,
        Doc(
            "The messages after this one, the oldest first; left out: the last ones.",
            min_value=0,
            max_value=MAX_INTEGER,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ReadUpTo:
    """What was read."""

    line: Annotated[int, Doc("The last message that was read.", min_value=0, max_value=MAX_INTEGER)]


@dataclass(frozen=True, slots=True)
class GuestsWords:
    """What guests may write at a table."""

    may_write: Annotated[bool, Doc("Words of their own; the courtesies they always may.")]


@dataclass(frozen=True, slots=True)
class NewReport:
    """What the moderators are to look at: a line, or how somebody behaves who sits at the table."""

    why: Annotated[str, Doc("What is wrong.", max_length=MAX_MESSAGE_LENGTH)] = ""
    line: Annotated[int | None, Doc(min_value=1, max_value=MAX_INTEGER)] = None
    seat: Annotated[int | None, Doc(min_value=0, max_value=63)] = None

    def check(self) -> None:
        """One of the two, not both."""
        if (self.line is None) == (self.seat is None):
            raise serializers.ValidationError("Send either “line” or “seat”.")


@dataclass(frozen=True, slots=True)
class ReportReceived:
    """The moderators have it."""

    id: int


class ChatView(View):
    """The chat at a table."""

    tags = _TAGS

    @operation("matches_chat_read", refuses=_READ)
    def get(self, user: Viewer, slug: str, query: ChatAsked) -> talk.Chat:
        """What is said at a table, as far as you may read it, and how you may write there.

        Who sits at the table writes into its chat, all others into the spectators', which players
        cannot read before the match is over.
        """
        return talk.chat(access_match(user, slug), user, since=query.since)

    @operation("matches_chat_write", status=201, refuses=_WRITE)
    def post(self, user: User, slug: str, body: NewLine, once: Idempotent) -> talk.Line:
        """Write a line; 20 a minute at most. It cannot be changed or taken back."""
        match = access_match(user, slug)
        pk = once(lambda: str(talking.say(match=match, user=user, text=body.text).pk))
        row = match.chat_lines.select_related("author").get(pk=int(pk))
        (line,) = talk.shown_lines(match, user, [row])
        return line


class CommentsView(View):
    """Comments on the moves of a match that is over."""

    tags = _TAGS

    @operation("matches_comments_list", refuses=_READ)
    def get(self, user: Viewer, slug: str) -> list[talk.Line]:
        """What those who played say about the moves, move by move; they stand in the chat, too."""
        return talk.comments(access_match(user, slug), user)

    @operation("matches_comments_add", status=201, refuses=(*_WRITE, 409, 422))
    def post(self, user: User, slug: str, body: NewComment, once: Idempotent) -> talk.Line:
        """Comment on a move of a match that you played; before its end a conflict (409)."""
        match = access_match(user, slug)

        def make() -> str:
            line = talking.comment(match=match, user=user, ply=body.ply, text=body.text)
            return str(line.pk)

        row = match.chat_lines.select_related("author").get(pk=int(once(make)))
        (line,) = talk.shown_lines(match, user, [row])
        return line


class ChatReadView(PersonalView):
    """What one has read."""

    tags = _TAGS

    @operation("matches_chat_seen", refuses=_WRITE)
    def post(self, user: User, slug: str, body: ReadUpTo) -> talk.Chat:
        """Say up to which line you have read; earlier than before changes nothing."""
        match = access_match(user, slug)
        talking.mark_read(match=match, user=user, line=body.line)
        return talk.chat(match, user)


class ChatMuteView(PersonalView):
    """One other person at a table, by username."""

    tags = _TAGS

    @operation("matches_chat_mute", refuses=(403, 422))
    def put(self, user: User, slug: str, username: str) -> talk.Chat:
        """Read nothing of somebody at this table any more. They are not told."""
        match = access_match(user, slug)
        talking.mute(match=match, user=user, username=username)
        return talk.chat(match, user)

    @operation("matches_chat_unmute", refuses=(403,))
    def delete(self, user: User, slug: str, username: str) -> None:
        """Read them again. Again changes nothing."""
        match = access_match(user, slug)
        talking.unmute(match=match, user=user, username=username)


class ChatGuestsView(PersonalView):
    """Guests' own words."""

    tags = _TAGS

    @operation("matches_chat_guests", refuses=(*BODY, 403))
    def post(self, user: User, slug: str, body: GuestsWords) -> talk.Chat:
        """For the host: whether guests may write words of their own at this table."""
        match = access_match(user, slug)
        talking.let_guests_write(match=match, user=user, may=body.may_write)
        return talk.chat(match, user)


class NotesView(PersonalView):
    """One's own notes at a table."""

    tags = _TAGS

    @operation("matches_notes_list", refuses=(403,))
    def get(self, user: User, slug: str) -> list[talk.OwnNote]:
        """What you noted at a table, the oldest first. Nobody else sees it."""
        return talk.notes_of(access_match(user, slug), user)

    @operation("matches_notes_add", status=201, refuses=(*_WRITE, 422))
    def post(self, user: User, slug: str, body: NewLine, once: Idempotent) -> talk.OwnNote:
        """Note something for yourself alone."""
        match = access_match(user, slug)
        pk = once(lambda: str(talking.add_note(match=match, user=user, text=body.text).pk))
        return talk.note_of(match, user, int(pk))


class NoteView(PersonalView):
    """One note."""

    tags = _TAGS

    @operation("matches_notes_remove", refuses=(403,))
    def delete(self, user: User, slug: str, number: int) -> None:
        """Remove a note of yours. Again changes nothing."""
        talking.remove_note(match=access_match(user, slug), user=user, pk=number)


class ReportsView(PersonalView):
    """Asking the moderators to look."""

    tags = _TAGS

    @operation("matches_report", refuses=(*_WRITE, 422))
    def post(self, user: User, slug: str, body: NewReport) -> ReportReceived:
        """Report a line of the chat, or somebody who sits at the table. Twice is one report."""
        match = access_match(user, slug)
        row = talking.report(match=match, user=user, why=body.why, line=body.line, seat=body.seat)
        return ReportReceived(row.pk)
