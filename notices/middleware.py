"""Opening a page marks the notifications that lead to it as seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from accounts.models import User
from notices.kinds import Kind
from notices.services import preferences, sending

Handler = Callable[[HttpRequest], Any]


@sync_and_async_middleware
def mark_notices_seen(get_response: Handler) -> Handler:
    """Note the visit of somebody who is logged in, and what the page has shown them.

    Live updates come by the asynchronous way and are no visits.
    """
    if iscoroutinefunction(get_response):
        return get_response

    def handle(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        # The bell on the page has read what this needs; without one, nothing is asked here.
        user, bell = getattr(request, "_cached_user", None), getattr(request, "bell", None)
        if user is not None and user.is_authenticated and bell is not None:
            _mark_seen(request, user, bell)
        return response

    return handle


def _mark_seen(request: HttpRequest, user: User, bell: Any) -> None:
    """A refresh of the bell alone is not a visit: its page may have been left open."""
    hangs_over = getattr(request, "bell_hangs_over", None)
    if bell.awaits_visit and hangs_over is None:
        sending.note_visit(user.pk)
    page = request.path if hangs_over is None else hangs_over
    # A prompt stays unanswered; there is nothing to write for "your turn" alone.
    if any(notice.link == page and notice.kind != Kind.YOUR_TURN for notice in bell.rows):
        preferences.mark_seen(person=user, link=page)
