"""A ladder's page: places, challenges, and what changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.budgets import metered_view
from core.errors import Refusal
from tournaments.errors import UnknownTournament
from tournaments.forms import number_in
from tournaments.models import Tournament
from tournaments.queries import access, pages
from tournaments.queries import ladder as queries
from tournaments.services import ladder as services
from tournaments.views.pages import about

HISTORY = 30


@require_safe
@metered_view
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """The places of a ladder, with the challenges that are open."""
    return _ladder(request, access.tournament_of(slug))


def _ladder(
    request: HttpRequest, tournament: Tournament, refusal: Refusal | None = None
) -> HttpResponse:
    if not tournament.is_ladder:
        raise UnknownTournament("This tournament is not a ladder.")
    entry = access.entry_of(tournament, request.user)
    page = Paginator(pages.ranked(tournament), pages.PAGE_SIZE).get_page(request.GET.get("page"))
    challenges = queries.live_challenges(tournament, entry)
    own = entry.number if entry is not None else 0
    mine = [row for row in challenges if own in (row.challenger, row.challenged)]
    context = about(request, tournament, "ladder") | {
        "page": page,
        "entries": pages.entries_shown(page.object_list),
        "entry": entry,
        "own_number": own,
        "may_challenge": queries.may_challenge(tournament, entry),
        "own_challenge": mine[0] if mine else None,
        "challenges": [row for row in challenges if row not in mine],
        "history": queries.history_shown(queries.history(tournament)[:HISTORY]),
        "refusal": refusal,
    }
    part = request.method == "GET" and bool(request.headers.get("HX-Request"))
    template = "tournaments/ladder_part.html" if part else "tournaments/ladder.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


def _act(
    request: HttpRequest, slug: str, do: Callable[[Tournament, User], object], done: str
) -> HttpResponse:
    tournament = access.tournament_of(slug)
    try:
        do(tournament, cast(User, request.user))
    except Refusal as refusal:
        return _ladder(request, tournament, refusal)
    messages.success(request, done)
    return redirect("tournaments:ladder", slug)


@login_required
@require_POST
def challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Challenge a player above."""
    number = number_in(request, "entry")
    return _act(
        request,
        slug,
        lambda tournament, user: services.challenge(
            tournament=tournament, user=user, number=number
        ),
        "Challenge sent.",
    )


@login_required
@require_POST
def accept(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept a challenge."""
    number = number_in(request, "challenge")
    return _act(
        request,
        slug,
        lambda tournament, user: services.accept(tournament=tournament, user=user, number=number),
        "Challenge accepted. Your match is being set up.",
    )


@login_required
@require_POST
def decline(request: HttpRequest, slug: str) -> HttpResponse:
    """Decline a challenge, and lose the place."""
    number = number_in(request, "challenge")
    return _act(
        request,
        slug,
        lambda tournament, user: services.decline(tournament=tournament, user=user, number=number),
        "Challenge declined. The challenger has your place.",
    )


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw one's own challenge."""
    number = number_in(request, "challenge")
    return _act(
        request,
        slug,
        lambda tournament, user: services.withdraw(tournament=tournament, user=user, number=number),
        "Challenge withdrawn.",
    )


@login_required
@require_POST
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the ladder: its places are final."""
    return _act(
        request,
        slug,
        lambda tournament, user: services.close(tournament=tournament, by=user),
        "The ladder is closed.",
    )
