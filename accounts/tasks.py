"""Periodic work for people's things; thin calls, safe to repeat."""

from __future__ import annotations

from celery import shared_task

from accounts import idempotency, outbox, services
from accounts.background import enqueue
from accounts.models import User


@shared_task
def forget_keys() -> None:
    """Drop the keys of requests whose time is over."""
    idempotency.forget_keys()


@shared_task(acks_late=True)
def read_match(unread: int) -> None:
    """Let one subscriber read one finished match."""
    outbox.read(unread)


@shared_task(acks_late=True, expires=30)
def sweep() -> None:
    """Find what a crash left unread, and what is to be tried again."""
    for unread in outbox.overdue():
        enqueue(read_match, unread)
    for user in services.unfinished_closings():
        enqueue(finish_closing, user)


@shared_task(acks_late=True)
def finish_closing(user: int) -> None:
    """Delete what hangs on an account that was deleted."""
    row = User.objects.filter(pk=user).first()
    if row is not None:
        services.finish_closing(user=row)
