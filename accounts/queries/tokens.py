"""API tokens and the digests of their keys."""

from __future__ import annotations

import hashlib
import secrets

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import AccessToken, User

# How a key begins, so that one that is found somewhere is known for what it is.
KEY_MARK = "riffle_"


PREFIX_LENGTH = len(KEY_MARK) + 6


def new_key() -> str:
    """A key for an API token that nobody can guess."""
    return KEY_MARK + secrets.token_urlsafe(32)


def digest_of(key: str) -> str:
    """The stored digest of a key; a quick one, as the key is long and random."""
    return hashlib.sha256(key.encode()).hexdigest()


def token_of_key(key: str) -> AccessToken | None:
    """The token of a key, with its person; it may have expired."""
    return AccessToken.objects.filter(digest=digest_of(key)).select_related("user").first()


def tokens(user: User) -> QuerySet[AccessToken]:
    """The person's API tokens, latest first."""
    return user.access_tokens.order_by("-created_at", "-pk")


def working_tokens(user: User) -> QuerySet[AccessToken]:
    """Those of them that have not expired."""
    return tokens(user).filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()))
