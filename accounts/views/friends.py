"""Friends."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import FriendForm
from accounts.models import User
from accounts.queries.friends import friends_of
from accounts.queries.people import person
from accounts.services import friends as friends_services
from accounts.services.friends import request_friend
from core.errors import Refusal


@login_required
@require_http_methods(["GET", "POST"])
def friends(request: HttpRequest) -> HttpResponse:
    """Friends, friend requests, and a form to send one."""
    user = cast(User, request.user)
    form = FriendForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            row = request_friend(sender=user, username=form.cleaned_data["username"])
        except Refusal as refusal:
            form.add_error("username", refusal.detail)
            status = refusal.status
        else:
            other = row.recipient if row.sender_id == user.pk else row.sender
            done = (
                f"You and {other} are friends." if row.accepted_at else f"Request sent to {other}."
            )
            messages.success(request, done)
            return redirect("accounts:friends")
    context = {"form": form, "circle": friends_of(user)}
    return render(request, "accounts/friends.html", context, status=status)


@login_required
@require_POST
def accept_friend(request: HttpRequest) -> HttpResponse:
    """Accept a friend request."""
    username = request.POST.get("username", "")
    friends_services.accept_friend(user=cast(User, request.user), username=username)
    messages.success(request, f"You and {person(username)} are friends.")
    return redirect("accounts:friends")


@login_required
@require_POST
def end_friendship(request: HttpRequest) -> HttpResponse:
    """End a friendship, decline one, or take a question back."""
    username = request.POST.get("username", "")
    friends_services.end_friendship(user=cast(User, request.user), username=username)
    messages.info(request, f"{person(username)} is no longer on your list.")
    return redirect("accounts:friends")
