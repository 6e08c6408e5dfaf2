"""Pages of lists that grow: by a cursor, or by numbers as far as rows are counted."""

from __future__ import annotations

import re
from typing import Any, cast

from django.core.paginator import EmptyPage, InvalidPage, Page, PageNotAnInteger, Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request

_POSITION = re.compile(r"[0-9]{1,18}", re.ASCII)


MAX_COUNTED = 1000
"""Where counting stops: a count reads all that it counts."""

MAX_LISTED = 10_000
"""Rows that a list pages through; a search or a filter finds the others."""


class CappedPage(Page[Any]):
    """A page that knows by the row after it whether another one follows."""

    def __init__(self, rows: list[Any], number: int, paginator: CappedPaginator, more: bool):
        super().__init__(rows, number, paginator)
        self.more = more

    def has_next(self) -> bool:
        return self.more


class CappedPaginator(Paginator[Any]):
    """Pages of the first :data:`MAX_LISTED` rows, of which no page asks how many there are.

    ``count``, and with it ``num_pages``, goes no further than :data:`MAX_COUNTED`.
    """

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by().values("pk")[:MAX_COUNTED].count()

    def validate_number(self, number: Any) -> int:
        try:
            page = int(number)
        except (TypeError, ValueError):
            raise PageNotAnInteger("That page number is not a whole number.") from None
        if not 1 <= page <= -(-MAX_LISTED // self.per_page):
            raise EmptyPage("That page contains no results.")
        return page

    def page(self, number: Any) -> CappedPage:
        """Raises ``EmptyPage`` for a page after the last one."""
        page = self.validate_number(number)
        start = (page - 1) * self.per_page
        rows = list(self.object_list[start : min(start + self.per_page + 1, MAX_LISTED)])
        if not rows and page > 1:
            raise EmptyPage("That page contains no results.")
        more = len(rows) > self.per_page
        return CappedPage(rows[: self.per_page], page, self, more)

    def get_page(self, number: Any) -> CappedPage:
        """The page, or the first one where it does not exist."""
        try:
            return self.page(number)
        except InvalidPage:
            return self.page(1)


class CappedPages(PageNumberPagination):
    """Numbered pages of the first :data:`MAX_LISTED` rows; ``count`` stops sooner."""

    django_paginator_class = CappedPaginator
    last_page_strings = ()  # where counting stops is not the last page

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Say of the count that it is not always that of all rows."""
        page: dict[str, Any] = super().get_paginated_response_schema(schema)
        page["properties"]["count"] |= {
            "maximum": MAX_COUNTED,
            "description": f"Number of results; {MAX_COUNTED:,} if there are more. "
            f"`next` continues up to {MAX_LISTED:,}.",
        }
        return page


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
