"""Reads about people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from rest_framework.authtoken.models import Token

from accounts.errors import UnknownPerson
from accounts.models import Friendship, User


def current_guest(request: HttpRequest) -> User | None:
    """The guest who is logged in, or None for members and anonymous visitors."""
    user: User | AnonymousUser = request.user
    return user if isinstance(user, User) and user.is_guest else None


def token_of(user: User) -> Token | None:
    """The person's API token, if there is one."""
    return Token.objects.filter(user=user).first()


def person(username: str) -> User:
    """The active member of that username, whatever its case; raises ``UnknownPerson``."""
    found = User.objects.filter(username__iexact=username.strip(), is_active=True, is_guest=False)
    user = found.first()
    if user is None:
        raise UnknownPerson(
            f"There is no member called “{username.strip()}”. Look at the spelling."
        )
    return user


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
class Circle:
    """A person's friends, who has asked to be one, and whom the person has asked."""

    friends: list[User]
    asking: list[User]
    asked: list[User]


def circle(user: User) -> Circle:
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
    return Circle(friends=_by_name(friends), asking=_by_name(asking), asked=_by_name(asked))


def _by_name(people: Iterable[User]) -> list[User]:
    return sorted(people, key=lambda user: str(user).casefold())
