"""Database objects besides the models' tables: made after each ``migrate`` where it is missing.

Triggers, and indexes that one kind of database alone has, are no part of Django's models, and
SQLite drops a table's triggers when a later migration rebuilds it. So no migration makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.core.exceptions import FieldDoesNotExist
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate


def ensure_after_migrate(
    app: AppConfig, model: str, field: str, ensure: Callable[[BaseDatabaseWrapper], None]
) -> None:
    """Let ``ensure`` look after a database whenever it has migrated and has the model's field."""

    def migrated(using: str, apps: Any = None, **kwargs: Any) -> None:
        # ``apps`` are the models as migrated; where tables were only emptied there are none.
        if apps is None:
            return
        try:
            apps.get_model(app.label, model)._meta.get_field(field)
        except (LookupError, FieldDoesNotExist):
            return
        ensure(connections[using])

    post_migrate.connect(
        migrated, sender=app, weak=False, dispatch_uid=f"{app.label}.{model}.{field}"
    )
