"""Lists of the collection in the API, page by page: no page is slower for being far down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django_filters.rest_framework import DjangoFilterBackend  # type: ignore[import-untyped]
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from accounts.models import User
from collection.models import Card, LedgerRow
from collection.queries.catalog import cards_by_key
from collection.queries.history import history_page
from collection.queries.keyset import MANY, ORDERS, Found, Page, asked_or_meant, page_of

_MARKS = ("after", "before")
_ROW = re.compile(r"[0-9]{1,18}", re.ASCII)
_NO_MARK = "Invalid cursor: use the “next” and “previous” links."


class MarkedPages(BasePagination):
    """Pages between marks; ``next`` and ``previous`` are whole addresses, or null at an end."""

    page_size = 50
    most = 200
    request: Request
    after: str
    before: str

    def _size(self) -> int:
        text = self.request.query_params.get("page_size", "")
        if not text:
            return self.page_size
        if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= self.most):
            raise ValidationError({"page_size": [f"A page has between 1 and {self.most} rows."]})
        return int(text)

    def _address(self, name: str, mark: str) -> str | None:
        if not mark:
            return None
        here = self.request.build_absolute_uri()
        for other in _MARKS:
            here = remove_query_param(here, other)
        return str(replace_query_param(here, name, mark))

    def get_paginated_response(self, data: Sequence[Any]) -> Response:
        """The page with its neighbours' addresses."""
        return Response(
            {
                **self.about(),
                "next": self._address("after", self.after),
                "previous": self._address("before", self.before),
                "results": data,
            }
        )

    def about(self) -> dict[str, Any]:
        """Other members of the page."""
        return {}

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Add the marks to the page's schema."""
        address = {"type": "string", "format": "uri", "nullable": True}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": address, "previous": address, "results": schema},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The query parameters."""
        marks = [
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": f"A cursor from “{link}”.",
                "schema": {"type": "string", "maxLength": 40},
            }
            for name, link in zip(_MARKS, ("next", "previous"), strict=True)
        ]
        size = {"type": "integer", "minimum": 1, "maximum": self.most, "default": self.page_size}
        return [*marks, {"name": "page_size", "in": "query", "required": False, "schema": size}]


class CardFilters(DjangoFilterBackend):
    """The gallery's filters, with the words that are meant in place of those that were typed."""

    def get_filterset_kwargs(
        self, request: Request, queryset: QuerySet[Card], view: CardsByPage
    ) -> dict[str, Any]:
        """The parameters that the filters are made from."""
        query = request.query_params.copy()
        if view.words:
            query["q"] = view.words
        return {"data": query, "queryset": queryset, "request": request}


class CardPages(MarkedPages):
    """Pages of cards in one of their orders, and how many there are.

    Where no card says the words that are searched for, it is a page of what may be meant.
    """

    found: Found
    meant: str

    def paginate_queryset(  # type: ignore[override]
        self, queryset: QuerySet[Card], request: Request, view: Any = None
    ) -> list[Card]:
        """The cards of one page; ``sort`` has been checked by the filters."""
        self.request = request
        query = request.query_params
        order = ORDERS[view.order_name(request)]
        if "page" in query:
            raise ValidationError(
                {"page": ["Pages have no numbers: use the “next” and “previous” links."]}
            )
        for name in _MARKS:
            if query.get(name) and order.beyond(query[name]) is None:
                raise ValidationError({name: [_NO_MARK]})
        size, words = self._size(), query.get("q", "")

        def find(wish: dict[str, str]) -> tuple[Page[Card], Found]:
            cards = queryset if wish.get("q") == words else view.saying(wish["q"])
            return page_of(cards, order, size, query, read=cards_by_key)

        self.meant, page, self.found = asked_or_meant({"q": words}, find)
        self.after, self.before = page.after, page.before
        return page.cards

    def about(self) -> dict[str, Any]:
        """How many there are, as far as anybody counts, and what the search was taken for."""
        return {
            "count": None if self.found.more else self.found.number,
            "meant": self.meant or None,
        }

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Add the count and the search to the page's schema."""
        count = {
            "type": "integer",
            "nullable": True,
            "description": f"Total number; null if more than {MANY}.",
        }
        page = super().get_paginated_response_schema(schema)
        meant = {
            "type": "string",
            "nullable": True,
            "description": "The corrected search, where “q” has no results; else null.",
        }
        page["required"] = ["count", "meant", *page["required"]]
        page["properties"] = {"count": count, "meant": meant, **page["properties"]}
        return page


class CardsByPage(generics.ListAPIView[Card]):
    """Cards that are filtered, lined up and turned page by page."""

    filter_backends: Sequence[type[CardFilters]] = (CardFilters,)
    pagination_class = CardPages
    words = ""
    """Searched for instead of ``q``."""

    def order_name(self, request: Request) -> str:
        """The order that was asked for."""
        return request.query_params.get("sort") or "number"

    def saying(self, words: str) -> QuerySet[Card]:
        """The cards that other words would find."""
        self.words = words
        return self.filter_queryset(self.get_queryset())

    def shown(self, cards: list[Card]) -> Sequence[Any]:
        """The rows of a page for these cards."""
        raise NotImplementedError

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of them."""
        cards = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        serializer = self.get_serializer(self.shown(list(cards)), many=True)
        return self.get_paginated_response(serializer.data)


class HistoryPages(MarkedPages):
    """Pages of somebody's history."""

    def paginate_queryset(  # type: ignore[override]
        self, queryset: QuerySet[LedgerRow], request: Request, view: Any = None
    ) -> list[LedgerRow]:
        """The rows of one page, latest first."""
        self.request = request
        marks: dict[str, int | None] = {}
        for name in _MARKS:
            mark = request.query_params.get(name, "")
            marks[name] = int(mark) if _ROW.fullmatch(mark) else None
            if mark and marks[name] is None:
                raise ValidationError({name: [_NO_MARK]})
        assert isinstance(request.user, User), "a history is somebody's"
        page = history_page(
            request.user, queryset, self._size(), older=marks["after"], newer=marks["before"]
        )
        self.after, self.before = str(page.older or ""), str(page.newer or "")
        return page.rows
