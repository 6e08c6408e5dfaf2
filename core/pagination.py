"""Pages of the API by a cursor: the next page costs as little however far down it is."""

from __future__ import annotations

import re
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

_POSITION = re.compile(r"[0-9]{1,18}", re.ASCII)


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
