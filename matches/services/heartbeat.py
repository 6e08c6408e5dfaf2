"""No deadline passes while the site is down: what a gap between two sweeps took is given back."""

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
"""Sweeps come every three seconds. After a longer pause than this the site was down."""


@transaction.atomic
def beat(*, now: datetime | None = None) -> timedelta:
    """Note that the site is at work; after an outage move all deadlines by it, once.

    Whoever looks for late seats calls this first. Returns how long the outage was. The time is the
    database's, which is one for all workers, whatever clocks their machines have.
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
    """When the last one was, and what time it is now."""
    row = Heartbeat.objects.filter(pk=1).values_list("at", Now()).first()
    return row or (None, timezone.now())


def _move_deadlines(gap: timedelta) -> int:
    """Move those of all running matches; a move that was reckoned by the old ones is stale."""
    running = Match.objects.filter(status=Status.RUNNING, deadline_at__isnull=False)
    lock(running)
    moved = running.update(
        deadline_at=F("deadline_at") + gap,
        clock_check_at=F("clock_check_at") + gap,
        version=F("version") + 1,
    )
    own = OwnHours.objects.exclude(opens=None, weekend=False, away="").values("user")
    asked = Seat.objects.filter(match__status=Status.RUNNING, deadline_at__isnull=False)
    for seat in asked.filter(user__in=own).select_related("match"):
        its = store_ply.hours_of(seat.match, seat)
        if seat.deadline_at is not None and not its.always:
            # Once more by what is added below for all.
            seat.deadline_at = hours.after(seat.deadline_at, gap, its) - gap
            seat.save(update_fields=("deadline_at",))
    asked.update(deadline_at=F("deadline_at") + gap, asked_at=F("asked_at") + gap)
    return moved
