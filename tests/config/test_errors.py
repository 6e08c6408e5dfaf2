"""Unknown addresses, crashes, forged forms and oversized bodies."""

from __future__ import annotations

import sqlite3

import pytest
from django.db import DataError, InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client, RequestFactory
from rest_framework import exceptions

from accounts.errors import TooManyGuests
from config import errors, problems
from core.errors import NotLoggedIn, Refusal

pytestmark = pytest.mark.django_db


def test_an_unknown_page_is_a_page_for_people(client: Client) -> None:
    response = client.get("/no-such-page/")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")
    assert b"Page not found" in response.content


def test_an_unknown_api_address_is_a_problem_document(client: Client) -> None:
    response = client.get("/api/no-such-thing/")
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["status"] == 404


@pytest.mark.parametrize(
    ("path", "content_type"), [("/", "text/html"), ("/api/x/", "application/problem+json")]
)
def test_a_crash_says_sorry_without_details(path: str, content_type: str) -> None:
    response = errors.server_error(RequestFactory().get(path))
    assert response.status_code == 500
    assert response["Content-Type"].startswith(content_type)
    assert b"Traceback" not in response.content


@pytest.mark.parametrize(
    ("path", "content_type"), [("/cards/", "text/html"), ("/api/me/", "application/problem+json")]
)
def test_a_database_that_is_away_is_no_crash(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, content_type: str
) -> None:
    def restarting(*_: object) -> None:
        raise OperationalError("the database system is starting up")

    client.raise_request_exception = False
    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", restarting)
    response = client.get(path, headers={"Authorization": "Token 1"})
    monkeypatch.undo()
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert response["Content-Type"].startswith(content_type)
    assert b"counts once" in response.content


def _raised(error: Exception, cause: Exception | None) -> Exception:
    error.__cause__ = cause
    return error


def _of_sqlite(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError()
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (_raised(OperationalError(), None), True),
        (_raised(InterfaceError(), None), True),
        (_raised(OperationalError(), _of_sqlite("SQLITE_BUSY")), True),
        (_raised(OperationalError(), _of_sqlite("SQLITE_ERROR")), False),  # a table is missing
        (_raised(DataError(), None), False),
        (ValueError(), False),
    ],
)
def test_what_counts_as_away(error: Exception, away: bool) -> None:
    assert errors.database_is_away(error) is away


def test_a_form_without_its_token_is_refused_in_a_sentence() -> None:
    response = Client(enforce_csrf_checks=True).post("/account/login/", {"login": "ada"})
    assert response.status_code == 403
    assert b"has expired" in response.content


@pytest.mark.parametrize(
    ("path", "content_type"),
    [("/collections/mira/", "text/html"), ("/api/collection/mira/", "application/problem+json")],
)
def test_a_sign_that_no_text_can_hold_is_the_sender_s_mistake(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, content_type: str
) -> None:
    def as_postgres_does(username: str) -> None:
        raise DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")

    monkeypatch.setattr("collection.views.mine.person", as_postgres_does)
    monkeypatch.setattr("collection.api.holdings.person", as_postgres_does)
    response = client.get(path)
    assert response.status_code == 400
    assert response["Content-Type"].startswith(content_type)


@pytest.mark.parametrize(
    ("path", "content_type"),
    [("/collections/mira/", "text/html"), ("/api/collection/mira/", "application/problem+json")],
)
def test_a_refusal_says_the_same_on_pages_and_in_the_api(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, content_type: str
) -> None:
    def refuse(username: str) -> None:
        raise TooManyGuests

    monkeypatch.setattr("collection.views.mine.person", refuse)
    monkeypatch.setattr("collection.api.holdings.person", refuse)
    response = client.get(path)
    assert response.status_code == TooManyGuests.status
    assert response["Retry-After"] == "3600"
    assert response["Content-Type"].startswith(content_type)
    for words in (TooManyGuests.title, TooManyGuests().detail):
        assert words in response.content.decode()


def test_who_is_not_logged_in_hears_it_by_its_name(client: Client) -> None:
    body = client.get("/api/me/").json()
    assert (body["type"], body["title"]) == ("/api/problems/not-logged-in/", NotLoggedIn.title)
    assert client.get(body["type"]).json()["title"] == NotLoggedIn.title


def test_every_limit_says_when_to_try_again() -> None:
    def kinds(kind: type[Refusal]) -> set[type[Refusal]]:
        return {kind}.union(*map(kinds, kind.__subclasses__()))

    limits = [kind for kind in kinds(Refusal) if kind.status == 429]
    assert len(limits) >= 4
    for kind in limits:
        refusal = kind.__new__(kind)
        assert int(problems.headers_of(refusal)["Retry-After"]) > 0, kind
    page = errors.too_many(RequestFactory().get("/account/login/"))
    assert page.status_code == 429 and int(page["Retry-After"]) > 0
    for wait in (None, 0.2, 7):
        answer = problems.exception_handler(exceptions.Throttled(wait), {})
        assert answer is not None and int(answer["Retry-After"]) > 0
