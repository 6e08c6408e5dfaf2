"""Decks among people, in the API: what others show, copies and likes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from rest_framework.request import Request

from accounts.models import User, Viewer
from core.operations import Idempotent, Rows, tagged
from core.pagination import LatestFirst
from core.serializers import Doc
from decks.api.decks import Name
from decks.queries import decks as queries
from decks.queries.shared import SORTS, DeckSearch, shared_decks
from decks.services import decks as services

operation = tagged("decks")


@dataclass(frozen=True, slots=True)
class SharedDecksAsked:
    """A search for public decks."""

    q: Annotated[str, Doc("Words in name, tags, owner or cards.", max_length=100)] = ""
    game: Annotated[str, Doc(max_length=50)] = ""
    mode: Annotated[str, Doc(max_length=50)] = ""
    tag: Annotated[str, Doc(max_length=100)] = ""
    sort: Annotated[str, Doc(choices=list(SORTS))] = "newest"


class SharedOrder(LatestFirst):
    """The last changed or the most liked first."""

    page_size = 24
    max_page_size = 100

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """By the column of the order that was asked for; equal ones by key."""
        return (f"-{SORTS[request.query_params.get('sort') or 'newest']}", "-pk")


@operation("decks_shared_list", refuses=(400,), pagination_class=SharedOrder)
def list_shared(user: Viewer, query: SharedDecksAsked) -> Rows[queries.SharedDeck]:
    """List the public decks, most recently changed or most liked first."""
    search = DeckSearch(query.q, query.game, query.mode, query.tag, query.sort)
    rows = queries.with_entries(shared_decks(search))
    return Rows(rows, lambda decks: queries.shared_summaries(user, decks))


@dataclass(frozen=True, slots=True)
class Copy:
    """The name of the copy."""

    name: Annotated[Name, Doc("Default: the original's name.")] = ""


@operation("decks_copy", status=201, refuses=(422,))
def copy_deck(user: User, slug: str, body: Copy, once: Idempotent) -> queries.DeckShown:
    """Clone a deck, with credit. The clone is private."""
    key = once(lambda: services.copy_deck(user=user, slug=slug, name=body.name).slug)
    return queries.deck_shown(user, queries.access_deck(user, key))


@dataclass(frozen=True, slots=True)
class Likes:
    """How many people like a deck, and whether I do."""

    likes: int
    liked: bool


@operation("decks_likes")
def get_likes(user: Viewer, slug: str) -> Likes:
    """The number of likes of a deck, and if one is yours."""
    deck = queries.access_deck(user, slug)
    return Likes(deck.like_count, queries.likes(user, deck))


@operation("decks_like", refuses=(403, 422))
def like_deck(user: User, slug: str) -> Likes:
    """Like someone's deck. Idempotent."""
    return Likes(services.like_deck(user=user, slug=slug, on=True).like_count, True)


@operation("decks_unlike", refuses=(403, 422))
def unlike_deck(user: User, slug: str) -> Likes:
    """Remove your like. Idempotent."""
    return Likes(services.like_deck(user=user, slug=slug, on=False).like_count, False)
