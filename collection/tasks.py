"""Work in the background; each task is a thin call of a service and does not mind a second time."""

from __future__ import annotations

from celery import shared_task

from collection.services import trades


@shared_task(acks_late=True, expires=60)
def sweep() -> None:
    """End what is over and start again what a crash left behind, from what is stored alone."""
    trades.expire_trades()
