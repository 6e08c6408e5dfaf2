"""Pages of lists that nobody counts."""

from __future__ import annotations

import pytest
from django.core.paginator import EmptyPage, PageNotAnInteger
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from accounts.models import User
from core import pagination
from core.pagination import MAX_COUNTED, CappedPages, CappedPaginator

pytestmark = pytest.mark.django_db


@pytest.fixture
def pages() -> CappedPaginator:
    User.objects.bulk_create(User(username=f"person-{n}") for n in range(5))
    return CappedPaginator(User.objects.order_by("username"), 2)


def names(page: pagination.CappedPage) -> list[str]:
    return [user.username for user in page.object_list]


def test_a_page_is_one_query_and_knows_whether_another_follows(pages: CappedPaginator) -> None:
    with CaptureQueriesContext(connection) as queries:
        page = pages.get_page("2")
        assert names(page) == ["person-2", "person-3"]
        assert page.has_next() and page.has_previous()
    assert len(queries) == 1
    last = pages.page(3)
    assert names(last) == ["person-4"] and not last.has_next()


def test_pages_that_do_not_exist(pages: CappedPaginator) -> None:
    for number, error in ((4, EmptyPage), (0, EmptyPage), (10**20, EmptyPage)):
        with pytest.raises(error):
            pages.page(number)
    with pytest.raises(PageNotAnInteger):
        pages.page("two")
    assert names(pages.get_page("two")) == names(pages.get_page(99)) == ["person-0", "person-1"]
    nobody = CappedPaginator(User.objects.none(), 2).page(1)
    assert names(nobody) == [] and not nobody.has_other_pages()


def test_both_bounds(pages: CappedPaginator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagination, "MAX_COUNTED", 3)
    monkeypatch.setattr(pagination, "MAX_LISTED", 4)
    assert pages.count == 3
    assert not pages.page(2).has_next()
    with pytest.raises(EmptyPage):
        pages.page(3)
    thirds = CappedPaginator(pages.object_list, 3)
    assert thirds.page(1).has_next()
    assert names(thirds.page(2)) == ["person-3"] and not thirds.page(2).has_next()


def test_the_api_does_not_take_the_end_of_counting_for_the_last_page(
    pages: CappedPaginator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagination, "MAX_COUNTED", 2)
    listed = CappedPages()
    listed.page_size = 1
    request = Request(APIRequestFactory().get("/", {"page": "last"}))
    with pytest.raises(NotFound):
        listed.paginate_queryset(pages.object_list, request)


def test_the_document_says_where_counting_stops() -> None:
    count = CappedPages().get_paginated_response_schema({})["properties"]["count"]
    assert count["maximum"] == MAX_COUNTED and "1,000 if there are more" in count["description"]
