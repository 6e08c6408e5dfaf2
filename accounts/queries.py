"""Reads about people."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.devices import described
from accounts.errors import UnknownPerson
from accounts.models import AccessToken, Friendship, User
from accounts.shapes import Member, filled

# How a key begins, so that one that is found somewhere is known for what it is.
KEY_MARK = "riffle_"
PREFIX_LENGTH = len(KEY_MARK) + 6
MOST_SESSIONS = 50


def current_guest(request: HttpRequest) -> User | None:
    """The guest who is logged in, or None for members and anonymous visitors."""
    user: User | AnonymousUser = request.user
    return user if isinstance(user, User) and user.is_guest else None


def new_key() -> str:
    """A key for an API token that nobody can guess."""
    return KEY_MARK + secrets.token_urlsafe(32)


def digest_of(key: str) -> str:
    """What is stored of a key. It is random and long, so a quick digest cannot be turned back."""
    return hashlib.sha256(key.encode()).hexdigest()


def token_of_key(key: str) -> AccessToken | None:
    """The token of a key, with its person; it may have expired."""
    found = AccessToken.objects.filter(digest=digest_of(key)).select_related("user")
    return found.first()


def tokens(user: User) -> QuerySet[AccessToken]:
    """The person's API tokens, latest first."""
    return user.access_tokens.order_by("-created_at", "-pk")


def working_tokens(user: User) -> QuerySet[AccessToken]:
    """Those of them that have not expired."""
    return tokens(user).filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()))


@dataclass(frozen=True, slots=True)
class LoggedInDevice:
    """Where somebody is logged in."""

    row: UserSession
    device: str
    is_here: bool


def places(request: HttpRequest, user: User) -> list[LoggedInDevice]:
    """Where the person is logged in: here first, then by last use; two queries."""
    rows = UserSession.objects.filter(user=user).order_by("-last_seen_at", "-pk")[:MOST_SESSIONS]
    alive = Session.objects.filter(
        session_key__in=[row.session_key for row in rows], expire_date__gt=timezone.now()
    )
    hashes = {user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()}
    valid = set()
    for session in alive:
        data = session.get_decoded()
        if data.get(SESSION_KEY) == str(user.pk) and data.get(HASH_SESSION_KEY) in hashes:
            valid.add(session.session_key)
    here = request.session.session_key
    found = [
        LoggedInDevice(row, described(row.user_agent), row.session_key == here)
        for row in rows
        if row.session_key in valid
    ]
    return sorted(found, key=lambda place: not place.is_here)


@dataclass(frozen=True, slots=True)
class SecondFactor:
    """A second factor that is on."""

    since: datetime
    last_used_at: datetime | None
    codes_left: int


def second_factor(user: User) -> SecondFactor | None:
    """The person's second factor, if it is on; one query."""
    found = {row.type: row for row in Authenticator.objects.filter(user=user)}
    app = found.get(Authenticator.Type.TOTP)
    if app is None:
        return None
    codes = found.get(Authenticator.Type.RECOVERY_CODES)
    left = len(codes.wrap().get_unused_codes()) if codes is not None else 0
    return SecondFactor(since=app.created_at, last_used_at=app.last_used_at, codes_left=left)


@dataclass(frozen=True, slots=True)
class Person:
    """The person who asks."""

    username: str
    name: str
    is_guest: bool
    is_bot: Annotated[bool, Member("Others are told that a program plays for this account.")]
    theme: User.Theme
    date_joined: datetime
    shows_record: Annotated[bool, Member("Whether others see your record and your ratings.")]
    shows_matches: Annotated[bool, Member("Whether others see your recent public matches.")]
    shows_decks: Annotated[bool, Member("Whether others see which decks you play most.")]


def person_of(user: User) -> Person:
    """What somebody may know of themselves."""
    return filled(Person, user, name=str(user), theme=User.Theme(user.theme))


@dataclass(frozen=True, slots=True)
class Guest:
    """A new guest and the token that speaks for it."""

    username: str
    name: str
    token: Annotated[str, Member("Send it as `Authorization: Token …`. It is not shown again.")]


def find_person(username: str) -> User | None:
    """The active member or guest of that username, whatever its case."""
    return User.objects.filter(username__iexact=username.strip(), is_active=True).first()


def somebody(username: str) -> User:
    """The same; raises ``UnknownPerson`` for nobody."""
    user = find_person(username)
    if user is None:
        name = username.strip()[:150]
        raise UnknownPerson(f"There is nobody called “{name}” here. Look at the spelling.")
    return user


def person(username: str) -> User:
    """The active member of that username; raises ``UnknownPerson``, for guests, too."""
    user = find_person(username)
    if user is None or user.is_guest:
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
    asking: Annotated[list[Other], Member("They wait for an answer.")]
    asked: Annotated[list[Other], Member("They have not answered yet.")]


def circle_of(user: User) -> Circle:
    """The same as ``friends_of`` in names."""
    around = friends_of(user)
    return Circle(*map(_others, (around.friends, around.asking, around.asked)))


def _others(people: Iterable[User]) -> list[Other]:
    return [Other(user.username, str(user)) for user in people]


def _by_name(people: Iterable[User]) -> list[User]:
    return sorted(people, key=lambda user: str(user).casefold())
