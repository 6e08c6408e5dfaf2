"""One tournament, and who organises it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from accounts.models import Viewer
from matches.models import Rating, Speed, TimeControl
from matches.queries.ratings import shown
from tournaments.errors import UnknownTournament
from tournaments.models import Entry, Pairing, Round, Tournament


def tournament_of(slug: str) -> Tournament:
    """A tournament by its address, which is all that an unlisted one asks for.

    Raises ``UnknownTournament``.
    """
    rows = Tournament.objects.select_related("organiser", "deck_check__house__format", "limited")
    row = rows.defer("server_seed").filter(slug=slug).first()
    if row is None:
        raise UnknownTournament("There is no tournament at this address. Check the link.")
    return row


def organises(tournament: Tournament, user: Viewer) -> bool:
    """True for the organiser and the helpers."""
    if user.pk is None:
        return False
    return tournament.organiser_id == user.pk or tournament.helpers.filter(pk=user.pk).exists()


def entry_of(tournament: Tournament, user: Viewer) -> Entry | None:
    """Somebody's own entry."""
    if user.pk is None:
        return None
    rows = Entry.objects.filter(tournament=tournament, user=user.pk)
    return rows.select_related("deck", "user").first()


def entry_by_number(tournament: Tournament, number: int) -> Entry:
    """An entry by its number; raises ``UnknownTournament``."""
    rows = Entry.objects.filter(tournament=tournament, number=number)
    row = rows.select_related("user", "deck").first()
    if row is None:
        raise UnknownTournament("No player in this tournament has that number.")
    return row


def round_of(tournament: Tournament, number: int) -> Round:
    """A round by its number; raises ``UnknownTournament``."""
    round_result = Round.objects.filter(tournament=tournament, number=number).first()
    if round_result is None:
        raise UnknownTournament(f"This tournament has no round {number} yet.")
    return round_result


def pairing_of(tournament: Tournament, round_number: int, table: int) -> Pairing:
    """A table of a round; raises ``UnknownTournament``."""
    rows = Pairing.objects.filter(
        round__tournament=tournament, round__number=round_number, number=table
    )
    row = rows.select_related("round", "match").first()
    if row is None:
        raise UnknownTournament(f"Round {round_number} has no table {table}.")
    return row


CONFIRM_EARLY = timedelta(minutes=15)


def confirms_from(tournament: Tournament) -> datetime:
    """From this moment on players of a live evening confirm that they are present."""
    return tournament.starts_at - CONFIRM_EARLY


def ratings_in(tournament: Tournament, people: Collection[int]) -> dict[int, int]:
    """Ratings on the ladder of a tournament's matches, by person; who has none is left out."""
    speed = Speed.LIVE if tournament.time_control == TimeControl.LIVE else Speed.WEB
    rows = Rating.objects.filter(
        user__in=people,
        ladder__game=tournament.game,
        ladder__mode=tournament.mode,
        ladder__speed=speed,
    )
    return {user: shown(mu) for user, mu in rows.values_list("user", "mu") if user is not None}
