"""All writes to people: guests, sign-up, merging, settings, friends, tokens, sessions."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from importlib import import_module

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.sessions.models import Session
from django.core.cache import cache, caches
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.http import HttpRequest
from django.utils import timezone

from accounts import blocks, leaving, queries
from accounts.background import after_commit, enqueue
from accounts.errors import (
    AlreadyMember,
    Blocked,
    MembersOnly,
    NameTaken,
    NoSuchQuestion,
    ScopeMissing,
    TooManyGuests,
    TooManyTokens,
)
from accounts.models import AccessToken, BlockKind, Friendship, User
from accounts.names import friendly_name, tidy_name
from accounts.scopes import Scope
from accounts.signals import (
    account_closing,
    guest_emptied,
    guest_merged,
    logged_out_everywhere,
    session_ended,
)

GUEST_PREFIX = "guest-"
# A school class behind one address may try the site together; a script may not fill the database.
GUESTS_PER_HOUR = 40
HOUR = 60 * 60
MOST_TOKENS = 25
# Last use of a token and last sight of a session are written at most so often.
SEEN_EVERY = timedelta(minutes=5)
KEEP_EXPIRED = timedelta(days=30)
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
    """Where the request comes from, for counting; it believes as many proxies as the settings name.

    Of IPv6 it is the network (``/64``) that a household has to itself.
    """
    address = str(get_adapter(request).get_client_ip(request))
    try:
        network = ipaddress.IPv6Network((address, 64), strict=False)
    except ValueError:  # IPv4
        return address
    mapped = ipaddress.IPv6Address(address).ipv4_mapped
    return str(mapped or network)


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
    blocks.hand_over(guest=locked, user=user)
    guest_emptied.send(sender=User, guest=locked, user=user)
    AccessToken.objects.filter(user=locked).delete()
    UserSession.objects.filter(user=locked).delete()
    locked.is_active = False
    locked.merged_into = user
    locked.save(update_fields=["is_active", "merged_into"])


def save_profile(*, user: User, display_name: str, theme: str) -> User:
    """Change what a person may change about themselves."""
    user.display_name = tidy_name(display_name)
    user.theme = theme
    user.save(update_fields=["display_name", "theme"])
    return user


def save_what_is_public(
    *, user: User, shows_record: bool, shows_matches: bool, shows_decks: bool, is_bot: bool
) -> User:
    """Change what others see of somebody, and whether they are told that a program plays."""
    user.shows_record, user.shows_matches = shows_record, shows_matches
    user.shows_decks, user.is_bot = shows_decks, is_bot
    user.save(update_fields=["shows_record", "shows_matches", "shows_decks", "is_bot"])
    return user


def save_theme(*, user: User, theme: str) -> None:
    """Keep the theme with the person, for the next device."""
    User.objects.filter(pk=user.pk).update(theme=theme)


def save_table_settings(*, user: User, shown_pace: str, has_sound: bool) -> None:
    """Keep with the person how tables show what happens, for the next device."""
    User.objects.filter(pk=user.pk).update(shown_pace=shown_pace, has_sound=has_sound)


@transaction.atomic
def issue_token(
    *, user: User, name: str, scopes: Iterable[str], expires_at: datetime | None = None
) -> str:
    """The key of a new API token, which is not shown again later.

    Raises ``NameTaken``, ``TooManyTokens``, and ``ScopeMissing`` where only the staff may have one.
    """
    wanted = {Scope.READ, *(Scope(scope) for scope in scopes)}
    if Scope.STAFF in wanted and not user.is_staff:
        raise ScopeMissing(f"The scope “{Scope.STAFF}” is for the staff.", needed=Scope.STAFF)
    User.objects.select_for_update(no_key=True).get(
        pk=user.pk
    )  # two forms at once are counted one by one
    name = tidy_name(name)
    if user.access_tokens.filter(name=name).exists():
        raise NameTaken(f"You have a token called “{name}” already. Choose another name.")
    if user.access_tokens.count() >= MOST_TOKENS:
        raise TooManyTokens(
            f"You have {MOST_TOKENS} tokens, and nobody has more. End one that you do not need."
        )
    key = queries.new_key()
    token = AccessToken.objects.create(
        user=user,
        name=name,
        prefix=key[: queries.PREFIX_LENGTH],
        digest=queries.digest_of(key),
        scopes=[scope for scope in Scope if scope in wanted],
        expires_at=expires_at,
    )
    get_adapter().send_notification_mail("accounts/email/token_made", user, {"token": token})
    return key


def revoke_token(*, user: User, pk: int) -> AccessToken | None:
    """End one of the person's API tokens. None when there is no such token (any more)."""
    token = AccessToken.objects.filter(user=user, pk=pk).first()
    if token is not None:
        AccessToken.objects.filter(pk=token.pk).delete()
    return token


def note_use(token: AccessToken) -> None:
    """Write down that a token is in use, if that has not been done a moment ago."""
    now = timezone.now()
    before = now - SEEN_EVERY
    if token.last_used_at is None or token.last_used_at < before:
        rows = AccessToken.objects.filter(pk=token.pk)
        rows.filter(Q(last_used_at=None) | Q(last_used_at__lt=before)).update(last_used_at=now)


