"""Past versions of decks in the API: undo, redo, restore, and comparison of two lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rest_framework import serializers

from accounts.models import User, Viewer
from core.operations import Rows, tagged
from core.pagination import LatestFirst
from core.serializers import Doc, component
from decks.api.decks import LARGEST_NUMBER, Expected
from decks.errors import OtherGame
from decks.queries import decks, versions
from decks.services import versions as services
from rules.engine.legality import Decklist

operation = tagged("decks")

Number = Annotated[int, Doc(min_value=1, max_value=LARGEST_NUMBER)]


@component("Expected")
@dataclass(frozen=True, slots=True)
class ExpectedVersion:
    """The comment on a version."""

    expected: Expected = None


@dataclass(frozen=True, slots=True)
class Restore:
    """Which version to bring back."""

    version: Number
    expected: Expected = None


@dataclass(frozen=True, slots=True)
class Note:
    """A version's name."""

    note: Annotated[
        str,
        Doc(
            "Named versions are kept permanently; empty removes the name.",
            allow_blank=True,
            max_length=services.NOTE_LENGTH,
        ),
    ]


class ByNumber(LatestFirst):
    """Versions, latest first."""

    ordering = "-number"


@operation("decks_versions_list", refuses=(403,), pagination_class=ByNumber)
def list_versions(user: User, slug: str) -> Rows[versions.VersionShown]:
    """List the stored versions of your deck, newest first.

    The deck's `version` is the current one; later ones were undone.
    """
    return Rows(decks.own_deck(user, slug).versions.all(), versions.versions_shown)


@operation("decks_versions_retrieve", refuses=(403,))
def get_version(user: User, slug: str, number: int) -> versions.VersionShown:
    """A version of your deck."""
    version = versions.version_of(decks.own_deck(user, slug), min(number, LARGEST_NUMBER))
    return versions.versions_shown([version])[0]


@operation("decks_versions_update", refuses=(403, 409, 422))
def name_version(user: User, slug: str, number: int, body: Note) -> versions.VersionShown:
    """Name a version. Named versions are kept permanently."""
    version = services.name_version(
        user=user, slug=slug, number=min(number, LARGEST_NUMBER), note=body.note
    )
    return versions.versions_shown([version])[0]


@operation("decks_undo", refuses=(403, 409))
def undo(user: User, slug: str, body: ExpectedVersion) -> decks.DeckShown:
    """Undo the last change of a deck's cards. 409 if there is none."""
    deck = services.undo_deck(user=user, slug=slug, expected=body.expected)
    return decks.deck_shown(user, deck)


@operation("decks_redo", refuses=(403, 409))
def redo(user: User, slug: str, body: ExpectedVersion) -> decks.DeckShown:
    """Redo the last undone change. 409 if there is none."""
    deck = services.redo_deck(user=user, slug=slug, expected=body.expected)
    return decks.deck_shown(user, deck)


@operation("decks_restore", refuses=(403, 409))
def restore(user: User, slug: str, body: Restore) -> decks.DeckShown:
    """Restore a version of your deck. This can be undone."""
    deck = services.restore_version(
        user=user, slug=slug, number=body.version, expected=body.expected
    )
    return decks.deck_shown(user, deck)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two lists."""

    changes: list[versions.Change]


@dataclass(frozen=True, slots=True)
class WhatToCompare:
    """Two versions of the deck, or another deck."""

    a: Annotated[Number | None, Doc("A version of the deck, the older one.")] = None
    b: Annotated[Number | None, Doc("Another version. Default: the current one.")] = None
    other: Annotated[str | None, Doc("Or another deck of the same game.", max_length=50)] = None

    def check(self) -> None:
        """One of the two ways."""
        if (self.other is None) == (self.a is None) or None not in (self.other, self.b):
            raise serializers.ValidationError(
                "Send a version as “a” (and another one as “b”), or another deck as “other”."
            )


def _lists(user: Viewer, slug: str, query: WhatToCompare) -> tuple[Decklist, Decklist]:
    if query.other is not None:
        deck = decks.access_deck(user, slug)
        other = decks.access_deck(user, query.other)
        if other.game != deck.game:
            raise OtherGame("Only decks of one game can be compared.")
        return decks.decklist(deck), decks.decklist(other)
    assert query.a is not None, "one of the two ways"
    deck = decks.own_deck(user, slug)
    older = versions.version_of(deck, query.a)
    newer = versions.version_of(deck, deck.version if query.b is None else query.b)
    return older.cards, newer.cards


@operation("decks_compare", refuses=(400, 403, 422), is_metered=True)
def compare(user: Viewer, slug: str, query: WhatToCompare) -> Comparison:
    """The differences between two versions of your deck, or between two decks."""
    return Comparison(versions.compare(*_lists(user, slug, query)))
