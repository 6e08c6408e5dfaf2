"""Pages of the ways of being told, and what makes the site an app of its own on a device."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.models import User
from core.errors import Refusal
from core.requests import client_address
from notices.channels import icons, push
from notices.errors import BadAddress
from notices.forms.channels import AddressForm, HookForm, SubscriptionForm
from notices.models.channels import AddressUse, HookShape
from notices.services import browsers, hooks, secret_addresses

_NEW_SECRET = "accounts_new_hook_secret"  # noqa: S105 (a session's key, no password)
_TESTED = "accounts_tested_browsers"
"""The browsers to which a test went, with their names: one may be gone by then."""


def ways_context(request: HttpRequest) -> dict[str, Any]:
    """The context of ``notices/channels/ways.html``."""
    user = cast(User, request.user)
    hook = hooks.hook_of(user)
    addresses = secret_addresses.addresses_of(user)
    context = _browsers_context(request)
    if not context["tests_wait"]:
        request.session.pop(_TESTED, None)  # how they went is said once
    return {
        **context,
        "push_key": push.public_key(),
        "hook": hooks.shown(hook) if hook else None,
        "hook_shape": HookShape(hook.shape).label if hook else "",
        "addresses": [_address_context(request, use, addresses.get(use)) for use in AddressUse],
    }


def _browsers_context(request: HttpRequest) -> dict[str, Any]:
    rows = browsers.browsers_of(cast(User, request.user))
    by_key = {str(browser.pk): browser for browser in rows}
    tested = request.session.get(_TESTED, {})
    return {
        "browsers": [(browser, browsers.is_here(request.session, browser)) for browser in rows],
        "tests_wait": any(browser.is_tested_now for browser in rows),
        "tests": [(name, by_key.get(pk)) for pk, name in tested.items()],
    }


_ABOUT = {
    AddressUse.CALENDAR: "Subscribe in your calendar: each of your turns with a time limit "
    "is an event at its deadline.",
    AddressUse.FEED: "For a feed reader: your tables, whose turn it is, and how they ended.",
}
_PAGES = {AddressUse.CALENDAR: "matches:calendar", AddressUse.FEED: "matches:feed"}


def _address_context(request: HttpRequest, use: AddressUse, row: Any) -> dict[str, Any]:
    url = request.build_absolute_uri(reverse(_PAGES[use], args=[row.key])) if row else ""
    return {"use": use, "about": _ABOUT[use], "url": url, "made_at": row and row.made_at}


# -- browsers -------------------------------------------------------------------------------------


@login_required
@require_POST
def add_browser(request: HttpRequest) -> HttpResponse:
    """Have this browser told things; its script asks for it."""
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        raise BadAddress("The browser sent no push address. Reload the page.")
    browser = browsers.add_browser(
        user=cast(User, request.user),
        session=request.session,
        user_agent=request.headers.get("User-Agent", ""),
        **form.cleaned_data,
    )
    messages.success(request, f"{browser.name} is told from now on.")
    return HttpResponse(status=204)


@csrf_exempt  # who knows the old address, which nobody can guess, is the browser itself
@login_required
@require_POST
def renew_browser(request: HttpRequest) -> HttpResponse:
    """The browser has got another address by itself; its service worker says so."""
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        raise BadAddress("The browser sent no push address.")
    old = request.POST.get("old", "")
    known = browsers.renew_browser(user=cast(User, request.user), old=old, **form.cleaned_data)
    return HttpResponse(status=204 if known else 404)


@login_required
@require_POST
def remove_browser(request: HttpRequest) -> HttpResponse:
    """Tell a browser nothing more."""
    text = request.POST.get("browser", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
    browser = browsers.remove_browser(user=cast(User, request.user), pk=number)
    request.session.pop(_TESTED, None)
    if browser is not None:
        messages.success(request, f"{browser.name} is told nothing more.")
    else:
        messages.info(request, "That browser was gone already.")
    return redirect("notices:list")


@login_required
@require_POST
def test_browsers(request: HttpRequest) -> HttpResponse:
    """Send all one's browsers a test."""
    try:
        rows = browsers.ask_for_test(user=cast(User, request.user), address=client_address(request))
    except Refusal as refusal:
        messages.error(request, refusal.detail)
    else:
        request.session[_TESTED] = {str(browser.pk): browser.name for browser in rows}
    return redirect(reverse("notices:list") + "#browsers")


@login_required
@never_cache
@require_GET
def browsers_state(request: HttpRequest) -> HttpResponse:
    """The browsers and how their tests went: the part of the page that changes by itself."""
    return render(request, "notices/channels/browsers_state.html", _browsers_context(request))


# -- the web hook ---------------------------------------------------------------------------------


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
@reauthentication_required(allow_get=True)
def web_hook(request: HttpRequest) -> HttpResponse:
    """The hook and how it does, a form for another one, and a new one's secret a single time."""
    user = cast(User, request.user)
    status = 200
    form = HookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            hook = hooks.save_hook(user=user, **form.cleaned_data, address=client_address(request))
        except Refusal as refusal:
            form.add_error("url", refusal.detail)
            status = refusal.status
        else:
            request.session[_NEW_SECRET] = hook.secret
            return redirect("notices:web-hook")
    context = _hook_context(user) | {"form": form}
    if not request.headers.get("HX-Request"):
        context["new_secret"] = request.session.pop(_NEW_SECRET, "")
    return render(request, "notices/channels/hook.html", context, status=status)


