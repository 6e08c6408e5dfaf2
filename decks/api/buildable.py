"""Decks that a collection is enough for, or nearly, in the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rest_framework import serializers

import rules
from accounts.models import User
from core.operations import tagged
from core.serializers import Doc, component
from decks.queries import buildable as queries
from decks.queries.decks import SharedDeck, shared_summaries

operation = tagged("decks")

MAX_PAGES = 20


@dataclass(frozen=True, slots=True)
class BuildableQuery:
    """The decks of a game, a page of them."""

    game: Annotated[str, Doc("Default: the game that you have most cards of.", max_length=50)] = ""
    page: Annotated[int, Doc(min_value=1, max_value=MAX_PAGES)] = 1


@component("BuildableDeck")
@dataclass(frozen=True, slots=True)
class BuildableShown:
    """A public deck or a preconstructed one, and what you own of it."""

    size: int
    owned: Annotated[int, Doc("Copies of the deck that you own.")]
    missing: Annotated[int, Doc("Copies that you lack.")]
    deck: Annotated[SharedDeck | None, Doc("Null for a preconstructed deck.")]
    ready_made: Annotated[str, Doc("A preconstructed deck’s slug; empty for a public deck.")]
    name: str


@dataclass(frozen=True, slots=True)
class BuildablePage:
    """A page of decks, those with the fewest missing cards first."""

    game: str
    next_page: Annotated[int | None, Doc("Null on the last page.")]
    results: list[BuildableShown]


@operation(
    "decks_buildable", summary="Decks that you can build", refuses=(400, 404), is_metered=True
)
def list_buildable(user: User, query: BuildableQuery) -> BuildablePage:
    """Public and preconstructed decks of a game, those with the fewest missing cards first."""
    games = rules.games()
    game = query.game or next(
        slug for slug in [*queries.collected_games(user), *games] if slug in games
    )
    if game not in games:
        raise serializers.ValidationError({"game": [f"No game “{game}”."]})
    rows, more = queries.buildable_decks(user, game, (query.page - 1) * queries.PAGE_SIZE)
    summaries = {
        summary.slug: summary
        for summary in shared_summaries(user, [row.page.deck for row in rows if row.page])
    }
    return BuildablePage(
        game=game,
        next_page=query.page + 1 if more and query.page < MAX_PAGES else None,
        results=[
            BuildableShown(
                size=row.size,
                owned=row.owned,
                missing=row.missing,
                deck=summaries[row.page.deck.slug] if row.page else None,
                ready_made=row.starter.slug if row.starter else "",
                name=row.page.deck.name if row.page else row.starter.name if row.starter else "",
            )
            for row in rows
        ],
    )
