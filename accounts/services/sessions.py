"""Sessions and the second factor: listed, noted, ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from importlib import import_module

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import AccessToken, User
from accounts.signals import logged_out_everywhere, session_ended

# Last use of a token and last sight of a session are written at most so often.
SEEN_EVERY = timedelta(minutes=5)


KEEP_EXPIRED = timedelta(days=30)


def list_session(request: HttpRequest) -> None:
    """Put the session of a request on its person's list, or say that it was seen just now."""
    if "REMOTE_ADDR" in request.META:  # else a program of ours logs somebody in
        UserSession.objects.create_from_request(request)
    caches["process"].set(_seen(request), True, SEEN_EVERY.total_seconds())


def note_session(request: HttpRequest) -> None:
    """Note the visit, unless this process did so a moment ago."""
    if caches["process"].add(_seen(request), True, SEEN_EVERY.total_seconds()):
        UserSession.objects.create_from_request(request)


def _seen(request: HttpRequest) -> str:
    return f"seen:{request.session.session_key}"


def end_session(*, user: User, pk: int) -> bool:
    """Log the person out in one place. False when it has ended already."""
    row = UserSession.objects.filter(user=user, pk=pk).first()
    if row is None:
        return False
    end_rows([row])
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
        end_rows(UserSession.objects.filter(user=user).exclude(session_key=kept))
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


def end_rows(rows: Iterable[UserSession]) -> None:
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
