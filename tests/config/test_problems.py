"""Every refusal of the API is a problem document with the right status and a useful sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from matches.errors import MatchError, StalePrompt
from rules.engine.errors import BadData, BadSetup, IllegalMove, RulesError, UnknownGame
from rules.engine.moves import Move, move_to_json


def answer_to(error: Exception) -> Response:
    """The API's response when a view raises this."""

    class Raises(APIView):
        authentication_classes = ()
        permission_classes = ()

        def get(self, request: Any) -> Response:
            raise error

    response = Raises.as_view()(APIRequestFactory().get("/api/thing/"))
    assert isinstance(response, Response)
    return response.render()


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (exceptions.ParseError(), 400, "unreadable"),
        (exceptions.NotAuthenticated(), 401, ""),
        (exceptions.PermissionDenied(), 403, ""),
        (PermissionDenied("Not yours."), 403, ""),
        (exceptions.NotFound(), 404, ""),
        (Http404("No Match matches the given query."), 404, ""),
        (UnknownGame("There is no game “chess”."), 404, ""),
        (exceptions.MethodNotAllowed("GET"), 405, ""),
        (exceptions.NotAcceptable(), 406, ""),
        (StalePrompt("Question 3 is closed."), 409, "stale-prompt"),
        (RequestDataTooBig("2 MB"), 413, "too-large"),
        (exceptions.UnsupportedMediaType("text/plain"), 415, ""),
        (IllegalMove("Not now.", ()), 422, "illegal-move"),
        (BadSetup("Two seats at least."), 422, "bad-setup"),
        (RulesError("No."), 422, ""),
        (BadData("Not a move."), 400, "unreadable"),
        (SuspiciousOperation("x"), 400, "unreadable"),
        (exceptions.Throttled(wait=7), 429, "throttled"),
    ],
)
def test_each_error_becomes_a_problem_document(error: Exception, status: int, kind: str) -> None:
    # NotAuthenticated stays 401 only with a challenge; this view offers no way to log in.
    expected = 403 if isinstance(error, exceptions.NotAuthenticated) else status
    response = answer_to(error)
    body = json.loads(response.content)
    assert response.status_code == expected
    assert response["Content-Type"] == "application/problem+json"
    assert body["status"] == expected
    assert body["type"] == (f"/api/problems/{kind}/" if kind else "about:blank")
    assert body["title"]
    assert body["detail"]


def test_a_crash_stays_a_crash() -> None:
    with pytest.raises(ZeroDivisionError):
        answer_to(ZeroDivisionError())


def test_a_missing_row_does_not_name_the_model() -> None:
    assert b"Match" not in answer_to(Http404("No Match matches the given query.")).content


def test_invalid_fields_are_named_and_the_first_is_told() -> None:
    error = exceptions.ValidationError({"seats": ["Choose 2 to 4."], "game": ["Unknown."]})
    body = json.loads(answer_to(error).content)
    assert body["type"] == "/api/problems/invalid/"
    assert body["detail"] == "seats: Choose 2 to 4."
    assert body["errors"] == {"seats": ["Choose 2 to 4."], "game": ["Unknown."]}


@pytest.mark.parametrize(
    ("detail", "sentence"),
    [
        ("Just wrong.", "Just wrong."),
        ({"non_field_errors": ["Both or none."]}, "Both or none."),
        ([{}, {"name": ["Too long."]}], "name: Too long."),
        ({"rows": {"2": ["Bad."]}}, "2: Bad."),
    ],
)
def test_the_sentence_of_nested_errors(detail: Any, sentence: str) -> None:
    error = exceptions.ValidationError(detail)
    assert json.loads(answer_to(error).content)["detail"] == sentence


def test_an_illegal_move_says_what_is_offered() -> None:
    offered = (Move("pass"), Move("challenge"))
    body = json.loads(answer_to(IllegalMove("Not now.", offered)).content)
    assert body["offered"] == [move_to_json(move) for move in offered]


def test_an_apps_exception_brings_title_and_further_members() -> None:
    body = json.loads(answer_to(StalePrompt("Question 3 is closed.", prompt=4)).content)
    assert body["title"] == StalePrompt.title
    assert body["detail"] == "Question 3 is closed."
    assert body["prompt"] == 4


def test_throttling_says_when_to_come_back() -> None:
    assert answer_to(exceptions.Throttled(wait=7))["Retry-After"] == "7"


def every_kind() -> list[str]:
    from config import problems

    def codes(base: type[MatchError]) -> list[str]:
        return [base.code, *(code for sub in base.__subclasses__() for code in codes(sub))]

    return sorted({*problems.KINDS, *codes(MatchError)})


@pytest.mark.parametrize("kind", every_kind())
def test_the_type_of_each_problem_leads_to_an_explanation(client: Any, kind: str) -> None:
    response = client.get(f"/api/problems/{kind}/")
    assert response.status_code == 200
    assert response.json()["title"]
    assert response.json()["text"]


def test_an_unknown_kind_is_a_problem_too(client: Any) -> None:
    response = client.get("/api/problems/no-such-kind/")
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
