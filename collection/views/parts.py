"""Pages of which htmx may ask for what has changed alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers

from core.errors import Refusal


def is_htmx_update(request: HttpRequest) -> bool:
    """True if htmx asks for the changed part alone; when it goes back it needs the whole page."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def vary_on_htmx(response: HttpResponse) -> HttpResponse:
    """The page or the part, marked so that no cache shows one in the other's place."""
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


def render_form_step(
    request: HttpRequest, page: str, part: str, context: dict[str, Any], refusal: Refusal | None
) -> HttpResponse:
    """A form that each button sends whole: the page, or for htmx the part that changes."""
    alone = "HX-Request" in request.headers and request.method == "POST"
    # htmx shows no refusals by itself: the sentence comes with the form, under a plain 200.
    status = refusal.status if refusal and not alone else 200
    context = context | {"refusal": refusal}
    return render(request, part if alone else page, context, status=status)


def go_to_page_of(request: HttpRequest, target: Any) -> HttpResponse:
    """On to the page of what a form has made, for htmx as well."""
    if "HX-Request" in request.headers:
        return HttpResponse(status=204, headers={"HX-Redirect": target.get_absolute_url()})
    return redirect(target)
