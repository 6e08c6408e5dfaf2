"""API tokens for tests."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone

from accounts.models import User
from accounts.services.tokens import issue_token
from core.scopes import EVERYBODYS, Scope


def token_of(user: User, scopes: Iterable[Scope] = EVERYBODYS) -> str:
    """The key of a new token of somebody's. It was used just now: no call writes that down."""
    name = f"Test {user.access_tokens.count() + 1}"
    key = issue_token(user=user, name=name, scopes=scopes)
    user.access_tokens.filter(name=name).update(last_used_at=timezone.now())
    return key
