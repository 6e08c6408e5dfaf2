"""Pages of the lobby: open and running tables, quick match, invitations, what a host does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Viewer
from accounts.services.guests import ensure_guest
from matches import engine
from matches.errors import NotInvited, NotOpen
from matches.forms.setup import QuickForm
from matches.models import Match, Pace, Status
from matches.queries import lobby
from matches.queries.access import access_match, seat_of
from matches.queries.open_tables import open_entries
from matches.services import invitations, open_tables, passing_on, setup
from matches.services import quick_match as quick
from matches.views.requests import number, player, refusals
from matches.views.setup import playable
from rules.engine.game import Game, Mode

ON_A_PAGE = 30


@require_GET
@never_cache
@refusals
def show(request: HttpRequest) -> HttpResponse:
    """Who waits for somebody, and a match at one press."""
    wanted = _wanted(request)
    tables = lobby.open_tables(request.user).filter(**wanted)
    page = Paginator(tables, ON_A_PAGE).get_page(request.GET.get("page"))
    kept = lobby.invitations(request.user) if request.user.is_authenticated else []
    modes = playable(people=2)
    context = {
        "entries": open_entries(request.user, page.object_list),
        "page": page,
        "invitations": open_entries(request.user, kept),
        "quick": QuickForm(modes=modes, initial=_initial(wanted)),
        "filters": _filters(modes, wanted),
        "wanted": wanted,
        "query": urlencode(wanted),
    }
    return render(request, "matches/lobby.html", context)


def _wanted(request: HttpRequest) -> dict[str, str]:
    """By what the list is filtered."""
    chosen = {name: request.GET.get(name, "")[:40] for name in ("game", "mode", "pace")}
    return {name: value for name, value in chosen.items() if value}


@dataclass(frozen=True, slots=True)
class RunningEntry:
    """One running table of the list, as people read it."""

    table: lobby.RunningTable
    game: Game
    mode: Mode
    pace: str


def _running_entries(user: Viewer, found: Iterable[Match]) -> list[RunningEntry]:
    matches = list(found)
    entries = []
    for match, table in zip(matches, lobby.shown_running(user, matches), strict=True):
        game = engine.game_of(match)
        label = Pace(match.pace).label
        entries.append(RunningEntry(table, game, game.modes[match.mode], label.partition(":")[0]))
    return entries


@require_GET
@never_cache
@refusals
def running(request: HttpRequest) -> HttpResponse:
    """The tables that anybody may watch."""
    wanted = _wanted(request)
    among_people = request.GET.get("people") == "1"
    needs_player = request.GET.get("people") == "wanted"
    tables = lobby.running_tables(
        request.user, among_people=among_people, needs_player=needs_player
    ).filter(**wanted)
    page = Paginator(tables, ON_A_PAGE).get_page(request.GET.get("page"))
    people = "1" if among_people else "wanted" if needs_player else ""
    chosen = wanted | ({"people": people} if people else {})
    who = [("Everybody", ""), ("Among people", "1"), ("Needs a player", "wanted")]
    filters = _filters(playable(), chosen)
    filters.append(("Players", [_chip(chosen, words, people=value) for words, value in who]))
    context = {
        "entries": _running_entries(request.user, page.object_list),
        "page": page,
        "filters": filters,
        "wanted": chosen,
        "query": urlencode(chosen),
    }
    return render(request, "matches/running.html", context)


def _initial(wanted: dict[str, str]) -> dict[str, str]:
    play = f"{wanted.get('game')}/{wanted.get('mode')}"
    return {"play": play} | ({"pace": wanted["pace"]} if "pace" in wanted else {})


Chip = tuple[str, str, bool]
"""What a filter is called, where it leads, whether it is chosen."""


def _chip(wanted: Mapping[str, str], words: str, **changes: str) -> Chip:
    query = {key: value for key, value in {**wanted, **changes}.items() if value}
    return words, "?" + urlencode(query), query == wanted


def _filters(
    modes: Sequence[tuple[Game, Mode]], wanted: Mapping[str, str]
) -> list[tuple[str, list[Chip]]]:
    """Rows of filters with their names."""
    chip = partial(_chip, wanted)
    games = {game.slug: game for game, _ in modes}
    chosen = games.get(wanted.get("game", ""))
    rows = [("Game", [chip("All games", game="", mode="")])]
    rows[0][1].extend(chip(game.name, game=slug, mode="") for slug, game in games.items())
    if chosen is not None:
        its = (chip(mode.name, mode=mode.slug) for game, mode in modes if game == chosen)
        rows.append(("Mode", [chip("All modes", mode=""), *its]))
    paces = (chip(pace.label.partition(":")[0], pace=pace.value) for pace in Pace)
    return [*rows, ("Pace", [chip("Any pace", pace=""), *paces])]


@require_POST
@refusals
def quick_match(request: HttpRequest) -> HttpResponse:
    """The oldest table that fits, or a new one; a guest if need be."""
    modes = playable(people=2)
    form = QuickForm({"pace": Pace.STEADY, **request.POST.dict()}, modes=modes)
    if not form.is_valid():
        messages.error(request, "Choose a game and a pace that can be played here.")
        return redirect("matches:lobby")
    match = quick.quick_match(user=ensure_guest(request), **form.wish())
    if match.status == Status.OPEN:
        messages.info(
            request, "Nobody is waiting for that now, so your table does. Come back any time."
        )
    return redirect("matches:table", match.slug)


@require_POST
@refusals
def sit(request: HttpRequest, slug: str) -> HttpResponse:
    """Sit down with one click, with a ready-made deck where one is asked for."""
    match = access_match(request.user, slug)
    try:
        if match.status != Status.OPEN and seat_of(match, request.user) is None:
            raise NotOpen("All seats of this match are taken.")
        setup.join_match(match=match, user=ensure_guest(request))
    except NotOpen:
        messages.info(
            request, "Somebody was a moment faster: that table has no free seat any more."
        )
        return redirect("matches:lobby")
    return redirect("matches:table", slug)


@require_POST
@refusals
def accept(request: HttpRequest, slug: str) -> HttpResponse:
    """Yes to an invitation."""
    access_match(request.user, slug)
    invitations.accept_invitation(slug=slug, user=player(request))
    return redirect("matches:table", slug)


@require_POST
@refusals
def decline(request: HttpRequest, slug: str) -> HttpResponse:
    """No to an invitation."""
    access_match(request.user, slug)
    try:
        invitations.decline_invitation(slug=slug, user=player(request))
    except NotInvited as error:
        messages.info(request, error.detail)
    else:
        messages.info(request, "Declined. The seat is free for somebody else.")
    return redirect("matches:mine")


@require_POST
@refusals
def give_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave one's seat for good."""
    match = access_match(request.user, slug)
    if seat_of(match, player(request)) is not None:  # else it is a second click
        passing_on.give_up_seat(slug=slug, user=player(request))
        messages.info(request, "You have given up your seat. You may still watch.")
    return redirect("matches:table", slug)


