"""The public decks that play a card: a page, and for htmx the part for the card's own page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from collection.drawing.pictures import row_image_url
from collection.queries import catalog
from core.budgets import metered_view
from decks.queries.played import played


@require_safe
@metered_view
def card(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """How often a card is played, in which decks, and beside which cards."""
    shown_card = catalog.card_or_none(game, slug)
    if shown_card is None:
        raise Http404("Card not found.")
    numbers = played(shown_card)
    context = {
        "card": shown_card,
        "played": numbers,
        "beside": [(row, row_image_url(row.card, "thumb")) for row in numbers.beside],
    }
    part = "HX-Request" in request.headers
    template = "decks/played_part.html" if part else "decks/played.html"
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response
