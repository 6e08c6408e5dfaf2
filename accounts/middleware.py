"""The visits of people who are logged in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from accounts.services.sessions import note_session

Handler = Callable[[HttpRequest], Any]


@sync_and_async_middleware
def last_seen(get_response: Handler) -> Handler:
    """Keep the list of where somebody is logged in true, a few minutes late.

    Live updates come by the asynchronous way and are no visits.
    """
    if iscoroutinefunction(get_response):
        return get_response

    def handle(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        # Afterwards, and where the page asked who it is for: a picture must not have to.
        user = getattr(request, "_cached_user", None)
        if user is not None and user.is_authenticated and request.session.session_key:
            note_session(request)
        return response

    return handle
