"""What makes searching for part of a word quick, made after each migration where it is missing.

PostgreSQL has an index of trigrams on ``Card.words`` (extension pg_trgm). SQLite has a full-text
table of trigrams beside the cards that triggers keep in step. Without either, searching works and
is slow. Why no migration makes them: ``collection.migrated``.
"""

from __future__ import annotations

import sqlite3
from functools import cache

import structlog
from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

log = structlog.get_logger("riffle.search")

TABLE = "collection_card_search"
SHORTEST = 3
"""Trigrams find nothing shorter."""

_SQLITE = (
    """CREATE VIRTUAL TABLE collection_card_search USING fts5(
        words, content='collection_card', content_rowid='id', tokenize='trigram')""",
    "INSERT INTO collection_card_search(collection_card_search) VALUES ('rebuild')",
)
_TRIGGERS = {
    "collection_card_search_new": """AFTER INSERT ON collection_card BEGIN
        INSERT INTO collection_card_search(rowid, words) VALUES (new.id, new.words); END""",
    "collection_card_search_gone": """AFTER DELETE ON collection_card BEGIN
        INSERT INTO collection_card_search(collection_card_search, rowid, words)
        VALUES ('delete', old.id, old.words); END""",
    "collection_card_search_other": """AFTER UPDATE OF words ON collection_card BEGIN
        INSERT INTO collection_card_search(collection_card_search, rowid, words)
        VALUES ('delete', old.id, old.words);
        INSERT INTO collection_card_search(rowid, words) VALUES (new.id, new.words); END""",
}
_POSTGRES = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    """CREATE INDEX IF NOT EXISTS collection_card_words ON collection_card
        USING gin (words gin_trgm_ops)""",
)


def ensure(connection: BaseDatabaseWrapper) -> None:
    """Make the index where it is missing. Doing it twice changes nothing."""
    if connection.vendor == "sqlite" and sqlite_can():
        _ensure_sqlite(connection)
    elif connection.vendor == "postgresql":
        try:
            with transaction.atomic(connection.alias), connection.cursor() as cursor:
                for statement in _POSTGRES:
                    cursor.execute(statement)
        except DatabaseError as error:
            log.warning("search will be slow: create the extension pg_trgm", reason=str(error))


def _ensure_sqlite(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE name LIKE 'collection_card_search%%'")
        there = {name for (name,) in cursor.fetchall()}
        if TABLE in there and there.issuperset(_TRIGGERS):
            return
        with transaction.atomic(connection.alias):
            for name, words in _TRIGGERS.items():
                cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {words}")
            # Whatever was written without the triggers is read now.
            for statement in _SQLITE[TABLE in there :]:
                cursor.execute(statement)


@cache
def sqlite_can() -> bool:
    """Whether this Python's SQLite has full-text tables with trigrams (3.34, nearly all have)."""
    memory = sqlite3.connect(":memory:")
    try:
        memory.execute("CREATE VIRTUAL TABLE trial USING fts5(words, tokenize='trigram')")
    except sqlite3.OperationalError:
        return False
    finally:
        memory.close()
    return True
