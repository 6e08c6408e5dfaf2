"""People by name, and the person who asks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Upper
from django.db.models.lookups import Exact
from django.http import HttpRequest

from accounts.errors import UnknownPerson
from accounts.models import User
from core.serializers import Doc, from_row


def current_guest(request: HttpRequest) -> User | None:
    """The guest who is logged in, or None for members and anonymous visitors."""
    user: User | AnonymousUser = request.user
    return user if isinstance(user, User) and user.is_guest else None


def mail_problem(user: User) -> str:
    """Why mails do not reach somebody: “guest”, “none”, “unconfirmed”; empty if they do."""
    if user.is_guest:
        return "guest"
    addresses = EmailAddress.objects.filter(user=user).values_list("primary", "verified")
    if (True, True) in addresses:
        return ""
    return "unconfirmed" if addresses else "none"


def named(part: str, prefix: str = "") -> Q:
    """A filter for people by a part of a name, with or without the “@” of a mention before it.

    ``prefix`` is the way to them, ``user__``.
    """
    part = part.strip().removeprefix("@")
    username, display_name = f"{prefix}username__icontains", f"{prefix}display_name__icontains"
    return Q(**{username: part}) | Q(**{display_name: part})


def moderators(permission: str) -> list[int]:
    """The keys of the staff with a permission, such as "matches.change_report"."""
    backend = "django.contrib.auth.backends.ModelBackend"
    people = User.objects.with_perm(permission, backend=backend).filter(is_staff=True)
    return list(people.values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class Person:
    """The person who asks."""

    username: str
    name: str
    is_guest: bool
    is_bot: Annotated[bool, Doc("Shown to others: a program plays for this account.")]
    theme: User.Theme
    date_joined: datetime
    shows_record: Annotated[bool, Doc("Whether others see your record and your ratings.")]
    shows_matches: Annotated[bool, Doc("Whether others see your recent public matches.")]
    shows_decks: Annotated[bool, Doc("Whether others see which decks you play most.")]


def person_of(user: User) -> Person:
    """A person's own account."""
    return from_row(Person, user, name=str(user), theme=User.Theme(user.theme))


@dataclass(frozen=True, slots=True)
class Guest:
    """A new guest and the token that speaks for it."""

    username: str
    name: str
    token: Annotated[str, Doc("Send it as `Authorization: Token …`. It is not shown again.")]


def of_username(username: str) -> QuerySet[User]:
    """The accounts of that username, whatever its case: one at most."""
    # Not ``__iexact``: SQLite has no index for it.
    return User.objects.filter(Exact(Upper("username"), Upper(Value(username))))


def find_person(username: str) -> User | None:
    """The active member or guest of that username in any case, with or without an “@” before it."""
    name = username.strip()
    names = [name, name[1:]] if name.startswith("@") else [name]
    active = (person for name in names for person in of_username(name).filter(is_active=True))
    return next(active, None)


def somebody(username: str) -> User:
    """The member of this name. Raises ``UnknownPerson``."""
    user = find_person(username)
    if user is None:
        name = username.strip()[:150]
        raise UnknownPerson(f"No user named “{name}”. Check the spelling.")
    return user


def person(username: str) -> User:
    """The active member of that username; raises ``UnknownPerson``, for guests, too."""
    user = find_person(username)
    if user is None or user.is_guest:
        raise UnknownPerson(f"No user named “{username.strip()}”. Check the spelling.")
    return user
