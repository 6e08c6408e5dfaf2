"""All writes to people: guests, sign-up, merging, settings, friends, tokens."""

from __future__ import annotations

import secrets

from allauth.account.adapter import get_adapter
from django.contrib.auth import login
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.authtoken.models import Token

from accounts import queries
from accounts.errors import AlreadyMember, MembersOnly, NoSuchQuestion, TooManyGuests
from accounts.models import Friendship, User
from accounts.names import friendly_name, tidy_name
from accounts.signals import guest_merged

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


def client_address(request: HttpRequest) -> str:
    """Where the request comes from, believing only as many proxies as the settings name."""
    return str(get_adapter(request).get_client_ip(request))


def _count_guest(address: str) -> None:
    key = f"guests:{address}"
    cache.add(key, 0, HOUR)
    try:
        count = cache.incr(key)
    except ValueError:  # the hour ended between the two lines
        cache.set(key, 1, HOUR)
        count = 1
    if count > GUESTS_PER_HOUR:
        raise TooManyGuests


def guest_for_upgrade(*, guest: User) -> User:
    """The guest's row, locked, as a member-to-be; the caller fills in name and password and saves.

    Must run inside the transaction that saves it. Raises AlreadyMember.
    """
    row = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True, is_active=True)
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
    row = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True, is_active=True)
    locked = row.first()
    if locked is None or locked.pk == user.pk:
        return
    guest_merged.send(sender=User, guest=locked, user=user)
    Token.objects.filter(user=locked).delete()
    locked.is_active = False
    locked.merged_into = user
    locked.save(update_fields=["is_active", "merged_into"])


def save_profile(*, user: User, display_name: str, theme: str) -> User:
    """Change what a person may change about themselves."""
    user.display_name = tidy_name(display_name)
    user.theme = theme
    user.save(update_fields=["display_name", "theme"])
    return user


def save_theme(*, user: User, theme: str) -> None:
    """Keep the theme with the person, for the next device."""
    User.objects.filter(pk=user.pk).update(theme=theme)


@transaction.atomic
def issue_token(*, user: User) -> str:
    """A new API token; an older one ends with it. The key is not shown again later."""
    Token.objects.filter(user=user).delete()
    return str(Token.objects.create(user=user).key)


def revoke_token(*, user: User) -> bool:
    """End the person's API token. False when there was none."""
    deleted, _ = Token.objects.filter(user=user).delete()
    return deleted > 0


@transaction.atomic
def ask_friend(*, asker: User, username: str) -> Friendship:
    """Ask somebody to be friends; where the other has asked already, this is the yes.

    Asking twice changes nothing. Raises ``UnknownPerson``, ``MembersOnly``, and ``NoSuchQuestion``
    for oneself.
    """
    if asker.is_guest:
        raise MembersOnly("Friends need an account. Sign up: everything you have here stays yours.")
    other = queries.person(username)
    if other.pk == asker.pk:
        raise NoSuchQuestion("You are your own friend already.")
    row = queries.between(asker, other)
    if row is None:
        try:
            with transaction.atomic():
                return Friendship.objects.create(asker=asker, asked=other)
        except IntegrityError:  # the other one asked in the same moment
            row = queries.between(asker, other)
    assert row is not None
    if row.asked_id == asker.pk and row.accepted_at is None:
        row.accepted_at = timezone.now()
        row.save(update_fields=["accepted_at"])
    return row


@transaction.atomic
def accept_friend(*, user: User, username: str) -> None:
    """Say yes to somebody who has asked; raises ``NoSuchQuestion`` when nobody has."""
    asker = queries.person(username)
    row = Friendship.objects.select_for_update().filter(asker=asker, asked=user).first()
    if row is None:
        raise NoSuchQuestion(f"{asker} does not ask to be friends (any more).")
    if row.accepted_at is None:
        row.accepted_at = timezone.now()
        row.save(update_fields=["accepted_at"])


@transaction.atomic
def end_friendship(*, user: User, username: str) -> bool:
    """End a friendship, decline a question or take one back. False when there was nothing."""
    other = queries.person(username)
    row = queries.between(user, other)
    if row is None:
        return False
    row.delete()
    return True
