"""Periodic work for people's things; thin calls, safe to repeat."""

from __future__ import annotations

from celery import shared_task

from accounts import idempotency


@shared_task
def forget_keys() -> None:
    """Drop the keys of requests whose time is over."""
    idempotency.forget_keys()
