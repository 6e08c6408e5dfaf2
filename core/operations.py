"""Operations of the API: functions with types, and what all of them do alike.

A function that :func:`operation` decorates names what it needs:

* ``user: User``: the person who asks, and has to be logged in; ``user: Viewer``: anyone
* ``request: Request``, where more of it is needed
* ``body: T``: the body, which may have no other members; ``query: T``: the query; both are
  dataclasses (``core.serializers``)
* ``once: Idempotent``: makes a thing once for each idempotency key
* what the address names, such as ``slug: str``

It returns a dataclass, a list of them, :class:`Rows` for pages of them, or None (204).
:class:`Answer` carries another status or another serializer's object. The API's document follows
from the same types; the usual refusals are added by ``core.openapi``.

:func:`operations` makes the view of an address, by method::

    path("matches/", operations(get=list_matches, post=create_match))
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import islice
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.pagination import BasePagination
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core import replica
from core.budgets import metered
from core.errors import UnknownMember
from core.idempotency import ONCE, once_per_key
from core.openapi import problems
from core.scopes import Scope
from core.serializers import request_serializer, response_serializer

T = TypeVar("T")
_Serializer = type[serializers.Serializer[Any]]
BODY = (400, 413, 415, 422)
"""The refusals of a body; every operation that takes one has them."""


class Idempotent:
    """Runs a function once for a request's idempotency key and gives the name of its result."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def __call__(self, make: Callable[[], str]) -> str:
        return once_per_key(self.request, make)


@dataclasses.dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """An answer with a status of its own."""

    body: T
    status: int


@dataclasses.dataclass(frozen=True, slots=True)
class Rows(Generic[T]):
    """Rows of which a page (``pagination_class``) shows some, each as ``to_response`` makes it."""

    rows: QuerySet[Any]
    to_response: Callable[[Sequence[Any]], Sequence[T]] = list


class View(APIView):
    """The operations at one address."""

    pagination_class: type[BasePagination] | None = None
    throttle_scope: str | None = None
    token_scope: Scope | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Operation:
    """A view's method, and the view's attributes that it needs."""

    handler: Callable[..., HttpResponseBase]
    needs_login: bool
    attributes: Mapping[str, Any]


def operations(*, documented: bool = True, **by_method: Operation) -> Callable[..., Any]:
    """The view of an address: ``get=…, post=…`` and so on.

    Attributes of an operation, such as its throttles, hold for all of them. Without a login only
    GET is allowed, unless ``permission_classes`` says otherwise.
    """
    members: dict[str, Any] = {}
    if all(operation.needs_login for operation in by_method.values()):
        members["permission_classes"] = (IsAuthenticated,)
    for method, operation in by_method.items():
        # Which scope a token needs goes by the view's module (core/scopes.py).
        members |= {"__module__": operation.handler.__module__, method: operation.handler}
        members |= operation.attributes
    unknown = [name for name in members if not hasattr(View, name) and name not in by_method]
    if unknown:
        raise TypeError(f"Views have no {', '.join(unknown)}.")
    view: type[View] = type("View", (View,), members)
    return view.as_view() if documented else view.as_view(schema=None)


def operation(
    operation_id: str,
    *,
    tag: str,
    status: int = 200,
    statuses: Sequence[int] = (),
    refuses: Sequence[int] = (),
    answers: _Serializer | dict[Any, Any] | None = None,
    forms: Sequence[str] | Mapping[str, Any] = (),
    parameters: Sequence[OpenApiParameter | _Serializer] = (),
    examples: Sequence[OpenApiExample] = (),
    summary: str | None = None,
    description: str | None = None,
    is_metered: bool = False,
    reads_replica: bool = False,
    **attributes: Any,
) -> Callable[[Callable[..., Any]], Operation]:
    """Make a typed function an operation.

    ``refuses`` are refusals beyond the usual ones. ``answers`` is a serializer of one's own, where
    the answer is not a dataclass, or all answers of one that gives files. ``forms`` are the
    media types of a body that may come in several, each with its serializer where they differ.
    ``is_metered`` charges its CPU time to the sender (``core.budgets``); ``reads_replica`` lets it
    read from a replica (``core.replica``). Further ``attributes`` are those of REST framework's
    views: ``pagination_class``, ``throttle_classes`` …
    """
    if forms:
        attributes["parser_classes"] = [*View.parser_classes, MultiPartParser]

    def decorate(function: Callable[..., Any]) -> Operation:
        hints = get_type_hints(function)
        response, many = _response_of(hints["return"], answers)
        body, query = (request_serializer(hints[name]) if name in hints else None for name in _READ)
        injected = [name for name in ("user", "request", "once") if name in hints]

        @functools.wraps(function)
        def handle(view: View, request: Request, **kwargs: Any) -> HttpResponseBase:
            with metered(request) if is_metered else nullcontext():
                person = {"user": request.user, "request": request, "once": None}
                kwargs |= {name: person[name] for name in injected}
                if "once" in injected:
                    kwargs["once"] = Idempotent(request)
                if body is not None:
                    kwargs["body"] = read_body(body, request.data)
                elif not forms and request.content_type.startswith("application/json"):
                    refuse_unknown(serializers.Serializer(), request.data)
                if query is not None:
                    kwargs["query"] = read(query, request.query_params)

                def respond() -> HttpResponseBase:
                    return _respond(view, request, function(**kwargs), response, status)

                return replica.read(respond, request.user) if reads_replica else respond()

        good: dict[Any, Any]
        if isinstance(answers, dict):
            good = answers
        elif response is None:
            good = {204: None}
        else:
            document = response(many=True) if many else response
            good = dict.fromkeys(statuses or (status,), document)
        described: Callable[..., HttpResponseBase] = extend_schema(
            operation_id=operation_id,
            tags=[tag],
            summary=summary,
            description=description,
            request=_forms(forms, body) if forms else body,
            parameters=[
                *parameters,
                *([query] if query else []),
                *([ONCE] if "once" in injected else []),
            ],
            responses={**good, **problems(*refuses)},
            examples=list(examples) or None,
        )(handle)
        return Operation(described, isinstance(hints.get("user"), type), attributes)

    return decorate


