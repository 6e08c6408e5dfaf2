"""Friendships and friend requests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from django.db.models import Q, QuerySet

from accounts.models import Friendship, User
from core.serializers import Doc


def friendships(user: User) -> QuerySet[Friendship]:
    """Everything between a person and others, answered or not."""
    mine = Friendship.objects.filter(Q(asker=user) | Q(asked=user))
    return mine.select_related("asker", "asked").order_by("-created_at", "-pk")


def between(one: User, other: User) -> Friendship | None:
    """What is between two people."""
    return friendships(one).filter(Q(asker=other) | Q(asked=other)).first()


def are_friends(one: User, other: User) -> bool:
    """True if both have said yes."""
    return (
        friendships(one).filter(Q(asker=other) | Q(asked=other), accepted_at__isnull=False).exists()
    )


def asking_count(user: User) -> int:
    """How many people wait for the person's yes."""
    return Friendship.objects.filter(asked=user, accepted_at=None).count()


@dataclass(frozen=True, slots=True)
class Friends:
    """A person's friends, who has asked to be one, and whom the person has asked."""

    friends: list[User]
    asking: list[User]
    asked: list[User]


def friends_of(user: User) -> Friends:
    """Everybody around a person, by name, in one query."""
    friends, asking, asked = [], [], []
    for row in friendships(user):
        other = row.asked if row.asker_id == user.pk else row.asker
        if row.accepted_at is not None:
            friends.append(other)
        elif row.asker_id == user.pk:
            asked.append(other)
        else:
            asking.append(other)
    return Friends(friends=_by_name(friends), asking=_by_name(asking), asked=_by_name(asked))


@dataclass(frozen=True, slots=True)
class Other:
    """Somebody else."""

    username: str
    name: str


@dataclass(frozen=True, slots=True)
class Circle:
    """The people around the one who asks."""

    friends: list[Other]
    asking: Annotated[list[Other], Doc("They wait for an answer.")]
    asked: Annotated[list[Other], Doc("They have not answered yet.")]


def circle_of(user: User) -> Circle:
    """The same as ``friends_of`` in names."""
    around = friends_of(user)
    return Circle(*map(_others, (around.friends, around.asking, around.asked)))


def _others(people: Iterable[User]) -> list[Other]:
    return [Other(user.username, str(user)) for user in people]


def _by_name(people: Iterable[User]) -> list[User]:
    return sorted(people, key=lambda user: str(user).casefold())
