"""What is noted of the visits of people who are logged in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from accounts import services
from accounts.models import User
from accounts.notices import Kind, sending, wishing

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
            services.note_session(request)
            _mark_seen(request, user)
        return response

    return handle


def _mark_seen(request: HttpRequest, user: User) -> None:
    """Whoever opens a page has been here, and has seen what leads to that page.

    The bell on it has read what that needs; where there is none nothing is asked here. A bell that
    is rung anew alone is no visit: its page may have been left open.
    """
    bell = getattr(request, "bell", None)
    if bell is None:
        return
    hangs_over = getattr(request, "bell_hangs_over", None)
    if bell.awaits_visit and hangs_over is None:
        sending.note_visit(user.pk)
    here = request.path if hangs_over is None else hangs_over
    # An open question stays one: for it alone there is nothing to write.
    if any(notice.link == here and notice.kind != Kind.YOUR_TURN for notice in bell.rows):
        wishing.mark_seen(person=user, link=here)
