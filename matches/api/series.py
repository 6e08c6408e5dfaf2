"""Series in the API."""

from __future__ import annotations

from accounts.models import Viewer
from core.operations import tagged
from matches.errors import UnknownMatch
from matches.queries.access import access_match
from matches.queries.series import SeriesShown, series_shown

operation = tagged("matches")


@operation("matches_series", refuses=(403, 404))
def get_series(user: Viewer, slug: str) -> SeriesShown:
    """The series that a match belongs to: its length, matches and standing; 404 if none."""
    series = series_shown(access_match(user, slug))
    if series is None:
        raise UnknownMatch("This match is not part of a series.")
    return series
