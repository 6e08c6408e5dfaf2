"""Pages about time: one's own clock, giving time, coming back, calling a match off."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from matches.clock.hours import Hours
from matches.errors import MatchError
from matches.forms.clock import AwayForm, HoursForm
from matches.models import Status
from matches.queries.access import hours_of
from matches.queries.own_clock import own_clock as own_clock_of
from matches.services import absence, cancelling, clock
from matches.views.requests import number, player, refusals


@require_POST
@refusals
def give_time(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a gain to an opponent's clock."""
    seat = number(request.POST.get("seat"), digits=2)
    match = clock.give_time(slug=slug, user=player(request), seat=seat)
    messages.success(request, "You have given them time.")
    return redirect("matches:table", match.slug)


@require_POST
@refusals
def take_seat_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Play on oneself where a bot has played."""
    clock.take_seat_back(slug=slug, user=player(request))
    messages.success(request, "The seat is yours again.")
    return redirect("matches:table", slug)


@require_POST
@refusals
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Call a match off, offer that, agree, or decline."""
    agree = request.POST.get("agree", "yes") == "yes"
    match = cancelling.cancel_match(slug=slug, user=player(request), agree=agree)
    if match.status == Status.CANCELLED:
        messages.info(request, "The match is cancelled. Nobody has won or lost.")
        return redirect("matches:mine")
    said = (
        "You have offered to cancel the match. The others have to agree."
        if agree
        else "You play on."
    )
    messages.info(request, said)
    return redirect("matches:table", slug)


# -- one's own clock ------------------------------------------------------------------------------


def _own_page(
    request: HttpRequest, form: forms.Form, away_form: forms.Form, status: int = 200
) -> HttpResponse:
    own = own_clock_of(player(request))
    context = {
        "form": form,
        "away_form": away_form,
        "clock": own,
        "more_to_come": any(days.last > own.today for days in own.away),
    }
    return render(request, "matches/own_clock.html", context, status=status)


def _filled(user: User) -> tuple[HoursForm, AwayForm]:
    own: Hours = hours_of(user.pk)
    today = own.day_of(timezone.now())
    form = HoursForm(
        initial={
            "zone": own.zone,
            "opens": own.opens,
            "closes": own.closes,
            "weekend": own.weekend,
        }
    )
    return form, AwayForm(initial={"first": today, "last": today})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own_clock(request: HttpRequest) -> HttpResponse:
    """When one's clocks run, and the days away."""
    user = player(request)
    form, away_form = _filled(user)
    if request.method != "POST":
        return _own_page(request, form, away_form)
    form = HoursForm(request.POST)
    if form.is_valid():
        try:
            absence.set_hours(user=user, **form.cleaned_data)
        except MatchError as error:
            form.add_error(None, error.detail)
        else:
            messages.success(request, "Saved. Your deadlines follow.")
            return redirect("matches:own-clock")
    return _own_page(request, form, away_form, status=422)


@login_required
@require_POST
def go_away(request: HttpRequest) -> HttpResponse:
    """Be away for some days."""
    user = player(request)
    form = AwayForm(request.POST)
    status = 422
    if form.is_valid():
        try:
            absence.go_away(user=user, **form.cleaned_data)
        except MatchError as error:
            form.add_error(None, error.detail)
            status = error.status
        else:
            messages.success(
                request, "You are away on these days. Tables that wait will wait for you."
            )
            return redirect("matches:own-clock")
    return _own_page(request, _filled(user)[0], form, status=status)


@login_required
@require_POST
def come_back(request: HttpRequest) -> HttpResponse:
    """Take back all days away that have not begun."""
    absence.come_back(user=player(request))
    messages.success(request, "The days that had not begun are yours again.")
    return redirect("matches:own-clock")


@login_required
@require_POST
def guess_zone(request: HttpRequest) -> HttpResponse:
    """The page's script says in which time zone the browser is; it counts where none is known."""
    absence.guess_zone(user=player(request), zone=request.POST.get("zone", ""))
    return HttpResponse(status=204)
