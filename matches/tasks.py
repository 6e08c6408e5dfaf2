"""Work in the background; each task is a thin call of a service and does not mind a second time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import structlog
from celery import shared_task
from django.utils import timezone

from core.background import enqueue
from matches.models import Ladder
from matches.services import (
    archive,
    bots,
    clock,
    heartbeat,
    hints,
    lab,
    lookback,
    open_tables,
    people,
    ratings,
)

logger = structlog.get_logger(__name__)


@shared_task(acks_late=True)
def play_bots(match_id: int) -> None:
    """Play for the bots of a match until a person is to move; a long match takes several runs."""
    if bots.run_bots(match_id=match_id):
        enqueue(play_bots, match_id)


@shared_task(acks_late=True, expires=bots.THINK_AGAIN_SECONDS)
def think(match_id: int, seat: int, prompt_id: int) -> None:
    """Answer one question for a bot that thinks ahead; other bots go on from there."""
    bots.think(match_id=match_id, seat_number=seat, prompt_id=prompt_id)


@shared_task(acks_late=True, expires=hints.SEND_AGAIN_SECONDS)
def find_hint(hint_id: int) -> None:
    """Find a hint that somebody waits for."""
    hints.find(hint_id=hint_id)


@shared_task(acks_late=True, expires=lookback.DEAD_AFTER.total_seconds())
def study_match(look_back_id: int) -> None:
    """Look at the next decisions of a finished match; the rest follows in tasks of their own."""
    if lookback.study(look_back_id=look_back_id):
        enqueue(study_match, look_back_id)


@shared_task(acks_late=True, expires=30)
def sweep_studies() -> None:
    """Send hints and look backs again that a crash left behind."""
    for hint_id in hints.stalled():
        hints.send(hint_id)
    lookback.restart_stalled()


@shared_task(acks_late=True)
def run_clock(match_id: int) -> None:
    """Do what is due at a match by the clock; after an outage its deadlines move first."""
    heartbeat.beat()
    clock.run_clock(match_id=match_id)


@shared_task(acks_late=True, expires=30)
def sweep() -> None:
    """Find, from what is stored alone, what a crash or the clock left behind, and send it again."""
    heartbeat.beat()
    stalled, late = bots.wake_stalled(), clock.overdue()
    for match_id in late:
        enqueue(run_clock, match_id)
    if stalled or late:
        logger.info("swept", stalled=stalled, late=late)


@shared_task(acks_late=True, expires=30)
def sweep_open_tables() -> None:
    """Let bots sit down where a host wanted that, and end tables to which nobody has come."""
    swept = open_tables.sweep_open_tables()
    if any(swept):
        logger.info("swept_open_tables", **swept._asdict())


@shared_task(acks_late=True, expires=lab.RESULT_SECONDS)
def play_lab_share(key: str, plan: dict[str, Any], first: int, count: int) -> None:
    """Play a share of the lab's matches."""
    lab.play_share(key, plan, first, count)


@shared_task(acks_late=True)
def recompute_ratings() -> None:
    """Compute the ratings of two months again, one ladder after the other."""
    for ladder in Ladder.objects.order_by("pk"):
        _log(ladder, ratings.recompute_months(ladder, timezone.now()))


@shared_task(acks_late=True)
def recompute_from(ladder: int, at: str, match: int) -> None:
    """Compute the ratings of a ladder again, from a match that ended then."""
    row = Ladder.objects.filter(pk=ladder).first()
    if row is not None:
        _log(row, ratings.recompute(row, ratings.Moment(datetime.fromisoformat(at), match - 1)))


def _log(ladder: Ladder, wrong: int) -> None:
    if wrong:
        logger.info("ratings_recomputed", ladder=str(ladder), wrong=wrong)


@shared_task(acks_late=True)
def archive_matches(after: int = 0) -> None:
    """Archive matches that ended long ago, a batch a run until all were tried."""
    archived, last = archive.archive_due(after=after)
    if archived:
        logger.info("matches_archived", count=archived)
    if last is not None:
        enqueue(archive_matches, last)


@shared_task(acks_late=True)
def forget_guests() -> None:
    """Delete guests who have not come back for a long time; so many a night."""
    gone = people.forget_guests()
    if gone:
        logger.info("guests_forgotten", count=gone)
