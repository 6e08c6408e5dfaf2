"""Ladders in the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from accounts.models import User
from core.operations import Rows, tagged
from core.pagination import LatestFirst
from core.serializers import Doc
from tournaments.models import Challenge, Tournament
from tournaments.queries import access, pages
from tournaments.queries import ladder as queries
from tournaments.services import ladder as services

operation = tagged("tournaments")
_WRITE = (403, 404, 409, 422)


def _shown(tournament: Tournament, challenge: Challenge) -> queries.ChallengeShown:
    rows = queries.challenges(tournament).filter(pk=challenge.pk)
    return queries.challenges_shown(rows)[0]


@operation("tournaments_challenges", pagination_class=LatestFirst)
def list_challenges(slug: str) -> Rows[queries.ChallengeShown]:
    """List a ladder's challenges, newest first."""
    return Rows(queries.challenges(access.tournament_of(slug)), queries.challenges_shown)


@operation("tournaments_rank_changes", pagination_class=LatestFirst)
def list_rank_changes(slug: str) -> Rows[queries.RankChangeShown]:
    """List the changes of place on a ladder, newest first."""
    return Rows(queries.history(access.tournament_of(slug)), queries.history_shown)


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """A challenge."""

    entry: Annotated[int, Doc("The number of an entry up to three places above.", min_value=1)]


@operation("tournaments_challenge", status=201, refuses=_WRITE)
def challenge(user: User, slug: str, body: NewChallenge) -> queries.ChallengeShown:
    """Challenge a player up to three places above you for their place.

    While the challenge is open, a second time returns it.
    """
    tournament = access.tournament_of(slug)
    row = services.challenge(tournament=tournament, user=user, number=body.entry)
    return _shown(tournament, row)


@operation("tournaments_accept_challenge", refuses=_WRITE)
def accept(user: User, slug: str, number: int) -> queries.ChallengeShown:
    """Accept a challenge; a match is set up. Idempotent."""
    tournament = access.tournament_of(slug)
    return _shown(tournament, services.accept(tournament=tournament, user=user, number=number))


@operation("tournaments_decline_challenge", refuses=_WRITE)
def decline(user: User, slug: str, number: int) -> queries.ChallengeShown:
    """Decline a challenge: the challenger takes your place. Idempotent."""
    tournament = access.tournament_of(slug)
    return _shown(tournament, services.decline(tournament=tournament, user=user, number=number))


@operation("tournaments_withdraw_challenge", refuses=_WRITE)
def withdraw(user: User, slug: str, number: int) -> queries.ChallengeShown:
    """Withdraw your challenge before it is accepted. Idempotent."""
    tournament = access.tournament_of(slug)
    return _shown(tournament, services.withdraw(tournament=tournament, user=user, number=number))


@operation("tournaments_close_ladder", refuses=_WRITE)
def close(user: User, slug: str) -> pages.TournamentShown:
    """Close a ladder: its places are final. Idempotent; for organisers."""
    closed = services.close(tournament=access.tournament_of(slug), by=user)
    return pages.tournament_shown(closed)
