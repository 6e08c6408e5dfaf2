"""Reads that most requests make: Django writes their SQL once, which takes it longer than to read.

Nothing that was read is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


class _Statement(NamedTuple):
    """SQL with its parameters, of which that at ``place`` is the value asked for."""

    sql: str
    params: list[Any]
    place: int

    def asking(self, value: Any) -> list[Any]:
        return [*self.params[: self.place], value, *self.params[self.place + 1 :]]


class Prepared(Generic[Row]):
    """What a query finds by one value, read anew each time::

        by_name = Prepared(lambda name: User.objects.filter(username=name))
        people = by_name.rows("ann")

    A query may leave columns out and annotate others; ``select_related`` is not followed.
    """

    def __init__(self, query: Callable[[Any], QuerySet[Row]]) -> None:
        self._query = query

    def rows(self, value: Any) -> list[Row]:
        """The rows of this value."""
        statement = self._statement
        return list(self._model._default_manager.raw(statement.sql, statement.asking(value)))

    def count(self, value: Any) -> int:
        """How many rows there are of this value."""
        statement = self._statement
        with connection.cursor() as cursor:
            # The query's own SQL, with placeholders for all values.
            sql = f"SELECT COUNT(*) FROM ({statement.sql}) found"  # noqa: S608  # nosec B608
            cursor.execute(sql, statement.asking(value))
            return int(cursor.fetchone()[0])

    @cached_property
    def _model(self) -> type[Row]:
        return self._query(1).model

    @cached_property
    def _statement(self) -> _Statement:
        """Of the query for 1; where that for 2 differs from it, the value belongs."""
        sql, params = self._query(1).query.sql_with_params()
        _, others = self._query(2).query.sql_with_params()
        places = [n for n, (one, two) in enumerate(zip(params, others, strict=True)) if one != two]
        if len(places) != 1:
            raise TypeError(f"A prepared query takes its value in one place, not in {len(places)}.")
        return _Statement(sql, list(params), places[0])
