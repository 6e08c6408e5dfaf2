"""The house's own periodic work."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command

from accounts.services.sessions import forget_what_has_ended


@shared_task
def clear_sessions() -> None:
    """Forget sessions and tokens that have run out."""
    call_command("clearsessions")
    forget_what_has_ended()
