"""The table's page and the part of it that changes.

The table is drawn from the same view that the API gives. Its script asks for the drawn table again
after each move (``fragment``) and sends moves with the header ``Riffle-Script``; of the parts that
it has already (``Riffle-Parts``) it gets the marks alone, and of the log what is new. Without a
script every option is a button that posts the same form.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from core import budgets
from matches.live import watching
from matches.models import Match, Status
from matches.queries import talk
from matches.queries.access import access_match, seat_of
from matches.queries.open_tables import open_table_page
from matches.queries.table import TableState, table_state
from matches.queries.table_page import Felt, TablePage, log_start, table_bar, table_page
from matches.services import talk as talking
from matches.views.requests import (
    number,
    own_template,
    player,
    query_number,
    refusals,
    table_template,
)

MAX_STEPS = 16
"""Earlier tables that are drawn with the newest one. Where more are missing the script (which knows
this number, too) shows the newest at once, so none of them is drawn."""


@require_GET
@never_cache
@refusals
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a match; before the start, who is still missing."""
    match = access_match(request.user, slug)
    if not match.begun or match.status == Status.CANCELLED:
        return show_open_table(request, match)
    return show_table(request, table_state(match, request.user))


@dataclass(frozen=True, slots=True)
class Refused:
    """An invitation that was refused: the seat, the name as typed, and why."""

    seat: int | None
    username: str
    why: str


def show_open_table(
    request: HttpRequest, match: Match, *, refused: Refused | None = None
) -> HttpResponse:
    """The page of a table that has not started, or was cancelled."""
    is_open = match.status == Status.OPEN
    if is_open and seat_of(match, request.user) is None and match.host_id != request.user.pk:
        return redirect("matches:join", match.slug)
    link = request.build_absolute_uri(reverse("matches:join", args=(match.slug,)))
    context = {**vars(open_table_page(match, request.user)), "link": link, "refused": refused}
    if is_open:
        panel = talk.panel(match, request.user)
        talking.mark_shown(match=match, user=request.user, chat=panel.chat)
        context |= vars(panel)
    return render(request, "matches/open.html", context, status=200 if refused is None else 422)


def show_table(
    request: HttpRequest,
    state: TableState,
    *,
    refusal: str = "",
    chosen: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The whole page of a table, with its log; after a refusal with what was chosen."""
    page = _table_page(request, state)
    watcher = watching.watcher_of(request, state.match, request.user)
    context = {
        **_context(page, page.felts[-1]),
        **vars(table_bar(state, request.user, page, watcher)),
        "help_template": own_template("help", state.match),
        "refusal": refusal,
        "chosen": chosen,
    }
    return render(request, "matches/table.html", context, status=status)


@require_GET
@never_cache
@refusals
def fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the table that changes.

    ``since`` adds what happened after that ply; ``steps`` the table as it was after each ply from
    that one on, if they are few. ``side`` is the side of the felt from which a spectator looks.
    """
    match = access_match(request.user, slug)
    if not match.begun or match.status == Status.CANCELLED:
        return HttpResponse(status=204)
    state = table_state(match, request.user)
    since, steps = query_number(request, "since"), query_number(request, "steps")
    return show_fragment(request, state, since=since, steps=steps)


def show_fragment(
    request: HttpRequest, state: TableState, *, since: int | None, steps: int | None
) -> HttpResponse:
    """The table for the script, the earlier ones before it and what has happened after it.

    For the earlier ones the match is played again, so they are metered, and so is a long log; who
    has used up their budget gets the newest table alone, and of the log what a page shows.
    """
    ply, first = state.ply, state.ply
    if steps is not None and 0 < ply - steps <= MAX_STEPS:
        first = steps
    costly = first < ply or (since is not None and since < log_start(ply))
    if costly and budgets.is_used_up(budgets.owner_of(request)):
        costly, first = False, ply
        since = None if since is None else max(since, log_start(ply))
    with budgets.metered(request) if costly else nullcontext():
        page = _table_page(request, state, first=first, since=since)
        return HttpResponse(_drawn(request, page, since))


def _drawn(request: HttpRequest, page: TablePage, since: int | None) -> str:
    # What one of these brings along, those after it need not bring again.
    held = set(request.headers.get("Riffle-Parts", "").split())
    contexts = [_context(page, felt) | {"held": held} for felt in page.felts]
    newest = contexts[-1]
    drawn = [render_to_string("matches/table/felt.html", context, request) for context in contexts]
    drawn.append(render_to_string("matches/table/clocks.html", newest, request))
    if page.match.lesson:
        drawn.append(render_to_string("matches/table/lesson.html", newest, request))
    if since is not None:
        news = [event for event in page.recent if event.ply > since]
        drawn.append(render_to_string("matches/table/news.html", {"news": news}))
    return "".join(drawn)


def _table_page(
    request: HttpRequest, state: TableState, *, first: int | None = None, since: int | None = None
) -> TablePage:
    if state.seat is not None and state.match.finished:
        talking.mark_end_seen(match=state.match, user=player(request))
    side = number(request.GET.get("side"), digits=2)
    return table_page(state, request.user, side=side, first=first, since=since)


def _context(page: TablePage, felt: Felt) -> dict[str, Any]:
    """The fields of page and felt by name, as the templates of games read them."""
    return {**vars(page), **vars(felt), "table_template": table_template(page.match)}
