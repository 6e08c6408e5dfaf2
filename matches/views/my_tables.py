"""The page My tables."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from matches.queries.my_tables import my_tables
from matches.views.requests import player


@login_required
@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    """The person's tables: those with their turn first, the most urgent on top."""
    return render(request, "matches/mine.html", vars(my_tables(player(request))))
