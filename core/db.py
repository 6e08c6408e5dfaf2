"""Statements that most requests and each move make: Django writes them slower than they run.

Reads have their SQL written once, and nothing that was read is kept. Writes have it written
once from the model's own names. What they mean is Django's in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property
from inspect import signature
from itertools import cycle, islice
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model, QuerySet

Row = TypeVar("Row")
_MADE_UP = 715_517_001
"""A number that no query says by itself, and those after it."""


class _Statement(NamedTuple):
    """SQL with its parameters; ``places`` says at which of them which value asked for belongs.

    Its columns are those of the ``names`` of ``model``, then ``annotated``; without a model they
    are plain values. ``converters`` make what Django does of what a database gives for some.
    """

    sql: str
    params: list[Any]
    places: list[tuple[int, int]]
    model: type[Model] | None
    names: list[str]
    annotated: list[str]
    converters: list[tuple[int, list[Callable[..., Any]], Any]]

    def params_of(self, values: Sequence[Any]) -> list[Any]:
        params = [*self.params]
        for place, number in self.places:
            params[place] = values[number]
        return params

    def row(self, fetched: Sequence[Any], database: BaseDatabaseWrapper) -> Any:
        values = list(fetched)
        for place, converters, expression in self.converters:
            for convert in converters:
                values[place] = convert(values[place], expression, database)
        if self.model is None:
            return tuple(values)
        length = len(self.names)
        row = self.model.from_db(DEFAULT_DB_ALIAS, self.names, values[:length])
        for name, value in zip(self.annotated, values[length:], strict=True):
            setattr(row, name, value)
        return row


class CompiledQuery(Generic[Row]):
    """The rows of a query by its values, read anew each time::

        by_name = CompiledQuery(lambda name: User.objects.filter(username=name))
        people = by_name.rows("ann")

    A query may leave columns out and annotate others, give ``values_list``, or be a slice from one
    value on, as long as another (``query[first : first + most]``); ``select_related`` is not
    followed. One that takes ``*keys`` says how ``many`` they are: see :func:`filled_up`.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, Row]], many: int | None = None) -> None:
        self._query = query
        self._takes = len(signature(query).parameters) if many is None else many

    def rows(self, *values: Any) -> list[Row]:
        """The rows of these values."""
        statement, database = self._statement, connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            cursor.execute(statement.sql, statement.params_of(values))
            return [statement.row(fetched, database) for fetched in cursor.fetchall()]

    @cached_property
    def _statement(self) -> _Statement:
        """Of the query for some numbers; where they come back, the values belong."""
        numbers = range(_MADE_UP, _MADE_UP + self._takes)
        query = self._query(*numbers).query
        compiler = query.get_compiler(DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        known = {str(number): place for place, number in enumerate(numbers)}
        # A slice is written into the SQL, at its end.
        params = [*params, *(number for number in re.findall(r"\d+", sql) if number in known)]
        sql = re.sub(r"\d+", lambda digits: "%s" if digits[0] in known else digits[0], sql)
        places = [(n, known[str(value)]) for n, value in enumerate(params) if str(value) in known]
        if {number for _, number in places} != {*known.values()}:
            raise TypeError("A compiled query must use each of its values unchanged.")
        columns = [column for column, *_ in compiler.select]
        names = [columns[place].target.attname for place in compiler.klass_info["select_fields"]]
        converters = [
            (place, functions, expression)
            for place, (functions, expression) in compiler.get_converters(columns).items()
        ]
        model = None if query.values_select else compiler.klass_info["model"]
        annotated = list(compiler.annotation_col_map)
        return _Statement(sql, params, places, model, names, annotated, converters)


def filled_up(keys: Collection[int], many: int) -> list[int]:
    """Keys for a compiled query, which takes the same number each time: some of them twice."""
    if not 0 < len(keys) <= many:
        raise ValueError(f"It is asked for 1 to {many} keys, not for {len(keys)}.")
    return list(islice(cycle(keys), many))


def insert(row: Model) -> None:
    """Add a new row, as ``save(force_insert=True)``; only it does not learn its key."""
    sql, fields = _insertion(type(row))
    database = connections[DEFAULT_DB_ALIAS]
    with database.cursor() as cursor:
        values = [field.get_db_prep_save(getattr(row, field.attname), database) for field in fields]
        cursor.execute(sql, values)


def update(model: type[Model], changes: Sequence[tuple[Mapping[str, Any], dict[str, Any]]]) -> int:
    """Change rows, all the same fields of them, in one round trip; how many were there.

    A change is what finds its row, and the new values: ``({"id": 7, "version": 2}, {"ply": 3})``.
    """
    (where, values), *_ = changes
    sql, fields = _changing(model, tuple(where), tuple(values))
    database = connections[DEFAULT_DB_ALIAS]
    rows = [
        [
            field.get_db_prep_save(value, database)
            for field, value in zip(fields, [*values.values(), *where.values()], strict=True)
        ]
        for where, values in changes
    ]
    with database.cursor() as cursor:
        cursor.executemany(sql, rows)
        return int(cursor.rowcount)


@cache
def _insertion(model: type[Model]) -> tuple[str, list[Field[Any, Any]]]:
    """The statement, and the fields whose values it takes."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(_quoted(field.column) for field in fields)
    places = ", ".join("%s" for _ in fields)
    table = _quoted(model._meta.db_table)
    return f"INSERT INTO {table} ({columns}) VALUES ({places})", fields  # noqa: S608


@cache
def _changing(
    model: type[Model], where: tuple[str, ...], values: tuple[str, ...]
) -> tuple[str, list[Field[Any, Any]]]:
    """An UPDATE of some columns, compiled once."""
    named = {field.name: field for field in model._meta.concrete_fields}
    sets, finds = ([named[name] for name in names] for names in (values, where))
    columns = ", ".join(f"{_quoted(field.column)} = %s" for field in sets)
    where_sql = " AND ".join(f"{_quoted(field.column)} = %s" for field in finds)
    table = _quoted(model._meta.db_table)
    return f"UPDATE {table} SET {columns} WHERE {where_sql}", [*sets, *finds]  # noqa: S608


def _quoted(name: Any) -> str:
    """Names come from models alone."""
    return str(connections[DEFAULT_DB_ALIAS].ops.quote_name(name))
