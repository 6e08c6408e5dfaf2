"""The administration: entered by the same login as the rest of the site, with a second factor."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme


class Administration(AdminSite):
    """Django's administration without a login form of its own, which knew no limit of tries."""

    site_header = site_title = "Riffle administration"

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not _lacks_second_factor(request)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send everybody to where they can get in, or say why they cannot."""
        if not request.user.is_authenticated or getattr(request.user, "is_guest", False):
            address = resolve_url(settings.LOGIN_URL)
            return redirect(f"{address}?{urlencode({'next': _destination(request)})}")
        if not super().has_permission(request):
            raise PermissionDenied("The administration is for the people who run this site.")
        if _lacks_second_factor(request):
            messages.info(request, "The administration opens once you have a second factor.")
            return redirect("mfa_activate_totp")
        return redirect(_destination(request))


def _lacks_second_factor(request: HttpRequest) -> bool:
    if not settings.STAFF_SECOND_FACTOR:
        return False
    return not get_adapter().is_mfa_enabled(request.user, [Authenticator.Type.TOTP])


def _destination(request: HttpRequest) -> str:
    target = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if safe else reverse("admin:index")
