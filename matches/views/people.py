"""Profiles of people, and leaderboards."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.queries.people import somebody
from matches.models import Speed
from matches.queries import people
from matches.views.setup import playable

PAGE_SIZE = 50


@require_safe
@never_cache
def person(request: HttpRequest, username: str) -> HttpResponse:
    """A person's statistics, ratings, decks and matches, as far as the viewer may see them."""
    user = somebody(username)
    context = {
        "person": user,
        "shown": people.person_shown(request.user, user),
        "own": request.user.pk == user.pk,
    }
    return render(request, "matches/person.html", context)


@require_safe
def ratings(request: HttpRequest, game: str, mode: str) -> HttpResponse:
    """The leaderboard of a mode, for live or correspondence matches."""
    rated_game, rated_mode = people.require_rated(game, mode)
    speed = Speed.LIVE if request.GET.get("speed") == Speed.LIVE else Speed.WEB
    pages = Paginator(people.board(game, mode, speed), PAGE_SIZE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "game": rated_game,
        "mode": rated_mode,
        "speed": speed,
        "speeds": Speed,
        "modes": [(game, mode) for game, mode in playable(people=2) if mode.rated],
        "page": page,
        "rows": people.ratings_shown(page.object_list),
    }
    return render(request, "matches/ratings.html", context)
