"""Creating a table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

import rules
from accounts.errors import MembersOnly
from accounts.services.guests import ensure_guest
from collection.errors import NotEnoughCards
from core.idempotency import once_per_page
from matches import engine
from matches.errors import NotPossible
from matches.forms.setup import PERSON, NewMatchForm
from matches.queries.seat_decks import deck_to_play, options_with_deck
from matches.services import setup
from matches.services.setup import MatchSetup, SeatPlan
from matches.views.requests import posted, refusals
from rules.engine.game import Game, Mode


def playable(people: int = 1) -> list[tuple[Game, Mode]]:
    """The playable modes for at least this many people."""
    return [
        (game, mode)
        for game in rules.games().values()
        for mode in game.modes.values()
        if mode.playable and mode.seats[-1] >= people
    ]


def _chosen_mode(request: HttpRequest) -> tuple[Game, Mode]:
    """The game and mode of the query string; by default the first that are playable."""
    first_game, first_mode = playable()[0]
    game = request.GET.get("game", first_game.slug)
    mode = request.GET.get("mode")
    if mode is None:
        mode = next((m.slug for g, m in playable() if g.slug == game), first_mode.slug)
    return engine.find_mode(game, mode)


@require_http_methods(["GET", "HEAD", "POST"])
@refusals
def new(request: HttpRequest) -> HttpResponse:
    """Create a table."""
    game, mode = _chosen_mode(request)
    opponent = request.GET.get("opponent", "")[:150]
    form = NewMatchForm(
        posted(request),
        game=game,
        mode=mode,
        host=request.user,
        initial={"seat_1": PERSON, "name_1": opponent} if opponent else None,
    )
    if request.method == "POST" and form.is_valid():
        try:
            host = ensure_guest(request)
            slug = once_per_page(
                request,
                host,
                lambda: setup.create_match(host=host, setup=form.match_setup()).slug,
            )
        except NotPossible as error:
            form.add_refusal(error)
        except (NotEnoughCards, MembersOnly) as refusal:
            form.add_error(None, refusal.detail)
        else:
            return redirect("matches:table", slug)
    context = {"form": form, "game": game, "mode": mode, "shelf": playable(), "opponent": opponent}
    return render(request, "matches/new.html", context, status=422 if form.errors else 200)


@require_POST
@refusals
def quick(request: HttpRequest) -> HttpResponse:
    """One click: a table against bots, or alone where that is the mode; a guest if need be.

    The form may say which ``bot``, and which ``deck`` to play with: one's own or a preconstructed
    one by slug, or anyone's that the person may see.
    """
    game, mode = _chosen_mode(request)
    user = ensure_guest(request)
    deck = request.POST.get("deck", "")
    bot = SeatPlan("bot", bot=request.POST.get("bot", ""))
    table = MatchSetup(
        game.slug,
        mode.slug,
        [SeatPlan(), *[bot] * (mode.seats[0] - 1)],
        options=options_with_deck(mode) if deck else None,
        deck=deck_to_play(user, game, mode, deck) if deck else None,
    )
    slug = once_per_page(request, user, lambda: setup.create_match(host=user, setup=table).slug)
    return redirect("matches:table", slug)
