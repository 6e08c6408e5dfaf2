"""Statistics of tournaments in the API."""

from __future__ import annotations

from core.operations import tagged
from tournaments.queries import access
from tournaments.queries import statistics as queries

operation = tagged("tournaments")


@operation("tournaments_statistics", refuses=(404,))
def get_statistics(slug: str) -> queries.StatisticsShown:
    """Decks and cards by results, once it is over; 404 where deck lists are not shown."""
    return queries.statistics(access.tournament_of(slug))
