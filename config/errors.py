"""Refusals that no view wrote: a page, or a problem document under ``/api/`` and ``/events/``."""

from __future__ import annotations

import sqlite3
import sys
from typing import Any

from csp.middleware import CSPMiddleware
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.template import TemplateDoesNotExist
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils.html import format_html

from config import problems
from core.errors import Refusal

API_PREFIX = "/api/"
EVENTS_PREFIX = "/events/"
RETRY_AFTER = 5
_KINDS = {408: "too-slow", 413: "too-large", 503: "busy"}

_WORDS = {
    400: ("Invalid request", "Go back, reload the page and try again."),
    403: ("Not allowed", "Your account doesn’t have permission for this."),
    404: ("Page not found", "The link may be wrong, or the page was removed."),
    408: ("Request timed out", "Your request didn’t arrive in time. Send it again."),
    413: ("Too large", "Send a smaller file or a shorter text."),
    429: ("Too many attempts", "Wait a few minutes and try again."),
    500: ("Something went wrong", "The error is on our side. Nothing was saved. Try again."),
    503: ("Riffle is busy", "Nothing was saved. Try again in a moment."),
}
_AWAY = (
    "Part of the site isn't responding. Try again in a few seconds. A move that "
    "you send twice counts once; for anything else, check first whether it went through."
)
_LASTING = {"SQLITE_ERROR", "SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_READONLY"}
_CSRF = "This page has expired, or cookies are disabled. Reload and try again."


def _answer(
    request: HttpRequest,
    status: int,
    text: str = "",
    *,
    kind: str = "",
    alone: bool = False,
    **extra: Any,
) -> HttpResponse:
    """``alone``: draw the page without the session, the user and all else of the request."""
    title, usual = _WORDS[status]
    detail = text or usual
    if request.path.startswith((API_PREFIX, EVENTS_PREFIX)):
        return problems.response(status, detail, kind or _KINDS.get(status, ""), **extra)
    context = {"status": status, "title": title, "detail": detail}
    try:
        # A crash may come from what a template needs (the database, the session): then no request.
        body = render_to_string("error.html", context, None if alone or status == 500 else request)
    except TemplateDoesNotExist:
        body = format_html("<!doctype html><title>{0}</title><h1>{0}</h1><p>{1}</p>", title, detail)
    return HttpResponse(body, status=status)


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """A refusal of one of the apps."""
    headers = problems.headers_of(refusal)
    if request.path.startswith((API_PREFIX, EVENTS_PREFIX)):
        members = problems.of_refusal(refusal)
        return JsonResponse(
            members, status=refusal.status, headers=headers, content_type=problems.CONTENT_TYPE
        )
    context = {"status": refusal.status, "title": refusal.title, "detail": refusal.detail}
    body = render_to_string("error.html", context, request)
    return HttpResponse(body, status=refusal.status, headers=headers)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400."""
    return _answer(request, 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403; a PermissionDenied may bring its own sentence."""
    return _answer(request, 403, str(exception) if exception else "")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    return _answer(request, 404)


def too_many(request: HttpRequest) -> HttpResponse:
    """429, from the limits of logging in, signing up and the like."""
    response = _answer(request, 429)
    response["Retry-After"] = str(5 * 60)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """500; or 503, if what broke is that the database does not answer for a while."""
    if not database_is_away(sys.exception()):
        return _answer(request, 500)
    response = _answer(request, 503, _AWAY, alone=True, kind="away")
    response["Retry-After"] = str(RETRY_AFTER)
    return response


def database_is_away(error: BaseException | None) -> bool:
    """True if only a retry helps: the database restarts, is too busy, or broke off."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    cause = error.__cause__
    return not (isinstance(cause, sqlite3.Error) and cause.sqlite_errorname in _LASTING)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without its token."""
    return _answer(request, 403, _CSRF)


def at_the_door(path: str, status: int, limit: int = 0) -> HttpResponse:
    """A refusal before Django has seen the request; no thread and no database is needed for it."""
    request = HttpRequest()
    request.path = request.path_info = path
    if status == 413:
        most = f"The limit here is {filesizeformat(limit)}."
        text = most if limit else "This address takes no request body."
        response = _answer(request, status, text, alone=True, limit=limit)
    else:
        response = _answer(request, status, alone=True)
    if status == 503:
        response["Retry-After"] = str(RETRY_AFTER)
    for middleware in (XFrameOptionsMiddleware, CSPMiddleware, SecurityMiddleware):
        middleware(lambda _: response).process_response(request, response)
    return response
