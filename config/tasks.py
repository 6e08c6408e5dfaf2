"""The house's own periodic work."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command


@shared_task
def clear_sessions() -> None:
    """Forget sessions that have run out."""
    call_command("clearsessions")
