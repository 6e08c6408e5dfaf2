"""Writing around a match: chat messages, notes, mutes, read markers, reports to moderators.

Nothing here writes to the match itself, so it never delays a move.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone

from accounts.errors import TooMuchTalk
from accounts.models import BlockKind, User, Viewer
from accounts.queries.blocks import blocking, require_may_write
from accounts.queries.mentions import named
from accounts.queries.people import moderators, somebody
from accounts.services.moderation import CONTEXT, kept, require_few_reports, tidy
from core.background import after_commit
from matches.errors import Malformed, NotAllowed, NotPossible, NotYourSeat
from matches.live import bell
from matches.models import ChatLine, ChatMute, ChatRoom, Match, Note, Report, TableVisit
from matches.models.talk import MAX_MESSAGE_LENGTH
from matches.queries import talk
from matches.queries.access import require_finished, seat_of
from matches.queries.names import game_name, match_name
from notices.kinds import Kind
from notices.services.notices import notify

MINUTE = timedelta(minutes=1)
MAX_MESSAGES_PER_MINUTE = 20
MAX_NOTES = 200
MAX_COMMENTS = 200
"""Comments per person and match."""


def say(*, match: Match, user: User, text: str) -> ChatLine:
    """Post a message to the person's chat room at the table; ``match`` has its seats loaded.

    Raises ``Malformed``, ``MayNotWrite``, ``NotAllowed`` (a guest's own words where the host
    doesn't allow that) and ``TooMuchTalk``.
    """
    return _write(match, user, text, ply=None)


def comment(*, match: Match, user: User, ply: int, text: str) -> ChatLine:
    """Comment on a move of a finished match; for its players.

    A comment is a message of the table's chat with a ply. Raises what :func:`say` raises, and
    ``NotFinished``, ``NotYourSeat``, ``NotPossible``.
    """
    require_finished(match, "You can comment on moves when the match is over.")
    if seat_of(match, user) is None:
        raise NotYourSeat("Only its players can comment on this match. You can write in its chat.")
    if not 0 <= ply <= match.ply:
        raise NotPossible(f"Move {ply} does not exist: this match has {match.ply} moves.")
    if match.chat_lines.filter(author=user, ply__isnull=False).count() >= MAX_COMMENTS:
        raise NotPossible(
            f"You already have {MAX_COMMENTS} comments on this match, which is the limit."
        )
    return _write(match, user, text, ply=ply)


def _write(match: Match, user: User, text: str, *, ply: int | None) -> ChatLine:
    words = _tidy(text)
    require_may_write(user)
    if why := talk.why_quiet(match, user):
        raise NotAllowed(why)
    if words not in talk.COURTESIES and not talk.may_write_freely(match, user):
        raise NotAllowed(
            "At this table guests can only use quick chat. Choose a message, or sign up."
        )
    _require_a_moment(user)
    with transaction.atomic():
        line = ChatLine.objects.create(
            match=match, room=talk.own_room(match, user), author=user, text=words, ply=ply
        )
        _tell_named(match, line, user)
        after_commit(bell.ring_talk, match.slug, line.room, line.pk)
    return line


def _tell_named(match: Match, line: ChatLine, author: User) -> None:
    """Notify the people mentioned in a message who can read it and have not muted its author."""
    if "@" not in line.text:
        return
    unwilling = blocking(author, BlockKind.CHAT)
    unwilling |= set(match.chat_mutes.filter(other=author).values_list("user", flat=True))
    people = [p for p in _company(match, line.room) if p.pk not in unwilling | {author.pk}]
    notify(
        [person.pk for person in named(line.text, people)],
        Kind.CHAT,
        text=f"{author} mentioned you in the chat of a {game_name(match.game)} match.",
        link=reverse("matches:talk", args=(match.slug,)),
        match=match.slug,
        key=str(line.pk),
    )


def _company(match: Match, room: str) -> list[User]:
    """The people who can be mentioned: the players, or the spectators who have written."""
    if room == ChatRoom.TABLE:
        return [seat.user for seat in match.seats.all() if seat.user is not None]
    lines = ChatLine.objects.filter(match=match, room=room, author__isnull=False)
    return list(User.objects.filter(pk__in=lines.values("author"), is_active=True))


def _tidy(text: str) -> str:
    """One line without control characters; raises ``Malformed``."""
    words = tidy(text)
    if not words:
        raise Malformed("Write a message first.")
    if len(words) > MAX_MESSAGE_LENGTH:
        raise Malformed(
            f"Messages can have up to {MAX_MESSAGE_LENGTH} characters; yours has {len(words)}."
        )
    return words


def _require_a_moment(user: User) -> None:
    since = timezone.now() - MINUTE
    written = ChatLine.objects.filter(author=user, at__gt=since).count()
    written += Note.objects.filter(author=user, at__gt=since).count()
    if written >= MAX_MESSAGES_PER_MINUTE:
        raise TooMuchTalk(
            f"You can send up to {MAX_MESSAGES_PER_MINUTE} messages per minute. Wait a moment."
        )


def mark_read(*, match: Match, user: User, line: int) -> None:
    """Mark everything up to this message as read; earlier ones can't become unread again."""
    newest = match.chat_lines.aggregate(newest=Max("pk"))["newest"] or 0
    reached = min(line, newest)
    visits = TableVisit.objects.filter(match=match, user=user)
    if not visits.filter(line__lt=reached).update(line=reached) and reached:
        TableVisit.objects.get_or_create(match=match, user=user, defaults={"line": reached})


def mark_shown(*, match: Match, user: Viewer, chat: talk.Chat) -> None:
    """Mark a chat that a page shows as read."""
    if isinstance(user, User) and chat.unread:
        mark_read(match=match, user=user, line=chat.lines[-1].id)


def mark_end_seen(*, match: Match, user: User) -> None:
    """Record that a player has seen how their match ended."""
    visits = TableVisit.objects.filter(match=match, user=user)
    if not visits.update(saw_end=True):
        TableVisit.objects.update_or_create(match=match, user=user, defaults={"saw_end": True})


def mute(*, match: Match, user: User, username: str) -> None:
    """Hide a person's messages at this table; they are not told. Idempotent."""
    other = somebody(username)
    if other.pk == user.pk:
        raise NotPossible("You can’t mute yourself.")
    ChatMute.objects.get_or_create(match=match, user=user, other=other)


def unmute(*, match: Match, user: User, username: str) -> None:
    """Show a person's messages again. Idempotent."""
    ChatMute.objects.filter(match=match, user=user, other__username__iexact=username).delete()


def let_guests_write(*, match: Match, user: User, may: bool) -> None:
    """Let the host allow or forbid typed messages by guests; raises ``NotAllowed``."""
    talk.require_host(match, user)
    Match.objects.filter(pk=match.pk).update(guests_may_write=may)
    match.guests_may_write = may


# -- notes ----------------------------------------------------------------------------------------


def add_note(*, match: Match, user: User, text: str) -> Note:
    """Add a private note; raises ``Malformed``, ``TooMuchTalk``, ``NotPossible``."""
    words = _tidy(text)
    _require_a_moment(user)
    if Note.objects.filter(match=match, author=user).count() >= MAX_NOTES:
        raise NotPossible(f"You already have {MAX_NOTES} notes at this table. Delete one first.")
    ply = match.visible_ply(seat_of(match, user))
    return Note.objects.create(match=match, author=user, text=words, ply=ply)


def remove_note(*, match: Match, user: User, pk: int) -> None:
    """Delete a note of one's own. Idempotent."""
    Note.objects.filter(pk=pk, match=match, author=user).delete()


# -- reports --------------------------------------------------------------------------------------


def report(
    *, match: Match, user: User, why: str, line: int | None = None, seat: int | None = None
) -> Report:
    """Report a message, or a seat's behaviour, to the moderators. Repeats are ignored.

    Raises ``UnknownLine``, ``NotPossible`` and ``TooManyReports``.
    """
    reported = None if line is None else talk.readable_line(match, user, line)
    about = _whom(match, reported, seat)
    if about is None or about.pk == user.pk:
        raise NotPossible("You can’t report yourself or a deleted user.")
    before = Report.objects.filter(match=match, reporter=user, about=about, line=reported).first()
    if before is not None:
        return before
    require_few_reports(Report, user)
    around = [] if reported is None else talk.around(reported, CONTEXT)
    try:
        with transaction.atomic():
            row = Report.objects.create(
                match=match,
                line=reported,
                about=about,
                reporter=user,
                why=" ".join(why.split())[:MAX_MESSAGE_LENGTH],
                context=kept(around),
            )
            notify(
                moderators("matches.change_report"),
                Kind.REPORT,
                text=f"{user} reported {about} in {match_name(match)}.",
                link=reverse("admin:matches_report_change", args=(row.pk,)),
                key=f"match:{row.pk}",
            )
            return row
    except IntegrityError:  # the same report, sent twice at once
        return Report.objects.get(match=match, reporter=user, about=about, line=reported)


def _whom(match: Match, line: ChatLine | None, seat: int | None) -> User | None:
    if line is not None:
        return line.author
    return next((row.user for row in match.seats.all() if row.number == seat), None)


# -- a guest who logs in --------------------------------------------------------------------------


def hand_over(*, guest: User, user: User) -> None:
    """Move a guest's messages, notes, read markers and mutes to their account."""
    ChatLine.objects.filter(author=guest).update(author=user)
    Note.objects.filter(author=guest).update(author=user)
    for visit in TableVisit.objects.filter(user=guest):
        mark_read(match=visit.match, user=user, line=visit.line)
        if visit.saw_end:
            mark_end_seen(match=visit.match, user=user)
        visit.delete()
    for muted in ChatMute.objects.filter(user=guest).exclude(other=user):
        ChatMute.objects.get_or_create(match=muted.match, user=user, other=muted.other)
    for muted in ChatMute.objects.filter(other=guest).exclude(user=user):
        ChatMute.objects.get_or_create(match=muted.match, user=muted.user, other=user)
    ChatMute.objects.filter(user=guest).delete()
    ChatMute.objects.filter(other=guest).delete()
    Report.objects.filter(about=guest).update(about=user)
