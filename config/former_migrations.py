"""A database that has only some of the migrations that have become one is not taken for whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


@register(Tags.database)
def former_migrations(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """``migrate`` runs this first; by itself it would find nothing to do in such a database."""
    replacements = MigrationLoader(None).replacements
    found: list[CheckMessage] = []
    for alias in databases or ():
        applied = MigrationRecorder(connections[alias]).applied_migrations()
        for key, migration in replacements.items():
            done = [former in applied for former in migration.replaces]
            if not all(done) and (any(done) or key in applied):
                found.append(
                    Error(
                        f"This database has only some of the former migrations of {key[0]}.",
                        hint="Migrate it with the version before this one first.",
                        id="riffle.E001",
                    )
                )
    return found
