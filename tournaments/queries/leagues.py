"""Seasons of a league: who came where in which division."""

from __future__ import annotations

from collections import Counter

from tournaments.divisions import Place, movement
from tournaments.models import Entry, Tournament


def places_of(season: Tournament) -> dict[int, Place]:
    """The place of each person in a season that is over, by the person's key."""
    rows = list(
        Entry.objects.filter(tournament=season, rank__isnull=False)
        .order_by("rank")
        .values_list("user", "division")
    )
    players = Counter(division or 1 for _, division in rows)
    place: Counter[int] = Counter()
    places = {}
    for user, division in rows:
        division = division or 1
        place[division] += 1
        if user is not None:
            places[user] = Place(division, place[division], players[division])
    return places


def movements(season: Tournament, ranked: list[tuple[int, int]]) -> dict[int, tuple[int, str]]:
    """Place in the division, and “up”, “down” or nothing, by entry.

    ``ranked`` are numbers of entries with their divisions, the best first.
    """
    players = Counter(division for _, division in ranked)
    place: Counter[int] = Counter()
    result = {}
    for number, division in ranked:
        place[division] += 1
        here = Place(division, place[division], players[division])
        move = movement(here, max(players), season.moving)
        result[number] = (place[division], {-1: "up", 1: "down"}.get(move, ""))
    return result
