"""Reads of what is said around a match: who reads which chat, what is new to them, their notes.

Two chats: the table's, of those who sit there, and the spectators'. Spectators may read the
table's: they see less than anybody who plays, and hear only what players say to each other. Players
do not see the spectators' as long as the match runs, for together spectators may know, or guess,
more than a player does. Afterwards both are open to all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from accounts.errors import MayNotWrite
from accounts.models import BlockKind, User, Viewer
from accounts.queries.blocks import blocked_by, require_may_write
from core.serializers import Doc
from matches import engine
from matches.errors import NotAllowed, UnknownLine
from matches.models import ChatLine, ChatMute, ChatRoom, Match, Note, Status, TableVisit
from matches.queries.access import seat_of
from matches.queries.names import DELETED_USER
from matches.queries.seats import seat_names
from matches.queries.tables import awaiting

COURTESIES = (
    "Hello.",
    "Good luck.",
    "Well played.",
    "Thank you.",
    "Sorry, I need a moment.",
    "That was close.",
    "Good game.",
    "Goodbye.",
)
"""Quick chat, which everyone may use, guests too."""
PAGE_SIZE = 200
MAX_SHOWN = 100
"""How many lines the panel shows; the API has all."""
UNSEEN_PERIOD = timedelta(days=14)
"""The time after which an unseen end is no longer new."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chat."""

    id: int
    room: Annotated[str, Doc(choices=ChatRoom.choices)]
    name: str
    username: Annotated[str | None, Doc("Null for deleted users.")]
    mine: bool
    text: str
    at: datetime
    ply: Annotated[int | None, Doc("The move that it comments on.")] = None


@dataclass(frozen=True, slots=True)
class Chat:
    """The chat as a person may read it, and how they may write."""

    room: Annotated[str, Doc("Where your own messages go.", choices=ChatRoom.choices)]
    rooms: Annotated[list[str], Doc("The rooms that you may read.")]
    lines: Annotated[list[Line], Doc("Oldest first.")]
    more: Annotated[bool, Doc("There are more messages in this direction.")]
    unread: Annotated[int, Doc("The number of unread messages.")]
    may_write: Annotated[bool, Doc("Typed messages; otherwise only quick chat.")]
    silent: Annotated[str, Doc("Why you can’t write at all; else empty.")]
    guests_may_write: bool
    courtesies: list[str]
    muted: Annotated[list[str], Doc("Usernames of people you have muted at this table.")]


@dataclass(frozen=True, slots=True)
class OwnNote:
    """A note that only its author sees."""

    id: int
    text: str
    ply: Annotated[int, Doc("Your number of moves when you wrote it.")]
    at: datetime


@dataclass(frozen=True)
class TalkPanel:
    """Chat and notes of a table, as ``matches/talk/panel.html`` shows them wherever it stands."""

    match: Match
    chat: Chat
    lines: list[Line]
    last: int
    notes: list[OwnNote]
    is_host: bool


# -- rooms ----------------------------------------------------------------------------------------


def own_room(match: Match, user: Viewer) -> ChatRoom:
    """Where somebody's lines go: who sits at the table writes there, all others as spectators."""
    return ChatRoom.SPECTATORS if seat_of(match, user) is None else ChatRoom.TABLE


def readable_rooms(match: Match, user: Viewer) -> list[ChatRoom]:
    """The rooms that a person may read now."""
    if own_room(match, user) == ChatRoom.TABLE and not match.seeds_public:
        return [ChatRoom.TABLE]
    return [ChatRoom.TABLE, ChatRoom.SPECTATORS]


def lines_for(match: Match, user: Viewer) -> QuerySet[ChatLine]:
    """The lines that somebody may and wants to read at a table."""
    return _wanted(match.chat_lines.filter(room__in=readable_rooms(match, user)), user)


def _wanted(lines: QuerySet[ChatLine], user: Viewer) -> QuerySet[ChatLine]:
    """Without those that moderators hid and those whose authors this person does not read."""
    visible = lines.filter(hidden_at=None)
    if user.pk is None:
        return visible
    muted = ChatMute.objects.filter(user=user.pk, match=OuterRef("match"), other=OuterRef("author"))
    blocked = blocked_by(user.pk, BlockKind.CHAT)
    return visible.filter(~Exists(muted)).exclude(author__in=blocked)


