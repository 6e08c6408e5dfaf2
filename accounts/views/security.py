"""Where somebody is logged in, and logging out there."""

from __future__ import annotations

from typing import cast

from allauth.account.utils import has_verified_email
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.queries.sessions import places, second_factor
from accounts.queries.tokens import working_tokens
from accounts.services import sessions
from accounts.services.sessions import end_all_sessions, note_session


@login_required
@never_cache
@require_GET
def security(request: HttpRequest) -> HttpResponse:
    """Password, second factor, where one is logged in, and what else opens the account."""
    user = cast(User, request.user)
    note_session(request)
    context = {
        "places": places(request, user),
        "second_factor": second_factor(user),
        "token_count": working_tokens(user).count(),
        "has_confirmed_address": has_verified_email(user),
        "second_factor_needed": settings.STAFF_SECOND_FACTOR and user.is_staff,
    }
    return render(request, "accounts/security.html", context)


@login_required
@require_POST
def end_session(request: HttpRequest) -> HttpResponse:
    """Log out in one other place."""
    ended = sessions.end_session(
        user=cast(User, request.user), pk=posted_number(request, "session")
    )
    messages.success(request, "Device logged out." if ended else "That was logged out already.")
    return redirect("accounts:security")


@login_required
@require_POST
def end_sessions(request: HttpRequest) -> HttpResponse:
    """Log out everywhere, or everywhere else. A guest, who has no password, stays in here."""
    user = cast(User, request.user)
    if request.POST.get("here") and not user.is_guest:
        end_all_sessions(user=user)
        logout(request)
        messages.success(request, "You are logged out everywhere.")
        return redirect("home")
    end_all_sessions(user=user, but_of=request)
    messages.success(request, "You are logged out everywhere else.")
    return redirect("accounts:security")


def posted_number(request: HttpRequest, name: str) -> int:
    """A row's key out of a form; none has the key 0."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
