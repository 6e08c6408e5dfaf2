"""Answers at the table: moves, taking back, offers, orders, conceding."""

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
from matches.views.requests import from_script, player, posted_number, refusals
from matches.views.table import _page, render_fragment

MOST_TOGETHER = 40
"""How many answers one request may send."""


@require_POST
@refusals
def play(request: HttpRequest, slug: str) -> HttpResponse:
    """One move: the number of the question and the notation of the answer.

    With ``together`` it is this answer and those to the questions that follow, all or none.
    """
    prompt, notation = request.POST.get("prompt", ""), request.POST.get("move", "")
    together = "together" in request.POST
    try:
        if not prompt.isdecimal() or len(prompt) > 9 or not (notation or together):
            raise Malformed("A move names the question that it answers, and the answer.")
        user, prompt_id = player(request), int(prompt)
        if together:
            played = playing.play_moves(
                slug=slug, user=user, prompt_id=prompt_id, moves=_moves(request)
            )
        else:
            played = playing.play_move(
                slug=slug, user=user, prompt_id=prompt_id, move=notation[:200]
            )
    except MatchError as error:
        if from_script(request) or error.status in (403, 404):
            raise
        match = access_match(request.user, slug)
        if match.state is None:
            raise
        state = table_state(match, request.user)
        return _page(
            request, state, refusal=error.detail, chosen=_moves(request), status=error.status
        )
    return _shown(request, played)


def _moves(request: HttpRequest) -> list[str]:
    """The answers that were sent together, in the order of the questions.

    Cards that were ticked come as ``move``, answers that exclude each other as ``move-1``,
    ``move-2`` …: by their numbers, wherever they stand on the page.
    """
    sent = [
        (_place_of(name), moves[:MOST_TOGETHER])
        for name, moves in request.POST.lists()
        if name == "move" or name.startswith("move-")
    ]
    in_order = [move[:200] for _, moves in sorted(sent, key=itemgetter(0)) for move in moves]
    return in_order[:MOST_TOGETHER]


def _place_of(name: str) -> int:
    """The number of a field ``move-2``; ``move`` comes first, what has no number last."""
    number = name.removeprefix("move").removeprefix("-") or "0"
    return int(number) if number.isdecimal() and len(number) < 4 else 1000


@require_POST
@refusals
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back one's last answer."""
    user = player(request)
    return _shown(request, taking_back.take_back(slug=slug, user=user))


@require_POST
@refusals
def turn_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer to go back to the start of one's turn, agree to it, or decline."""
    word = request.POST.get("word", "")
    if word not in offers.Word.values:
        raise Malformed("Say whether you offer to go back, agree, or decline.")
    going_back.go_back(slug=slug, user=player(request), word=word)
    return _shown(request, None, slug)


@require_POST
@refusals
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer a draw, agree to one, or decline."""
    word = request.POST.get("word", "")
    if word not in offers.Word.values:
        raise Malformed("Say whether you offer a draw, agree, or decline.")
    draws.agree_on_draw(slug=slug, user=player(request), word=word)
    return _shown(request, None, slug)


@require_POST
@refusals
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a standing order at the question that is asked, or cancel one."""
    user, order = player(request), request.POST.get("cancel", "")
    if order:
        number = int(order) if order.isdecimal() and len(order) < 19 else 0
        ordering.cancel_orders(slug=slug, user=user, order=number)
        return _shown(request, None, slug)
    prompt, given = request.POST.get("prompt", ""), request.POST.get("give", "")
    notation = request.POST.get("notation", "")[:200] if given == "answer" else ""
    if not prompt.isdecimal() or len(prompt) > 9 or not (notation or given == "windows"):
        raise Malformed("An order names the question at which it is given, and what to answer.")
    played = ordering.give_order(slug=slug, user=user, prompt_id=int(prompt), notation=notation)
    return _shown(request, played)


def _shown(request: HttpRequest, played: PlayedAtTable | None, slug: str = "") -> HttpResponse:
    """The table after something was done there; None: without a move."""
    slug = slug if played is None else played.slug
    if not from_script(request):
        return redirect(reverse("matches:table", args=(slug,)) + "#tray")
    if played is None:
        state = table_state(access_match(request.user, slug), request.user)
    else:
        state = table_state(played.match, request.user, played.table)
    since, steps = (posted_number(request, name) for name in ("ply", "steps"))
    return render_fragment(request, state, since=state.ply if since is None else since, steps=steps)


@require_POST
@refusals
def concede(request: HttpRequest, slug: str) -> HttpResponse:
    """Give up."""
    playing.concede(slug=slug, user=player(request))
    match = access_match(request.user, slug)
    return redirect("matches:result" if match.status == Status.FINISHED else "matches:table", slug)
