"""Answered requests forgotten, finished matches read. Thin calls, safe to repeat."""

from __future__ import annotations

from celery import shared_task

from core import idempotency, outbox
from core.background import enqueue


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
    """Read the finished matches that a crash left unread."""
    for unread in outbox.overdue():
        enqueue(read_match, unread)
