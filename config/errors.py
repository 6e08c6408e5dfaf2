"""Refusals that no view wrote: a page for people, a problem document under ``/api/``."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils.html import format_html

from accounts.errors import Refusal
from config import problems

API_PREFIX = "/api/"

_WORDS = {
    400: ("This request cannot be read", "Go back, load the page again and repeat the step."),
    403: ("This is not for you", "You may not do this with the account that you use now."),
    404: ("There is nothing here", "The address is wrong, or what was here has gone."),
    413: ("That is too large", "Send a smaller file or a shorter text."),
    429: ("Too many tries", "Wait some minutes, then try again."),
    500: ("Something broke", "It is our mistake, not yours. Nothing was half-done. Try again."),
}
_CSRF = (
    "The page was open for too long, or cookies are off. Load the page again and repeat the step."
)


def _answer(request: HttpRequest, status: int, text: str = "", **extra: Any) -> HttpResponse:
    title, usual = _WORDS[status]
    detail = text or usual
    if request.path.startswith(API_PREFIX):
        kind = "too-large" if status == 413 else ""
        return problems.response(status, detail, kind, **extra)
    context = {"status": status, "title": title, "detail": detail}
    try:
        # A crash may come from what a template needs (the database, the session): then no request.
        body = render_to_string("error.html", context, request if status != 500 else None)
    except TemplateDoesNotExist:
        body = format_html("<!doctype html><title>{0}</title><h1>{0}</h1><p>{1}</p>", title, detail)
    return HttpResponse(body, status=status)


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """A refusal of one of the apps."""
    if request.path.startswith(API_PREFIX):
        return problems.response(
            refusal.status, refusal.detail, refusal.code, title=refusal.title, **refusal.extra
        )
    context = {"status": refusal.status, "title": refusal.title, "detail": refusal.detail}
    return HttpResponse(render_to_string("error.html", context, request), status=refusal.status)


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
    return _answer(request, 429)


def server_error(request: HttpRequest) -> HttpResponse:
    """500."""
    return _answer(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without its token."""
    return _answer(request, 403, _CSRF)


def too_large(request: HttpRequest, limit: int) -> HttpResponse:
    """413, before the body is read."""
    return _answer(request, 413, f"At most {limit} bytes are taken here.", limit=limit)
