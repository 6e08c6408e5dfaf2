"""Pages of the deck lab: a deck's runs with the form for another one, and a run."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import rules
from accounts.models import User
from collection.views.numbers import number
from core.errors import Refusal
from core.idempotency import once_per_page
from decks.models import Deck
from decks.queries import decks, lab, versions
from decks.services import lab as services

VERSIONS_OFFERED = 20


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deck_lab(request: HttpRequest, slug: str) -> HttpResponse:
    """The runs of a deck of mine; a POST starts another one."""
    user = cast(User, request.user)
    deck = decks.own_deck(user, slug)
    if request.method != "POST":
        return _page(request, user, deck)
    wanted = services.Wanted(
        player=request.POST.get("player", "")[:40],
        pairs=number(request.POST.get("pairs", "")) or 0,
        field=request.POST.getlist("field")[: services.MAX_FIELD + 1],
        other_version=number(request.POST.get("other", "")),
    )
    try:
        run = once_per_page(
            request, user, lambda: services.start(user=user, deck=deck, wanted=wanted).slug
        )
    except Refusal as refusal:
        return _page(request, user, deck, refusal=refusal, wanted=wanted)
    return redirect("decks:lab_run", run)


def _page(
    request: HttpRequest,
    user: User,
    deck: Deck,
    *,
    refusal: Refusal | None = None,
    wanted: services.Wanted | None = None,
) -> HttpResponse:
    game = rules.game(deck.game)
    field = lab.field_decks(user, deck)
    steps = [step.version for step in versions.history(deck, None, VERSIONS_OFFERED).steps]
    context = {
        "deck": deck,
        "mode": game.mode(deck.mode),
        "runs": lab.runs_of(deck, user),
        "field": field,
        "chosen": wanted.field if wanted else [row.key for row in field if row.ready_made],
        "players": [
            (slug, f"{player.name}, {player.strength}")
            for slug, player in [*game.opponents(deck.mode).items()][::-1]
        ],
        "player": wanted.player if wanted else [*game.bots][-1],
        "pairs": wanted.pairs if wanted else 50,
        "other": wanted.other_version if wanted else None,
        "versions": [version for version in steps if version.number != deck.version],
        "limits": services,
        "refusal": refusal,
    }
    status = 200 if refusal is None else refusal.status
    return render(request, "decks/lab.html", context, status=status)


@require_GET
@never_cache
@login_required
def lab_run(request: HttpRequest, slug: str) -> HttpResponse:
    """A run of mine: how far it has come, and what came of it so far."""
    run = lab.run_of(cast(User, request.user), slug)
    context = {"run": lab.run_shown(run), "deck": run.deck}
    part = "HX-Request" in request.headers
    return render(request, "decks/lab_state.html" if part else "decks/lab_run.html", context)


@require_POST
@login_required
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop a run of mine."""
    run = services.cancel(user=cast(User, request.user), slug=slug)
    return redirect(run)
