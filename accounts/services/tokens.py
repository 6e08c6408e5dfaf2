"""API tokens: issued, revoked, and when they were last used."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from allauth.account.adapter import get_adapter
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.errors import NameTaken, ScopeMissing, TooManyTokens
from accounts.models import AccessToken, User
from accounts.names import tidy_name
from accounts.queries.tokens import PREFIX_LENGTH, digest_of, new_key
from accounts.services.sessions import SEEN_EVERY
from core.scopes import Scope

MAX_TOKENS = 25


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
    if user.access_tokens.count() >= MAX_TOKENS:
        raise TooManyTokens(
            f"You have {MAX_TOKENS} tokens, which is the limit. Revoke one that you don’t need."
        )
    key = new_key()
    token = AccessToken.objects.create(
        user=user,
        name=name,
        prefix=key[:PREFIX_LENGTH],
        digest=digest_of(key),
        scopes=[scope for scope in Scope if scope in wanted],
        expires_at=expires_at,
    )
    get_adapter().send_notification_mail("accounts/email/token_made", user, {"token": token})
    return key


def revoke_token(*, user: User, pk: int) -> AccessToken | None:
    """Revoke one of the person's API tokens; None if it does not exist."""
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
