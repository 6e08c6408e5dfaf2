"""Whose notices they are, and how long they are kept."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from notices.models.notices import Notice, NoticeChannel, NoticeSettings

KEPT = timedelta(days=90)
"""So long somebody finds again what they have seen, or what holds no longer."""


def hand_over(*, guest: User, user: User) -> None:
    """A guest turned out to have an account, in the transaction that ends the guest.

    What the account has been told itself stays as it is.
    """
    existing = Notice.objects.filter(
        person=user, kind=OuterRef("kind"), match=OuterRef("match"), key=OuterRef("key")
    )
    theirs = Notice.objects.filter(person=guest)
    moving = theirs.open().filter(~Exists(existing))
    # A list, because the rows that it is made of change.
    Notice.objects.filter(pk__in=list(moving.values_list("pk", flat=True))).update(person=user)
    theirs.delete()
    NoticeChannel.objects.filter(person=guest).delete()
    NoticeSettings.objects.filter(person=guest).delete()


def forget_old(*, now: datetime | None = None) -> int:
    """Drop what was seen, or taken back, long ago; gives how many."""
    before = (now or timezone.now()) - KEPT
    old = Notice.objects.filter(
        Q(withdrawn_at__lt=before) | Q(seen_at__lt=before), since__lt=before
    )
    return old.delete()[1].get("notices.Notice", 0)
