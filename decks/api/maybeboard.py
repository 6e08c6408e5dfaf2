"""A deck's maybeboard in the API: cards under consideration, seen by the deck's owner alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from accounts.models import User
from core.operations import tagged
from core.serializers import Doc, component
from decks.models import MAX_COPIES
from decks.queries import decks
from decks.services import builder as services

operation = tagged("decks")


@component("Maybeboard")
@dataclass(frozen=True, slots=True)
class MaybeboardShown:
    """The cards on a maybeboard; they are not in the deck."""

    cards: Annotated[dict[str, int], Doc("Copies by card.")]


@component("MaybeboardCards")
@dataclass(frozen=True, slots=True)
class MaybeboardCards:
    """The cards of a maybeboard."""

    cards: Annotated[
        dict[str, Annotated[int, Doc(min_value=1, max_value=MAX_COPIES)]],
        Doc(f"Copies by card, up to {services.MAYBE_ENTRIES} cards; none empties it."),
    ]


@operation("decks_maybeboard", summary="A deck’s maybeboard", refuses=(403,))
def get_maybeboard(user: User, slug: str) -> MaybeboardShown:
    """The cards under consideration for one of your decks."""
    return MaybeboardShown(decks.own_maybeboard(user, slug))


@operation("decks_maybeboard_update", summary="Set a deck’s maybeboard", refuses=(403, 422))
def set_maybeboard(user: User, slug: str, body: MaybeboardCards) -> MaybeboardShown:
    """Replace all cards on the maybeboard. The deck’s cards and versions stay. Idempotent."""
    return MaybeboardShown(services.set_maybeboard(user=user, slug=slug, cards=body.cards))
