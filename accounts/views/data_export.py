"""Download of one's data, and deletion of the account."""

from __future__ import annotations

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.data_export import download
from accounts.models import User
from accounts.services.account_deletion import close_account


@login_required
@never_cache
@require_GET
def own_data(request: HttpRequest) -> HttpResponse:
    """Downloading all that is one's own, and deleting the account."""
    return render(request, "accounts/data.html")


@login_required
@never_cache
@require_GET
@reauthentication_required
def download_own_data(request: HttpRequest) -> HttpResponseBase:
    """A ZIP file of all that is one's own, written while it is sent."""
    return download(request, cast(User, request.user))


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
@reauthentication_required
def delete_account(request: HttpRequest) -> HttpResponse:
    """Delete one's account."""
    user = cast(User, request.user)
    refusal = ""
    if request.method == "POST":
        if request.POST.get("sure") == "on":
            close_account(user=user)
            logout(request)
            messages.success(request, "Your account is deleted.")
            return redirect("home")
        refusal = "Tick the box if you are sure. Nothing has been deleted."
    status = 422 if refusal else 200
    return render(request, "accounts/delete.html", {"refusal": refusal}, status=status)
