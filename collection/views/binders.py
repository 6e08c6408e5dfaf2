"""Shared binders: one's own, to share and to revoke, and the page that others see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from collection.errors import TooMany, Unacceptable
from collection.forms.binders import ShareForm
from collection.queries import binders as queries
from collection.queries import catalog, copies
from collection.queries.keyset import ORDERS, page_of
from collection.services import binders as services
from collection.views import tiles
from core.budgets import metered_view

MAX_WORDS = 100


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def binders(request: HttpRequest) -> HttpResponse:
    """One's shared binders with their links, and the form to share one more."""
    assert isinstance(request.user, User)
    user, status = request.user, 200
    names = copies.binders(user)
    form = ShareForm(request.POST or None, binders=names)
    if request.method == "POST" and form.is_valid():
        try:
            shared = services.share_binder(owner=user, **form.cleaned_data)
        except (Unacceptable, TooMany) as refusal:
            field = getattr(refusal, "extra", {}).get("field")
            form.add_error(field if field in form.fields else None, refusal.detail)
        else:
            messages.success(request, f"Shared: {shared.title}.")
            return redirect("collection:binders")
    if form.is_bound:
        status = 422
    context = {
        "form": form,
        "shared": [
            (binder, request.build_absolute_uri(binder.get_absolute_url()))
            for binder in queries.shared_by(user)
        ],
        "has_binders": bool(names),
    }
    return render(request, "collection/binders.html", context, status=status)


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop sharing a binder."""
    assert isinstance(request.user, User)
    services.revoke_binder(owner=request.user, slug=slug)
    messages.success(request, "This binder is no longer shared.")
    return redirect("collection:binders")


@require_safe
@metered_view
def binder(request: HttpRequest, slug: str) -> HttpResponse:
    """The cards of a shared binder, as everyone sees them."""
    shared = queries.binder_at(slug)
    words = " ".join(request.GET.get("q", "")[:MAX_WORDS].replace("\0", "").split())
    as_table = request.GET.get("view") == "table"
    page, _count = page_of(
        queries.cards_in(shared, words),
        ORDERS["number"],
        catalog.PAGE_SIZE,
        request.GET.dict(),
        read=catalog.wall_cards,
    )
    held = queries.copies_in(shared, [card.pk for card in page.cards])
    kept = {"q": words, "view": "table" if as_table else ""}
    context: dict[str, Any] = {
        "binder": shared,
        "is_me": shared.owner == request.user,
        "total": queries.total_in(shared),
        "words": words,
        "as_table": as_table,
        "address": shared.get_absolute_url(),
        "kept": _query(kept),
        "pictures": _query(kept | {"view": ""}),
        "table": _query(kept | {"view": "table"}),
        "page": page,
        "tiles": [
            tiles.tile(card)
            | tiles.words(card)
            | tiles.rows(held[card.pk].described, mine=False)
            | {"own": True, "owned": f"{held[card.pk].quantity:,}"}
            for card in page.cards
            if card.pk in held
        ],
    }
    return render(request, "collection/binder.html", context)


def _query(values: Mapping[str, str]) -> str:
    return urlencode({name: value for name, value in values.items() if value})
