"""Work in the background; each task is a thin call of a service and does not mind a second time."""

from __future__ import annotations

from celery import shared_task

from collection.services import fair_queue, file_jobs
from core.background import enqueue
from decks.models import DeckCheck, SheetJob
from decks.services import checks, lab, pictures, sheets


@shared_task(acks_late=True)
def judge_check(check_id: int) -> None:
    """Judge the decks of a check."""
    checks.judge_check(check_id=check_id, in_turn=True)


@shared_task(acks_late=True, expires=pictures.LONGEST)
def draw_cards(game: str, number: int) -> None:
    """Draw a sheet of a game's cards."""
    pictures.make_sheet(game=game, number=number)


@shared_task(acks_late=True)
def make_sheets(job_id: int) -> None:
    """Draw the registration sheets of a check."""
    sheets.make_sheets(job_id=job_id, in_turn=True)


@shared_task(acks_late=True, expires=lab.DEAD_AFTER.total_seconds())
def play_lab(run_id: int) -> None:
    """Play a share of a run of the deck lab; the rest follows in tasks of their own."""
    if lab.play_share(run_id=run_id):
        enqueue(play_lab, run_id)


@shared_task(acks_late=True, expires=60)
def sweep() -> None:
    """Start again what a crash left behind, from what is stored alone."""
    checks.follow_formats()
    fair_queue.restart_stalled(DeckCheck, checks.stalled_checks())
    lab.restart_stalled()
    file_jobs.forget_ended(SheetJob)
    file_jobs.forget_files(SheetJob)
    fair_queue.restart_stalled(SheetJob, file_jobs.stalled(SheetJob))