def list_session(request: HttpRequest) -> None:
    """Put the session of a request on its person's list, or say that it was seen just now."""
    if "REMOTE_ADDR" in request.META:  # else a program of ours logs somebody in
        UserSession.objects.create_from_request(request)
    caches["process"].set(_seen(request), True, SEEN_EVERY.total_seconds())


def note_session(request: HttpRequest) -> None:
    """The same, if this process has not done that a moment ago."""
    if caches["process"].add(_seen(request), True, SEEN_EVERY.total_seconds()):
        UserSession.objects.create_from_request(request)


def _seen(request: HttpRequest) -> str:
    return f"seen:{request.session.session_key}"


def end_session(*, user: User, pk: int) -> bool:
    """Log the person out in one place. False when it has ended already."""
    row = UserSession.objects.filter(user=user, pk=pk).first()
    if row is None:
        return False
    _end([row])
    return True


def end_all_sessions(*, user: User, but_of: HttpRequest | None = None) -> None:
    """Log the person out everywhere, but for the session of a request.

    Sessions that no list knows of end too: what each of them holds fits no longer.
    """
    kept = None if but_of is None else but_of.session.session_key
    with transaction.atomic():
        people = User.objects.filter(pk=user.pk)
        people.update(times_logged_out_everywhere=F("times_logged_out_everywhere") + 1)
        user.refresh_from_db(fields=["times_logged_out_everywhere"])
        _end(UserSession.objects.filter(user=user).exclude(session_key=kept))
        session = but_of.session if but_of else None
        logged_out_everywhere.send(sender=User, user=user, kept=session)
    if but_of is not None:
        update_session_auth_hash(but_of, user)  # gives the session a new key
        UserSession.objects.filter(user=user, session_key=kept).delete()
        UserSession.objects.create_from_request(but_of)


@transaction.atomic
def end_second_factor(*, user: User) -> bool:
    """Let the password alone open an account, whose sessions end. False when it does so already."""
    deleted, _ = Authenticator.objects.filter(user=user).delete()
    if deleted:
        end_all_sessions(user=user)
    return bool(deleted)


def _end(rows: Iterable[UserSession]) -> None:
    sessions = import_module(settings.SESSION_ENGINE)
    for row in rows:
        session = sessions.SessionStore(row.session_key)
        session_ended.send(sender=User, session=session)
        session.delete()
        row.delete()


def forget_what_has_ended() -> None:
    """Remove tokens that expired long ago, and addresses of sessions that are over."""
    AccessToken.objects.filter(expires_at__lt=timezone.now() - KEEP_EXPIRED).delete()
    alive = Session.objects.filter(expire_date__gt=timezone.now())
    UserSession.objects.exclude(session_key__in=alive.values("session_key")).delete()


@transaction.atomic
def ask_friend(*, asker: User, username: str) -> Friendship:
    """Ask somebody to be friends; where the other has asked already, this is the yes.

    Asking twice changes nothing. Raises ``UnknownPerson``, ``MembersOnly``, ``Blocked``, and
    ``NoSuchQuestion`` for oneself.
    """
    if asker.is_guest:
        raise MembersOnly("Friends need an account. Sign up: everything you have here stays yours.")
    other = queries.person(username)
    if other.pk == asker.pk:
        raise NoSuchQuestion("You are your own friend already.")
    if blocks.blocked_between(asker, other, BlockKind.ALL):
        raise Blocked(f"You and {other} cannot be friends now: one of you has blocked the other.")
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


def close_account(*, user: User) -> None:
    """Delete an account: at once nobody can log in to it, and nothing says who it was.

    What hangs on it goes in the background (:func:`finish_closing`). Again changes nothing.
    """
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if row.deleted_at is None:
            _forget_who(row)
        _end(UserSession.objects.filter(user=row))
        for theirs in (AccessToken, EmailAddress, Authenticator):
            theirs.objects.filter(user=row).delete()
        User.objects.filter(merged_into=row).update(display_name=leaving.NAME)
    after_commit(enqueue, "accounts.tasks.finish_closing", user.pk)


def _forget_who(row: User) -> None:
    row.username = f"gone-{secrets.token_hex(8)}"
    row.display_name, row.first_name, row.last_name, row.email = leaving.NAME, "", "", ""
    row.is_active = row.is_staff = row.is_superuser = row.is_guest = row.is_bot = False
    row.shows_record = row.shows_matches = row.shows_decks = False
    row.theme, row.last_login = User.Theme.AUTO, None
    row.shown_pace = row.has_sound = None
    row.set_unusable_password()
    row.deleted_at = timezone.now()
    row.save()


def finish_closing(*, user: User) -> None:
    """Let a deleted account leave its tables, and delete all that hangs on it. Safe to repeat."""
    if user.deleted_at is None:
        return
    account_closing.send(sender=User, user=user)
    with transaction.atomic():
        leaving.clear(user)
        if leaving.is_kept_somewhere(user):
            User.objects.filter(pk=user.pk).update(closed=True)
        else:
            user.delete()


def unfinished_closings(*, limit: int = 100) -> list[int]:
    """Deleted accounts of which something may be left."""
    rows = User.objects.filter(deleted_at__isnull=False, closed=False).order_by("deleted_at")
    return list(rows.values_list("pk", flat=True)[:limit])