def tagged(tag: str) -> functools.partial[Callable[[Callable[..., Any]], Operation]]:
    """The decorator :func:`operation` for a module whose operations share a tag."""
    return functools.partial(operation, tag=tag)


_READ = ("body", "query")
_HOLDERS = (
    serializers.BaseSerializer,
    serializers.ListField,
    serializers.DictField,
)
_MAX_NAMED = 10
_NAME_LENGTH = 80


def _forms(forms: Sequence[str] | Mapping[str, Any], body: _Serializer | None) -> dict[str, Any]:
    return dict(forms) if isinstance(forms, Mapping) else dict.fromkeys(forms, body)


def read_body(shape: _Serializer, data: Any) -> Any:
    """A body as its dataclass. Raises ``UnknownMember`` and ``ValidationError``."""
    refuse_unknown(_reader(shape), data)
    return read(shape, data)


def refuse_unknown(serializer: serializers.Serializer[Any], data: Any) -> None:
    """Raise ``UnknownMember`` if the data has members, at any depth, that it does not know."""
    unknown = list(islice(_unknown(serializer, data), _MAX_NAMED))
    if unknown:
        raise UnknownMember([path for path, _ in unknown], list(unknown[0][1]))


def _unknown(field: Any, data: Any, path: str = "") -> Iterator[tuple[str, Iterable[str]]]:
    """Each unknown member, as ``seats.0.colour``, with the names that are known beside it."""
    if isinstance(field, serializers.Serializer):
        for name in data if isinstance(data, Mapping) else ():
            if name in field.fields:
                yield from _unknown(field.fields[name], data[name], f"{path}{name}.")
            else:
                yield path + str(name)[:_NAME_LENGTH], field.fields
    elif isinstance(child := getattr(field, "child", None), _HOLDERS):
        if isinstance(data, list):
            data = dict(enumerate(data))
        for key, row in data.items() if isinstance(data, Mapping) else ():
            yield from _unknown(child, row, f"{path}{str(key)[:_NAME_LENGTH]}.")


def read(shape: _Serializer, data: Any) -> Any:
    """The validated data. Raises ``ValidationError``."""
    if data is None:
        raise serializers.ValidationError({"non_field_errors": ["No data provided"]})
    return _reader(shape).run_validation(data)


@functools.cache
def _reader(shape: _Serializer) -> serializers.Serializer[Any]:
    """The one that reads for all requests: reading leaves nothing in it."""
    return shape()


def _response_of(hint: Any, answers: Any) -> tuple[_Serializer | None, bool]:
    """The serializer of what a function returns, and if it returns many of it."""
    if get_origin(hint) is Answer:
        (hint,) = get_args(hint)
    many = get_origin(hint) in (list, Rows)
    if many:
        (hint,) = get_args(hint)
    if isinstance(answers, type):
        return answers, many
    is_shape = isinstance(hint, type) and dataclasses.is_dataclass(hint)
    return (response_serializer(hint), many) if is_shape else (None, False)


def _respond(
    view: View, request: Request, result: Any, response: _Serializer | None, status: int
) -> HttpResponseBase:
    if isinstance(result, HttpResponseBase):
        return result
    if isinstance(result, Answer):
        result, status = result.body, result.status
    if result is None or response is None:
        return Response(status=204)
    context = {"request": request, "view": view}
    if isinstance(result, Rows):
        assert view.pagination_class is not None, "an operation that gives rows has pages"
        pages = view.pagination_class()
        rows = pages.paginate_queryset(result.rows, request, view=view)
        page = response(result.to_response(rows or []), many=True, context=context)
        return pages.get_paginated_response(page.data)
    many = isinstance(result, list | tuple)
    return Response(response(result, many=many, context=context).data, status=status)
