"""Where matches stand, for those who listen."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Prefetch

from matches.live.bell import MatchUpdate
from matches.models import Match, Seat


def match_update(match: Match, seats: Iterable[Seat]) -> MatchUpdate:
    """Where a match stands for each of those who listen."""
    people = {seat.user_id: match.hidden_ply_count(seat.number) for seat in seats if seat.user_id}
    return MatchUpdate(
        match.ply, match.version, match.hidden_ply_count(None), people, match.hidden_writes
    )


def match_updates(slugs: Iterable[str]) -> dict[str, MatchUpdate]:
    """Where several matches stand."""
    seats = Prefetch("seats", Seat.objects.only("match", "number", "user"))
    matches = Match.objects.filter(slug__in=slugs).only(
        "slug", "ply", "version", "hidden_plies", "hidden_writes"
    )
    return {
        match.slug: match_update(match, match.seats.all())
        for match in matches.prefetch_related(seats)
    }
