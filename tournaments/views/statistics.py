"""Decks and cards by results, after the end."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.budgets import metered_view
from tournaments import open_bracket, reports
from tournaments.queries import access, pages
from tournaments.queries import statistics as queries
from tournaments.views.pages import about

TOP_CARDS = 60


@require_safe
@metered_view
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """How decks and cards did, with the numbers behind each share."""
    tournament = access.tournament_of(slug)
    results = queries.statistics(tournament)
    page = Paginator(results.decks, pages.PAGE_SIZE).get_page(request.GET.get("page"))
    all_cards = request.GET.get("cards") == "all"
    context = about(request, tournament, "statistics") | {
        "statistics": results,
        "page": page,
        "decks": [(deck, queries.in_words(tournament, deck.cards)) for deck in page.object_list],
        "cards": results.cards if all_cards else results.cards[:TOP_CARDS],
        "more_cards": 0 if all_cards else max(0, len(results.cards) - TOP_CARDS),
    }
    return render(request, "tournaments/statistics.html", context)


@require_safe
@metered_view
def cards_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Cards by results, for spreadsheets."""
    return reports.cards_csv(access.tournament_of(slug))


@require_safe
@metered_view
def trf(request: HttpRequest, slug: str) -> HttpResponse:
    """The tournament as a Tournament Report File, for other programs."""
    return reports.trf_file(access.tournament_of(slug))


@require_safe
@metered_view
def obf(request: HttpRequest, slug: str) -> HttpResponse:
    """The tournament in the Open Bracket Format, for other sites and viewers."""
    return open_bracket.open_bracket_file(access.tournament_of(slug))
