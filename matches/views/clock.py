"""Pages about time: own hours, vacation, giving time, coming back, cancelling a match."""

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
    """Add time to an opponent's clock."""
    seat = number(request.POST.get("seat"), digits=2)
    match = clock.give_time(slug=slug, user=player(request), seat=seat)
    messages.success(request, "Time added.")
    return redirect("matches:table", match.slug)


@require_POST
@refusals
def take_seat_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one's seat back from a substitute bot."""
    clock.take_seat_back(slug=slug, user=player(request))
    messages.success(request, "You are back in your seat.")
    return redirect("matches:table", slug)


@require_POST
@refusals
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Cancel a match, or offer to, agree or decline."""
    agree = request.POST.get("agree", "yes") == "yes"
    match = cancelling.cancel_match(slug=slug, user=player(request), agree=agree)
    if match.status == Status.CANCELLED:
        messages.info(request, "Match cancelled. No result.")
        return redirect("matches:mine")
    text = (
        "You offered to cancel the match. All players must agree." if agree else "Offer declined."
    )
    messages.info(request, text)
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
        "more_to_come": any(days.last > own.today for days in own.vacation),
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
    """The person's hours and vacation."""
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
            messages.success(request, "Saved. Your deadlines have been updated.")
            return redirect("matches:own-clock")
    return _own_page(request, form, away_form, status=422)


@login_required
@require_POST
def go_away(request: HttpRequest) -> HttpResponse:
    """Book vacation."""
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
            messages.success(request, "Vacation booked. Your clocks pause where it is allowed.")
            return redirect("matches:own-clock")
    return _own_page(request, _filled(user)[0], form, status=status)


@login_required
@require_POST
def come_back(request: HttpRequest) -> HttpResponse:
    """Cancel all upcoming vacation days."""
    absence.come_back(user=player(request))
    messages.success(request, "Upcoming vacation cancelled.")
    return redirect("matches:own-clock")
