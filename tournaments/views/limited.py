"""Pages of sealed and draft: open packs, pick, see one's pool, build, submit; the record."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.budgets import metered_view
from core.errors import Refusal
from core.idempotency import once_per_page
from decks.models import Deck
from decks.queries import decks as deck_queries
from tournaments.downloads import json_attachment
from tournaments.forms import number_in
from tournaments.models import Tournament
from tournaments.queries import access
from tournaments.queries import limited as queries
from tournaments.services import limited
from tournaments.views.pages import about


@login_required
@require_safe
@never_cache
def packs(request: HttpRequest, slug: str) -> HttpResponse:
    """The reader's own packs, picks and pool, and the next step."""
    return _page(request, access.tournament_of(slug))


def _page(
    request: HttpRequest, tournament: Tournament, refusal: Refusal | None = None
) -> HttpResponse:
    mine = queries.limited_shown(tournament, request.user)
    entry = access.entry_of(tournament, request.user)
    part = "pick" if mine.turn else "pool" if mine.pool else "wait"
    context = about(request, tournament, "limited") | {
        "mine": mine,
        "part": part,
        "entry": entry,
        "refusal": refusal,
        "limited_lines": queries.in_words(tournament),
        "decks": Deck.objects.filter(slug__in=mine.decks).order_by("pk"),
        "handed_in": entry.deck if entry is not None else None,
        "building": tournament.state == "announced",
        "own_cards": sum(card.own for card in mine.pool or ()),
    }
    status = refusal.status if refusal else 200
    return render(request, "tournaments/limited.html", context, status=status)


def _act(
    request: HttpRequest, slug: str, do: Callable[[Tournament, User], object], done: str = ""
) -> HttpResponse:
    """Do it and show the page again; a refusal stands on it."""
    tournament = access.tournament_of(slug)
    try:
        do(tournament, cast(User, request.user))
    except Refusal as refusal:
        return _page(request, tournament, refusal)
    if done:
        messages.success(request, done)
    return redirect("tournaments:limited", slug)


@login_required
@require_POST
def open_packs(request: HttpRequest, slug: str) -> HttpResponse:
    """Open one's packs of a sealed tournament."""
    seed = request.POST.get("client_seed", "")
    return _act(
        request,
        slug,
        lambda tournament, user: limited.open_own_packs(
            tournament=tournament, user=user, client_seed=seed
        ),
    )


@login_required
@require_POST
def pick(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a card."""
    return _act(
        request,
        slug,
        lambda tournament, user: limited.pick(
            tournament=tournament, user=user, round_number=number_in(request, "round"),
            number=number_in(request, "number"), place=number_in(request, "place"),
        ),
    )  # fmt: skip


@login_required
@require_POST
def build(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a deck of one's pool; its page is the builder."""
    tournament, user = access.tournament_of(slug), cast(User, request.user)
    try:
        deck = once_per_page(
            request, user, lambda: limited.new_deck(tournament=tournament, user=user).slug
        )
    except Refusal as refusal:
        return _page(request, tournament, refusal)
    return redirect("decks:build", deck)


@login_required
@require_POST
def submit(request: HttpRequest, slug: str) -> HttpResponse:
    """Submit a deck of one's pool."""
    return _act(
        request,
        slug,
        lambda tournament, user: limited.hand_in(
            tournament=tournament, user=user,
            deck=deck_queries.access_deck(user, request.POST.get("deck", "")),
        ),
        "Deck submitted. It is checked now.",
    )  # fmt: skip


@require_safe
@metered_view
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """All packs and picks, once the tournament is over, for ``verify.py``."""
    tournament = access.tournament_of(slug)
    return json_attachment(queries.record(tournament), f"{tournament.slug}-packs.json")


@require_safe
@metered_view
def pack_record(request: HttpRequest, slug: str, pack: str) -> HttpResponse:
    """An opened pack of one's own, or any once the tournament is over, for ``verify.py``."""
    tournament = access.tournament_of(slug)
    record_of_pack = queries.pack_record(tournament, request.user, pack)
    return json_attachment(record_of_pack, f"{pack}.json")
