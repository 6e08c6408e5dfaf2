"""A row lock asked for outside a transaction fails on both databases, not on PostgreSQL alone."""

from __future__ import annotations

from typing import Any

from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

_as_sql = SQLCompiler.as_sql


def _with_own_transaction(self: SQLCompiler, *args: Any, **kwargs: Any) -> Any:
    """Compile a query; the transaction around a whole test does not count as the code's own."""
    own = [block for block in self.connection.atomic_blocks if not block._from_testcase]
    if self.query.select_for_update and not own:
        raise TransactionManagementError(
            f"select_for_update on {self.query.model} outside of a transaction of its own."
        )
    return _as_sql(self, *args, **kwargs)


def watch() -> None:
    """Let every query that locks rows be checked from now on."""
    SQLCompiler.as_sql = _with_own_transaction  # type: ignore[method-assign]
