"""Blocking people, and moderators' writing bans."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.errors import NotYourself, TooManyBlocks
from accounts.models import Block, BlockKind, Friendship, User, WritingBan
from accounts.queries.people import somebody
from accounts.signals import friendship_ended

MAX_BLOCKS = 500


@transaction.atomic
def block(*, user: User, username: str, kind: str) -> Block:
    """Block somebody, or change of what kind the block is; a friendship ends with kind ``all``.

    Raises ``UnknownPerson``, ``NotYourself`` and ``TooManyBlocks``.
    """
    other = somebody(username)
    if other.pk == user.pk:
        raise NotYourself("You cannot block yourself.")
    if user.blocks.exclude(other=other).count() >= MAX_BLOCKS:
        raise TooManyBlocks(
            f"You have blocked {MAX_BLOCKS} people, which is the limit. Unblock someone first."
        )
    row, _ = Block.objects.update_or_create(
        user=user, other=other, defaults={"kind": BlockKind(kind)}
    )
    if row.kind == BlockKind.ALL:
        between = Q(sender=user, recipient=other) | Q(sender=other, recipient=user)
        if Friendship.objects.filter(between).delete()[0]:
            friendship_ended.send(sender=Friendship, people=(user, other))
    return row


def end_block(*, user: User, username: str) -> bool:
    """End a block. False when there was none."""
    gone, _ = user.blocks.filter(other__username__iexact=username.strip()).delete()
    return bool(gone)


def ban_writing(*, user: User, days: int, by: User | None) -> WritingBan:
    """Let somebody write nothing to others for some days from now; a longer ban stays."""
    now = timezone.now()
    return WritingBan.objects.create(user=user, until=now + timedelta(days=days), by=by, at=now)


def hand_over(*, guest: User, user: User) -> None:
    """A guest turned out to have an account: what was said of the guest counts for it.

    Where both have a block for the same person the account's own stays.
    """
    Block.objects.filter(Q(user=guest, other=user) | Q(user=user, other=guest)).delete()
    mine = user.blocks.values("other")
    Block.objects.filter(user=guest).exclude(other__in=mine).update(user=user)
    of_me = user.blocked_by.values("user")
    Block.objects.filter(other=guest).exclude(user__in=of_me).update(other=user)
    Block.objects.filter(Q(user=F("other")) | Q(user=guest) | Q(other=guest)).delete()
    WritingBan.objects.filter(user=guest).update(user=user)
