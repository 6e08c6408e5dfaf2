"""Deleting accounts. Thin calls, safe to repeat."""

from __future__ import annotations

from celery import shared_task

from accounts.models import User
from accounts.services import account_deletion
from core.background import enqueue


@shared_task(acks_late=True, expires=30)
def sweep() -> None:
    """Go on with deletions that a crash left undone."""
    for user in account_deletion.unfinished_closings():
        enqueue(finish_closing, user)


@shared_task(acks_late=True)
def finish_closing(user: int) -> None:
    """Delete what hangs on an account that was deleted."""
    row = User.objects.filter(pk=user).first()
    if row is not None:
        account_deletion.finish_closing(user=row)
