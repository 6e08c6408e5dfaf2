"""The result of a match."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from core.budgets import metered_view
from matches import engine
from matches.forms.setup import AgreeForm
from matches.queries import people
from matches.queries.access import access_match, require_finished
from matches.queries.events import tally, who_left
from matches.queries.fairness import fairness
from matches.queries.outcomes import result_title
from matches.queries.ratings import speed_of, why_unrated
from matches.queries.table import table_state
from matches.queries.tables import rematch_of
from matches.services import ante
from matches.services import talk as talking
from matches.services.rematch import NewSeats
from matches.views.replay import picture_address
from matches.views.requests import player, refusals
from matches.views.table import lesson_end, option_words, own_template


@require_GET
@metered_view
@never_cache
@refusals
def result(request: HttpRequest, slug: str) -> HttpResponse:
    """Who won, and how it went."""
    match = access_match(request.user, slug)
    require_finished(match)
    state = table_state(match, request.user)
    if state.seat is not None:
        talking.mark_end_seen(match=match, user=player(request))
    seats = state.seats
    game = engine.game_of(match)
    outcome = match.outcome or {}
    mine = next((seat for seat in seats if seat.mine), None)
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "picture": picture_address(request, match, match.ply),
        "rating_changes": people.rating_changes(request.user, match),
        "why_unrated": why_unrated(match),
        "speed": speed_of(match),
        "view": state.view,
        "ranking": sorted(seats, key=lambda seat: (seat.place or 99, seat.number)),
        "ranked": len(seats) > 1 and not game.modes[match.mode].together,
        "mine": mine,
        "headline": game.text.headline(outcome, mine=mine is not None)
        or result_title(game.modes[match.mode], seats),
        "reason": who_left(match, seats) or game.text.reason(outcome),
        "score": game.text.score(outcome),
        "tally": tally(state),
        "fairness": fairness(match),
        "lesson_end": lesson_end(state),
        "options": option_words(game.modes[match.mode], match.options),
        "result_template": own_template("result", match),
        "for_keeps": ante.for_keeps(match),
        "changed_hands": ante.changes(match) if ante.for_keeps(match) else (),
        "agreeing": AgreeForm() if ante.for_keeps(match) else None,
        "again": rematch_of(match),
        "new_seats": NewSeats.choices if len(seats) > 1 else [],
        "names": ["You" if seat.mine else seat.name for seat in seats],
    }
    return render(request, "matches/result.html", context)
