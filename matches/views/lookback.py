"""The page that looks back at a finished match, decision by decision."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches import engine
from matches.queries.access import access_match
from matches.queries.lookback import look_back_shown
from matches.services import lookback
from matches.views.requests import player, query_number, refusals


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@refusals
def look_back(request: HttpRequest, slug: str) -> HttpResponse:
    """The stored numbers on a seat's decisions, and how far the work has come; a POST starts it."""
    if request.method == "POST":
        lookback.start(slug=slug, user=player(request))
        return redirect("matches:lookback", slug)
    match = access_match(request.user, slug)
    number = query_number(request, "seat")
    answer = look_back_shown(match, request.user, None if not number else number - 1)
    game = engine.game_of(match)
    context = {
        "look_back": answer,
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "longest_minutes": lookback.longest_minutes(),
        "max_decisions": lookback.MAX_DECISIONS,
    }
    # htmx asks for the part that changes.
    part = "HX-Request" in request.headers
    template = "matches/lookback_state.html" if part else "matches/lookback.html"
    return render(request, template, context)


@require_POST
@refusals
def share(request: HttpRequest, slug: str) -> HttpResponse:
    """Let all who may see the match see one's look back, or no longer."""
    lookback.share(slug=slug, user=player(request), shared=request.POST.get("shared") == "yes")
    return redirect("matches:lookback", slug)
