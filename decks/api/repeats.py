"""Requests that may come twice: under the same key they make the same deck, once."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from decks.models import TOKEN_LENGTH

HEADER = "Idempotency-Key"
ONCE = OpenApiParameter(
    HEADER,
    location="header",
    description=f"Up to {TOKEN_LENGTH} signs. The same key again gives the deck that it made.",
)


def token_of(request: Request) -> str:
    """The key that a request came under; "" for none."""
    token = request.headers.get(HEADER, "").strip()
    if len(token) > TOKEN_LENGTH or not (token.isascii() and token.isprintable()):
        raise serializers.ValidationError(
            {HEADER: [f"A key has up to {TOKEN_LENGTH} signs of ASCII."]}
        )
    return token
