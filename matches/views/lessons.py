"""The page of a game's lesson: what it is, and the way in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from accounts.services.guests import ensure_guest
from matches.errors import UnknownMode
from matches.queries import lessons
from matches.services.lessons import learn as begin_lesson
from matches.views.requests import refusals


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@refusals
def learn(request: HttpRequest, game: str) -> HttpResponse:
    """Show the lesson; a POST begins or resumes it, and with ``again`` restarts it."""
    definition = rules.games().get(game)
    if definition is None:
        raise UnknownMode(f"No game called “{game}” here.")
    lesson = lessons.lesson_for(definition)
    if request.method == "POST":
        afresh = request.POST.get("again") == "yes"
        match = begin_lesson(user=ensure_guest(request), game=definition.slug, afresh=afresh)
        return redirect("matches:table", match.slug)
    context = {
        "game": definition,
        "lesson": lesson,
        "begun": lessons.running(request.user, definition),
    }
    return render(request, "matches/learn.html", context)