# -- what a page or an answer shows ---------------------------------------------------------------


def chat(match: Match, user: Viewer, *, since: int | None = None) -> Chat:
    """The last lines at a table, or those after one of them; ``match`` has its seats."""
    messages = lines_for(match, user).select_related("author")
    if since is None:
        rows = list(messages.order_by("-pk")[: PAGE_SIZE + 1])
        more, rows = len(rows) > PAGE_SIZE, rows[:PAGE_SIZE][::-1]
    else:
        rows = list(messages.filter(pk__gt=since).order_by("pk")[: PAGE_SIZE + 1])
        more, rows = len(rows) > PAGE_SIZE, rows[:PAGE_SIZE]
    silent = silence_of(match, user)
    muted = ChatMute.objects.filter(match=match, user=user.pk).order_by("pk")
    return Chat(
        room=own_room(match, user),
        rooms=[*readable_rooms(match, user)],
        lines=shown_lines(match, user, rows),
        more=more,
        unread=unread_count(match, user),
        may_write=not silent and may_write_freely(match, user),
        silent=silent,
        guests_may_write=match.guests_may_write,
        courtesies=list(COURTESIES),
        muted=list(muted.values_list("other__username", flat=True)) if user.pk else [],
    )


def panel(match: Match, user: Viewer) -> TalkPanel:
    """The panel for somebody; its chat is not marked as read by that."""
    own_chat = chat(match, user)
    return TalkPanel(
        match=match,
        chat=own_chat,
        lines=own_chat.lines[-MAX_SHOWN:],
        last=own_chat.lines[-1].id if own_chat.lines else 0,
        notes=notes_of(match, user) if isinstance(user, User) else [],
        is_host=match.host_id is not None and match.host_id == user.pk,
    )


def shown_lines(match: Match, user: Viewer, rows: Iterable[ChatLine]) -> list[Line]:
    """Lines with the names under which people sit at the table."""
    names = author_names(match)
    return [
        Line(
            id=row.pk,
            room=row.room,
            name=_name_of(row.author, names),
            username=None if row.author is None else row.author.username,
            mine=row.author_id is not None and row.author_id == user.pk,
            text=row.text,
            at=row.at,
            ply=row.ply,
        )
        for row in rows
    ]


def comments(match: Match, user: Viewer) -> list[Line]:
    """The players' comments on the moves of a finished match, by move.

    They are lines of the table's chat, too: whoever reads nothing of somebody there does not here.
    """
    rows = lines_for(match, user).filter(ply__isnull=False).select_related("author")
    return shown_lines(match, user, rows.order_by("ply", "pk"))


def author_names(match: Match) -> dict[int, str]:
    """How those are called who sit at a table, by their keys."""
    seats = match.seats.all()
    pairs = zip(seats, seat_names(match), strict=True)
    return {seat.user_id: name for seat, name in pairs if seat.user_id is not None}


def _name_of(author: User | None, names: dict[int, str]) -> str:
    return DELETED_USER if author is None else names.get(author.pk, str(author))


def may_write_freely(match: Match, user: Viewer) -> bool:
    """True if a person may type messages, not only use quick chat."""
    if not isinstance(user, User):
        return False
    return not user.is_guest or match.guests_may_write or match.host_id == user.pk


def silence_of(match: Match, user: Viewer) -> str:
    """Why somebody can write nothing at all; empty if they can."""
    if not isinstance(user, User):
        return "Log in, or sit down at a table as a guest, to write something."
    try:
        require_may_write(user)
    except MayNotWrite as refusal:
        return refusal.detail
    return why_quiet(match, user)


def why_quiet(match: Match, user: Viewer) -> str:
    """Why those at the table write nothing to each other now; empty if they may."""
    if match.status != Status.RUNNING or own_room(match, user) != ChatRoom.TABLE:
        return ""
    mode = engine.mode_of(match)
    return f"{mode.name} is played without a word. You can write when it is over." * mode.quiet


def readable_line(match: Match, user: Viewer, pk: int) -> ChatLine:
    """A line that somebody can read; raises ``UnknownLine``."""
    rooms = readable_rooms(match, user)
    line = match.chat_lines.filter(pk=pk, room__in=rooms, hidden_at=None).first()
    if line is None:
        raise UnknownLine("Message not found.")
    return line


