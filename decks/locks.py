"""What a locked deck is made of never changes: the database itself refuses.

The triggers are made where they are missing after every ``migrate`` (``collection.post_migrate``).
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "decks_checkeddeck"
NAME = "decks_locked_list_stays"
KEPT = (
    "check_of_id", "number", "player", "name", "typed", "cards", "unread", "digest", "locked_at",
)  # fmt: skip
WORDS = "A locked deck never changes."


def ensure(connection: BaseDatabaseWrapper) -> None:
    """Make the trigger where it is missing. Doing it twice changes nothing."""
    makers = {"sqlite": _sqlite, "postgresql": _postgres}
    with connection.cursor() as cursor:
        for statement in makers[connection.vendor]():
            cursor.execute(statement)


def _changed(differs: str) -> str:
    return " OR ".join(f"NEW.{column} {differs} OLD.{column}" for column in KEPT)


def _sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER IF NOT EXISTS {NAME} BEFORE UPDATE ON {TABLE} "
        f"WHEN OLD.locked_at IS NOT NULL AND ({_changed('IS NOT')}) "
        f"BEGIN SELECT RAISE(ABORT, '{WORDS}'); END"
    ]


def _postgres() -> list[str]:
    return [
        f"CREATE OR REPLACE FUNCTION {NAME}() RETURNS trigger LANGUAGE plpgsql AS $body$ "
        f"BEGIN RAISE EXCEPTION '{WORDS}' USING ERRCODE = 'integrity_constraint_violation'; "
        "END $body$",
        f"DROP TRIGGER IF EXISTS {NAME} ON {TABLE}",
        f"CREATE TRIGGER {NAME} BEFORE UPDATE ON {TABLE} FOR EACH ROW "
        f"WHEN (OLD.locked_at IS NOT NULL AND ({_changed('IS DISTINCT FROM')})) "
        f"EXECUTE FUNCTION {NAME}()",
    ]
