"""Pages of the chat, notes and reports of a match.

The panel at the table is a fragment that the script requests with the header ``Riffle-Script``;
without a script a page shows it, with plain forms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from core.errors import NotLoggedIn, Refusal
from core.idempotency import once_per_page
from matches import engine
from matches.errors import Malformed
from matches.forms.talk import ReportForm
from matches.models import Match
from matches.queries import talk
from matches.queries.access import access_match, seat_of
from matches.queries.seats import seat_names
from matches.services import talk as talking
from matches.views.replay import show_replay
from matches.views.requests import from_script, number, refusals


@require_GET
@never_cache
@refusals
def talk_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The chat of a table: the panel for the script, else a page."""
    return _shown(request, access_match(request.user, slug))


def _shown(request: HttpRequest, match: Match, refusal: Refusal | None = None) -> HttpResponse:
    """The chat and the notes; after a refusal with the text that was typed."""
    status = 200 if refusal is None else refusal.status
    panel = talk.panel(match, request.user)
    context = {
        **vars(panel),
        "game": engine.game_of(match),
        "refusal": "" if refusal is None else refusal.detail,
        "written": "" if refusal is None else request.POST.get("text", ""),
    }
    if from_script(request):
        return render(request, "matches/talk/panel.html", context, status=status)
    talking.mark_shown(match=match, user=request.user, chat=panel.chat)
    return render(request, "matches/talk/page.html", context, status=status)


def _written(request: HttpRequest, slug: str, write: Callable[[Match, User], Any]) -> HttpResponse:
    """Carry out a form of the panel, then show the panel or the page again."""
    if not isinstance(request.user, User):
        raise NotLoggedIn("Log in, or join a table as a guest, to send messages.")
    match = access_match(request.user, slug)
    try:
        write(match, request.user)
    except Refusal as refusal:
        return _shown(request, match, refusal)
    if from_script(request):
        return _shown(request, match)
    return redirect("matches:talk", slug)


@require_POST
@refusals
def say(request: HttpRequest, slug: str) -> HttpResponse:
    """Post a message."""
    text = request.POST.get("text", "")

    def write(match: Match, user: User) -> None:
        def make() -> str:
            return str(talking.say(match=match, user=user, text=text).pk)

        once_per_page(request, user, make)

    return _written(request, slug, write)


@require_POST
@refusals
def comment(request: HttpRequest, slug: str) -> HttpResponse:
    """Comment on a move of a finished match, in its replay."""
    user = request.user
    if not isinstance(user, User):
        raise NotLoggedIn("Log in to comment on a match that you played.")
    match = access_match(user, slug)
    text, ply = request.POST.get("text", ""), _number(request, "ply")
    seat_number = number(request.POST.get("seat"), digits=2) or 0

    def make() -> str:
        return str(talking.comment(match=match, user=user, ply=ply, text=text).pk)

    try:
        once_per_page(request, user, make)
    except Refusal as refusal:
        has_played = seat_of(match, user) is not None
        if not (match.finished and has_played and ply <= match.ply):
            raise  # the replay's page can't be shown
        return show_replay(request, match, ply=ply, seat_number=seat_number, refusal=refusal)
    address = reverse("matches:replay", args=(slug,))
    return redirect(f"{address}?ply={ply}&seat={seat_number}#comments")


@require_POST
@refusals
def note(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a private note."""
    text = request.POST.get("text", "")

    def write(match: Match, user: User) -> None:
        def make() -> str:
            return str(talking.add_note(match=match, user=user, text=text).pk)

        once_per_page(request, user, make)

    return _written(request, slug, write)


@require_POST
@refusals
def remove_note(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a note."""
    pk = _number(request, "note")
    return _written(
        request, slug, lambda match, user: talking.remove_note(match=match, user=user, pk=pk)
    )


@require_POST
@refusals
def mute(request: HttpRequest, slug: str) -> HttpResponse:
    """Mute a person at this table, or unmute them (``end``)."""
    username = request.POST.get("username", "")
    change = talking.unmute if "end" in request.POST else talking.mute
    return _written(
        request, slug, lambda match, user: change(match=match, user=user, username=username)
    )


@require_POST
@refusals
def guests(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the host allow or forbid typed messages by guests."""
    may = request.POST.get("may_write") == "yes"
    return _written(
        request, slug, lambda match, user: talking.let_guests_write(match=match, user=user, may=may)
    )


@require_POST
@refusals
def read(request: HttpRequest, slug: str) -> HttpResponse:
    """Mark messages as read that the script has shown."""
    if not isinstance(request.user, User):
        return HttpResponse(status=204)
    match = access_match(request.user, slug)
    talking.mark_read(match=match, user=request.user, line=_number(request, "line"))
    return JsonResponse({"unread": talk.unread_count(match, request.user)})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@refusals
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Report a message or a player to the moderators."""
    user = cast(User, request.user)
    match = access_match(user, slug)
    data = request.POST if request.method == "POST" else request.GET
    line = data.get("line", "")
    message = _readable(match, user, line) if line.isdecimal() and len(line) < 10 else None
    named = {"line": line, "seat": data.get("seat", "")}
    form = ReportForm(request.POST if request.method == "POST" else None, initial=named)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            talking.report(match=match, user=user, **form.cleaned_data)
        except Refusal as refusal:
            form.add_error(None, refusal.detail)
            status = refusal.status
        else:
            messages.success(request, "Report sent. Thank you.")
            return redirect("matches:talk", slug)
    elif form.errors:
        status = 422
    about = _name_in(match, data.get("seat", "")) if message is None else ""
    context = {"match": match, "form": form, "line": message, "about": about}
    return render(request, "matches/talk/report.html", context, status=status)


def _name_in(match: Match, seat: str) -> str:
    """The name at a seat that is to be reported."""
    names = seat_names(match)
    known = seat.isdecimal() and len(seat) < 3 and int(seat) < len(names)
    return names[int(seat)] if known else ""


def _readable(match: Match, user: User, pk: str) -> talk.Line:
    row = talk.readable_line(match, user, int(pk))
    return talk.shown_lines(match, user, [row])[0]


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdecimal()) or len(text) > 18:
        raise Malformed(f"“{name}” must be a number, not “{text[:20]}”.")
    return int(text)
