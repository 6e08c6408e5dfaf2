"""Whose notices they are, and how long they are kept."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from notices.models.notices import Notice, NoticeChannel, NoticeSettings

KEPT = timedelta(days=90)
"""So long somebody finds again what they have seen, or what holds no longer."""

MAX_PER_RUN = 100_000
BATCH_SIZE = 500


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
    """Drop what was seen, or taken back, long ago, a night's share of it; gives how many.

    A transaction for each batch, so that nobody waits for all of it.
    """
    before = (now or timezone.now()) - KEPT
    old = Notice.objects.filter(
        Q(withdrawn_at__lt=before) | Q(seen_at__lt=before), since__lt=before
    )
    keys = list(old.order_by().values_list("pk", flat=True)[:MAX_PER_RUN])
    batches = [keys[n : n + BATCH_SIZE] for n in range(0, len(keys), BATCH_SIZE)]
    deleted = [old.filter(pk__in=batch).delete()[1] for batch in batches]
    return sum(counts.get("notices.Notice", 0) for counts in deleted)
