"""Sending what is due: planned, claimed and sent from the rows alone.

For each person and channel there is a row (``NoticeChannel``) that says when it is to send next.
A worker claims it in a transaction that holds the person's row, sends outside of it, and writes
down what it sent; so two workers never send the same. Where a worker is killed between the claim
and that, nobody knows whether the message went out. Its claim ends by itself after ``LEASE``, and
what still holds is sent again, as the same message: mail carries the same Message-ID then.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from core.background import after_commit, enqueue, pause_after
from core.bell import ring_for
from core.zones import next_hour, zone_of
from notices.channels.registry import Channel, NotSent, Unreachable, channel_of, channels
from notices.kinds import PRESSING_KINDS, WAITING_KINDS
from notices.models.notices import (
    DEFAULT_MINUTES,
    Notice,
    NoticeChannel,
    NoticeSettings,
    Pace,
    SentNotice,
)
from notices.reminders import next_reminder

logger = structlog.get_logger(__name__)

LEASE = timedelta(minutes=5)
"""So long a worker may take to send; much longer than a mail server is waited for."""
MAX_AT_ONCE = 100
"""So many notices one message tells of at most; the next message tells of the others."""

Deadlines = Callable[[Sequence[Notice]], Mapping[tuple[str, int], datetime | None]]
"""Of notices of turns, by match and person: until when they may take. Missing: not asked."""

_deadlines: list[Deadlines] = []


def read_deadlines_by(read: Deadlines) -> None:
    """Have deadlines read anew before somebody is reminded: they may have moved meanwhile."""
    if read not in _deadlines:
        _deadlines.append(read)


@dataclass(frozen=True, slots=True)
class Message:
    """The notifications that a worker has claimed to send by one channel."""

    channel: Channel
    person: User
    notices: Sequence[Notice]
    claim: uuid.UUID
    at: datetime

    @property
    def id(self) -> str:
        """Equal for equal notifications, so that a repetition can be recognised."""
        names = "".join(f" {notice.pk}@{notice.since.isoformat()}" for notice in self.notices)
        text = f"{self.channel.slug} {self.person.pk}{names}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]


# -- who has something due ------------------------------------------------------------------------


def due_people(*, now: datetime | None = None, limit: int = 2000) -> list[int]:
    """Everybody for whom a worker has something to do now; notes when each question is due."""
    now = now or timezone.now()
    _set_due_times(limit)
    unplanned = Notice.objects.open().filter(planned=False, due_at__lte=now).order_by("due_at")
    reminded = Notice.objects.open().filter(remind_at__lte=now).order_by("remind_at")
    sending = NoticeChannel.objects.filter(next_at__lte=now).order_by("next_at")
    free = sending.filter(Q(claimed_until=None) | Q(claimed_until__lte=now))
    people: dict[int, None] = {}
    for rows in (unplanned, reminded, free):
        people |= dict.fromkeys(rows.values_list("person", flat=True)[:limit])
    return list(people)


def _set_due_times(limit: int) -> None:
    """Questions become due after the pause that their person wants."""
    rows = Notice.objects.open().filter(planned=False, due_at=None)
    minutes_wanted = Coalesce("person__notice_settings__pause_minutes", DEFAULT_MINUTES)
    by_pause: dict[int, list[int]] = {}
    for pk, minutes in rows.values_list("pk", minutes_wanted)[:limit]:
        by_pause.setdefault(minutes, []).append(pk)
    for minutes, keys in by_pause.items():
        due = F("since") + timedelta(minutes=minutes)
        Notice.objects.filter(pk__in=keys, due_at=None).update(due_at=due)


# -- one person -----------------------------------------------------------------------------------


def send_notices(person: int, *, calls_out: bool = False, now: datetime | None = None) -> int:
    """Send what is due to a person, and say how many messages that were.

    With ``calls_out`` it is sent by the channels that call servers which people name, else by the
    others. What is due by the other kind is left to a task of its own.
    """
    now = now or timezone.now()
    messages, others_due = _claim(person, calls_out, now)
    if others_due:
        enqueue(f"notices.tasks.{'send_notices' if calls_out else 'call_out'}", person)
    return sum(_send(message) for message in messages)


@transaction.atomic
def _claim(person: int, calls_out: bool, now: datetime) -> tuple[list[Message], bool]:
    """The messages for this worker; True if something is due by the other kind of channels."""
    user = User.objects.filter(pk=person, is_active=True).first()
    if user is None:
        Notice.objects.open().filter(person=person).update(withdrawn_at=now)
        return [], False
    prefs = lock(person)
    _remind(person, now)
    news = _news(person, now)
    Notice.objects.filter(pk__in=[notice.pk for notice in news], planned=False).update(planned=True)
    # What was seen before it was due is on the page, and needs no message.
    Notice.objects.filter(person=person, planned=False, due_at__lte=now).update(planned=True)
    messages, others_due = [], False
    for channel, row in _rows(user):
        unsent = _unsent(row, news)
        _plan(row, unsent, prefs, user, now)
        is_due = row.next_at is not None and row.next_at <= now and not row.is_claimed(now)
        if is_due and channel.calls_out != calls_out:
            others_due = True
        elif is_due:
            notices = [*unsent, *_unsent(row, _waiting(person, now))][:MAX_AT_ONCE]
            messages.append(Message(channel, user, notices, row.claim_for(LEASE, now), now))
        row.save()
    return messages, others_due


def lock(person: int) -> NoticeSettings:
    """The person's row, kept from everybody else until the end of the transaction."""
    NoticeSettings.objects.bulk_create([NoticeSettings(person_id=person)], ignore_conflicts=True)
    return NoticeSettings.objects.select_for_update().get(person=person)


