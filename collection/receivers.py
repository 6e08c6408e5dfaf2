"""What the collection does when something happens elsewhere."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts import outbox
from accounts.models import User
from accounts.signals import guest_merged
from collection.services import packs, people

outbox.subscribe("packs", packs.match_finished)


outbox.subscribe("packs", packs.match_finished)


@receiver(guest_merged, dispatch_uid="collection.merge_guest")
def keep_cards(*, guest: User, user: User, **about: Any) -> None:
    """A guest who logs in keeps the cards that came on the way."""
    people.merge_guest(guest=guest, user=user)
