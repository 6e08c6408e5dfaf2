"""Sign-up, log-in and the second factor; guests may enter, too."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.account import views as allauth_views
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.mfa.base.views import AuthenticateView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.errors import AlreadyMember
from accounts.forms import SignupForm
from accounts.queries.people import current_guest


class GuestsMayEnter:
    """Sign-up and login are for guests too; only members are sent on."""

    request: HttpRequest

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and current_guest(request) is None:
            return redirect(next_address(request, reverse(settings.LOGIN_REDIRECT_URL)))
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        return response


class LoginView(GuestsMayEnter, allauth_views.LoginView):
    """Log in; a guest's tables and cards move to the account."""


class SecondFactorView(AuthenticateView):
    """The code after the password. Guests, who are logged in already, get as far as others do."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        guest = current_guest(request)
        if guest is None:
            response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
            return response
        # allauth sends on whoever is logged in; the adapter finds the guest again.
        request.guest_who_logs_in = guest  # type: ignore[attr-defined]
        request.user = AnonymousUser()
        response = super().dispatch(request, *args, **kwargs)
        if request.user.is_anonymous:
            request.user = guest
        return response


class SignupView(GuestsMayEnter, allauth_views.SignupView):
    """Become a member; a guest keeps everything."""

    def get_initial(self) -> dict[str, Any]:
        initial: dict[str, Any] = super().get_initial()
        guest = current_guest(self.request)
        if guest is not None:
            initial["display_name"] = guest.display_name
        return initial

    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            return cast(HttpResponse, super().form_valid(form))
        except AlreadyMember as refusal:
            messages.info(self.request, refusal.detail)
            return redirect("home")
        except IntegrityError:
            # Two people (or one, twice) chose the same name in the same moment.
            form.add_error("username", "That username is taken.")
            return cast(HttpResponse, self.form_invalid(form))


def members_only(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Pages about passwords and addresses: a guest gets both by signing up."""

    # Nobody's form waits in a session until its sender has proved to be somebody.
    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if current_guest(request) is not None:
            messages.info(request, "Sign up first: that gives you a password and an address.")
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return guarded


def set_password(request: HttpRequest) -> HttpResponseBase:
    """A password for a member without one, after the code where there is a second factor."""
    if request.method == "POST" and not did_recently_reauthenticate(request):
        # A form waits in the session while its sender is asked; a password must not.
        return redirect("account_set_password")
    response: HttpResponseBase = reauthentication_required(allauth_views.password_set)(request)
    return response


def next_address(request: HttpRequest, otherwise: str) -> str:
    """Where the visitor wanted to go, if that is a page of this site."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if safe else otherwise
