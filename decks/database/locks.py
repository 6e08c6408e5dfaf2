"""Triggers that keep the content of a locked deck unchanged: the database itself refuses.

It lets a lock go only where a judge has noted since why, and nothing else changes with it. The
triggers are made anew after every ``migrate`` (``core.post_migrate``).
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "decks_checkeddeck"
NOTES = "decks_checknote"
NAME = "decks_locked_list_stays"
KEPT = (
    "check_of_id", "number", "player", "player_number", "name", "typed", "cards", "unread",
    "digest",
)  # fmt: skip
WORDS = "A locked deck never changes."
_REASON = (
    f"EXISTS (SELECT 1 FROM {NOTES} WHERE check_of_id = OLD.check_of_id"  # noqa: S608
    " AND kind = 'unlocked' AND at >= OLD.locked_at)"
)


def ensure(connection: BaseDatabaseWrapper) -> None:
    """Make the trigger. Doing it twice changes nothing."""
    makers = {"sqlite": _sqlite, "postgresql": _postgres}
    with connection.cursor() as cursor:
        for statement in makers[connection.vendor]():
            cursor.execute(statement)


def _forbidden(differs: str) -> str:
    """Another list, another time of the lock, or none without a reason."""
    changed = " OR ".join(f"NEW.{column} {differs} OLD.{column}" for column in KEPT)
    lock = f"NEW.locked_at {differs} OLD.locked_at AND (NEW.locked_at IS NOT NULL OR NOT {_REASON})"
    return f"{changed} OR ({lock})"


def _sqlite() -> list[str]:
    return [
        f"DROP TRIGGER IF EXISTS {NAME}",
        f"CREATE TRIGGER {NAME} BEFORE UPDATE ON {TABLE} "
        f"WHEN OLD.locked_at IS NOT NULL AND ({_forbidden('IS NOT')}) "
        f"BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
    ]


def _postgres() -> list[str]:
    return [
        f"CREATE OR REPLACE FUNCTION {NAME}() RETURNS trigger LANGUAGE plpgsql AS $body$ "
        f"BEGIN IF {_forbidden('IS DISTINCT FROM')} THEN "
        f"RAISE EXCEPTION '{WORDS}' USING ERRCODE = 'integrity_constraint_violation'; END IF; "
        "RETURN NEW; END $body$",
        f"DROP TRIGGER IF EXISTS {NAME} ON {TABLE}",
        f"CREATE TRIGGER {NAME} BEFORE UPDATE ON {TABLE} FOR EACH ROW "
        f"WHEN (OLD.locked_at IS NOT NULL) EXECUTE FUNCTION {NAME}()",
    ]
