"""Answers at the table: moves, undo, takebacks, offers, standing orders, conceding."""

from __future__ import annotations

from operator import itemgetter

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from matches.errors import Malformed, MatchError
from matches.models import Status
from matches.queries.access import access_match
from matches.queries.table import table_state
from matches.services import draws, going_back, offers, taking_back
from matches.services import play as playing
from matches.services.standing_orders import give as ordering
from matches.services.store_ply import PlayedAtTable
from matches.views.requests import from_script, number, player, refusals
from matches.views.table import show_fragment, show_table

MAX_TOGETHER = 40
"""Answers per request."""

MAX_NOTATION = 200
"""Characters of an answer that are read."""


@require_POST
@refusals
def play(request: HttpRequest, slug: str) -> HttpResponse:
    """Play a move: the number of the prompt and the notation of the answer.

    With ``together`` also answers to the prompts that follow, all or none.
    """
    try:
        return _after(request, slug, _play(request, slug))
    except MatchError as error:
        if from_script(request) or error.status in (403, 404):
            raise
        match = access_match(request.user, slug)
        if not match.begun:
            raise
        return show_table(
            request,
            table_state(match, request.user),
            refusal=error.detail,
            chosen=_moves(request),
            status=error.status,
        )


def _play(request: HttpRequest, slug: str) -> PlayedAtTable:
    prompt, notation = number(request.POST.get("prompt")), request.POST.get("move", "")
    together = "together" in request.POST
    if prompt is None or not (notation or together):
        raise Malformed("Send the prompt’s number and your move.")
    user = player(request)
    if together:
        return playing.play_moves(slug=slug, user=user, prompt_id=prompt, moves=_moves(request))
    return playing.play_move(slug=slug, user=user, prompt_id=prompt, move=notation[:MAX_NOTATION])


def _moves(request: HttpRequest) -> list[str]:
    """The answers that were sent together, in the order of the prompts.

    Check boxes send ``move``, radio buttons ``move-1``, ``move-2`` …, which count by their numbers,
    wherever they are on the page.
    """
    fields = [
        (_place_of(name), moves[:MAX_TOGETHER])
        for name, moves in request.POST.lists()
        if name == "move" or name.startswith("move-")
    ]
    in_order = [move for _, moves in sorted(fields, key=itemgetter(0)) for move in moves]
    return [move[:MAX_NOTATION] for move in in_order[:MAX_TOGETHER]]


def _place_of(name: str) -> int:
    """The number of a field ``move-2``; 0 for ``move``, and 1000 without a valid number."""
    place = number(name.removeprefix("move").removeprefix("-") or "0", digits=3)
    return 1000 if place is None else place


@require_POST
@refusals
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo one's last answer."""
    return _after(request, slug, taking_back.take_back(slug=slug, user=player(request)))


@require_POST
@refusals
def turn_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Request a takeback, agree to one, or decline."""
    word = _word(request, "request a takeback")
    going_back.go_back(slug=slug, user=player(request), word=word)
    return _after(request, slug)


@require_POST
@refusals
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer a draw, agree to one, or decline."""
    word = _word(request, "offer a draw")
    draws.agree_on_draw(slug=slug, user=player(request), word=word)
    return _after(request, slug)


def _word(request: HttpRequest, offer: str) -> str:
    word = request.POST.get("word", "")
    if word not in offers.Word.values:
        raise Malformed(f"Choose to {offer}, agree or decline.")
    return word


@require_POST
@refusals
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a standing order at the open prompt, or cancel one."""
    user = player(request)
    if order := request.POST.get("cancel"):
        ordering.cancel_orders(slug=slug, user=user, order=number(order, digits=18) or 0)
        return _after(request, slug)
    prompt, kind = number(request.POST.get("prompt")), request.POST.get("give", "")
    notation = request.POST.get("notation", "")[:MAX_NOTATION] if kind == "answer" else ""
    if prompt is None or not (notation or kind == "windows"):
        raise Malformed("Send the prompt’s number and the answer to repeat.")
    played = ordering.give_order(slug=slug, user=user, prompt_id=prompt, notation=notation)
    return _after(request, slug, played)


def _after(request: HttpRequest, slug: str, played: PlayedAtTable | None = None) -> HttpResponse:
    """The response after an action: the table, rendered from ``played`` if a move was played."""
    if not from_script(request):
        return redirect(reverse("matches:table", args=(slug,)) + "#tray")
    if played is None:
        state = table_state(access_match(request.user, slug), request.user)
    else:
        state = table_state(played.match, request.user, played.table)
    since, steps = (number(request.POST.get(name)) for name in ("ply", "steps"))
    return show_fragment(request, state, since=state.ply if since is None else since, steps=steps)


@require_POST
@refusals
def concede(request: HttpRequest, slug: str) -> HttpResponse:
    """Concede."""
    playing.concede(slug=slug, user=player(request))
    match = access_match(request.user, slug)
    return redirect("matches:result" if match.status == Status.FINISHED else "matches:table", slug)
