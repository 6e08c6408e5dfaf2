"""Notifications follow their person: a guest who logs in, a session that ends."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import (
    guest_emptied,
    guest_merged,
    logged_out_everywhere,
    session_ended,
)
from notices.services import browsers, merging, retention


@receiver(guest_merged)
def hand_over_channels(guest: User, user: User, **_: Any) -> None:
    """The account that a guest logs in to is reached where the guest was."""
    merging.merge_guest(guest=guest, user=user)


@receiver(guest_emptied)
def hand_over_notices(guest: User, user: User, **_: Any) -> None:
    """After the guest's tables and trades have moved: moving them writes notifications, too."""
    retention.hand_over(guest=guest, user=user)


@receiver(session_ended)
def forget_its_browser(session: SessionBase, **_: Any) -> None:
    """A browser gets no push messages for somebody who is logged out there."""
    browsers.remove_browser_of(session)


@receiver(logged_out_everywhere)
def forget_other_browsers(user: User, kept: SessionBase | None, **_: Any) -> None:
    """Only the browser whose session stays keeps getting push messages."""
    browsers.remove_all_but_of(kept, user=user)
