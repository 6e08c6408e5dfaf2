"""Probes, one log line and measurement for each request, compression."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.decorators import sync_and_async_middleware

from config import errors, health, metrics, problems
from core import replica
from core.errors import Refusal

log = structlog.get_logger("riffle.request")

Handler = Callable[[HttpRequest], Any]


PROBES = {
    "/readyz": health.readyz,
    "/metrics": metrics.metrics,
}


@sync_and_async_middleware
def probes(get_response: Handler) -> Handler:
    """Answer probes before anything else looks at them.

    They come from inside, by an address that is not a name of the site and over plain HTTP, so the
    checks of names and the redirect to HTTPS would refuse them.
    """
    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            if probe := PROBES.get(request.path):
                return await sync_to_async(probe)(request)
            response: HttpResponseBase = await get_response(request)
            return response

        return handle_async

    def handle(request: HttpRequest) -> HttpResponseBase:
        probe = PROBES.get(request.path, get_response)
        response: HttpResponseBase = probe(request)
        return response

    return handle


def _begin(request: HttpRequest) -> float:
    structlog.contextvars.clear_contextvars()
    request_id = request.headers.get("X-Request-ID", "")[:64] or uuid.uuid4().hex
    structlog.contextvars.bind_contextvars(request_id=request_id)
    return time.perf_counter()


def _end(request: HttpRequest, response: HttpResponseBase, started: float) -> None:
    seconds = time.perf_counter() - started
    match = request.resolver_match
    route = (match.view_name or match.route) if match else "unknown"
    metrics.REQUESTS.labels(metrics.method_label(request.method), route, response.status_code).inc()
    metrics.REQUEST_SECONDS.labels(route).observe(seconds)
    write = log.error if response.status_code >= 500 else log.info
    write(
        "request",
        method=request.method,
        path=_path(request),
        status=response.status_code,
        ms=round(seconds * 1000, 1),
    )


def _path(request: HttpRequest) -> str:
    """The address as the log has it: without what opens it to whoever knows it."""
    match = request.resolver_match
    secret = match.kwargs.get("secret") if match else None
    return request.path.replace(secret, "…") if secret else request.path


@sync_and_async_middleware
def request_log(get_response: Handler) -> Handler:
    """Log and measure each request; its ID goes into every log line written while it is served."""
    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            started = _begin(request)
            response: HttpResponseBase = await get_response(request)
            _end(request, response, started)
            return response

        return handle_async

    def handle(request: HttpRequest) -> HttpResponseBase:
        started = _begin(request)
        response: HttpResponseBase = get_response(request)
        _end(request, response, started)
        return response

    return handle


@sync_and_async_middleware
def note_writes(get_response: Handler) -> Handler:
    """Whoever sends something reads from the primary for a while, and so finds it."""
    if not replica.is_configured():
        raise MiddlewareNotUsed
    if iscoroutinefunction(get_response):
        return get_response  # live updates write nothing

    def handle(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        if request.method not in {"GET", "HEAD", "OPTIONS"}:
            replica.note_write(request.user)
        return response

    return handle


TEXT = (
    "text/",
    "application/json",
    "application/problem+json",
    "application/vnd.oai.openapi",
    "application/manifest+json",
    "image/svg+xml",
)


class Compression(GZipMiddleware):
    """Compresses text, except where its length could tell a stranger what is in it (BREACH).

    That takes an answer with a secret in it, asked for many times with guesses by another site.
    So answers that another site made the browser ask for stay as they are, and so do those of
    addresses that show secrets. What is left holds forms' tokens alone, which are masked anew in
    each answer, and gets a length of chance on top of it (`max_random_bytes`). Streams stay as
    they are because a compressor would keep them back.
    """

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        return super().process_response(request, response) if _may(request, response) else response


def _may(request: HttpRequest, response: HttpResponseBase) -> bool:
    kind = response.get("Content-Type", "")
    return (
        kind.startswith(TEXT)
        and not kind.startswith("text/event-stream")
        and not request.path.startswith(settings.UNCOMPRESSED_PREFIXES)
        and request.headers.get("Sec-Fetch-Site", "none") in {"none", "same-origin"}
    )


class Refusals:
    """Show a refusal that no page of its own catches: its sentence, with its status.

    The API does the same in ``config.problems``.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Only refusals are answered here; everything else stays what it is."""
        if isinstance(exception, Refusal):
            return errors.refused(request, exception)
        return errors.bad_request(request) if problems.holds_nul(exception) else None
