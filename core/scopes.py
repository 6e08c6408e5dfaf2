"""Scopes: the permissions of an API token.

Reading is in every token. What more a call needs says the app whose view it is (``API_SCOPES`` in
the settings) or the view itself, by ``token_scope``.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from rest_framework.permissions import SAFE_METHODS


class Scope(models.TextChoices):
    """The scopes, from the most harmless."""

    READ = "read", "See what you see"
    PLAY = "play", "Play: tables, moves"
    COLLECT = "collect", "Change cards and decks"
    ACCOUNT = "account", "Change your account: friends, blocks, notifications"
    STAFF = "staff", "Use the rights of the staff"


# All that a person may, but for what the house trusts its staff with.
EVERYBODYS = (Scope.READ, Scope.PLAY, Scope.COLLECT, Scope.ACCOUNT)


def needed(view: Any, method: str) -> Scope:
    """The scope that a token needs for a call of a REST view."""
    if method in SAFE_METHODS:
        return Scope.READ
    own: Scope | None = getattr(view, "token_scope", None)
    return own or Scope(settings.API_SCOPES[type(view).__module__.partition(".")[0]])
