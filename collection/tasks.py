"""Work in the background; each task is a thin call of a service and does not mind a second time."""

from __future__ import annotations

from celery import shared_task
from django.core.cache import cache

from collection.drawing import pictures
from collection.models import ImportJob, PrintJob
from collection.services import fair_queue, file_jobs, imports, prints, trades
from core.background import enqueue

DRAWING = "collection.drawing.canvas-ahead"
DRAW_FOR = 2.0
"""So many seconds at a time, so that nothing else waits long for a worker."""


@shared_task(acks_late=True)
def read_list(job_id: int) -> None:
    """Read a list that somebody brings."""
    imports.read_import(job_id=job_id, in_turn=True)


@shared_task(acks_late=True)
def make_print(job_id: int) -> None:
    """Draw the sheets of a print."""
    prints.make_print(job_id=job_id, in_turn=True)


@shared_task(acks_late=True)
def draw_pictures() -> None:
    """Draw pictures of cards before anybody looks at them, a few at a time and in one worker."""
    if not cache.add(DRAWING, 1, timeout=60):
        return
    try:
        more = pictures.draw_ahead(DRAW_FOR)
    finally:
        cache.delete(DRAWING)
    if more:
        enqueue(draw_pictures)


@shared_task(acks_late=True, expires=60)
def sweep() -> None:
    """End what is over and start again what a crash left behind, from what is stored alone."""
    trades.expire_trades()
    imports.forget_imports()
    fair_queue.restart_stalled(ImportJob, imports.stalled_imports())
    file_jobs.forget_ended(PrintJob)
    file_jobs.forget_files(PrintJob)
    fair_queue.restart_stalled(PrintJob, file_jobs.stalled(PrintJob))
