"""The seeds of a match, and the record that checks them."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from collection.downloads import attachment
from core.budgets import metered_view
from matches import engine
from matches.queries import fairness as fairness_queries
from matches.queries.access import access_match
from matches.queries.fairness import fairness_record
from matches.queries.seats import seat_infos
from matches.views.requests import refusals


@require_GET
@metered_view
@refusals
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    """The sealed seed, and at the end everything that is needed to check the chance."""
    match = access_match(request.user, slug)
    game = engine.game_of(match)
    facts = fairness_queries.fairness(match)
    client_seeds = dict(facts.client_seeds)
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "fairness": facts,
        "script": reverse("collection:verify_script"),
        "client_seeds": [
            (info.name, client_seeds.get(info.number, ""))
            for info in seat_infos(match, request.user)
        ],
    }
    return render(request, "matches/fairness.html", context)


@require_GET
@metered_view
@never_cache
@refusals
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The file of a finished match for the stand-alone script."""
    match = access_match(request.user, slug)
    return HttpResponse(
        json.dumps(fairness_record(match), ensure_ascii=False, indent=1),
        content_type="application/json",
        headers=attachment(f"match-{match.slug}.json"),
    )
