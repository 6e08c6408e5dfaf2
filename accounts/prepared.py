"""Reads that most requests make: Django writes their SQL once, which takes it longer than to read.

Nothing that was read is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


class Prepared(Generic[Row]):
    """The rows that a query finds by one value, read anew at each call::

        by_name = Prepared(lambda name: User.objects.filter(username=name))
        people = by_name("ann")

    A query may leave columns out and annotate others; ``select_related`` is not followed.
    """

    def __init__(self, query: Callable[[Any], QuerySet[Row]]) -> None:
        self._query = query

    def __call__(self, value: Any) -> list[Row]:
        """The rows of this value."""
        return list(self._model._default_manager.raw(self._sql, [value]))

    @cached_property
    def _model(self) -> type[Row]:
        return self._query(0).model

    @cached_property
    def _sql(self) -> str:
        sql, params = self._query(0).query.sql_with_params()
        if len(params) != 1:
            raise TypeError(f"A prepared query is asked by one value, not by {params}.")
        return sql
