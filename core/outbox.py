"""Announcements of finished matches: a row each, read once by every subscriber.

Whoever ends a match calls ``match_finished`` in the same transaction, and calls nobody else. A
subscriber (packs are one) names itself when its app is loaded. For each there is a row of its own
until it has read, so each has its own pace: what one cannot do now is tried again later, and keeps
nobody else waiting.

Reading and the end of the unread row are one transaction. So a subscriber that only writes to the
database does so once; one that does more sends a task of its own after the commit. All the same
each has to stand a second reading. What a crash leaves unread is found by the sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TypedDict

import structlog
from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from core.background import after_commit, enqueue, pause_after
from core.models import MatchFinished, UnreadMatch

logger = structlog.get_logger(__name__)

Subscriber = Callable[[MatchFinished], object]

READ_WITHIN = timedelta(seconds=30)
"""So long the sweep leaves a match to the task that was sent when it ended."""

_subscribers: dict[str, Subscriber] = {}


class FinalSeat(TypedDict):
    """How a match ended for one seat; ``user`` is the person's key.

    ``stayed``: neither conceded nor left the last answer to the clock; false for all where the
    match ended before a player had really begun.
    """

    user: int | None
    bot: str
    rank: int | None
    stayed: bool


def subscribe(name: str, read: Subscriber) -> None:
    """Have every match that ends from now on read by this function; the name is stored."""
    assert _subscribers.setdefault(name, read) is read, f"There are two subscribers “{name}”."


def match_finished(
    *, match: str, game: str, mode: str, seats: Sequence[FinalSeat], at: datetime
) -> MatchFinished:
    """Announce the end of a match; to be called in the transaction that stores it.

    Raises ``IntegrityError`` for a match that was announced before.
    """
    finished = MatchFinished.objects.create(match=match, game=game, mode=mode, seats=seats, at=at)
    unread = UnreadMatch.objects.bulk_create(
        UnreadMatch(finished=finished, subscriber=name, due_at=at + READ_WITHIN)
        for name in sorted(_subscribers)
    )
    after_commit(_send, [row.pk for row in unread])
    return finished


def _send(unread: Sequence[int]) -> None:
    for number in unread:
        enqueue("core.tasks.read_match", number)


def read(unread: int) -> bool:
    """Let the subscriber read, and be done with it; False where it has read before, or fails now.

    Raises nothing that comes from the subscriber: it is tried again after a pause, a longer one
    each time.
    """
    try:
        with transaction.atomic():
            # Not joined to what has ended: PostgreSQL, which takes the keys of new rows for old
            # ones, would read through all of that.
            rows = UnreadMatch.objects.select_for_update()
            row = rows.filter(pk=unread, subscriber__in=_subscribers).first()
            if row is None:
                return False
            _subscribers[row.subscriber](row.finished)
            row.delete()
    except Exception:
        logger.exception("match_not_read", unread=unread)
        _try_later(unread)
        return False
    return True


def _try_later(unread: int) -> None:
    with transaction.atomic():
        row = UnreadMatch.objects.select_for_update().filter(pk=unread).first()
        if row is not None:
            row.due_at, row.tries = timezone.now() + pause_after(row.tries), row.tries + 1
            row.save(update_fields=["tries", "due_at"])


def overdue(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Announcements that should have been read by now, but for those of removed subscribers."""
    rows = UnreadMatch.objects.filter(
        due_at__lte=now or timezone.now(), subscriber__in=_subscribers
    )
    return list(rows.order_by("due_at").values_list("pk", flat=True)[:limit])


def oldest_unread(*, now: datetime | None = None) -> timedelta:
    """How long ago the first match ended that a subscriber has not read; zero if all are read."""
    rows = UnreadMatch.objects.filter(subscriber__in=_subscribers)
    first: datetime | None = rows.aggregate(at=Min("finished__at"))["at"]
    return timedelta() if first is None else max((now or timezone.now()) - first, timedelta())
