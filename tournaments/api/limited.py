"""Sealed and draft in the API. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.response import Response

from accounts.models import User, Viewer
from collection.services.packs import MAX_CLIENT_SEED_LENGTH
from core.operations import Idempotent, tagged
from core.serializers import Doc
from decks.queries import decks as deck_queries
from tournaments.queries import access
from tournaments.queries import limited as queries
from tournaments.services import limited

operation = tagged("tournaments")
_WRITE = (403, 404, 409, 422)
_RECORD = {(200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT)}


@operation("tournaments_limited")
def get_limited(user: Viewer, slug: str) -> queries.LimitedShown:
    """A sealed or draft tournament's terms, and your own packs, picks and pool.

    No one sees another player's before the tournament is over. 404 where players bring decks.
    """
    return queries.limited_shown(access.tournament_of(slug), user)


@dataclass(frozen=True, slots=True)
class Opening:
    """How packs are opened."""

    client_seed: Annotated[
        str, Doc("A line of your own, mixed into the seed.", max_length=MAX_CLIENT_SEED_LENGTH)
    ] = ""


@operation("tournaments_open_packs", refuses=(400, *_WRITE))
def open_packs(user: User, slug: str, body: Opening) -> queries.LimitedShown:
    """Open your packs of a sealed tournament, all at once. Idempotent."""
    tournament = access.tournament_of(slug)
    limited.open_own_packs(tournament=tournament, user=user, client_seed=body.client_seed)
    return queries.limited_shown(tournament, user)


@dataclass(frozen=True, slots=True)
class Pick:
    """Which pick, and which card of the pile."""

    round: Annotated[int, Doc(min_value=1, max_value=99)]
    pick: Annotated[int, Doc(min_value=1, max_value=999)]
    place: Annotated[int, Doc("The card’s place in the pile.", min_value=0, max_value=999)]


@operation("tournaments_pick", refuses=_WRITE)
def pick(user: User, slug: str, body: Pick) -> queries.LimitedShown:
    """Take a card. Idempotent: a pick that is made already stays as it is."""
    tournament = access.tournament_of(slug)
    limited.pick(
        tournament=tournament, user=user, round_number=body.round, number=body.pick,
        place=body.place,
    )  # fmt: skip
    return queries.limited_shown(tournament, user)


@dataclass(frozen=True, slots=True)
class PoolDeck:
    """A deck out of your pool."""

    deck: Annotated[str, Doc("Its slug.", max_length=50)]


@operation("tournaments_new_pool_deck", status=201, refuses=_WRITE)
def new_deck(user: User, slug: str, once: Idempotent) -> PoolDeck:
    """Create an empty deck to build from your pool."""
    tournament = access.tournament_of(slug)
    return PoolDeck(once(lambda: limited.new_deck(tournament=tournament, user=user).slug))


@operation("tournaments_submit_pool_deck", refuses=(400, *_WRITE))
def submit_deck(user: User, slug: str, body: PoolDeck) -> queries.LimitedShown:
    """Submit a deck out of your pool; another one replaces it until the start. Idempotent."""
    tournament = access.tournament_of(slug)
    deck = deck_queries.access_deck(user, body.deck)
    limited.hand_in(tournament=tournament, user=user, deck=deck)
    return queries.limited_shown(tournament, user)


@operation("tournaments_packs_record", answers=_RECORD, refuses=(409,), is_metered=True)
def download_record(slug: str) -> Response:
    """All packs and picks with their seed, for `verify.py`; once the tournament is over."""
    return Response(queries.record(access.tournament_of(slug)))


@operation("tournaments_pack_record", answers=_RECORD, refuses=(409,), is_metered=True)
def download_pack_record(user: Viewer, slug: str, pack: str) -> Response:
    """One of your opened packs for `verify.py`; any pack once the tournament is over."""
    return Response(queries.pack_record(access.tournament_of(slug), user, pack))
