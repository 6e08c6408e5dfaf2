"""What views of matches share: refusals, and numbers and people out of a request."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render

from matches.errors import Malformed, MatchError, NotYourSeat

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


def query_number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 9:
        raise Malformed(f"“{name}” is the number of a move, not “{text[:20]}”.")
    return int(text)


def posted_number(request: HttpRequest, name: str) -> int | None:
    """A number that the script adds to a move; None where it says none."""
    text = request.POST.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def player(request: HttpRequest) -> Any:
    """The person of the request. Whoever is not logged in sits nowhere."""
    if not request.user.is_authenticated:
        raise NotYourSeat("You do not sit at this table. Log in if you do.")
    return request.user
