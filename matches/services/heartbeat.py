"""No deadline passes while the site is down: a gap between two sweeps moves all deadlines."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from matches.clock import hours
from matches.models import Heartbeat, Match, OwnHours, Seat, Status
from matches.services import store_ply
from matches.services.writing import lock

logger = structlog.get_logger(__name__)

OUTAGE = timedelta(minutes=1)
"""A longer pause between two sweeps (one every three seconds) counts as an outage."""


@transaction.atomic
def beat(*, now: datetime | None = None) -> timedelta:
    """Record that the site is running; after an outage move all deadlines by it, once.

    To be called before looking for late seats. Returns the length of the outage. The time is the
    database's, so that all workers share one clock.
    """
    last, database_now = _last_beat()
    now = now or database_now
    if last is None:
        Heartbeat.objects.get_or_create(pk=1, defaults={"at": now})
        return timedelta()
    gap = now - last
    if gap < -OUTAGE:
        # The clock was ahead and has been put right. A beat that stayed in the future would hide
        # every outage until then.
        if Heartbeat.objects.filter(pk=1, at=last).update(at=now):
            logger.warning("clock_was_ahead", seconds=-gap.total_seconds())
        return timedelta()
    if gap <= timedelta():
        return timedelta()
    # Compare and swap: of several sweeps one moves the deadlines, in this transaction.
    if not Heartbeat.objects.filter(pk=1, at=last).update(at=now) or gap <= OUTAGE:
        return timedelta()
    logger.warning("site_was_down", seconds=gap.total_seconds(), deadlines=_move_deadlines(gap))
    return gap


def _last_beat() -> tuple[datetime | None, datetime]:
    """The time of the last beat (None: never) and the current time."""
    row = Heartbeat.objects.filter(pk=1).values_list("at", Now()).first()
    return row or (None, timezone.now())


def _move_deadlines(gap: timedelta) -> int:
    """Move the deadlines of all running matches; moves computed with the old ones become stale."""
    running = Match.objects.filter(status=Status.RUNNING, deadline_at__isnull=False)
    lock(running)
    moved = running.update(
        deadline_at=F("deadline_at") + gap,
        clock_check_at=F("clock_check_at") + gap,
        version=F("version") + 1,
    )
    own = OwnHours.objects.exclude(opens=None, weekend=False, away="").values("user")
    waiting = Seat.objects.filter(match__status=Status.RUNNING, deadline_at__isnull=False)
    for seat in waiting.filter(user__in=own).select_related("match"):
        own_hours = store_ply.hours_of(seat.match, seat)
        if seat.deadline_at is not None and not own_hours.always:
            # All seats get the gap added below, so it is subtracted here.
            seat.deadline_at = hours.after(seat.deadline_at, gap, own_hours) - gap
            seat.save(update_fields=("deadline_at",))
    waiting.update(deadline_at=F("deadline_at") + gap, asked_at=F("asked_at") + gap)
    return moved
