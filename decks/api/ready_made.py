"""Ready-made decks in the API: what there is, and copies to build on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

import rules
from accounts.models import User
from collection.errors import NotFound
from core.operations import Idempotent, tagged
from core.serializers import Doc, from_row
from decks.api.decks import Slug
from decks.queries import decks as queries
from decks.services import decks as services
from rules.engine.legality import Decklist

operation = tagged("decks")


@dataclass(frozen=True, slots=True)
class ReadyMade:
    """A preconstructed deck of a game."""

    slug: str
    game: str
    name: str
    description: str
    modes: Annotated[tuple[str, ...], Doc("The modes that it is made for.")]
    size: Annotated[int, Doc("Number of cards.")]
    deck: Decklist


@operation(
    "decks_ready_made_list",
    parameters=[OpenApiParameter("game"), OpenApiParameter("mode")],
)
def list_ready_made(request: Request) -> list[ReadyMade]:
    """List the preconstructed decks."""
    query = request.query_params
    return list(_ready_made(query.get("game", ""), query.get("mode", "")))


def _ready_made(wish: str, mode: str) -> Iterator[ReadyMade]:
    for slug, game in rules.games().items():
        for deck in game.starter_decks.values():
            if wish in ("", slug) and (not mode or mode in deck.modes):
                size = sum(sum(counts.values()) for counts in deck.cards.values())
                yield from_row(ReadyMade, deck, game=slug, size=size, deck=deck.cards)


@dataclass(frozen=True, slots=True)
class CopyReadyMade:
    """The mode of the copy."""

    mode: Annotated[Slug | None, Doc("A mode that the deck is made for. Default: the first.")] = (
        None
    )


@operation("decks_ready_made_copy", status=201, refuses=(422,))
def copy_ready_made(
    user: User, game: str, starter: str, body: CopyReadyMade, once: Idempotent
) -> queries.DeckShown:
    """Clone a preconstructed deck. The clone is private."""
    if game not in rules.games() or starter not in rules.game(game).starter_decks:
        raise NotFound("Preconstructed deck not found.")

    def make() -> str:
        deck = services.deck_from_starter(owner=user, game=game, starter=starter, mode=body.mode)
        return deck.slug

    return queries.deck_shown(user, queries.access_deck(user, once(make)))
