"""Decks among people: what others show, copies and likes."""

from __future__ import annotations

from typing import cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

import rules
from accounts.models import User
from accounts.services.guests import ensure_guest
from collection.views.numbers import number
from core.budgets import metered_view
from decks.forms import plays
from decks.models.tags import tidy
from decks.queries import decks as queries
from decks.queries.buildable import CANDIDATES, buildable_decks, collected_games
from decks.queries.buildable import PAGE_SIZE as BUILDABLE_PAGE_SIZE
from decks.queries.shared import SORTS, DeckSearch, shared_page
from decks.services import decks as services
from decks.views.once import make_deck_once
from rules.engine.game import Game

MAX_BUILDABLE_PAGES = 100


@require_safe
def shared(request: HttpRequest) -> HttpResponse:
    """Public decks, found by words, game, mode and tag."""
    chosen = _chosen(request)
    play = chosen.get("play", "")
    game, _, mode = play.partition("/")
    tag = chosen.get("tag", "")
    search = DeckSearch(chosen.get("q", ""), game, mode, tag, chosen.get("sort", "newest"))
    context = {
        "found": shared_page(search, request.GET.get("after", "")),
        "began": "after" not in request.GET,
        "asked": search,
        "play": play,
        "games": [(slug, game.name) for slug, game in rules.games().items()],
        "plays": plays(),
        "kept": urlencode(chosen),
        "without_tag": urlencode({name: value for name, value in chosen.items() if name != "tag"}),
        "filtered": bool(set(chosen) - {"sort"}),
    }
    return render(request, "decks/shared.html", context)


@login_required
@require_safe
@metered_view
def buildable(request: HttpRequest) -> HttpResponse:
    """The decks that somebody can build from their collection, or nearly."""
    user = cast(User, request.user)
    collected = collected_games(user)
    games = {slug: game.name for slug, game in rules.games().items() if _takes_decks(game)}
    wanted = request.GET.get("game", "")
    first = next((slug for slug in collected if slug in games), next(iter(games)))
    game = wanted if wanted in games else first
    page = max(1, min(number(request.GET.get("page", "")) or 1, MAX_BUILDABLE_PAGES))
    decks, more = buildable_decks(user, game, (page - 1) * BUILDABLE_PAGE_SIZE)
    context = {
        "decks": decks,
        "page": page,
        "more": more,
        "game": game,
        "games": games.items(),
        "collects": game in collected,
        "candidates": CANDIDATES,
    }
    return render(request, "decks/buildable.html", context)


def _takes_decks(game: Game) -> bool:
    return any(services.takes_decks(mode) for mode in game.modes.values())


def _chosen(request: HttpRequest) -> dict[str, str]:
    """Return the valid choices as a query string has them."""
    games = set(rules.games())
    known = games | {value for value, _ in plays()}
    chosen = {
        "q": " ".join(request.GET.get("q", "")[:100].split()),
        "play": request.GET.get("play", ""),
        "tag": tidy(request.GET.get("tag", "")[:100]),
        "sort": request.GET.get("sort", ""),
    }
    if chosen["play"] not in known:
        chosen["play"] = ""
    if chosen["sort"] not in SORTS or chosen["sort"] == "newest":
        chosen["sort"] = ""
    return {name: value for name, value in chosen.items() if value}


@require_POST
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a deck mine that I may see; somebody anonymous becomes a guest, who keeps it."""
    queries.access_deck(request.user, slug)
    user = ensure_guest(request)
    created = make_deck_once(request, user, lambda: services.copy_deck(user=user, slug=slug))
    messages.success(request, f"Cloned as “{created.name}”.")
    return redirect(created)


@require_POST
def like(request: HttpRequest, slug: str) -> HttpResponse:
    """Like a deck of somebody else's, or no longer (``on=0``)."""
    queries.access_deck(request.user, slug)
    on = request.POST.get("on") != "0"
    return redirect(services.like_deck(user=ensure_guest(request), slug=slug, on=on))
