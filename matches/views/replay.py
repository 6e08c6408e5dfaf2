"""A finished match move by move, and pictures of its moments."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_safe

from collection.drawing.sharing import shared_picture
from core.budgets import metered_view
from core.errors import Refusal
from matches.drawing import moment
from matches.models import Match
from matches.queries.access import access_match, require_finished
from matches.queries.replay import replay_page, replay_state
from matches.views.requests import query_number, refusals, table_template

MOMENT_CACHE_SECONDS = 60 * 60
"""So many seconds the picture of a moment is kept; the names on it may change."""


@require_GET
@metered_view
@refusals
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """A finished match move by move, from the eyes of any seat."""
    match = access_match(request.user, slug)
    ply, seat_number = query_number(request, "ply") or 0, query_number(request, "seat") or 0
    return show_replay(request, match, ply=ply, seat_number=seat_number)


def show_replay(
    request: HttpRequest,
    match: Match,
    *,
    ply: int,
    seat_number: int,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """One moment of a match that is over, seen by everybody (0) or by a seat, counted from 1.

    After a comment was refused it comes with the words that were written.
    """
    # The script keeps the list of moves while it shows one move after the other.
    with_moves = request.headers.get("Riffle-Script") != "replay"
    page = replay_page(match, request.user, ply=ply, seat_number=seat_number, with_moves=with_moves)
    here = f"{reverse('matches:replay', args=(match.slug,))}?ply={ply}&seat={seat_number}"
    context = {
        **vars(page),
        "replaying": True,
        "table_template": table_template(match),
        "picture": picture_address(request, match, ply),
        "here": request.build_absolute_uri(here),
        "refusal": "" if refusal is None else refusal.detail,
        "written": "" if refusal is None else request.POST.get("text", ""),
    }
    status = 200 if refusal is None else refusal.status
    return render(request, "matches/replay.html", context, status=status)


def picture_address(request: HttpRequest, match: Match, ply: int) -> str:
    """The address of the picture of a moment; empty where others may not look."""
    if match.private:
        return ""
    path = reverse("matches:moment", args=(match.slug,))
    return request.build_absolute_uri(f"{path}?ply={ply}")


@require_safe
@refusals
def moment_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a moment of a finished match, as a spectator saw it (JPEG, 1200 × 630)."""
    match = access_match(request.user, slug)
    require_finished(match, "There are pictures of a match when it is over.")
    ply = query_number(request, "ply")
    ply = match.ply if ply is None else ply
    picture = shared_picture(
        request,
        f"moment {match.slug} {ply}",
        lambda: moment.picture(replay_state(match, ply=ply, seat=None)),
        max_age=MOMENT_CACHE_SECONDS,
    )
    response = HttpResponse(picture, content_type="image/jpeg")
    visible = "private" if match.private else "public"
    response["Cache-Control"] = f"{visible}, max-age={MOMENT_CACHE_SECONDS}"
    return response
