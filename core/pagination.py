"""Pages of lists that grow: by a cursor, or by numbers as far as rows are counted."""

from __future__ import annotations

import re
from typing import Any, cast

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request

_POSITION = re.compile(r"[0-9]{1,18}", re.ASCII)


MAX_LISTED = 10_000
"""Rows that a list pages through; a search or a filter finds the others."""


class CappedPaginator(Paginator[Any]):
    """Counts no further than :data:`MAX_LISTED`."""

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by().values("pk")[:MAX_LISTED].count()


class CappedPages(PageNumberPagination):
    """Numbered pages of the first :data:`MAX_LISTED` rows; ``count`` goes no further."""

    django_paginator_class = CappedPaginator


class ByWholeNumber(CursorPagination):
    """Rows lined up by a whole number; a cursor that was not made here is none (404)."""

    def decode_cursor(self, request: Request) -> Any:
        """Where the page begins; a position that is not a number would crash the query."""
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
