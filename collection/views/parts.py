"""Pages of which htmx may ask for what has changed alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers

from accounts.errors import Refusal


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for what has changed alone; when it goes back it wants the whole page."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def kept_apart(response: HttpResponse) -> HttpResponse:
    """The page or the part, marked so that no cache shows one in the other's place."""
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


def pressed_form(
    request: HttpRequest, page: str, part: str, context: dict[str, Any], refusal: Refusal | None
) -> HttpResponse:
    """A form that sends all of itself with each press: whole, or for a press the part with it."""
    alone = "HX-Request" in request.headers and request.method == "POST"
    # htmx shows no refusals by itself: the sentence comes with the form, under a plain 200.
    status = refusal.status if refusal and not alone else 200
    context = context | {"refusal": refusal}
    return render(request, part if alone else page, context, status=status)


def gone_to(request: HttpRequest, made: Any) -> HttpResponse:
    """On to the page of what a form has made, from a press as well."""
    if "HX-Request" in request.headers:
        return HttpResponse(status=204, headers={"HX-Redirect": made.get_absolute_url()})
    return redirect(made)
