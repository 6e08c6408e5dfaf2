"""Work in the background; each task is a thin call of a service and does not mind a second time."""

from __future__ import annotations

from celery import shared_task

from collection.services import imports, packs, prints, trades


@shared_task(acks_late=True)
def read_list(job_id: int) -> None:
    """Read a list that somebody brings."""
    imports.read_import(job_id=job_id)


@shared_task(acks_late=True)
def make_print(job_id: int) -> None:
    """Draw the sheets of a print."""
    prints.make_print(job_id=job_id)


@shared_task(acks_late=True)
def hand_out_packs(match: str) -> None:
    """Give the packs that are due for a match."""
    packs.hand_out(match)


@shared_task(acks_late=True, expires=60)
def sweep() -> None:
    """End what is over and start again what a crash left behind, from what is stored alone."""
    trades.expire_trades()
    for match in packs.packs_due():
        hand_out_packs.apply_async((match,), retry=False)
    imports.forget_imports()
    for job_id in imports.stalled_imports():
        read_list.apply_async((job_id,), retry=False)
    prints.forget_prints()
    prints.forget_files()
    for job_id in prints.stalled_prints():
        make_print.apply_async((job_id,), retry=False)
