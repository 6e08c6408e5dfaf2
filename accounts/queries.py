"""Reads about people."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from rest_framework.authtoken.models import Token

from accounts.models import User


def current_guest(request: HttpRequest) -> User | None:
    """The guest who is logged in, or None for members and anonymous visitors."""
    user: User | AnonymousUser = request.user
    return user if isinstance(user, User) and user.is_guest else None


def token_of(user: User) -> Token | None:
    """The person's API token, if there is one."""
    return Token.objects.filter(user=user).first()
