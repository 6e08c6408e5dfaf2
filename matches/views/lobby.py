"""Pages of the lobby: open and running tables, quick match, invitations, the host's actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Viewer
from accounts.services.guests import ensure_guest
from core.pagination import CappedPaginator
from matches import engine
from matches.errors import NotInvited, NotOpen, NotPossible
from matches.forms.setup import QuickForm
from matches.models import Match, Status, TimeControl
from matches.queries import lobby
from matches.queries.access import access_match, seat_of
from matches.queries.open_tables import open_entries
from matches.services import invitations, open_tables, passing_on, setup
from matches.services import quick_match as quick
from matches.views.requests import number, player, refusals
from matches.views.setup import playable
from matches.views.table import Refused, show_open_table
from rules.engine.game import Game, Mode

PAGE_SIZE = 30


@require_GET
@never_cache
@refusals
def show(request: HttpRequest) -> HttpResponse:
    """Open tables, invitations and the quick match."""
    wanted = _wanted(request)
    tables = lobby.open_tables(request.user).filter(**wanted)
    page = CappedPaginator(tables, PAGE_SIZE).get_page(request.GET.get("page"))
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
    """The filters of the list."""
    chosen = {name: request.GET.get(name, "")[:40] for name in ("game", "mode", "time_control")}
    return {name: value for name, value in chosen.items() if value}


@dataclass(frozen=True, slots=True)
class RunningEntry:
    """A running table with its labels."""

    table: lobby.RunningTable
    game: Game
    mode: Mode
    time_control: str


def _running_entries(user: Viewer, tables: Iterable[Match]) -> list[RunningEntry]:
    matches = list(tables)
    entries = []
    for match, table in zip(matches, lobby.shown_running(user, matches), strict=True):
        game = engine.game_of(match)
        label = TimeControl(match.time_control).label
        entries.append(RunningEntry(table, game, game.modes[match.mode], label.partition(":")[0]))
    return entries


@require_GET
@never_cache
@refusals
def running(request: HttpRequest) -> HttpResponse:
    """The tables that anyone may watch."""
    wanted = _wanted(request)
    among_people = request.GET.get("people") == "1"
    needs_player = request.GET.get("people") == "wanted"
    tables = lobby.running_tables(
        request.user, among_people=among_people, needs_player=needs_player
    ).filter(**wanted)
    page = CappedPaginator(tables, PAGE_SIZE).get_page(request.GET.get("page"))
    people = "1" if among_people else "wanted" if needs_player else ""
    chosen = wanted | ({"people": people} if people else {})
    who = [("All", ""), ("People only", "1"), ("Replacement needed", "wanted")]
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
    return {"play": play} | (
        {"time_control": wanted["time_control"]} if "time_control" in wanted else {}
    )


Chip = tuple[str, str, bool]
"""Label, address, and True if chosen."""


def _chip(wanted: Mapping[str, str], words: str, **changes: str) -> Chip:
    query = {key: value for key, value in {**wanted, **changes}.items() if value}
    return words, "?" + urlencode(query), query == wanted


def _filters(
    modes: Sequence[tuple[Game, Mode]], wanted: Mapping[str, str]
) -> list[tuple[str, list[Chip]]]:
    """Rows of filters, each with its name."""
    chip = partial(_chip, wanted)
    games = {game.slug: game for game, _ in modes}
    chosen = games.get(wanted.get("game", ""))
    rows = [("Game", [chip("All games", game="", mode="")])]
    rows[0][1].extend(chip(game.name, game=slug, mode="") for slug, game in games.items())
    if chosen is not None:
        mode_chips = (chip(mode.name, mode=mode.slug) for game, mode in modes if game == chosen)
        rows.append(("Mode", [chip("All modes", mode=""), *mode_chips]))
    controls = (
        chip(control.label.partition(":")[0], time_control=control) for control in TimeControl
    )
    return [*rows, ("Time control", [chip("Any", time_control=""), *controls])]


@require_POST
@refusals
def quick_match(request: HttpRequest) -> HttpResponse:
    """Join the oldest suitable table, or create one; as a guest if need be."""
    modes = playable(people=2)
    form = QuickForm({"time_control": TimeControl.STEADY, **request.POST.dict()}, modes=modes)
    if not form.is_valid():
        messages.error(request, "Choose a game and a time control.")
        return redirect("matches:lobby")
    match = quick.quick_match(user=ensure_guest(request), **form.wish())
    if match.status == Status.OPEN:
        messages.info(request, "No open table matched, so we created one. You can leave this page.")
    return redirect("matches:table", match.slug)


@require_POST
@refusals
def sit(request: HttpRequest, slug: str) -> HttpResponse:
    """Join with one click, with a preconstructed deck where one is required."""
    match = access_match(request.user, slug)
    try:
        if match.status != Status.OPEN and seat_of(match, request.user) is None:
            raise NotOpen("This table is full.")
        if why_not := lobby.why_not(match, request.user):
            raise NotPossible(why_not)  # before a visitor becomes a guest
        setup.join_match(match=match, user=ensure_guest(request))
    except NotOpen:
        messages.info(request, "That table has just filled up.")
        return redirect("matches:lobby")
    return redirect("matches:table", slug)


@require_POST
@refusals
def accept(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept an invitation."""
    access_match(request.user, slug)
    invitations.accept_invitation(slug=slug, user=player(request))
    return redirect("matches:table", slug)


