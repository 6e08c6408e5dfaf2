"""A base for operations on decks: an invalid deck is a validation error."""

from __future__ import annotations

from typing import Annotated

from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from core.operations import View
from core.serializers import Doc
from decks.errors import BadDeck
from rules.engine.errors import BadData

_FIELDS = {"text": "list", "house": "format"}

LARGEST_NUMBER = 2**31 - 1
Expected = Annotated[
    int | None,
    Doc(
        "The version that you saw: a 409 if the deck has a newer one.",
        min_value=0,
    ),
]


class DeckOperations(View):
    """Operations on decks, anybody's."""

    tags = ("decks",)

    def handle_exception(self, exc: Exception) -> Response:
        """The answer to what went wrong."""
        if isinstance(exc, BadDeck):
            exc = ValidationError({_FIELDS.get(exc.field, exc.field): exc.problems})
        elif isinstance(exc, BadData):
            exc = ValidationError({"non_field_errors": [str(exc)]})
        return super().handle_exception(exc)


class OwnDeckOperations(DeckOperations):
    """Operations on decks for people who are logged in."""

    permission_classes = (IsAuthenticated,)
