"""Hints: a panel at the table for its script, else a page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches import engine
from matches.queries.access import access_match
from matches.queries.hints import hint_shown
from matches.services import hints
from matches.views.requests import from_script, player, refusals


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@refusals
def hint(request: HttpRequest, slug: str) -> HttpResponse:
    """The hint at the open prompt; a POST asks for it."""
    if request.method == "POST":
        hints.ask(slug=slug, user=player(request))
        if not from_script(request):
            return redirect("matches:hint", slug)
    match = access_match(request.user, slug)
    context = {
        "hint": hint_shown(match, request.user),
        "match": match,
        "game": engine.game_of(match),
    }
    template = "matches/table/hint.html" if from_script(request) else "matches/hint.html"
    return render(request, template, context)
