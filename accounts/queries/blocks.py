"""Who has blocked whom, and who may not write."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Q
from django.utils import timezone

from accounts.errors import MayNotWrite
from accounts.models import Block, BlockKind, User, WritingBan
from core.local_time import local_text
from core.serializers import Doc


@dataclass(frozen=True, slots=True)
class BlockedPerson:
    """A person whom you blocked."""

    username: str
    name: str
    kind: Annotated[str, Doc(choices=BlockKind.choices)]
    at: datetime


def blocked_between(user: User | int, other: User | int, kind: str) -> bool:
    """True if either has blocked the other for this kind of contact, or for all."""
    first, second = _key(user), _key(other)
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
    """Raise ``MayNotWrite`` if the moderators have stopped this person from writing."""
    until = banned_until(user)
    if until is not None:
        day = local_text(until, "j F, H:i")
        raise MayNotWrite(
            f"You are muted until {day}. You can go on playing, and read as before.",
            until=until.isoformat(),
        )


def _covering(kind: str) -> tuple[str, str]:
    """The blocks that forbid this kind of thing."""
    return (kind, BlockKind.ALL)


def _key(person: User | int) -> int:
    return person if isinstance(person, int) else person.pk
