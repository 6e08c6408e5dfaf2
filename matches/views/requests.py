"""What views of matches share: refusals, numbers and people out of a request, games' templates."""

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
    """What a form was sent with, even if that is nothing; None where no form was sent."""
    return request.POST if request.method == "POST" else None


def refusals(view: View[P]) -> View[P]:
    """Answer a refusal with its sentence and status: a page, or a small object for the script."""

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
    """A number of so many digits at most; None for anything else."""
    return int(text) if text and text.isdecimal() and len(text) <= digits else None


def query_number(request: HttpRequest, name: str) -> int | None:
    """A number of the address; None where it has none. Raises ``Malformed`` for other words."""
    text = request.GET.get(name)
    value = number(text)
    if text is not None and value is None:
        raise Malformed(f"“{name}” is the number of a move, not “{text[:20]}”.")
    return value


def player(request: HttpRequest) -> Any:
    """The person of the request. Whoever is not logged in sits nowhere."""
    if not request.user.is_authenticated:
        raise NotYourSeat("You do not sit at this table. Log in if you do.")
    return request.user


def table_template(match: Match) -> list[str]:
    """Templates for the table of a match, the best first."""
    return [*_templates("table", match), "matches/table/plain.html"]


def own_template(part: str, match: Match) -> Any:
    """The template that a game or mode brings for a part of a page; None where there is none."""
    try:
        return select_template(_templates(part, match))
    except TemplateDoesNotExist:
        return None


def _templates(part: str, match: Match) -> list[str]:
    return [f"{match.game}/{part}_{match.mode}.html", f"{match.game}/{part}.html"]
