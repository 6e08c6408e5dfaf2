"""Writing around a match: lines of chat, notes, mutes, what was read, reports to the moderators.

None of it touches the match itself, so nothing here can stand in a move's way.
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
from accounts.queries.people import somebody
from accounts.services.moderation import CONTEXT, kept, require_few_reports, tidy
from core.background import after_commit
from matches.errors import Malformed, NotAllowed, NotPossible, NotYourSeat
from matches.live import bell
from matches.models import ChatLine, ChatMute, ChatRoom, Match, Note, Report, TableVisit
from matches.models.talk import LINE_LENGTH
from matches.queries import talk
from matches.queries.access import require_finished, seat_of
from matches.queries.names import game_name
from notices.kinds import Kind
from notices.services.notices import notify

MINUTE = timedelta(minutes=1)
LINES_A_MINUTE = 20
MOST_NOTES = 200
MOST_COMMENTS = 200
"""So many comments somebody may write on one match."""


def say(*, match: Match, user: User, text: str) -> ChatLine:
    """Write a line into the chat that is this person's at the table; ``match`` has its seats.

    Raises ``Malformed``, ``MayNotWrite``, ``NotAllowed`` (a guest with words of their own where the
    host does not want that) and ``TooMuchTalk``.
    """
    return _write(match, user, text, ply=None)


def comment(*, match: Match, user: User, ply: int, text: str) -> ChatLine:
    """Write about a move of a match that is over; for those who played it.

    It is a line of the table's chat that names a move, with all that holds for those. Raises what
    :func:`say` raises, and ``NotFinished``, ``NotYourSeat``, ``NotPossible``.
    """
    require_finished(match, "Moves can be commented on when the match is over.")
    if seat_of(match, user) is None:
        raise NotYourSeat(
            "Only those who played this match can comment on it. You may write in its chat."
        )
    if not 0 <= ply <= match.ply:
        raise NotPossible(f"This match has {match.ply} moves; there is no move {ply}.")
    if match.chat_lines.filter(author=user, ply__isnull=False).count() >= MOST_COMMENTS:
        raise NotPossible(
            f"You have written {MOST_COMMENTS} comments here, and more are not allowed."
        )
    return _write(match, user, text, ply=ply)


def _write(match: Match, user: User, text: str, *, ply: int | None) -> ChatLine:
    words = _tidy(text)
    require_may_write(user)
    if why := talk.why_quiet(match, user):
        raise NotAllowed(why)
    if words not in talk.COURTESIES and not talk.may_write_freely(match, user):
        raise NotAllowed(
            "At this table guests may only send the ready-made messages. Choose one, or sign up."
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
    """Whom a line names, and may and wants to read it, is told."""
    if "@" not in line.text:
        return
    unwilling = blocking(author, BlockKind.CHAT)
    unwilling |= set(match.chat_mutes.filter(other=author).values_list("user", flat=True))
    people = [one for one in _company(match, line.room) if one.pk not in unwilling | {author.pk}]
    notify(
        [one.pk for one in named(line.text, people)],
        Kind.CHAT,
        text=f"{author} named you in the chat of a table of {game_name(match.game)}.",
        link=reverse("matches:talk", args=(match.slug,)),
        match=match.slug,
        key=str(line.pk),
    )


def _company(match: Match, room: str) -> list[User]:
    """Who can be named in a chat: those who sit at the table, or who have written as spectators."""
    if room == ChatRoom.TABLE:
        return [seat.user for seat in match.seats.all() if seat.user is not None]
    lines = ChatLine.objects.filter(match=match, room=room, author__isnull=False)
    return list(User.objects.filter(pk__in=lines.values("author"), is_active=True))


def _tidy(text: str) -> str:
    """One line without control signs; raises ``Malformed``."""
    words = tidy(text)
    if not words:
        raise Malformed("Nothing is written yet.")
    if len(words) > LINE_LENGTH:
        raise Malformed(
            f"A message has {LINE_LENGTH} characters at most; this one has {len(words)}."
        )
    return words


def _require_a_moment(user: User) -> None:
    since = timezone.now() - MINUTE
    written = ChatLine.objects.filter(author=user, at__gt=since).count()
    written += Note.objects.filter(author=user, at__gt=since).count()
    if written >= LINES_A_MINUTE:
        raise TooMuchTalk(
            f"You have written {LINES_A_MINUTE} messages in a minute. Wait a moment, then go on."
        )


def mark_read(*, match: Match, user: User, line: int) -> None:
    """Everything up to this line was read. Going back is not possible."""
    newest = match.chat_lines.aggregate(newest=Max("pk"))["newest"] or 0
    reached = min(line, newest)
    visits = TableVisit.objects.filter(match=match, user=user)
    if not visits.filter(line__lt=reached).update(line=reached) and reached:
        TableVisit.objects.get_or_create(match=match, user=user, defaults={"line": reached})


def mark_shown(*, match: Match, user: Viewer, chat: talk.Chat) -> None:
    """A page has shown the chat to somebody: what is new to them in it is so no more."""
    if isinstance(user, User) and chat.unread:
        mark_read(match=match, user=user, line=chat.lines[-1].id)


def mark_end_seen(*, match: Match, user: User) -> None:
    """Somebody has seen how their match ended."""
    visits = TableVisit.objects.filter(match=match, user=user)
    if not visits.update(saw_end=True):
        TableVisit.objects.update_or_create(match=match, user=user, defaults={"saw_end": True})


def mute(*, match: Match, user: User, username: str) -> None:
    """Read nothing of somebody at this table any more; they are not told. Again changes nothing."""
    other = somebody(username)
    if other.pk == user.pk:
        raise NotPossible("You cannot mute yourself. Name somebody else.")
    ChatMute.objects.get_or_create(match=match, user=user, other=other)


def unmute(*, match: Match, user: User, username: str) -> None:
    """Read somebody again. Again changes nothing."""
    ChatMute.objects.filter(match=match, user=user, other__username__iexact=username).delete()


def let_guests_write(*, match: Match, user: User, may: bool) -> None:
    """The host says whether guests may write words of their own; raises ``NotAllowed``."""
    talk.require_host(match, user)
    Match.objects.filter(pk=match.pk).update(guests_may_write=may)
    match.guests_may_write = may


# -- notes ----------------------------------------------------------------------------------------


def add_note(*, match: Match, user: User, text: str) -> Note:
    """Note something for oneself alone; raises ``Malformed``, ``TooMuchTalk``, ``NotPossible``."""
    words = _tidy(text)
    _require_a_moment(user)
    if Note.objects.filter(match=match, author=user).count() >= MOST_NOTES:
        raise NotPossible(f"{MOST_NOTES} notes lie at this table already. Remove one first.")
    ply = match.visible_ply(seat_of(match, user))
    return Note.objects.create(match=match, author=user, text=words, ply=ply)


def remove_note(*, match: Match, user: User, pk: int) -> None:
    """Remove a note of one's own. Again changes nothing."""
    Note.objects.filter(pk=pk, match=match, author=user).delete()


