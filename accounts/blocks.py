"""Who wants nothing to do with whom: blocks, and the moderators' word that somebody writes nothing.

A block is one person's own; the other is not told. It counts between the two, whoever made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.formats import date_format

from accounts.errors import MayNotWrite, NotYourself, TooManyBlocks
from accounts.models import Block, BlockKind, Friendship, User, WritingBan
from accounts.queries import somebody
from accounts.shapes import Member

Kind = BlockKind
MOST_BLOCKS = 500


@dataclass(frozen=True, slots=True)
class BlockedPerson:
    """Somebody whom one has blocked."""

    username: str
    name: str
    kind: Annotated[str, Member(choices=Kind.choices)]
    at: datetime


# -- reads ----------------------------------------------------------------------------------------


def blocked_between(one: User | int, other: User | int, kind: str) -> bool:
    """Whether either of the two has blocked the other for this kind of thing, or for all."""
    first, second = _key(one), _key(other)
    pair = Q(user=first, other=second) | Q(user=second, other=first)
    return Block.objects.filter(pair, kind__in=_covering(kind)).exists()


def blocked_with(user: User | int, kind: str) -> set[int]:
    """Keys of all people between whom and this one there is such a block, whoever made it."""
    key = _key(user)
    rows = Block.objects.filter(Q(user=key) | Q(other=key), kind__in=_covering(kind))
    return {other if by == key else by for by, other in rows.values_list("user", "other")}


def blocked_by(user: User | int, kind: str) -> set[int]:
    """Keys of the people whom this one has blocked for this kind of thing, or for all."""
    rows = Block.objects.filter(user=_key(user), kind__in=_covering(kind))
    return set(rows.values_list("other", flat=True))


def blocking(user: User | int, kind: str) -> set[int]:
    """Keys of the people who have blocked this one for this kind of thing, or for all."""
    rows = Block.objects.filter(other=_key(user), kind__in=_covering(kind))
    return set(rows.values_list("user", flat=True))


def blocks_of(user: User) -> list[BlockedPerson]:
    """Whom somebody has blocked, the latest first; one query."""
    rows = user.blocks.select_related("other").order_by("-at", "-pk")
    return [BlockedPerson(row.other.username, str(row.other), row.kind, row.at) for row in rows]


def banned_until(user: User | int) -> datetime | None:
    """Until when the moderators let somebody write nothing to others; None: they may write."""
    bans = WritingBan.objects.filter(user=_key(user), until__gt=timezone.now())
    return bans.order_by("-until").values_list("until", flat=True).first()


def require_may_write(user: User) -> None:
    """Refuse who was asked by the moderators to write nothing; raises ``MayNotWrite``."""
    until = banned_until(user)
    if until is not None:
        day = date_format(timezone.localtime(until), "j F, H:i")
        raise MayNotWrite(
            f"The moderators have asked you to write nothing until {day}. "
            "You can go on playing, and read as before.",
            until=until.isoformat(),
        )


def _covering(kind: str) -> tuple[str, str]:
    """The blocks that forbid this kind of thing."""
    return (kind, Kind.ALL)


def _key(person: User | int) -> int:
    return person if isinstance(person, int) else person.pk


# -- writes ---------------------------------------------------------------------------------------


@transaction.atomic
def block(*, user: User, username: str, kind: str) -> Block:
    """Block somebody, or change of what kind the block is; a friendship ends with kind ``all``.

    Raises ``UnknownPerson``, ``NotYourself`` and ``TooManyBlocks``.
    """
    other = somebody(username)
    if other.pk == user.pk:
        raise NotYourself("You cannot block yourself. Name somebody else.")
    if user.blocks.exclude(other=other).count() >= MOST_BLOCKS:
        raise TooManyBlocks(f"You have blocked {MOST_BLOCKS} people, and nobody can block more.")
    row, _ = Block.objects.update_or_create(user=user, other=other, defaults={"kind": Kind(kind)})
    if row.kind == Kind.ALL:
        between = Q(asker=user, asked=other) | Q(asker=other, asked=user)
        Friendship.objects.filter(between).delete()
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
