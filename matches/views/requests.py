"""Shared by the views: refusals, numbers and people of a request, games' templates."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.template import TemplateDoesNotExist
from django.template.loader import select_template

from matches.errors import Malformed, MatchError, NotYourSeat
from matches.models import Match

P = ParamSpec("P")


View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def from_script(request: HttpRequest) -> bool:
    return request.headers.get("Riffle-Script") == "table"


def posted(request: HttpRequest) -> QueryDict | None:
    """The data of a submitted form; None for other requests."""
    return request.POST if request.method == "POST" else None


def refusals(view: View[P]) -> View[P]:
    """Answer refusals with their message and status: as a page, or as JSON for the script."""

    @wraps(view)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except MatchError as error:
            if from_script(request):
                data = {"code": error.code, "detail": error.detail}
                return JsonResponse(data, status=error.status)
            context = {"title": error.title, "detail": error.detail, "slug": kwargs.get("slug")}
            return render(request, "matches/refused.html", context, status=error.status)

    return answer


def number(text: str | None, digits: int = 9) -> int | None:
    """A number of up to ``digits`` digits; None for anything else."""
    return int(text) if text and text.isdecimal() and len(text) <= digits else None


def query_number(request: HttpRequest, name: str) -> int | None:
    """A number of the query string; None if it is missing. Raises ``Malformed``."""
    text = request.GET.get(name)
    value = number(text)
    if text is not None and value is None:
        raise Malformed(f"“{name}” must be the number of a move, not “{text[:20]}”.")
    return value


def player(request: HttpRequest) -> Any:
    """The person of the request. Raises ``NotYourSeat`` if nobody is logged in."""
    if not request.user.is_authenticated:
        raise NotYourSeat("You are not a player at this table. Log in if you are.")
    return request.user


def table_template(match: Match) -> list[str]:
    """Templates for the table of a match, the most specific first."""
    return [*_templates("table", match), "matches/table/plain.html"]


def own_template(part: str, match: Match) -> Any:
    """The template of a game or mode for a part of a page; None without one."""
    try:
        return select_template(_templates(part, match))
    except TemplateDoesNotExist:
        return None


def _templates(part: str, match: Match) -> list[str]:
    return [f"{match.game}/{part}_{match.mode}.html", f"{match.game}/{part}.html"]
