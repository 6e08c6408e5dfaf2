"""Room on the pages of matches and seats, so that PostgreSQL rewrites a row beside itself.

Every move writes these rows anew. On a full page the new version would go elsewhere, with an entry
in each index.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

FILL_FACTOR = 75
"""Percent of a page that inserts fill."""
TABLES = ("matches_match", "matches_seat")


def ensure(connection: BaseDatabaseWrapper) -> None:
    """Set the fill factor. Doing it twice changes nothing; SQLite has none."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"ALTER TABLE {table} SET (fillfactor = {FILL_FACTOR})")
