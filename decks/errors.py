"""Refusals of this app. Each is a kind of Django's own, so pages and the API answer it alike."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.http import Http404


class UnknownDeck(Http404):
    """There is no such deck, or it is somebody's private one."""

    def __init__(self) -> None:
        super().__init__("There is no deck at this address, or it is private.")


class NotYourDeck(PermissionDenied):
    """Only the owner may do this."""

    def __init__(self) -> None:
        super().__init__("Only its owner may change a deck.")


class TooManyDecks(PermissionDenied):
    """The owner has as many decks as one person may keep."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"You have {limit} decks, which is the most. Delete one first.")


class BadDeck(ValueError):
    """What was given is no deck: ``field`` says which part, ``problems`` are sentences about it."""

    def __init__(self, field: str, problems: Sequence[str]) -> None:
        super().__init__(" ".join(problems))
        self.field = field
        self.problems = list(problems)
