"""One's own collection, how complete it is, what came and went, and who may look at it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.queries.people import person
from accounts.services.guests import ensure_guest
from collection.errors import TooLate, Unacceptable
from collection.forms.gallery import COPIES, BulkForm, SettingsForm
from collection.queries import holdings, ledger, people
from collection.services import holdings as services
from collection.services.bulk import change_cards
from collection.views.gallery import Shelf, wall
from collection.views.numbers import number
from collection.views.parts import is_htmx_update
from collection.views.words import event_of, pressed_together
from core.errors import NotAllowed

EVENTS = 25
"""How many transfers a page of the history tells, and at most so many cards of each."""
LINES = 60


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The front of one's collection; a new person is asked which decks to start with."""
    user = request.user if isinstance(request.user, User) else None
    if user is None:
        return render(request, "collection/mine_new.html", {"starters": holdings.starters(None)})
    context: dict[str, Any] = {}
    if not is_htmx_update(request):
        totals = holdings.totals(user)
        context = {
            "totals": totals,
            "is_new": not totals.copies,
            "starters": [
                starter_group
                for starter_group in holdings.starters(user)
                if not starter_group.taken
            ],
            "collection": people.collection_of(user),
        }
    shelf = Shelf(reverse("collection:mine"), user, "owned", COPIES)
    return wall(request, shelf, "collection/mine.html", context)


@login_required
@require_POST
def bulk(request: HttpRequest) -> HttpResponse:
    """Change many of one's cards at once: the ticked ones, or all of the page."""
    form = BulkForm(request.POST)
    keys = request.POST.getlist("page" if "all" in request.POST else "card")
    cards = {key for text in keys if (key := number(text)) is not None}
    if not form.is_valid():
        messages.error(request, "Choose what to change.")
    else:
        try:
            changed = change_cards(
                owner=_me(request),
                cards=cards,
                change=form.cleaned_data["change"],
                value=form.new_value(),
            )
        except Unacceptable as refusal:
            messages.error(request, refusal.detail)
        else:
            cards_changed = "1 card" if changed == 1 else f"{changed:,} cards"
            messages.success(request, f"Changed {cards_changed}.")
    back = QueryDict(request.POST.get("back", "")[:2000]).urlencode()
    return redirect(f"{reverse('collection:mine')}?{back}" if back else "collection:mine")


@require_POST
def starter(request: HttpRequest) -> HttpResponse:
    """Take a starter deck; somebody anonymous becomes a guest, who keeps it."""
    game, _, product = request.POST.get("product", "").partition(".")
    user = ensure_guest(request)
    try:
        transfer, now = services.take_starter(user=user, game=game, product=product)
    except TooLate as refusal:
        messages.info(request, refusal.detail)
    else:
        words = "Claimed" if now else "You already have this deck"
        messages.success(request, f"{words}: {transfer.note}.")
    return redirect("collection:mine")


@login_required
@require_safe
def progress(request: HttpRequest) -> HttpResponse:
    """How complete the collection is: every game, set and rarity."""
    return render(request, "collection/progress.html", {"games": holdings.completion(_me(request))})


@login_required
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Everything that came and went, latest first: an entry a transfer."""
    mark = request.GET.get("before", "")
    page = ledger.entries(
        _me(request),
        before=int(mark) if mark.isascii() and mark.isdigit() and len(mark) < 19 else None,
        most=EVENTS + 1,
        rows_each=LINES,
    )
    context = {
        "events": pressed_together(event_of(entry, _me(request)) for entry in page[:EVENTS]),
        "earlier": page[EVENTS - 1].mark if len(page) > EVENTS else None,
        "later": bool(mark),
    }
    return render(request, "collection/history.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """Who may look at one's collection."""
    user = _me(request)
    if request.method == "POST":
        form = SettingsForm(request.POST)
        if form.is_valid():
            try:
                services.set_visibility(owner=user, visibility=form.cleaned_data["visibility"])
            except Unacceptable as refusal:
                form.add_error("visibility", refusal.detail)
            else:
                messages.success(request, "Saved.")
                return redirect("collection:settings")
        return render(request, "collection/settings.html", {"form": form}, status=422)
    form = SettingsForm(initial={"visibility": people.collection_of(user).visibility})
    return render(request, "collection/settings.html", {"form": form})


@require_safe
def shelf(request: HttpRequest, username: str) -> HttpResponse:
    """Another person's cards, as far as they show them."""
    owner = person(username)
    if not people.may_see(request.user, owner):
        raise NotAllowed(f"{owner}’s collection is not visible to you.")
    context: dict[str, Any] = {"owner": owner, "is_me": owner == request.user}
    if not is_htmx_update(request):
        context["totals"] = holdings.totals(owner)
    address = reverse("collection:shelf", args=[owner.username])
    columns = tuple(name for name in COPIES if name != "binder")
    shelf = Shelf(address, owner, "owned", columns)
    return wall(request, shelf, "collection/shelf.html", context)
