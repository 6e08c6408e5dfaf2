"""A finished match move by move, and pictures of its moments."""

from __future__ import annotations

from collections import Counter

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_safe

from collection.drawing.sharing import shared_picture
from core.budgets import metered_view
from core.errors import Refusal
from matches import engine
from matches.drawing import moment
from matches.models import Match
from matches.queries import talk
from matches.queries.access import access_match, require_finished, seat_of
from matches.queries.click_targets import ClickTargets
from matches.queries.replay import replay_lines, replay_state
from matches.views.requests import query_number, refusals
from matches.views.table import RECENT, table_template, turn_line

MOMENT_KEPT = 60 * 60
"""So many seconds the picture of a moment is kept; the names on it may change."""


@require_GET
@metered_view
@refusals
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """A finished match move by move, from the eyes of any seat."""
    match = access_match(request.user, slug)
    ply, eyes = query_number(request, "ply") or 0, query_number(request, "seat") or 0
    return replay_page(request, match, ply=ply, eyes=eyes)


def replay_page(
    request: HttpRequest, match: Match, *, ply: int, eyes: int, refusal: Refusal | None = None
) -> HttpResponse:
    """One moment of a match that is over, seen by everybody (0) or by a seat, counted from 1.

    After a comment was refused it comes with the words that were written.
    """
    seat = eyes - 1 if eyes else None
    state = replay_state(match, ply=ply, seat=seat, recent=RECENT)
    comments = talk.comments(match, request.user)
    names = [info.name for info in state.seats]
    game = engine.game_of(match)
    # The script keeps the list of moves while it shows one move after the other.
    keeps_moves = request.headers.get("Riffle-Script") == "replay"
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "view": state.view,
        "moves": [] if keeps_moves else replay_lines(match, seat=state.seat),
        "comments": [line for line in comments if line.ply == ply],
        "commented": Counter(line.ply for line in comments),
        "may_comment": seat_of(match, request.user) is not None,
        "silent": talk.silence_of(match, request.user),
        "refusal": "" if refusal is None else refusal.detail,
        "written": "" if refusal is None else request.POST.get("text", ""),
        "picture": picture_address(request, match, ply),
        "ply": ply,
        "shown": ply,
        "plies": state.plies,
        "seats": state.seats,
        "seat_number": eyes,
        "names": names,
        "lines": state.lines,
        "picks": ClickTargets(),
        "replaying": True,
        "news": [one for one in state.events if one.ply == ply],
        "previous": max(ply - 1, 0),
        "following": min(ply + 1, state.plies),
        "here": request.build_absolute_uri(
            reverse("matches:replay", args=(match.slug,)) + f"?ply={ply}&seat={eyes}"
        ),
        "events": [one.event for one in state.events],
        "outcome_line": "",
        "table_template": table_template(match),
        "turn_line": turn_line(game.text, state.view, state.seats, names),
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
    asked = query_number(request, "ply")
    ply = match.ply if asked is None else asked
    picture = shared_picture(
        request,
        f"moment {match.slug} {ply}",
        lambda: moment.picture(replay_state(match, ply=ply, seat=None, recent=1)),
        max_age=MOMENT_KEPT,
    )
    answer = HttpResponse(picture, content_type="image/jpeg")
    answer["Cache-Control"] = f"{'private' if match.private else 'public'}, max-age={MOMENT_KEPT}"
    return answer
