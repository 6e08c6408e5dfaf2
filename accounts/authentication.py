"""Who calls the API with a token, and whether that token may do what is asked."""

from __future__ import annotations

from django.utils.formats import date_format
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.errors import ScopeMissing
from accounts.models import AccessToken, User
from accounts.queries.tokens import token_of_key
from accounts.services.tokens import note_use
from core.scopes import needed


class TokenAuthentication(authentication.TokenAuthentication):
    """``Authorization: Token …``; the one place that looks at a token's scopes."""

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        identity: tuple[User, AccessToken] | None = super().authenticate(request)
        if identity is None:
            return None
        token = identity[1]
        scope = needed(request.parser_context.get("view"), request.method or "")
        if scope not in token.scopes:
            raise ScopeMissing(
                f"This needs a token with the scope “{scope}”; “{token.name}” has "
                f"{', '.join(token.scopes)}. Make another one on the page of your API tokens.",
                needed=scope,
                scopes=token.scopes,
            )
        note_use(token)
        return identity

    def authenticate_credentials(self, key: str) -> tuple[User, AccessToken]:
        token = token_of_key(key)
        if token is None or not token.user.is_active:
            raise AuthenticationFailed("Unknown or expired token. Check your API tokens page.")
        if token.expires_at is not None and token.has_expired:
            day = date_format(token.expires_at, "j F Y")
            raise AuthenticationFailed(
                f"This token expired on {day}. Make a new one on the page of your API tokens."
            )
        return token.user, token
