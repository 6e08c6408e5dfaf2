"""Finding part of a word, or of anything, in some columns of a table without reading all of it.

PostgreSQL has an index of trigrams on the columns (extension pg_trgm), which ``LIKE '%…%'`` uses.
SQLite has a full-text table of trigrams beside the table, which triggers keep in step. Both are
made after each migration where they are missing: Django drops a table's triggers when it rebuilds
the table. Without either, searching works and is slow.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import structlog
from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

log = structlog.get_logger("riffle.search")

_POSTGRES = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX IF NOT EXISTS {name} ON {table} USING gin ({indexed}){where}",
)
_SQLITE = """CREATE VIRTUAL TABLE {name} USING fts5(
    {columns}, content='{table}', content_rowid='id', tokenize='trigram')"""
_REBUILD = "INSERT INTO {name}({name}) VALUES ('rebuild')"
_PUT = "INSERT INTO {name}(rowid, {columns}) VALUES (new.id, {new});"
_TAKE = "INSERT INTO {name}({name}, rowid, {columns}) VALUES ('delete', old.id, {old});"
_TRIGGERS = {
    "new": f"AFTER INSERT ON {{table}} BEGIN {_PUT} END",
    "gone": f"AFTER DELETE ON {{table}} BEGIN {_TAKE} END",
    "other": f"AFTER UPDATE OF {{columns}} ON {{table}} BEGIN {_TAKE} {_PUT} END",
}
SHORTEST = 3
"""Trigrams find nothing shorter."""
_FIND = "SELECT rowid FROM {name} WHERE {name} MATCH %s LIMIT %s"

Wanted: TypeAlias = Sequence[tuple[str, str]]
"""Columns, and what is said of each."""


@dataclass(frozen=True, slots=True)
class Trigrams:
    """The trigrams of a table.

    ``searched`` are the columns of PostgreSQL's index, which knows only the rows of ``condition``
    (SQL). SQLite's table knows ``also`` other columns, so that it can count what fits all of them.
    """

    table: str
    searched: tuple[str, ...]
    also: tuple[str, ...] = ()
    condition: str = ""

    @property
    def name(self) -> str:
        """SQLite's table; triggers and index are called after it."""
        return f"{self.table}_search"

    def ensure(self, connection: BaseDatabaseWrapper) -> None:
        """Make what is missing. Doing it twice changes nothing."""
        if connection.vendor == "sqlite" and sqlite_can():
            self._ensure_sqlite(connection)
        elif connection.vendor == "postgresql":
            try:
                with transaction.atomic(connection.alias), connection.cursor() as cursor:
                    for statement in _POSTGRES:
                        cursor.execute(self._named(statement))
            except DatabaseError as error:
                log.warning("search will be slow: create the extension pg_trgm", reason=str(error))

    def _ensure_sqlite(self, connection: BaseDatabaseWrapper) -> None:
        triggers = {f"{self.name}_{end}": words for end, words in _TRIGGERS.items()}
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT name FROM sqlite_master WHERE substr(name, 1, %s) = %s",
                (len(self.name), self.name),
            )
            existing = {name for (name,) in cursor.fetchall()}
            if self.name in existing and existing.issuperset(triggers):
                return
            with transaction.atomic(connection.alias):
                for name, words in triggers.items():
                    cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {self._named(words)}")
                if self.name not in existing:
                    cursor.execute(self._named(_SQLITE))
                # Whatever was written without the triggers is read now.
                cursor.execute(self._named(_REBUILD))

    def _named(self, statement: str) -> str:
        columns = (*self.searched, *self.also)
        return statement.format(
            name=self.name,
            table=self.table,
            columns=", ".join(columns),
            new=", ".join(f"new.{column}" for column in columns),
            old=", ".join(f"old.{column}" for column in columns),
            indexed=", ".join(f"{column} gin_trgm_ops" for column in self.searched),
            where=f" WHERE {self.condition}" if self.condition else "",
        )

    def keys(self, connection: BaseDatabaseWrapper, wanted: Wanted, most: int) -> list[int]:
        """Up to ``most`` keys of rows that contain the wanted text in each named column.

        SQLite only. A text has at least three characters; case does not matter.
        """
        with connection.cursor() as cursor:
            cursor.execute(self._named(_FIND), (match(wanted), most))
            return [key for (key,) in cursor.fetchall()]


def match(wanted: Wanted) -> str:
    """The full-text query of SQLite for such rows."""
    return " AND ".join(
        '{} : "{}"'.format(column, text.replace('"', '""')) for column, text in wanted
    )


CARDS = Trigrams(table="collection_card", searched=("words",))


@cache
def sqlite_can() -> bool:
    """True if this Python's SQLite has full-text tables with trigrams (3.34, nearly all have)."""
    memory = sqlite3.connect(":memory:")
    try:
        memory.execute("CREATE VIRTUAL TABLE trial USING fts5(words, tokenize='trigram')")
    except sqlite3.OperationalError:
        return False
    finally:
        memory.close()
    return True
