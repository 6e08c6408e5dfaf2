"""The page of a set: its checklist, how far somebody is with a goal, and what would finish it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.services.guests import ensure_guest
from collection.models import CardSet
from collection.queries import sets as queries
from collection.services import holdings as services
from collection.views.numbers import number
from core.budgets import metered_view

FEW_PACKS = 36
"""So many packs the chance is said for unless somebody asks for another number."""
MAX_PACKS = 9999


@require_safe
@metered_view
def card_set(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """All cards of a set by number, a page of them at a time."""
    listed_set = queries.set_of(game, slug)
    goal = _goal(request.GET.get("goal", ""))
    which = request.GET.get("show", "")
    which = which if which in queries.SHOWN else ""
    owner = request.user if isinstance(request.user, User) else None
    listed = queries.checklist(listed_set, owner, goal)
    selected = listed.shown(which) if owner else listed.cards
    after = number(request.GET.get("after", "")) or 0
    rest = [card for card in selected if card.number > after]
    page = rest[: queries.PAGE_SIZE]
    packs = min(number(request.GET.get("packs", "")) or FEW_PACKS, MAX_PACKS)
    context: dict[str, Any] = {
        "card_set": listed_set,
        "game": listed_set.game,
        "listed": listed,
        "goals": [
            (key, words, _address(listed_set, key, which)) for key, words in queries.GOALS.items()
        ],
        "shows": [
            (key, words, len(listed.shown(key)), _address(listed_set, goal, key))
            for key, words in queries.SHOWN.items()
        ],
        "show": which,
        "cards": page,
        "after": page[-1].number if len(rest) > len(page) else 0,
        "later": after,
        "here": _address(listed_set, goal, which),
        "own": owner is not None,
        "packs": packs,
        "most_packs": MAX_PACKS,
        "finishing": queries.finishing(listed, packs) if not after else [],
    }
    return render(request, "collection/set.html", context)


def _goal(word: str) -> queries.Goal:
    return word if word in queries.GOALS else "one"


def _address(listed_set: CardSet, goal: str, show: str) -> str:
    query = {"goal": goal if goal != "one" else "", "show": show}
    words = urlencode({name: value for name, value in query.items() if value})
    address = reverse("collection:set", args=[listed_set.game.slug, listed_set.slug])
    return f"{address}?{words}" if words else address


@require_POST
def want_rest(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """Put what a goal lacks on the wishlist. Doing it again changes nothing."""
    listed_set = queries.set_of(game, slug)
    goal = _goal(request.POST.get("goal", ""))
    user = ensure_guest(request)
    missing = queries.checklist(listed_set, user, goal).missing
    wished = services.want(
        owner=user, cards={card.key: card.owned + card.missing for card in missing}
    )
    if wished:
        copies = "1 copy" if wished == 1 else f"{wished:,} copies"
        messages.success(request, f"Added {copies} to your wishlist.")
    else:
        messages.info(request, "Everything that is missing is on your wishlist already.")
    return redirect(_address(listed_set, goal, request.POST.get("show", "")))