@require_POST
@refusals
def take_over(request: HttpRequest, slug: str) -> HttpResponse:
    """Sit down at a running match where somebody gave up; a guest if need be."""
    access_match(request.user, slug)
    seat = _seat(request)
    if seat is None:
        raise NotOpen("Choose the seat that you want to take over.")
    passing_on.take_seat_over(slug=slug, user=ensure_guest(request), seat=seat)
    return redirect("matches:table", slug)


# -- what a host does at an open table ------------------------------------------------------------


@require_POST
@refusals
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep a seat for somebody."""
    access_match(request.user, slug)
    username = request.POST.get("username", "")[:150]
    invitations.invite(slug=slug, host=player(request), username=username, seat=_seat(request))
    return redirect("matches:table", slug)


@require_POST
@refusals
def uninvite(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an invitation back."""
    access_match(request.user, slug)
    username = request.POST.get("username", "")[:150]
    invitations.take_back_invitation(slug=slug, host=player(request), username=username)
    return redirect("matches:table", slug)


@require_POST
@refusals
def fill(request: HttpRequest, slug: str) -> HttpResponse:
    """A bot for an open seat."""
    access_match(request.user, slug)
    seat = _seat(request)
    if seat is None:
        raise NotOpen("Choose the seat that a bot is to take.")
    open_tables.fill_seat(slug=slug, host=player(request), seat=seat)
    return redirect("matches:table", slug)


@require_POST
@refusals
def listed(request: HttpRequest, slug: str) -> HttpResponse:
    """Into the lobby, or out of it."""
    access_match(request.user, slug)
    open_tables.list_table(
        slug=slug, host=player(request), listed=request.POST.get("listed") == "1"
    )
    return redirect(reverse("matches:table", args=(slug,)))


def _seat(request: HttpRequest) -> int | None:
    return number(request.POST.get("seat"), digits=2)
