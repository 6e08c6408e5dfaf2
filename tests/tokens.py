"""API tokens for tests."""

from __future__ import annotations

from collections.abc import Iterable

from accounts import services
from accounts.models import User
from accounts.scopes import EVERYBODYS, Scope


def token_of(user: User, scopes: Iterable[Scope] = EVERYBODYS) -> str:
    """The key of a new token of somebody's."""
    name = f"Test {user.access_tokens.count() + 1}"
    return services.issue_token(user=user, name=name, scopes=scopes)
