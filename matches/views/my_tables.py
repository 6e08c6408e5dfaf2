"""The page My tables, and the way through the tables that wait."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from matches.forms.my_tables import TablesFilter
from matches.queries import talk
from matches.queries.access import access_match
from matches.queries.my_tables import Filters, my_tables
from matches.views.requests import player, refusals

ROUND_ENDS_AFTER = 3600
"""Seconds without “Next table” after which a round through the tables begins anew."""


@login_required
@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    """The person's tables: those with their turn first, the most urgent on top."""
    form = TablesFilter(request.GET)
    valid = form.is_valid()
    filters = _filters(form.cleaned_data) if valid else Filters()
    before = request.GET.get("before", "")[:40]
    page = my_tables(player(request), filters, before=before)
    chosen = {name: value for name in form.fields if (value := request.GET.get(name))}
    context = {
        **vars(page),
        "form": form,
        "filtered": bool(filters),
        "query": urlencode(chosen),
        "later": bool(before),
    }
    return render(request, "matches/mine.html", context, status=200 if valid else 422)


def _filters(data: dict[str, Any]) -> Filters:
    game, _, mode = data["play"].partition("/")
    return Filters(
        opponent=data["q"].strip(),
        game=game,
        mode=mode,
        state=data["state"],
        result=data["result"],
        since=data["since"],
        until=data["until"],
    )


@login_required
@require_GET
@never_cache
@refusals
def next_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Go on from a table to the next one that waits; in one round each table comes once."""
    match = access_match(request.user, slug)
    now = int(time.time())
    last_at, visited = request.session.get("next_table", (0, []))
    visited = [*(visited if now - last_at < ROUND_ENDS_AFTER else ()), match.pk]
    address = talk.next_table(player(request), visited)
    if address is None:
        request.session.pop("next_table", None)
        messages.info(request, "That was all: no other table waits for you.")
        return redirect("matches:mine")
    request.session["next_table"] = (now, visited)
    return redirect(address)
