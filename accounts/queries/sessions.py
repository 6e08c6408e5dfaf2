"""Where a person is logged in, and their second factor."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.queries.devices import described

MAX_SESSIONS = 50


@dataclass(frozen=True, slots=True)
class LoggedInDevice:
    """Where somebody is logged in."""

    row: UserSession
    device: str
    is_here: bool


def places(request: HttpRequest, user: User) -> list[LoggedInDevice]:
    """Where the person is logged in: here first, then by last use; two queries."""
    rows = UserSession.objects.filter(user=user).order_by("-last_seen_at", "-pk")[:MAX_SESSIONS]
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
    devices = [
        LoggedInDevice(row, described(row.user_agent), row.session_key == here)
        for row in rows
        if row.session_key in valid
    ]
    return sorted(devices, key=lambda place: not place.is_here)


@dataclass(frozen=True, slots=True)
class SecondFactor:
    """A second factor that is on."""

    since: datetime
    last_used_at: datetime | None
    codes_left: int


def second_factor(user: User) -> SecondFactor | None:
    """The person's second factor, if it is on; one query."""
    by_type = {row.type: row for row in Authenticator.objects.filter(user=user)}
    app = by_type.get(Authenticator.Type.TOTP)
    if app is None:
        return None
    codes = by_type.get(Authenticator.Type.RECOVERY_CODES)
    left = len(codes.wrap().get_unused_codes()) if codes is not None else 0
    return SecondFactor(since=app.created_at, last_used_at=app.last_used_at, codes_left=left)