@require_POST
@refusals
def decline(request: HttpRequest, slug: str) -> HttpResponse:
    """Decline an invitation."""
    access_match(request.user, slug)
    try:
        invitations.decline_invitation(slug=slug, user=player(request))
    except NotInvited as error:
        messages.info(request, error.detail)
    else:
        messages.info(request, "Invitation declined.")
    return redirect("matches:mine")


@require_POST
@refusals
def give_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave one's seat for good."""
    match = access_match(request.user, slug)
    if seat_of(match, player(request)) is not None:  # else this is a second click
        passing_on.give_up_seat(slug=slug, user=player(request))
        messages.info(request, "You left your seat. You can keep watching.")
    return redirect("matches:table", slug)


@require_POST
@refusals
def take_over(request: HttpRequest, slug: str) -> HttpResponse:
    """Take over the seat of a player who left; as a guest if need be."""
    access_match(request.user, slug)
    seat = _seat(request)
    if seat is None:
        raise NotOpen("Choose a seat to take over.")
    passing_on.take_seat_over(slug=slug, user=ensure_guest(request), seat=seat)
    return redirect("matches:table", slug)


# -- the host of an open table --------------------------------------------------------------------


@require_POST
@refusals
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Reserve a seat for a person; a name that can't be invited is shown again at its field."""
    match = access_match(request.user, slug)
    username, seat = request.POST.get("username", "")[:150], _seat(request)
    try:
        invitations.invite(slug=slug, host=player(request), username=username, seat=seat)
    except NotPossible as error:
        return show_open_table(request, match, refused=Refused(seat, username, error.detail))
    return redirect("matches:table", slug)


@require_POST
@refusals
def uninvite(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw an invitation."""
    access_match(request.user, slug)
    username = request.POST.get("username", "")[:150]
    invitations.withdraw_invitation(slug=slug, host=player(request), username=username)
    return redirect("matches:table", slug)


@require_POST
@refusals
def fill(request: HttpRequest, slug: str) -> HttpResponse:
    """Give an open seat to a bot."""
    access_match(request.user, slug)
    seat = _seat(request)
    if seat is None:
        raise NotOpen("Choose a seat for the bot.")
    open_tables.fill_seat(slug=slug, host=player(request), seat=seat)
    return redirect("matches:table", slug)


@require_POST
@refusals
def listed(request: HttpRequest, slug: str) -> HttpResponse:
    """List the table in the lobby, or remove it."""
    access_match(request.user, slug)
    open_tables.list_table(
        slug=slug, host=player(request), listed=request.POST.get("listed") == "1"
    )
    return redirect(reverse("matches:table", args=(slug,)))


def _seat(request: HttpRequest) -> int | None:
    return number(request.POST.get("seat"), digits=2)