def _rows(user: User) -> list[tuple[Channel, NoticeChannel]]:
    """The channels that reach a person; each has a row from the first time on."""
    reaching = [channel for channel in channels() if channel.reaches(user)]
    NoticeChannel.objects.bulk_create(
        [
            NoticeChannel(person=user, channel=channel.slug, pace=channel.paces[0])
            for channel in reaching
        ],
        ignore_conflicts=True,
    )
    rows = {row.channel: row for row in NoticeChannel.objects.filter(person=user)}
    out_of_reach = [row.pk for slug, row in rows.items() if slug not in {c.slug for c in reaching}]
    NoticeChannel.objects.filter(pk__in=out_of_reach).update(next_at=None, held=False)
    return [(channel, rows[channel.slug]) for channel in reaching]


def _news(person: int, now: datetime) -> list[Notice]:
    """Notifications that are due, and neither answered nor seen."""
    rows = Notice.objects.unseen().filter(person=person, due_at__lte=now)
    return list(rows.order_by("due_at", "pk"))


def _waiting(person: int, now: datetime) -> list[Notice]:
    """Tables that wait for the person, but not long enough yet for a message of their own."""
    rows = Notice.objects.unseen().filter(person=person, kind__in=WAITING_KINDS)
    return list(rows.filter(Q(due_at=None) | Q(due_at__gt=now)).order_by("since", "pk"))


def _unsent(row: NoticeChannel, news: Iterable[Notice]) -> list[Notice]:
    """The notifications that the channel is to send and has not sent."""
    wanted = [notice for notice in news if row.wants(notice.told_as)]
    sent_at = {
        sent.notice_id: sent.at
        for sent in SentNotice.objects.filter(channel=row.channel, notice__in=wanted)
    }
    return [
        notice for notice in wanted if notice.pk not in sent_at or sent_at[notice.pk] < notice.since
    ]


def _plan(
    row: NoticeChannel, unsent: Sequence[Notice], prefs: NoticeSettings, user: User, now: datetime
) -> None:
    """When the channel is to send next; to be saved by the caller."""
    pressing = any(notice.told_as in PRESSING_KINDS for notice in unsent)
    row.held = bool(unsent) and not pressing and _awaits_visit(row, prefs)
    if not unsent or row.held:
        row.next_at = None
    elif row.next_at is None:
        row.next_at = (
            next_hour(row.hour, zone_of(user.time_zone), now) if row.pace == Pace.DAILY else now
        )


def plan_anew(user: User, now: datetime) -> None:
    """Find out again when each channel is to send: what it is to tell, and when, has changed."""
    with transaction.atomic():
        prefs = lock(user.pk)
        news = _news(user.pk, now)
        for _, row in _rows(user):
            row.next_at = None
            _plan(row, _unsent(row, news), prefs, user, now)
            row.save(update_fields=["next_at", "held"])


def _awaits_visit(row: NoticeChannel, prefs: NoticeSettings) -> bool:
    """It has spoken since the person was here; so it says nothing more until they come by."""
    channel = channel_of(row.channel)
    if row.last_sent_at is None or channel is None or not channel.waits_for_visit:
        return False
    return prefs.visited_at is None or prefs.visited_at < row.last_sent_at


