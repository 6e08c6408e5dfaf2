"""Live evenings in the API."""

from __future__ import annotations

from accounts.models import User
from core.operations import tagged
from tournaments.queries import access, pages
from tournaments.services import evenings

operation = tagged("tournaments")


@operation("tournaments_confirm_presence", refuses=(403, 404, 409, 422))
def confirm_presence(user: User, slug: str) -> pages.EntryShown:
    """Confirm that you are present for the next round of a live evening.

    Players dropped as absent come back this way. Idempotent.
    """
    entry = evenings.confirm(tournament=access.tournament_of(slug), user=user)
    return pages.entries_shown([entry])[0]