# -- reports --------------------------------------------------------------------------------------


def report(
    *, match: Match, user: User, why: str, line: int | None = None, seat: int | None = None
) -> Report:
    """Ask the moderators to look at a line, or at how a seat behaves. Twice is one report.

    Raises ``UnknownLine``, ``NotPossible`` and ``TooManyReports``.
    """
    reported = None if line is None else talk.readable_line(match, user, line)
    about = _whom(match, reported, seat)
    if about is None or about.pk == user.pk:
        raise NotPossible("There is nobody to report here but yourself, or nobody any more.")
    before = Report.objects.filter(match=match, reporter=user, about=about, line=reported).first()
    if before is not None:
        return before
    require_few_reports(Report, user)
    around = [] if reported is None else talk.around(reported, CONTEXT)
    try:
        with transaction.atomic():
            return Report.objects.create(
                match=match,
                line=reported,
                about=about,
                reporter=user,
                why=" ".join(why.split())[:LINE_LENGTH],
                context=kept(around),
            )
    except IntegrityError:  # the other tab was faster
        return Report.objects.get(match=match, reporter=user, about=about, line=reported)


def _whom(match: Match, line: ChatLine | None, seat: int | None) -> User | None:
    if line is not None:
        return line.author
    return next((one.user for one in match.seats.all() if one.number == seat), None)


# -- a guest who logs in --------------------------------------------------------------------------


def hand_over(*, guest: User, user: User) -> None:
    """What a guest wrote, read and muted goes with the account that it turned out to have."""
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
