"""API tokens."""

from __future__ import annotations

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.forms import TokenForm
from accounts.models import User
from accounts.queries import tokens as tokens_queries
from accounts.services import tokens as tokens_services
from accounts.views.security import posted_number
from core.errors import Refusal

_NEW_TOKEN = "accounts_new_token"  # noqa: S105 (a session's key, no password)


def _tokens_page(request: HttpRequest, form: TokenForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "tokens": list(tokens_queries.tokens(cast(User, request.user))),
        "new_key": request.session.pop(_NEW_TOKEN, ""),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@never_cache
@require_GET
def tokens(request: HttpRequest) -> HttpResponse:
    """The API tokens, a form for another one, and a new one's key a single time."""
    return _tokens_page(request, TokenForm(user=cast(User, request.user)))


@login_required
@never_cache
@require_POST
@reauthentication_required
def issue_token(request: HttpRequest) -> HttpResponse:
    """Make a token; the next page shows it once."""
    user = cast(User, request.user)
    form = TokenForm(request.POST, user=user)
    if not form.is_valid():
        return _tokens_page(request, form)
    chosen = form.cleaned_data
    try:
        key = tokens_services.issue_token(
            user=user, name=chosen["name"], scopes=chosen["scopes"], expires_at=form.expires_at()
        )
    except Refusal as refusal:
        form.add_error("name", refusal.detail)
        return _tokens_page(request, form, status=refusal.status)
    request.session[_NEW_TOKEN] = key
    return redirect("accounts:tokens")


@login_required
@require_POST
def revoke_token(request: HttpRequest) -> HttpResponse:
    """End a token."""
    token = tokens_services.revoke_token(
        user=cast(User, request.user), pk=posted_number(request, "token")
    )
    if token is not None:
        messages.success(request, f"Token “{token.name}” revoked.")
    else:
        messages.info(request, "That token had ended already.")
    return redirect("accounts:tokens")
