"""A finished match move by move, and pictures of its moments."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.services.guests import ensure_guest
from collection.drawing.sharing import shared_picture
from core.budgets import metered_view
from core.errors import Refusal
from matches.drawing import moment
from matches.models import Match
from matches.queries.access import access_match, require_finished
from matches.queries.replay import first_to_move, replay_page, replay_state
from matches.services.play_on import play_on
from matches.views.requests import number, query_number, refusals, table_template

MOMENT_MAX_AGE = 60 * 60
"""Seconds. The names on it may change."""


@require_GET
@metered_view
@refusals
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """A finished match step by step, from the eyes of any seat; at first from the reader's own."""
    match = access_match(request.user, slug)
    ply, seat_number = query_number(request, "ply") or 0, query_number(request, "seat")
    return show_replay(request, match, ply=ply, seat_number=seat_number)


def show_replay(
    request: HttpRequest,
    match: Match,
    *,
    ply: int,
    seat_number: int | None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """One moment of a match that is over, as a spectator (0) or a seat, counted from 1, sees it.

    After a comment was refused it comes with the text that was written.
    """
    # The script keeps the list of turns while it goes from one step to another.
    with_turns = request.headers.get("Riffle-Script") != "replay"
    page = replay_page(match, request.user, ply=ply, seat_number=seat_number, with_turns=with_turns)
    path = reverse("matches:replay", args=(match.slug,))
    here = f"{path}?ply={page.ply}&seat={page.seat_number}"
    context = {
        **vars(page),
        "page": page,
        "replaying": True,
        "table_template": table_template(match),
        "picture": picture_address(request, match, page.ply),
        "here": request.build_absolute_uri(here),
        "refusal": "" if refusal is None else refusal.detail,
        "written": "" if refusal is None else request.POST.get("text", ""),
    }
    status = 200 if refusal is None else refusal.status
    return render(request, "matches/replay.html", context, status=status)


@require_POST
@metered_view
@refusals
def play_on_from(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a match against bots from a moment of this one, in the seat that is looked from."""
    match = access_match(request.user, slug)
    ply = number(request.POST.get("ply"), digits=6) or 0
    seat_number = number(request.POST.get("seat"), digits=2) or 0
    seat = seat_number - 1 if seat_number else first_to_move(match, ply)
    created = play_on(match=match, user=ensure_guest(request), ply=ply, seat=seat)
    return redirect("matches:table", created.slug)


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
    require_finished(match, "Pictures of a match are available after it.")
    ply = query_number(request, "ply")
    ply = match.ply if ply is None else ply
    picture = shared_picture(
        request,
        f"moment {match.slug} {ply}",
        lambda: moment.picture(replay_state(match, ply=ply, seat=None)),
        max_age=MOMENT_MAX_AGE,
    )
    response = HttpResponse(picture, content_type="image/jpeg")
    visible = "private" if match.private else "public"
    response["Cache-Control"] = f"{visible}, max-age={MOMENT_MAX_AGE}"
    return response
