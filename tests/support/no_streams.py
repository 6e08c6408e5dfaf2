"""The live server of the tests speaks WSGI and holds no stream open: it says that it has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware


@sync_and_async_middleware
def no_streams(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """204 tells a browser not to ask for a stream again."""
    if iscoroutinefunction(get_response):
        return get_response

    def handle(request: HttpRequest) -> Any:
        by_live_server = request.META.get("SERVER_SOFTWARE", "").startswith("WSGIServer")
        if by_live_server and request.path.startswith("/events/"):
            return HttpResponse(status=204)
        return get_response(request)

    return handle
