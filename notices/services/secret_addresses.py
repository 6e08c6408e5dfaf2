"""Secret addresses: whoever knows one reads there, without a login, what a calendar or feed says.

What is under an address is made anew each time it is asked for. Its row remembers what it said
last, so that a change has a date and, in a calendar, a number, whoever asks and however often.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from notices.models.channels import AddressUse, SecretAddress

Content = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DatedContent:
    """The content of an address, and when it last changed."""

    content: Content
    changed_at: datetime


def addresses_of(user: User) -> dict[str, SecretAddress]:
    """The person's addresses, by their use."""
    return {row.use: row for row in SecretAddress.objects.filter(person=user)}


def address_of(use: AddressUse, key: str) -> SecretAddress | None:
    """The address of this key with its person, if there is one (any more)."""
    rows = SecretAddress.objects.filter(use=use, key=key, person__is_active=True)
    return rows.select_related("person").first()


def make_address(*, user: User, use: AddressUse) -> SecretAddress:
    """A new address; the one before leads nowhere from now on."""
    key, now = secrets.token_urlsafe(32), timezone.now()
    row, _ = SecretAddress.objects.update_or_create(
        person=user, use=use, defaults={"key": key, "made_at": now}
    )
    return row


def remove_address(*, user: User, use: AddressUse) -> bool:
    """Show nothing under an address any more. False where there was none."""
    deleted, _ = SecretAddress.objects.filter(person=user, use=use).delete()
    return bool(deleted)


def dated(address: SecretAddress, revise: Callable[[Content, datetime], Content]) -> DatedContent:
    """The current content of an address, stored if it has changed.

    ``revise`` takes the last content and the current time, and returns the current content.
    """
    now = timezone.now().replace(microsecond=0)
    if revise(address.content, now) == address.content:
        return DatedContent(address.content, address.changed_at)
    with transaction.atomic():
        row = SecretAddress.objects.select_for_update().filter(pk=address.pk).first() or address
        content = revise(row.content, now)
        if content != row.content:  # nobody else has stored it meanwhile
            # Dates on the web have whole seconds, and two changes must not share one.
            row.content, row.changed_at = content, max(now, row.changed_at + timedelta(seconds=1))
            SecretAddress.objects.filter(pk=row.pk).update(
                content=content, changed_at=row.changed_at
            )
    return DatedContent(content, row.changed_at)
