"""Profile, theme and table settings."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import ProfileForm, PublicForm, TableSettingsForm, ThemeForm
from accounts.models import User
from accounts.services import profile as profile_services
from accounts.services.profile import save_profile, save_table_settings, save_theme
from accounts.views.entrance import next_address
from core.themes import remember_theme


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Name at the table, and theme."""
    user = cast(User, request.user)
    # The form works on a copy: a refused name must not show in the header.
    form = ProfileForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        save_profile(user=user, **form.cleaned_data)
        messages.success(request, "Saved.")
        response = redirect("accounts:profile")
        remember_theme(response, user.theme, secure=request.is_secure())
        return response
    return _profile_page(request, form=form)


def _profile_page(
    request: HttpRequest, *, form: ProfileForm | None = None, public: PublicForm | None = None
) -> HttpResponse:
    user = cast(User, request.user)
    context = {
        "form": form or ProfileForm(instance=user),
        "public": public or PublicForm(instance=user),
    }
    return render(request, "accounts/profile.html", context)


@login_required
@require_POST
def save_what_is_public(request: HttpRequest) -> HttpResponse:
    """The public part of a profile, and the mark of an account that a program plays."""
    user = cast(User, request.user)
    form = PublicForm(request.POST, instance=User.objects.get(pk=user.pk))
    if not form.is_valid():
        return _profile_page(request, public=form)
    profile_services.save_what_is_public(user=user, **form.cleaned_data)
    messages.success(request, "Saved.")
    return redirect("accounts:profile")


@login_required
@require_POST
def table_settings(request: HttpRequest) -> HttpResponse:
    """Keep with the person how tables show what happens. Their script sends it."""
    form = TableSettingsForm(request.POST)
    if not form.is_valid():
        words = "Choose slow, normal, fast or once."
        return HttpResponse(words, status=400, content_type="text/plain")
    save_table_settings(
        user=cast(User, request.user),
        shown_pace=form.cleaned_data["pace"],
        has_sound=form.cleaned_data["sound"],
    )
    return HttpResponse(status=204)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme on this device and, for a person who is known, with the person."""
    form = ThemeForm(request.POST)
    if not form.is_valid():
        return HttpResponse("Choose auto, light or dark.", status=400, content_type="text/plain")
    chosen = form.cleaned_data["theme"]
    if request.user.is_authenticated:
        save_theme(user=request.user, theme=chosen)
    if request.headers.get("X-Requested-With") == "fetch":
        response: HttpResponse = HttpResponse(status=204)
    else:
        response = redirect(next_address(request, reverse("home")))
    remember_theme(response, chosen, secure=request.is_secure())
    return response
