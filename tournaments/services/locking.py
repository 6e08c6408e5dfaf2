"""Every write begins here: the tournament's row keeps all other writers out until it is stored."""

from __future__ import annotations

from accounts.models import User
from core.errors import NotAllowed
from tournaments.errors import NotPossible
from tournaments.models import REASON_LENGTH, Tournament
from tournaments.queries.access import organises


def lock(tournament_id: int) -> Tournament:
    """The tournament as it is now, locked for this transaction.

    Whoever writes takes this lock before any other, so no two writers wait for each other.
    """
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("organiser", "deck_check", "limited").get(pk=tournament_id)


def lock_as_organiser(tournament: Tournament, by: User) -> Tournament:
    """Lock it for its organiser or a helper; raises ``NotAllowed``."""
    locked = lock(tournament.pk)
    if not organises(locked, by):
        raise NotAllowed("Only organisers can do this.")
    return locked


def checked_reason(reason: str) -> str:
    """A reason in one line; raises ``NotPossible``."""
    tidy = " ".join(reason.split())
    if not tidy or len(tidy) > REASON_LENGTH or not tidy.isprintable():
        raise NotPossible(f"Give a reason of 1 to {REASON_LENGTH} characters. It is public.")
    return tidy
