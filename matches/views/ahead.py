"""The page of one's conditional moves at a table: made, tried on the match so far, cancelled."""

from __future__ import annotations

from contextlib import nullcontext

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core import budgets
from matches import engine
from matches.errors import MatchError, NotForOrders
from matches.forms.ahead import PlanForm
from matches.models import Match
from matches.queries import ahead, standing_orders
from matches.queries.access import access_match
from matches.queries.ahead import DryRun, PlanQuestion
from matches.services.standing_orders import give, planning
from matches.views.requests import number, player, posted, refusals


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
@refusals
def conditional_moves(request: HttpRequest, slug: str) -> HttpResponse:
    """List one's conditional moves and make one.

    A form with ``try`` is only run on the match so far, one with ``cancel`` cancels.
    """
    user = player(request)
    if order := request.POST.get("cancel"):
        give.cancel_orders(slug=slug, user=user, order=number(order, digits=18) or 0)
        messages.info(request, "Cancelled.")
        return redirect("matches:ahead", slug)
    match = access_match(user, slug)
    offered = ahead.own_questions(match, user)
    question = _chosen(offered, request.POST.get("kind") or request.GET.get("kind"))
    if question is None:
        raise NotForOrders("Conditional moves aren’t available in this match now.")
    form, run, status = PlanForm(question, posted(request)), None, 200
    if form.is_valid():
        trying = "try" in request.POST
        try:
            with budgets.metered(request) if trying else nullcontext():
                if trying:
                    run = ahead.own_dry_run(match, user, form.plan())
                else:
                    planning.plan_answer(slug=slug, user=user, plan=form.plan())
        except MatchError as error:
            form.add_error(None, error.detail)
            status = error.status
        else:
            if not trying:
                messages.success(request, "Saved. It is played when you are asked.")
                return redirect(f"{reverse('matches:ahead', args=(slug,))}?kind={question.kind}")
    elif form.is_bound:
        status = 422
    return _show(request, match, offered, form, run, status)


def _chosen(offered: list[PlanQuestion], kind: str | None) -> PlanQuestion | None:
    """The prompt of this kind, else the first."""
    return next((row for row in offered if row.kind == kind), offered[0] if offered else None)


def _show(
    request: HttpRequest,
    match: Match,
    offered: list[PlanQuestion],
    form: PlanForm,
    run: DryRun | None,
    status: int,
) -> HttpResponse:
    game = engine.game_of(match)
    own = standing_orders.own_orders(match, request.user)
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "offered": offered,
        "question": form.question,
        "form": form,
        "run": run,
        "own": [order for order in own if order.once],
    }
    return render(request, "matches/ahead.html", context, status=status)
