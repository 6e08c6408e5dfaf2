"""The visits of people who are logged in, and the time zone of everyone who reads a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware

from accounts.services.profile import adopt_time_zone
from accounts.services.sessions import note_session
from core.zones import COOKIE, ReaderZone, zones

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


@sync_and_async_middleware
def local_time(get_response: Handler) -> Handler:
    """Write pages, and read their forms, in the reader's time zone.

    It is the one that the person has chosen, else the browser's, which an account without one then
    keeps for mails and deadlines. The API is in UTC; live updates show no times.
    """
    if iscoroutinefunction(get_response):
        return get_response

    def handle(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith("/api/"):
            response: HttpResponseBase = get_response(request)
            return response
        cookie = request.COOKIES.get(COOKIE, "")
        browsers = cookie if cookie in zones() else ""
        zone = ReaderZone(lambda: getattr(request.user, "time_zone", ""), browsers)
        with timezone.override(zone):
            response = get_response(request)
        user = getattr(request, "_cached_user", None)
        if browsers and user is not None and user.is_authenticated and not user.time_zone:
            adopt_time_zone(user=user, name=browsers)
        return response

    return handle
