"""What this app adds to the file of everything that is somebody's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession

from accounts import queries
from accounts.models import User
from accounts.notices.models import Notice
from accounts.own_data import part, values_in_pages

_ABOUT = (
    "username", "display_name", "email", "is_guest", "is_bot", "theme", "shown_pace", "has_sound",
    "shows_record", "shows_matches", "shows_decks", "date_joined", "last_login",
)  # fmt: skip


@part("account")
def account(user: User) -> Iterator[dict[str, Any]]:
    """The account itself and its addresses."""
    addresses = EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
    yield {name: getattr(user, name) for name in _ABOUT} | {"addresses": list(addresses)}


@part("friends")
def friends(user: User) -> Iterator[dict[str, Any]]:
    """Friends, and questions that wait."""
    for row in queries.friendships(user):
        other = row.asked if row.asker_id == user.pk else row.asker
        yield {
            "username": other.username,
            "asked_by_you": row.asker_id == user.pk,
            "asked_at": row.created_at,
            "accepted_at": row.accepted_at,
        }


@part("tokens")
def tokens(user: User) -> Iterator[dict[str, Any]]:
    """API tokens without their keys."""
    fields = ("name", "prefix", "scopes", "created_at", "last_used_at", "expires_at")
    yield from queries.tokens(user).values(*fields)


@part("sessions")
def sessions(user: User) -> Iterator[dict[str, Any]]:
    """Where somebody is logged in."""
    fields = ("ip", "user_agent", "created_at", "last_seen_at")
    yield from UserSession.objects.filter(user=user).values(*fields)


@part("notices")
def notices(user: User) -> Iterator[dict[str, Any]]:
    """What somebody was told, as far as it is kept."""
    fields = ("kind", "match", "text", "link", "created_at")
    yield from values_in_pages(Notice.objects.filter(person=user), *fields)