@login_required
@never_cache
@require_GET
def web_hook_state(request: HttpRequest) -> HttpResponse:
    """How the hook does: the part of its page that changes by itself."""
    return render(request, "notices/channels/hook_state.html", _hook_context(request.user))


def _hook_context(user: Any) -> dict[str, Any]:
    hook = hooks.hook_of(user)
    return {
        "hook": hooks.shown(hook) if hook else None,
        "hook_shape": HookShape(hook.shape).label if hook else "",
    }


@login_required
@require_POST
def test_web_hook(request: HttpRequest) -> HttpResponse:
    """Send a test."""
    try:
        hooks.ask_for_test(user=cast(User, request.user), address=client_address(request))
    except Refusal as refusal:
        messages.error(request, refusal.detail)
    return redirect("notices:web-hook")


@login_required
@require_POST
def remove_web_hook(request: HttpRequest) -> HttpResponse:
    """Call that address no more."""
    removed = hooks.remove_hook(user=cast(User, request.user))
    messages.success(request, "It is called no more." if removed else "You have no web hook.")
    return redirect("notices:list")


# -- secret addresses -----------------------------------------------------------------------------


@login_required
@require_POST
def make_address(request: HttpRequest) -> HttpResponse:
    """Make an address, or a new one in its place."""
    use = _use(request)
    secret_addresses.make_address(user=cast(User, request.user), use=use)
    messages.success(request, f"{use.label}: here is a new address.")
    return redirect("notices:list")


@login_required
@require_POST
def remove_address(request: HttpRequest) -> HttpResponse:
    """Show nothing under an address any more."""
    use = _use(request)
    secret_addresses.remove_address(user=cast(User, request.user), use=use)
    messages.success(request, f"{use.label}: nothing is shown there any more.")
    return redirect("notices:list")


def _use(request: HttpRequest) -> AddressUse:
    form = AddressForm(request.POST)
    if not form.is_valid():
        raise Http404("Unknown address.")
    return AddressUse(form.cleaned_data["use"])


# -- the site as an app ---------------------------------------------------------------------------


OFFLINE_PARTS = ("css/pages/offline.css", "js/offline.js", "img/favicon.svg")
"""The files that the offline page needs."""


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that shows messages, and a page where there is no network.

    It comes from the root, since it is for the whole site, and is told first what to keep.
    Browsers ask for it with every page; whoever has it is told no more than that.
    """
    fresh = settings.WHITENOISE_AUTOREFRESH  # an edit shows at once
    text = _worker_script.__wrapped__() if fresh else _worker_script()
    tag = quote_etag(hashlib.sha256(text).hexdigest()[:32])
    headers = {"Cache-Control": "no-cache", "ETag": tag}
    answer = HttpResponse(text, content_type="text/javascript; charset=utf-8", headers=headers)
    return get_conditional_response(request, tag, None, answer) or answer


@cache
def _worker_script() -> bytes:
    texts = [render_to_string("notices/offline.html").encode(), *map(_source, OFFLINE_PARTS)]
    kept = {
        "version": hashlib.sha256(b"\0".join(texts)).hexdigest()[:16],
        "page": reverse("offline"),
        "parts": [static(part) for part in OFFLINE_PARTS],
    }
    script = _source("js/service-worker.js").decode()
    return f"self.riffleOffline = {json.dumps(kept)};\n{script}".encode()


def _source(name: str) -> bytes:
    path = finders.find(name)
    assert isinstance(path, str)
    return Path(path).read_bytes()


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the service worker keeps; whoever opens it by its address has a network."""
    if request.headers.get("Sec-Fetch-Mode") == "navigate":
        response: HttpResponse = redirect("home")
    else:
        response = HttpResponse(render_to_string("notices/offline.html"))
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Sec-Fetch-Mode"])
    return response


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest."""

    def icon(name: str, purpose: str) -> dict[str, str]:
        side = icons.ICONS[name].side
        src = reverse("app-icon", args=[name])
        return {"src": src, "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}

    data = {
        "id": "/",
        "name": "Riffle",
        "short_name": "Riffle",
        "description": "Small card games in your browser, live or one move at a time.",
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#fbf7ef",
        "theme_color": "#0f5e5c",
        "icons": [
            icon("icon-192", "any"),
            icon("icon-512", "any"),
            icon("maskable-512", "maskable"),
            {
                "src": static("img/favicon.svg"),
                "sizes": "any",
                "type": "image/svg+xml",
                "purpose": "any",
            },
        ],
    }
    headers = {"Cache-Control": "public, max-age=3600"}
    return JsonResponse(data, content_type="application/manifest+json", headers=headers)


@require_safe
def app_icon(request: HttpRequest, name: str) -> HttpResponse:
    """An icon of the installed site."""
    try:
        picture = icons.png(name)
    except KeyError:
        raise Http404("Unknown icon.") from None
    headers = {"Cache-Control": "public, max-age=604800"}
    return HttpResponse(picture, content_type="image/png", headers=headers)
