"""Work in the background; each task is a thin call of a service and does not mind a second time."""

from __future__ import annotations

from celery import shared_task

from accounts.background import enqueue
from collection.services import file_jobs
from decks.models import SheetJob
from decks.services import checks, pictures, sheets


@shared_task(acks_late=True)
def judge_check(check_id: int) -> None:
    """Judge the decks of a check."""
    checks.judge_check(check_id=check_id)


@shared_task(acks_late=True, expires=pictures.LONGEST)
def draw_cards(game: str, number: int) -> None:
    """Draw a sheet of a game's cards."""
    pictures.make_sheet(game=game, number=number)


@shared_task(acks_late=True)
def make_sheets(job_id: int) -> None:
    """Draw the registration sheets of a check."""
    sheets.make_sheets(job_id=job_id)


@shared_task(acks_late=True, expires=60)
def sweep() -> None:
    """Start again what a crash left behind, from what is stored alone."""
    for check_id in checks.stalled_checks():
        enqueue(judge_check, check_id)
    file_jobs.forget_ended(SheetJob)
    file_jobs.forget_files(SheetJob)
    for job_id in file_jobs.stalled(SheetJob):
        enqueue(make_sheets, job_id)
