"""Profiles of people, and leaderboards."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import BlockKind, User, Viewer
from accounts.queries.blocks import blocked_between
from accounts.queries.friends import between
from accounts.queries.people import somebody
from core.pagination import CappedPaginator
from core.replica import reads_replica
from matches.forms.challenge import ChallengeForm
from matches.forms.people import PlayersFilter
from matches.models import Seat, Speed
from matches.queries import lobby, people
from matches.queries import players as player_lists
from matches.views.challenge import challenge_form
from matches.views.requests import player
from matches.views.setup import playable

PAGE_SIZE = 50

RUNNING = 10
"""Running tables on a person’s page."""


@require_safe
@never_cache
def person(request: HttpRequest, username: str) -> HttpResponse:
    """A person's statistics, ratings, decks and matches, as far as the viewer may see them."""
    user = somebody(username)
    context = {
        "person": user,
        "shown": people.person_shown(request.user, user),
        "own": request.user.pk == user.pk,
        "friend_button": _friend_button(request.user, user),
        "running": _running_tables(request.user, user),
        "form": _challenge_form(request.user, user),
    }
    return render(request, "matches/person.html", context)


def _challenge_form(viewer: Viewer, user: User) -> ChallengeForm | None:
    """The form of a challenge, where the viewer may challenge this person."""
    if not isinstance(viewer, User) or viewer.pk == user.pk or user.is_guest:
        return None
    return challenge_form(viewer)


def _friend_button(viewer: Viewer, user: User) -> str:
    """The label of the button that asks the person, or accepts their request; empty for none."""
    if not isinstance(viewer, User) or viewer.is_guest or user.is_guest:
        return ""
    friendship = between(viewer, user)
    if friendship is None:
        return "" if blocked_between(viewer, user, BlockKind.ALL) else "Add friend"
    received = friendship.accepted_at is None and friendship.sender_id == user.pk
    return "Accept friend request" if received else ""


def _running_tables(viewer: Viewer, user: User) -> list[lobby.RunningTable]:
    """The person's public running tables, if they show their matches."""
    if not user.shows_matches and viewer.pk != user.pk:
        return []
    sits = Seat.objects.filter(user=user).values("match")
    return lobby.shown_running(viewer, lobby.running_tables(viewer).filter(pk__in=sits)[:RUNNING])


@require_safe
@never_cache
@reads_replica
def players(request: HttpRequest) -> HttpResponse:
    """The players of the site: by name, or by their rating in a mode."""
    modes = [(game, mode) for game, mode in playable(people=2) if mode.rated]
    form = PlayersFilter({"speed": Speed.WEB, **request.GET.dict()}, modes=modes)
    data = form.cleaned_data if form.is_valid() else {}
    name, speed = data.get("q", ""), data.get("speed") or Speed.WEB
    game, _, mode = data.get("play", "").partition("/")
    context: dict[str, Any] = {"form": form, "query": _query(request), "here": "all"}
    if game:
        rows = player_lists.rated_players(
            request.user, game=game, mode=mode, speed=speed, name=name
        )
        page = CappedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
        context |= {"page": page, "rows": people.ratings_shown(page.object_list)}
    else:
        everybody = player_lists.all_players(request.user, name)
        members = CappedPaginator(everybody, PAGE_SIZE).get_page(request.GET.get("page"))
        context |= {"page": members, "people": members.object_list}
    return render(request, "matches/players.html", context, status=200 if form.is_valid() else 422)


@login_required
@require_safe
@never_cache
def played_with(request: HttpRequest) -> HttpResponse:
    """The people that the reader has played with, the latest first."""
    name = request.GET.get("q", "")[:60]
    rows = player_lists.played_with(player(request), name)
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "met": player_lists.played_with_shown(page.object_list),
        "form": PlayersFilter({"q": name}, modes=()),
        "query": _query(request),
        "here": "met",
    }
    return render(request, "matches/players.html", context)


def _query(request: HttpRequest) -> str:
    """The filters of a list, for the links between its pages."""
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()


@require_safe
@reads_replica
def ratings(request: HttpRequest, game: str, mode: str) -> HttpResponse:
    """The leaderboard of a mode, for live or correspondence matches."""
    rated_game, rated_mode = people.require_rated(game, mode)
    speed = Speed.LIVE if request.GET.get("speed") == Speed.LIVE else Speed.WEB
    pages = CappedPaginator(people.board(game, mode, speed), PAGE_SIZE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "game": rated_game,
        "mode": rated_mode,
        "speed": speed,
        "speeds": Speed,
        "modes": [(game, mode) for game, mode in playable(people=2) if mode.rated],
        "page": page,
        "rows": people.board_shown(list(page.object_list)),
    }
    return render(request, "matches/ratings.html", context)
