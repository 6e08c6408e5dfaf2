"""Errors of the API as problem documents (RFC 9457, ``application/problem+json``).

``exception_handler`` is REST framework's hook. An app's own exception joins in by being an
``core.errors.Refusal``, which says status, name and sentence.
"""

from __future__ import annotations

import inspect
import math
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from core.errors import NotLoggedIn, Refusal
from rules.engine.errors import BadData, BadSetup, IllegalMove, RulesError, UnknownGame
from rules.engine.moves import Move, move_to_json

CONTENT_TYPE = "application/problem+json"
A_MINUTE = 60
"""After so many seconds one may try again where nobody knows it better."""

# The house's own kinds: a title and what to do about it. Apps' kinds come from their exceptions.
KINDS: dict[str, tuple[str, str]] = {
    "invalid": (
        "Validation failed",
        "Look at “errors”: it names each field and what is wrong with it.",
    ),
    "unreadable": (
        "Invalid request",
        "Send well-formed JSON with the header Content-Type: application/json.",
    ),
    "illegal-move": (
        "Illegal move",
        "Fetch the state again and answer its prompt with one of the moves in “offered”.",
    ),
    "bad-setup": (
        "Invalid match setup",
        "Compare seats, options and decks with the game's mode at /api/games/.",
    ),
    "throttled": (
        "Too many requests",
        "Wait for the number of seconds in the Retry-After header.",
    ),
    "too-slow": (
        "Request timed out",
        "Send it again, with the whole body at once.",
    ),
    "busy": (
        "Server busy",
        "Nothing was done. Retry after the number of seconds in the Retry-After header.",
    ),
    "away": (
        "Part of the site isn’t responding",
        "Retry after the number of seconds in the Retry-After header. A move, or a request with an "
        "Idempotency-Key, counts once however often it is sent.",
    ),
    "too-large": (
        "Request too large",
        "Send less: no request of this API needs more than a few kilobytes.",
    ),
}
_KIND_OF_STATUS = {400: "unreadable", 401: NotLoggedIn.code, 413: "too-large", 429: "throttled"}


def holds_nul(exc: Exception) -> bool:
    """True if PostgreSQL refused a text with the one character that it cannot hold."""
    return isinstance(exc, DataError) and "NUL (0x00)" in str(exc)


def document(
    status: int, detail: str, kind: str = "", title: str = "", **extra: Any
) -> dict[str, Any]:
    """A problem document's members; ``type`` leads to an explanation of its kind."""
    if not title:
        title = kinds()[kind][0] if kind else HTTPStatus(status).phrase
    kind_address = f"/api/problems/{kind}/" if kind else "about:blank"
    return {"type": kind_address, "title": title, "status": status, "detail": detail, **extra}


def response(status: int, detail: str, kind: str = "", **extra: Any) -> JsonResponse:
    """A problem document outside REST framework (unknown address, crash, oversized body)."""
    return JsonResponse(
        document(status, detail, kind, **extra), status=status, content_type=CONTENT_TYPE
    )


def of_refusal(refusal: Refusal) -> dict[str, Any]:
    """A refusal as a problem document."""
    return document(refusal.status, refusal.detail, refusal.code, refusal.title, **refusal.extra)


def headers_of(refusal: Refusal) -> dict[str, str]:
    """The headers of a refusal's response."""
    wait = refusal.retry_after
    if wait is None and refusal.status == HTTPStatus.TOO_MANY_REQUESTS:
        wait = A_MINUTE
    return {} if wait is None else {"Retry-After": str(wait)}


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Turn every exception that we know into a problem document; another one stays a crash."""
    headers: dict[str, str] = {}
    if isinstance(exc, exceptions.APIException):
        members = _of_api_exception(exc)
        if scheme := getattr(exc, "auth_header", None):
            headers["WWW-Authenticate"] = scheme
        if exc.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            headers["Retry-After"] = str(math.ceil(getattr(exc, "wait", None) or A_MINUTE))
    else:
        other = _of_other(exc)
        if other is None:
            return None
        members = other
        if isinstance(exc, Refusal):
            headers = headers_of(exc)
    set_rollback()
    return Response(
        members, status=members["status"], headers=headers or None, content_type=CONTENT_TYPE
    )


def _of_api_exception(exc: exceptions.APIException) -> dict[str, Any]:
    if isinstance(exc, exceptions.ValidationError):
        errors = exc.detail if isinstance(exc.detail, dict) else {"non_field_errors": exc.detail}
        return document(exc.status_code, _first_sentence(errors), "invalid", errors=errors)
    return document(exc.status_code, str(exc.detail), _KIND_OF_STATUS.get(exc.status_code, ""))


def _first_sentence(errors: Any, field: str = "") -> str:
    """The first of the errors as one sentence, with the field's name before it."""
    if isinstance(errors, dict) and errors:
        name, inner = next(iter(errors.items()))
        return _first_sentence(inner, field if name == "non_field_errors" else str(name))
    if isinstance(errors, list) and errors:
        # A list of rows (many=True) has {} for each row without errors.
        return _first_sentence(next((error for error in errors if error), ""), field)
    return f"{field}: {errors}" if field else str(errors)


def _of_other(exc: Exception) -> dict[str, Any] | None:
    if isinstance(exc, Refusal):
        return of_refusal(exc)
    if isinstance(exc, Http404 | UnknownGame):
        # Django's own Http404 sentences name models and are not for readers.
        detail = str(exc) if isinstance(exc, UnknownGame) else "Not found."
        return document(404, detail)
    if isinstance(exc, PermissionDenied):
        return document(403, str(exc) or "You don’t have permission for this.")
    if isinstance(exc, RequestDataTooBig):
        return document(413, "The request's body is too large.", "too-large")
    if isinstance(exc, SuspiciousOperation) or holds_nul(exc):
        return document(400, "The request cannot be read.", "unreadable")
    if isinstance(exc, IllegalMove):
        offered = [move_to_json(move) for move in exc.offered if isinstance(move, Move)]
        return document(422, str(exc), "illegal-move", offered=offered)
    if isinstance(exc, BadSetup):
        return document(422, str(exc), "bad-setup")
    if isinstance(exc, BadData):
        return document(400, str(exc), "unreadable")
    if isinstance(exc, RulesError):
        return document(422, str(exc))
    return None


def _apps_kinds(base: type[Refusal] = Refusal) -> dict[str, tuple[str, str]]:
    """The kinds of an app's exceptions, explained by their docstrings."""
    kinds = {base.code: (base.title, inspect.getdoc(base) or "")}
    for narrower in base.__subclasses__():
        kinds |= _apps_kinds(narrower)
    return kinds


def kinds() -> dict[str, tuple[str, str]]:
    """All kinds of problems, by name: a title, and what to do about it."""
    return _apps_kinds() | KINDS


def explain(request: HttpRequest, kind: str) -> JsonResponse:
    """The meaning of a problem's type, and what to do about it."""
    if (explanation := kinds().get(kind)) is None:
        return response(404, "Unknown problem type.")
    title, text = explanation
    return JsonResponse({"type": request.path, "title": title, "text": text})
