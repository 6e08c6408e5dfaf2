"""What decks do when something happens elsewhere."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import guest_merged
from decks.services import decks as services


@receiver(guest_merged, dispatch_uid="decks.move_decks")
def keep_decks(*, guest: User, user: User, **about: Any) -> None:
    """A guest who logs in keeps the decks that were built on the way."""
    services.move_decks(guest=guest, user=user)