def _remind(person: int, now: datetime) -> None:
    """Turn questions whose time is running out into reminders."""
    due = list(Notice.objects.open().filter(person=person, remind_at__lte=now))
    if not due:
        return
    deadlines: dict[tuple[str, int], datetime | None] = {}
    for read in _deadlines:
        deadlines |= read(due)
    for notice in due:
        deadline = notice.deadline_at
        if _deadlines:
            deadline = deadlines.get((notice.match, person))
        news: dict[str, Any] = {}
        moment = next_reminder(notice.created_at, deadline, notice.since)
        if moment is not None and moment <= now:
            moment = next_reminder(notice.created_at, deadline, now)
            news = {"reminders": notice.reminders + 1, "since": now, "due_at": now}
            news |= {"planned": False, "seen_at": None}
        # Unless the question was answered, or asked anew, since it was read.
        rows = Notice.objects.open().filter(pk=notice.pk, since=notice.since)
        if rows.update(deadline_at=deadline, remind_at=moment, **news) and news:
            after_commit(ring_for, [person])


# -- one message ----------------------------------------------------------------------------------


def _send(message: Message) -> bool:
    """Send what was claimed, and write down how that went."""
    channel, person = message.channel, message.person
    try:
        channel.send(person, message.notices, message_id=message.id)
    except Unreachable as reason:
        logger.info("notices_unreachable", channel=channel.slug, person=person.pk)
        _after(message, switched_off=str(reason))
        return False
    except NotSent as reason:
        logger.info("notices_not_sent", channel=channel.slug, person=person.pk, why=str(reason))
        _after(message, error=str(reason)[:300])
        return False
    except Exception as error:
        logger.warning("notices_not_sent", channel=channel.slug, person=person.pk, exc_info=True)
        _after(message, error=f"{type(error).__name__}: {error}"[:300])
        return False
    _after(message)
    logger.info("notices_sent", channel=channel.slug, person=person.pk, count=len(message.notices))
    return True


@transaction.atomic
def _after(message: Message, *, error: str = "", switched_off: str = "") -> None:
    prefs = lock(message.person.pk)
    rows = NoticeChannel.objects.filter(person=message.person, channel=message.channel.slug)
    row = rows.filter(claim=message.claim).first()
    if not error and not switched_off:
        _note_sent(message)
    if row is None:
        return  # the lease was over, and somebody else has sent it again
    row.release()
    now = timezone.now()
    if error:
        _try_later(row, message.channel, error, now)
    elif switched_off:
        switch_off(row, switched_off)
    else:
        row.tries, row.failing_since, row.last_error = 0, None, ""
        row.last_sent_at = message.at
        row.next_at = None
        _plan(row, _unsent(row, _news(message.person.pk, now)), prefs, message.person, now)
        NoticeSettings.objects.filter(pk=prefs.pk).update(awaits_visit=True)
    row.save()


def _note_sent(message: Message) -> None:
    existing = _existing(message.notices)
    SentNotice.objects.bulk_create(
        [
            SentNotice(notice=notice, channel=message.channel.slug, at=message.at)
            for notice in message.notices
            if notice.pk in existing
        ],
        update_conflicts=True,
        unique_fields=("notice", "channel"),
        update_fields=("at",),
    )


def _existing(notices: Iterable[Notice]) -> set[int]:
    """Notices go with their person, and when they are old."""
    keys = [notice.pk for notice in notices]
    return set(Notice.objects.filter(pk__in=keys).values_list("pk", flat=True))


def _try_later(row: NoticeChannel, channel: Channel, error: str, now: datetime) -> None:
    row.next_at = now + pause_after(row.tries)
    row.tries, row.last_error = row.tries + 1, error
    row.failing_since = row.failing_since or now
    limit = channel.gives_up_after
    if limit is not None and now - row.failing_since >= limit:
        switch_off(row, f"It has not worked since {row.failing_since:%-d %B}: {error}")


# -- the person was here --------------------------------------------------------------------------


def note_visit(person: int, *, now: datetime | None = None) -> None:
    """The person has opened a page: what a channel held back is sent after their pause."""
    now = now or timezone.now()
    with transaction.atomic():
        prefs = lock(person)
        NoticeSettings.objects.filter(pk=prefs.pk).update(visited_at=now, awaits_visit=False)
        rows = NoticeChannel.objects.filter(person=person, held=True)
        rows.update(held=False, next_at=now + prefs.pause)


def switch_off(row: NoticeChannel, reason: str) -> None:
    """Have a channel say nothing more, and its person read why; to be saved by the caller."""
    row.pace, row.problem = Pace.NEVER, reason[:300]
    row.next_at, row.held, row.tries, row.failing_since = None, False, 0, None


def switch_on_again(person: int, channel: str) -> None:
    """A channel that was switched off by itself works again; one that its person ended stays so."""
    rows = NoticeChannel.objects.filter(person=person, channel=channel).exclude(problem="")
    rows.update(pace=Pace.NOW, problem="", last_error="")
