"""Guests: made at the first visit that needs one, upgraded at sign-up, merged at log-in."""

from __future__ import annotations

import secrets

from allauth.usersessions.models import UserSession
from django.contrib.auth import login
from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest

from accounts.errors import AlreadyMember, TooManyGuests
from accounts.models import AccessToken, User
from accounts.names import friendly_name
from accounts.services.blocks import hand_over
from accounts.signals import guest_emptied, guest_merged
from core.requests import client_address

GUEST_PREFIX = "guest-"


# A school class behind one address may try the site together; a script may not fill the database.
GUESTS_PER_HOUR = 40


HOUR = 60 * 60


_BACKEND = "django.contrib.auth.backends.ModelBackend"


def create_guest(*, address: str) -> User:
    """A new guest with a friendly name and no password. Raises TooManyGuests."""
    _count_guest(address)
    user = User(
        username=f"{GUEST_PREFIX}{secrets.token_hex(8)}",
        display_name=friendly_name(),
        is_guest=True,
    )
    user.set_unusable_password()
    user.save()
    return user


def ensure_guest(request: HttpRequest) -> User:
    """The person of this request; somebody anonymous becomes a guest and is logged in.

    Raises TooManyGuests. Asking twice gives the same guest.
    """
    if request.user.is_authenticated:
        return request.user
    user = create_guest(address=client_address(request))
    login(request, user, backend=_BACKEND)
    return user


def _count_guest(address: str) -> None:
    count, _ = cache.count(f"guests:{address}", HOUR)  # type: ignore[attr-defined]
    if count > GUESTS_PER_HOUR:
        raise TooManyGuests


def guest_for_upgrade(*, guest: User) -> User:
    """The guest's row, locked, as a member-to-be; the caller fills in name and password and saves.

    Must run inside the transaction that saves it. Raises AlreadyMember.
    """
    row = User.objects.select_for_update(no_key=True).filter(
        pk=guest.pk, is_guest=True, is_active=True
    )
    user = row.first()
    if user is None:
        raise AlreadyMember
    user.is_guest = False
    return user


@transaction.atomic
def merge_guest(*, guest: User, user: User) -> None:
    """End a guest whose person has logged in to an existing account; others move their things over.

    The row stays, inactive, so that finished matches still know who sat there. Doing it twice
    changes nothing.
    """
    row = User.objects.select_for_update(no_key=True).filter(
        pk=guest.pk, is_guest=True, is_active=True
    )
    locked = row.first()
    if locked is None or locked.pk == user.pk:
        return
    guest_merged.send(sender=User, guest=locked, user=user)
    hand_over(guest=locked, user=user)
    guest_emptied.send(sender=User, guest=locked, user=user)
    AccessToken.objects.filter(user=locked).delete()
    UserSession.objects.filter(user=locked).delete()
    locked.is_active = False
    locked.merged_into = user
    locked.save(update_fields=["is_active", "merged_into"])
