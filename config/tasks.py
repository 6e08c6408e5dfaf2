"""The house's own periodic work."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command

from accounts import services


@shared_task
def clear_sessions() -> None:
    """Forget sessions and tokens that have run out."""
    call_command("clearsessions")
    services.forget_what_has_ended()
