"""Pages for players: enter, withdraw, drop."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.models import User
from core.errors import Refusal
from decks.models import Deck
from decks.queries import decks as deck_queries
from tournaments.models import EntryState
from tournaments.queries import access
from tournaments.services import entries
from tournaments.views.pages import overview


@login_required
@require_POST
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter, or hand in another deck."""
    user = cast(User, request.user)
    tournament = access.tournament_of(slug)
    chosen = request.POST.get("deck", "")
    deck: Deck | None = deck_queries.access_deck(user, chosen) if chosen else None
    try:
        entry = entries.enter(tournament=tournament, user=user, deck=deck)
    except Refusal as refusal:
        return overview(request, tournament, refusal, refusal.status)
    if entry.state == EntryState.WAITING:
        messages.info(request, "The tournament is full. You are on the waiting list.")
    else:
        messages.success(request, f"You have entered {tournament.title}.")
    return redirect(tournament)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave before the start."""
    tournament = access.tournament_of(slug)
    try:
        entries.withdraw(tournament=tournament, user=cast(User, request.user))
    except Refusal as refusal:
        return overview(request, tournament, refusal, refusal.status)
    messages.info(request, "You have withdrawn.")
    return redirect(tournament)


@login_required
@require_POST
def drop(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a tournament that runs."""
    tournament = access.tournament_of(slug)
    try:
        entries.drop(tournament=tournament, user=cast(User, request.user))
    except Refusal as refusal:
        return overview(request, tournament, refusal, refusal.status)
    messages.info(request, "You have dropped out. You can still spectate.")
    return redirect(tournament)
