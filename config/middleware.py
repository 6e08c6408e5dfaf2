"""What happens to every request: probes, one log line and measurement, a limit on its size."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from accounts.errors import Refusal
from config import errors, health, metrics, problems

log = structlog.get_logger("riffle.request")

Handler = Callable[[HttpRequest], Any]


PROBES = {
    "/healthz": health.healthz,
    "/readyz": health.readyz,
    "/metrics": metrics.metrics,
}


@sync_and_async_middleware
def probes(get_response: Handler) -> Handler:
    """Answer probes before anything else looks at them.

    They come from inside, by an address that is no name of the site and over plain HTTP, so the
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
    metrics.REQUESTS.labels(request.method, route, response.status_code).inc()
    metrics.REQUEST_SECONDS.labels(route).observe(seconds)
    write = log.error if response.status_code >= 500 else log.info
    write(
        "request",
        method=request.method,
        path=request.path,
        status=response.status_code,
        ms=round(seconds * 1000, 1),
    )


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


def _too_large(request: HttpRequest) -> HttpResponseBase | None:
    api = request.path.startswith(errors.API_PREFIX)
    limit: int = settings.API_BODY_LIMIT if api else settings.PAGE_BODY_LIMIT
    if request.path in settings.UPLOAD_PATHS:
        limit = settings.UPLOAD_BODY_LIMIT
    try:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        length = 0
    return errors.too_large(request, limit) if length > limit else None


@sync_and_async_middleware
def body_limit(get_response: Handler) -> Handler:
    """Refuse a body that says it is too long. (A body without a length is empty to Django.)

    Django's own limit is not enough for the API: REST framework's parsers read the stream past it.
    """
    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            if refusal := _too_large(request):
                return refusal
            response: HttpResponseBase = await get_response(request)
            return response

        return handle_async

    def handle(request: HttpRequest) -> HttpResponseBase:
        return _too_large(request) or get_response(request)

    return handle


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
