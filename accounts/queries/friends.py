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
    mine = Friendship.objects.filter(Q(sender=user) | Q(recipient=user))
    return mine.select_related("sender", "recipient").order_by("-created_at", "-pk")


def between(user: User, other: User) -> Friendship | None:
    """The friendship or request between two people."""
    return friendships(user).filter(Q(sender=other) | Q(recipient=other)).first()


def are_friends(user: User, other: User) -> bool:
    """True if both have said yes."""
    return (
        friendships(user)
        .filter(Q(sender=other) | Q(recipient=other), accepted_at__isnull=False)
        .exists()
    )


def received_count(user: User) -> int:
    """The number of requests that wait for the person's answer."""
    return Friendship.objects.filter(recipient=user, accepted_at=None).count()


@dataclass(frozen=True, slots=True)
class Friends:
    """A person's friends, and the people of the requests received and sent."""

    friends: list[User]
    received: list[User]
    sent: list[User]


def friends_of(user: User) -> Friends:
    """Everybody around a person, by name, in one query."""
    friends, received, sent = [], [], []
    for row in friendships(user):
        other = row.recipient if row.sender_id == user.pk else row.sender
        if row.accepted_at is not None:
            friends.append(other)
        elif row.sender_id == user.pk:
            sent.append(other)
        else:
            received.append(other)
    return Friends(friends=_by_name(friends), received=_by_name(received), sent=_by_name(sent))


@dataclass(frozen=True, slots=True)
class Other:
    """Another player."""

    username: str
    name: str


@dataclass(frozen=True, slots=True)
class Circle:
    """A person's friends and friend requests."""

    friends: list[Other]
    received: Annotated[list[Other], Doc("Requests to answer.")]
    sent: Annotated[list[Other], Doc("Requests that are not answered yet.")]


def circle_of(user: User) -> Circle:
    """The names of ``friends_of``, as the API gives them."""
    around = friends_of(user)
    return Circle(*map(_others, (around.friends, around.received, around.sent)))


def _others(people: Iterable[User]) -> list[Other]:
    return [Other(user.username, str(user)) for user in people]


def _by_name(people: Iterable[User]) -> list[User]:
    return sorted(people, key=lambda user: str(user).casefold())
