"""The result of a match."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from core.budgets import metered_view
from matches.forms.setup import AgreeForm, RematchForm, length_of
from matches.queries.access import access_match
from matches.queries.result import ResultPage, result_page
from matches.services import talk as talking
from matches.views.replay import picture_address
from matches.views.requests import own_template, player, refusals, table_template


@require_GET
@metered_view
@never_cache
@refusals
def result(request: HttpRequest, slug: str) -> HttpResponse:
    """Who won, and how it went."""
    match = access_match(request.user, slug)
    page = result_page(match, request.user)
    if page.mine is not None:
        talking.mark_end_seen(match=match, user=player(request))
    context = {
        **vars(page),
        "picture": picture_address(request, match, match.ply),
        "agreeing": AgreeForm() if page.for_keeps else None,
        "rematching": _rematching(page),
        "result_template": own_template("result", match),
        "board": _board(request, page),
    }
    return render(request, "matches/result.html", context)


def _board(request: HttpRequest, page: ResultPage) -> str:
    """The final board, drawn by the templates of the table."""
    context = {
        **vars(page.felt),
        "match": page.match,
        "game": page.game,
        "mode": page.mode,
        "seats": page.seats,
        "names": page.names,
        "table_template": table_template(page.match),
        "on_result": True,
    }
    return render_to_string("matches/final_board.html", context, request)


def _rematching(page: ResultPage) -> RematchForm | None:
    """The length of the rematch; after a series it is offered again."""
    if len(page.ranking) != 2 or page.for_keeps or page.mode.together:
        return None
    length = length_of(page.series.terms) if page.series is not None else ""
    return RematchForm(game=page.game, initial={"series": length}, auto_id="rematch-%s")
