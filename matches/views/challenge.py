"""Challenging a person from their page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.errors import MembersOnly
from accounts.models import User
from accounts.queries.people import somebody
from collection.errors import NotEnoughCards
from core.idempotency import once_per_page
from matches.errors import NotPossible
from matches.forms.challenge import ChallengeForm
from matches.services import setup
from matches.views.requests import player, posted, refusals
from matches.views.setup import playable


def challenge_form(host: User, data: QueryDict | None = None) -> ChallengeForm:
    """The form with all modes that two people can play."""
    modes = [(game, mode) for game, mode in playable(people=2) if 2 in mode.seats]
    return ChallengeForm(data, host=host, modes=modes)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
@refusals
def challenge(request: HttpRequest, username: str) -> HttpResponse:
    """Create a table with a seat reserved for this person."""
    host, opponent = player(request), somebody(username)
    if opponent.is_guest or opponent.pk == host.pk:
        raise NotPossible("Only other members can be challenged.")
    form = challenge_form(host, posted(request))
    if form.is_valid():
        try:
            slug = once_per_page(
                request,
                host,
                lambda: setup.create_match(host=host, setup=form.match_setup(opponent)).slug,
            )
        except NotPossible as error:
            form.add_refusal(error)
        except (NotEnoughCards, MembersOnly) as refusal:
            form.add_error(None, refusal.detail)
        else:
            return redirect("matches:table", slug)
    context = {"form": form, "person": opponent}
    status = 422 if form.errors else 200
    return render(request, "matches/challenge_page.html", context, status=status)
