"""The API's document: refusals that operations share, scopes of tokens, JSON only."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.authentication import TokenAuthentication
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from core.scopes import needed

PROBLEM = "application/problem+json"


_GOOD = range(200, 300)


@extend_schema_serializer(component_name="ProblemDocument")
class ProblemSerializer(serializers.Serializer[Any]):
    """An error (RFC 9457). Some kinds have further members, e.g. alternatives."""

    type = serializers.CharField(help_text="Leads to an explanation of the kind.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What was wrong this time, and what to do.")


def problems(*statuses: int) -> dict[Any, Any]:
    """The refusals of an endpoint, for its documentation."""
    return {(status, PROBLEM): ProblemSerializer for status in statuses}


class ScopedSchema(AutoSchema):
    """An operation's documentation with the refusals that it shares with others like it.

    What has a body may refuse it, what has a name in its address may not be there, and a token
    needs a scope.
    """

    def _is_list_view(self, serializer: Any = None) -> bool:
        """True if the successful response is a list."""
        answers: Any = serializer or self.get_response_serializers()
        if isinstance(answers, dict):
            answers = next((answer for key, answer in answers.items() if key in _GOOD), answers)
        return bool(super()._is_list_view(answers))

    def _map_serializer(
        self, serializer: Any, direction: Any, bypass_extensions: bool = False
    ) -> Any:
        schema = super()._map_serializer(serializer, direction, bypass_extensions)
        if direction == "request" and getattr(serializer, "sent", False):
            schema["additionalProperties"] = False
        return schema

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        refused = dict.fromkeys(self._usual_refusals(operation), "")
        if _takes_tokens(self.view):
            scope = needed(self.view, self.method)
            described = operation.get("description", "")
            operation["description"] = f"{described}\n\nScope of the token: `{scope}`.".strip()
            refused[403] = "You, or the token, may not do this."
        problem = self.resolve_serializer(ProblemSerializer, "response").ref
        for status, description in refused.items():
            answer = {"content": {PROBLEM: {"schema": problem}}, "description": description}
            operation["responses"].setdefault(str(status), answer)
        operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation

    def _usual_refusals(self, operation: dict[str, Any]) -> Iterator[int]:
        if _takes_tokens(self.view):
            yield 401
        if not issubclass(self.view.content_negotiation_class, OnlyJSON):
            yield 406
        yield 429
        if "requestBody" in operation:
            yield from (400, 413, 415, 422)
        pages = self._get_paginator() if self._is_list_view() else None
        if "{" in self.path or isinstance(pages, CursorPagination | PageNumberPagination):
            yield 404


def _takes_tokens(view: Any) -> bool:
    return any(issubclass(way, TokenAuthentication) for way in view.authentication_classes)


class DocumentMadeOnce(SchemaGenerator):
    """The document says the same to everybody as long as a process runs, and takes long to make."""

    def get_schema(self, request: Request | None = None, public: bool = False) -> Any:
        return _document()


@cache
def _document() -> Any:
    return SchemaGenerator().get_schema(public=True)


def _written_once(form: type[BaseRenderer]) -> type[BaseRenderer]:
    """A renderer of the document that does so once a process: it takes a sixth of a second."""

    @cache
    def written() -> Any:
        return form().render(_document())

    class WrittenOnce(form):  # type: ignore[misc, valid-type]
        def render(self, data: Any, media_type: str | None = None, context: Any = None) -> Any:
            if data is _document():
                return written()
            return super().render(data, media_type, context)  # a refusal

    return WrittenOnce


DOCUMENT_RENDERERS = [
    _written_once(form)
    for form in (
        OpenApiYamlRenderer,
        OpenApiYamlRenderer2,
        OpenApiJsonRenderer,
        OpenApiJsonRenderer2,
    )
]


class OnlyJSON(DefaultContentNegotiation):
    """Refusals are JSON; a ``format`` in the query is the endpoint's own, and names no renderer."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