def around(line: ChatLine, count: int) -> list[ChatLine]:
    """The lines around one in its chat, hidden ones too, as moderators get to see them."""
    room = ChatLine.objects.filter(match=line.match_id, room=line.room).select_related("author")
    before = list(room.filter(pk__lte=line.pk).order_by("-pk")[: count + 1])
    return before[::-1] + list(room.filter(pk__gt=line.pk).order_by("pk")[:count])


# -- what is new ----------------------------------------------------------------------------------


def unread_count(match: Match, user: Viewer) -> int:
    """How many lines of others at a table are new to somebody; nothing is new to visitors."""
    if user.pk is None:
        return 0
    read = TableVisit.objects.filter(match=match, user=user.pk).values("line")
    new = lines_for(match, user).filter(pk__gt=Coalesce(Subquery(read), 0))
    return new.exclude(author=user.pk).count()


def unread_at(user: User) -> dict[int, int]:
    """How many lines are new at each table where this person sits, by the match's key."""
    read = TableVisit.objects.filter(user=user, match=OuterRef("match")).values("line")
    sits = ChatLine.objects.filter(match__seats__user=user)
    open_to_all = Q(room=ChatRoom.TABLE) | Q(match__status__in=(Status.FINISHED, Status.CANCELLED))
    new = _wanted(sits.filter(open_to_all), user).exclude(author=user)
    new = new.filter(pk__gt=Coalesce(Subquery(read), 0))
    rows = new.order_by().values_list("match").annotate(lines=Count("pk", distinct=True))
    return dict(rows)


def next_table(user: Viewer, visited: Collection[int]) -> str | None:
    """The address of the next table that waits for a person; None where nothing waits.

    First where it is their turn, the earliest deadline first; then matches that ended unseen; then
    unread chats. Matches of these keys are left out.
    """
    if not isinstance(user, User):
        return None
    waiting = awaiting(user).exclude(pk__in=visited).first()
    if waiting is None:
        waiting = _ended_unseen(user).exclude(pk__in=visited).first()
    if waiting is not None:
        return waiting.get_absolute_url()
    talks = [pk for pk in unread_at(user) if pk not in visited]
    unread = Match.objects.filter(pk__in=talks).order_by("-moved_at", "-pk").only("slug").first()
    return None if unread is None else reverse("matches:talk", args=(unread.slug,))


@dataclass(frozen=True, slots=True)
class News:
    """Unread messages and unseen ends, by the matches' keys."""

    unread: dict[int, int]
    ended: frozenset[int]


def news_of(user: User) -> News:
    """Lines that somebody has not read, and ends that they have not seen."""
    return News(unread_at(user), frozenset(_ended_unseen(user).values_list("pk", flat=True)))


def _ended_unseen(user: User) -> QuerySet[Match]:
    """Matches of the last days whose end this person has not seen, the earliest first."""
    seen = TableVisit.objects.filter(user=user, match=OuterRef("pk"), saw_end=True)
    ended = Match.objects.filter(seats__user=user, status=Status.FINISHED)
    recent = ended.filter(~Exists(seen), finished_at__gt=timezone.now() - UNSEEN_PERIOD)
    return recent.order_by("finished_at", "pk").only("slug")


def last_lines(slugs: Iterable[str]) -> dict[tuple[str, str], int]:
    """The newest line of each chat of several matches, for the streams."""
    rows = ChatLine.objects.filter(match__slug__in=slugs).order_by()
    newest = rows.values_list("match__slug", "room").annotate(newest=Max("pk"))
    return {(slug, room): pk for slug, room, pk in newest}


# -- notes ----------------------------------------------------------------------------------------


def notes_of(match: Match, user: User) -> list[OwnNote]:
    """A person's own notes at a table."""
    rows = Note.objects.filter(match=match, author=user)
    return [OwnNote(row.pk, row.text, row.ply, row.at) for row in rows]


def note_of(match: Match, user: User, pk: int) -> OwnNote:
    """One of them; raises ``UnknownLine``."""
    row = Note.objects.filter(match=match, author=user, pk=pk).first()
    if row is None:
        raise UnknownLine("Note not found.")
    return OwnNote(row.pk, row.text, row.ply, row.at)


def require_host(match: Match, user: User) -> None:
    """Raises ``NotAllowed`` for everybody but the host of a table."""
    if match.host_id is None or match.host_id != user.pk:
        raise NotAllowed("Only the host of a table decides that.")
