"""After a test that really writes, PostgreSQL's tables are emptied of what it wrote alone.

Django empties all of them, writes its own rows again and leaves the catalog to whoever needs it:
half a second of work a test. Here the rows that are there before the first test stay, as long as no
test has touched them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.test import TransactionTestCase

Fill = Callable[[], object]
_as_django_does = TransactionTestCase._fixture_teardown


class Emptying:
    """Which rows stay, and how to see that they are as they were."""

    def __init__(self, fill: Fill) -> None:
        self.fill = fill
        self.tables = connection.introspection.django_table_names(only_existing=True)
        with connection.cursor() as cursor:
            self.kept = self.holding_rows(cursor, self.tables)
            self.before = self.state(cursor)
        self.others = [table for table in self.tables if table not in self.kept]

    @staticmethod
    def holding_rows(cursor: CursorWrapper, tables: list[str]) -> list[str]:
        """Those of the tables that are not empty."""
        rows = (f"SELECT '{table}' WHERE EXISTS (SELECT FROM \"{table}\")" for table in tables)
        cursor.execute(" UNION ALL ".join(rows))
        return [row[0] for row in cursor.fetchall()]

    def state(self, cursor: CursorWrapper) -> list[Any]:
        """How many rows stay, and the last transaction that wrote one of them."""
        rows = (f'SELECT count(*), max(xmin::text::bigint) FROM "{table}"' for table in self.kept)
        cursor.execute(" UNION ALL ".join(rows))
        return cursor.fetchall()

    def empty(self) -> bool:
        """Delete what was written; False, and nothing is done, if what stays is not as it was."""
        with connection.cursor() as cursor:
            if self.state(cursor) != self.before:
                return False
            if written := self.holding_rows(cursor, self.others):
                # Without triggers and foreign keys: at the end all of it is gone.
                cursor.execute(
                    "BEGIN; SET LOCAL session_replication_role = replica; "
                    + "".join(f'DELETE FROM "{table}"; ' for table in written)
                    + "COMMIT"
                )
        return True

    def __call__(self, case: TransactionTestCase) -> None:
        if not self.empty():
            _as_django_does(case)
            self.fill()
            with connection.cursor() as cursor:
                self.before = self.state(cursor)


def keep_what_is_there(fill: Fill) -> None:
    """The rows of this moment stay; ``fill`` brings them again where a test has taken them."""
    emptying = Emptying(fill)
    TransactionTestCase._fixture_teardown = lambda case: emptying(case)  # type: ignore[method-assign]
