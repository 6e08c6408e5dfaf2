"""The start page, the colours of the games, and the living style page."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_safe

from config import styleguide
from core import introductions


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The start page: what this is, one click to a table, and the games on the shelf."""
    packs = introductions.packs()
    context = {
        "games": introductions.introductions(),
        "how_many": introductions.how_many(),
        "first": introductions.first_to_play(),
        "packs": packs,
        "packs_hue": packs[len(packs) // 2][0] if packs else "",
    }
    return render(request, "home.html", context)


@require_safe
def game_hues(request: HttpRequest) -> HttpResponse:
    """The colours of all games; a change of them changes the address, too."""
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return HttpResponse(
        introductions.hues(), content_type="text/css; charset=utf-8", headers=headers
    )


@require_safe
def legal(request: HttpRequest, kind: str) -> HttpResponse:
    """The privacy policy or the terms: the host's own text, else the one that comes with Riffle."""
    file = settings.LEGAL_FOLDER and settings.LEGAL_FOLDER / f"{kind}.txt"
    text = file.read_text(encoding="utf-8") if file and file.is_file() else ""
    return render(request, f"{kind}.html", {"text": text})


@require_GET
def style(request: HttpRequest) -> HttpResponse:
    """The living style page; only a site under development has it."""
    if not settings.DEBUG:
        raise Http404
    return render(request, "style.html", styleguide.context())
