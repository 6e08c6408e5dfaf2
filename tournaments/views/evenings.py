"""Live evenings: confirming that one is present, and the page for a big screen."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.budgets import metered_view
from core.errors import Refusal
from tournaments.queries import access, evening
from tournaments.queries.round_names import round_names
from tournaments.services import evenings
from tournaments.views.pages import about, overview


@login_required
@require_POST
def here(request: HttpRequest, slug: str) -> HttpResponse:
    """Confirm that one is present for the next round."""
    tournament = access.tournament_of(slug)
    try:
        entry = evenings.confirm(tournament=tournament, user=cast(User, request.user))
    except Refusal as refusal:
        return overview(request, tournament, refusal, refusal.status)
    # By its name: the message stays on a page that follows along to the next round's call.
    name = round_names(tournament).in_text(entry.ready_for)
    messages.success(request, f"You are confirmed for {name}.")
    return redirect(tournament)


@require_safe
@metered_view
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Pairings, results and the clock in large type, for a beamer in a room.

    It says nothing of the reader, and follows along live.
    """
    tournament = access.tournament_of(slug)
    context = about(request, tournament, "screen") | {"screen": evening.screen(tournament)}
    part = bool(request.headers.get("HX-Request"))
    template = "tournaments/screen_part.html" if part else "tournaments/screen.html"
    return render(request, template, context)
