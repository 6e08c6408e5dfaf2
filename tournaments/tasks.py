"""Work in the background; each task is a thin call of a service and does not mind a second time."""

from __future__ import annotations

import structlog
from celery import shared_task

from tournaments.services import evenings, ladder, limited, rounds

logger = structlog.get_logger(__name__)


@shared_task(acks_late=True)
def make_tables(tournament_id: int) -> None:
    """Set up the matches of a round that was paired."""
    rounds.make_tables(tournament_id=tournament_id)


@shared_task(acks_late=True)
def limited_bots(tournament_id: int) -> None:
    """Make the picks that are due in a draft, and build the decks of bots."""
    limited.play_bots(tournament_id=tournament_id)


@shared_task(acks_late=True)
def keep_time(tournament_id: int) -> None:
    """End a call or a round of a live evening at its time."""
    evenings.keep_time(tournament_id=tournament_id)


@shared_task(acks_late=True, expires=30)
def sweep() -> None:
    """Do what the clock says, and find what a crash left behind."""
    swept = rounds.sweep() | {"called": evenings.sweep(), "forfeited": ladder.sweep()}
    if any(swept.values()):
        logger.info("swept_tournaments", **swept)
