"""What every app's API documentation says alike: refusals, and lists that page by a cursor."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import CursorPagination
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from accounts.authentication import TokenAuthentication
from accounts.scopes import needed

PROBLEM = "application/problem+json"
_POSITION = re.compile(r"[0-9]{1,18}", re.ASCII)


@extend_schema_serializer(component_name="ProblemDocument")
class ProblemSerializer(serializers.Serializer[Any]):
    """What went wrong (RFC 9457). Some kinds have further members, e.g. what is offered instead."""

    type = serializers.CharField(help_text="Leads to an explanation of the kind.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What was wrong this time, and what to do.")


def problems(*statuses: int) -> dict[Any, Any]:
    """The refusals of an endpoint, for its documentation."""
    return {(status, PROBLEM): ProblemSerializer for status in statuses}


class ScopedSchema(AutoSchema):
    """An operation's documentation with the scope that a token needs for it."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None or TokenAuthentication not in self.view.authentication_classes:
            return operation
        scope = needed(self.view, self.method)
        described = operation.get("description", "")
        operation["description"] = f"{described}\n\nScope of the token: `{scope}`.".strip()
        problem = self.resolve_serializer(ProblemSerializer, "response").ref
        operation["responses"].setdefault(
            "403",
            {
                "content": {PROBLEM: {"schema": problem}},
                "description": "The token may not do this.",
            },
        )
        return operation


class ByWholeNumber(CursorPagination):
    """Rows lined up by a whole number; a cursor that was not made here is none (404)."""

    def decode_cursor(self, request: Request) -> Any:
        """Where the page begins; a position that is no number would crash the query."""
        cursor = super().decode_cursor(request)
        position = getattr(cursor, "position", None)
        if position is not None and not _POSITION.fullmatch(position):
            raise NotFound(self.invalid_cursor_message)
        return cursor


class LatestFirst(ByWholeNumber):
    """Rows by key, latest first; the next page costs the same however far down it is."""

    ordering = "-pk"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200


class OnlyJSON(DefaultContentNegotiation):
    """Refusals are JSON; a ``format`` in the query is the endpoint's own, and names no renderer."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
