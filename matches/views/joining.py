"""Joining, leaving and rematches."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import MembersOnly
from accounts.models import User
from accounts.services.guests import ensure_guest
from accounts.services.profile import save_profile
from collection.errors import NotEnoughCards
from matches import engine
from matches.errors import NotPossible
from matches.forms.setup import JoinForm, RematchForm
from matches.models import Status, TimeControl
from matches.queries import lobby
from matches.queries.access import access_match, seat_of
from matches.queries.seats import seat_infos
from matches.services import setup
from matches.services.rematch import NewSeats
from matches.services.rematch import rematch as play_rematch
from matches.views.requests import player, posted, refusals


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@refusals
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Join an open table by the link that the host shared."""
    match = access_match(request.user, slug)
    if seat_of(match, request.user) is not None or match.status != Status.OPEN:
        return redirect("matches:table", slug)
    game = engine.game_of(match)
    mode = game.modes[match.mode]
    form = JoinForm(posted(request), game=game, mode=mode, options=match.options, user=request.user)
    why_not = lobby.why_not(match, request.user)
    if request.method == "POST" and form.is_valid():
        try:
            if why_not:
                raise NotPossible(why_not)  # before a visitor becomes a guest
            setup.join_match(
                match=match,
                user=_named_guest(request, form.cleaned_data.get("name", "")),
                client_seed=form.cleaned_data["client_seed"],
                deck=form.cleaned_data.get("deck"),
                agrees=form.cleaned_data.get("agrees", False),
            )
        except NotPossible as error:
            form.add_refusal(error)
        except (NotEnoughCards, MembersOnly) as refusal:
            form.add_error(None, refusal.detail)
        else:
            return redirect("matches:table", slug)
    context = {
        "match": match,
        "form": form,
        "game": game,
        "mode": mode,
        "seats": seat_infos(match, request.user),
        "options": lobby.option_words(mode, match.options),
        "time_control": TimeControl(match.time_control).label,
        "why_not": why_not,
        "invited": lobby.is_invited(match, request.user),
    }
    return render(request, "matches/join.html", context, status=422 if form.errors else 200)


def _named_guest(request: HttpRequest, name: str) -> User:
    """The person of the request; guests take the name they entered."""
    user = ensure_guest(request)
    if name and user.is_guest and name != user.display_name:
        save_profile(user=user, display_name=name, theme=user.theme)
    return user


@require_POST
@refusals
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave an open table; if the host leaves it is cancelled."""
    match = access_match(request.user, slug)
    match = setup.leave_match(match=match, user=player(request))
    cancelled = match.status == Status.CANCELLED
    messages.info(request, "Table cancelled." if cancelled else "You have left the table.")
    return redirect("matches:mine")


@require_POST
@refusals
def rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """Create or accept a rematch."""
    match = access_match(request.user, slug)
    terms = RematchForm(request.POST, game=engine.game_of(match)).terms()
    seats = request.POST.get("seats", NewSeats.SWAP)
    agrees = "agrees" in request.POST
    next_match = play_rematch(
        slug=slug, user=player(request), seats=seats, agrees=agrees, terms=terms
    )
    return redirect("matches:table", next_match.slug)
