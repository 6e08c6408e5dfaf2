"""Lists of growing tables in the administration."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from core.pagination import MAX_LISTED, CappedPaginator


class GrowingAdmin(admin.ModelAdmin[Any]):
    """A table of which no page may read all: the newest rows first, an exact search by key.

    ``search_keys`` gives the primary keys of what was searched for, the newest first.
    """

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    ordering = ("-pk",)
    sortable_by = ()

    def search_keys(self, term: str) -> QuerySet[Any, int]:
        raise NotImplementedError

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Model], search_term: str
    ) -> tuple[QuerySet[Model], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        # Read first: in one query they may be looked for among all newer rows.
        return queryset.filter(pk__in=list(self.search_keys(term)[:MAX_LISTED])), False
