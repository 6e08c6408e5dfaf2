"""Refusals of this app; pages and the API show them alike."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404

from core.errors import Refusal

_API_NAMES = {"text": "list", "house": "format"}
"""Members of the API that forms call otherwise."""


class UnknownDeck(Http404):
    """The deck does not exist, or it is someone's private one."""

    def __init__(self) -> None:
        super().__init__("Deck not found, or it is private.")


class NotYourDeck(PermissionDenied):
    """Only the owner may do this."""

    def __init__(self) -> None:
        super().__init__("Only its owner can edit a deck.")


class TooManyDecks(PermissionDenied):
    """The owner has as many decks as one person may keep."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"You already have {limit} decks. Delete one first.")


class BadDeck(Refusal):
    """The deck is invalid: “errors” names the member, with a sentence about each problem.

    ``field`` is the member's name in forms; pages join ``problems``.
    """

    status = 422
    title = "Invalid deck"

    def __init__(self, field: str, problems: Sequence[str]) -> None:
        self.field = field
        self.problems = list(problems)
        super().__init__(problems[0], errors={_API_NAMES.get(field, field): self.problems})

    def __str__(self) -> str:
        return " ".join(self.problems)


class VersionOvertaken(Refusal):
    """A format has got a newer version than the one that a form began from.

    ``number`` is the newest one's.
    """

    status = 409
    title = "Newer version"

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(
            f"Version {number} was published after you opened this form. Look at it on the "
            "format’s page; publish again to replace it."
        )


class DeckChanged(Refusal):
    """The deck is no longer what the page or program saw: ask for it again, then repeat the change.

    ``version`` is the version that the deck has now.
    """

    status = 409
    title = "Deck has changed"


class AboutChanged(Refusal):
    """Name, tags, notes or who may see a deck are no longer what the page or program saw.

    ``now`` has what was changed on both sides, as it is now; ``about_version`` is the deck's now.
    ``changed_fields`` are all fields that the sender changed.
    """

    status = 409
    title = "Deck details have changed"

    def __init__(
        self,
        detail: str,
        *,
        changed_fields: Collection[str],
        now: Mapping[str, object],
        **extra: Any,
    ):
        super().__init__(detail, now=now, **extra)
        self.changed_fields = changed_fields
        self.clashes = tuple(now)


class NoFurther(Refusal):
    """There is nothing to undo or nothing to redo."""

    status = 409
    title = "Nothing to undo or redo"


class UnknownVersion(Refusal):
    """The deck has no such version, or no longer: only the last few hundred unnamed ones stay."""

    status = 404
    title = "Version not found"


class CannotGoBack(Refusal):
    """A version cannot be brought back, because a card of it is no longer known."""

    status = 409
    title = "Cannot restore this version"


class TooManyNames(Refusal):
    """A deck has as many named versions as are kept for good."""

    status = 422
    code = "too-many-named-versions"
    title = "Too many named versions"


class OwnDeck(Refusal):
    """Likes are for other people's decks."""

    status = 422
    title = "Your own deck"


class OtherGame(Refusal):
    """Only decks of one game can be compared."""

    status = 422
    title = "Decks of different games"


class NoExport(Refusal):
    """The deck cannot be written in this form; the sentence says why."""

    status = 409
    title = "Cannot export this deck"


class NoLegalDeck(Refusal):
    """No legal deck found: a format may leave too few cards, or a collection have too few."""

    status = 422
    title = "No legal deck found"


class UnknownComment(Refusal):
    """The comment does not exist on this deck, or nobody may read it any more."""

    status = 404
    title = "Comment not found"


class UnknownRun(Refusal):
    """The run of the deck lab does not exist, or it is somebody else's."""

    status = 404
    title = "Run not found"


class NotForLab(Refusal):
    """The deck lab cannot play this; the sentence says why."""

    status = 422
    title = "Cannot be played in the lab"


class LabBusy(Refusal):
    """Another run of this person is under way, or they have started many today."""

    status = 429
    title = "One run at a time"
    retry_after = 60
