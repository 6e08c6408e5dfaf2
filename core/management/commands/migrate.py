"""Django's ``migrate``, all or nothing.

A database that the migrations cannot bring to what the code needs gets one sentence and stays as
it was: one of another version, one with tables of another program, one whose rows do not fit. Every
start goes this way (``config.prepare``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, connections, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.exceptions import InconsistentMigrationHistory, NodeNotFoundError
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


class Command(migrate.Command):
    """Raises ``CommandError`` with what stands in the way; nothing has changed then.

    All migrations that are due are one transaction, unless one of them says that it cannot be in
    one (``atomic = False``): then they go one by one, as in Django.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        self.link = connections[options["database"]]
        try:
            self.link.ensure_connection()
        except DatabaseError as error:
            raise CommandError(f"The database cannot be opened: {_first_line(error)}") from error
        try:
            loader = MigrationLoader(self.link)
            if not options["prune"]:
                _refuse_unknown(loader, self.link)
            with _one_transaction(loader, self.link):
                super().handle(*args, **options)
                if not any(options[name] for name in _PART):
                    _refuse_incomplete(self.link)
        except CommandError:
            raise
        except Exception as error:
            raise CommandError(
                "This version of Riffle cannot bring the database up to date "
                f"({_first_line(error)}), so nothing in it was changed: run the version that it "
                "belongs to, or name an empty database."
            ) from error

    def migration_progress_callback(
        self, action: str, migration: Any = None, fake: bool = False
    ) -> None:
        """Let the next migration alter tables whose rows this one has written."""
        if action == "apply_success" and self.link.vendor == "postgresql":
            self.link.check_constraints()
        super().migration_progress_callback(action, migration, fake)


_PART = ("app_label", "plan", "check_unapplied", "fake")
"""Options with which it does not go all the way."""


class _CannotMigrate(Exception):
    """Something about the database, as the part of a sentence."""


_SPEAKING = (_CannotMigrate, DatabaseError, InconsistentMigrationHistory, NodeNotFoundError)
"""Errors whose first line says what is wrong with the database; of others the kind is named too."""


def _first_line(error: Exception) -> str:
    line = next(iter(str(error).strip().splitlines()), "").rstrip(".")
    return line if isinstance(error, _SPEAKING) else f"{type(error).__name__}: {line}"


def _refuse_unknown(loader: MigrationLoader, link: BaseDatabaseWrapper) -> None:
    """A database that has migrations which this code has not."""
    known = set(loader.disk_migrations)
    for migration in loader.disk_migrations.values():
        known.update(migration.replaces)
    for app, name in sorted(MigrationRecorder(link).applied_migrations()):
        if app in loader.migrated_apps and (app, name) not in known:
            raise _CannotMigrate(f"it has the migration {name} of {app}, which is unknown here")


def _refuse_incomplete(link: BaseDatabaseWrapper) -> None:
    """A database that says it has all migrations, and has not what they make."""
    with link.cursor() as cursor:
        tables = set(link.introspection.table_names(cursor))
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            if not model._meta.can_migrate(link) or not router.allow_migrate_model(
                link.alias, model
            ):
                continue
            if table not in tables:
                raise _CannotMigrate(f"it has no table {table}")
            cursor.execute(f"SELECT * FROM {link.ops.quote_name(table)} LIMIT 0")  # noqa: S608
            columns = {column[0] for column in cursor.description}
            for field in model._meta.local_concrete_fields:
                if field.column not in columns:
                    raise _CannotMigrate(f"its table {table} has no column {field.column}")


@contextmanager
def _one_transaction(loader: MigrationLoader, link: BaseDatabaseWrapper) -> Iterator[None]:
    due = (m for key, m in loader.graph.nodes.items() if key not in loader.applied_migrations)
    if not all(migration.atomic for migration in due):
        yield
        return
    # SQLite's checks of foreign keys cannot be turned off within a transaction, and have to be off
    # where tables are altered.
    with link.constraint_checks_disabled(), transaction.atomic(using=link.alias):
        yield
