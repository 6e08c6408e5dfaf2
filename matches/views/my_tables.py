"""My tables, and tables as lines of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.models import User
from accounts.queries.friends import asking_count
from collection.queries.trades import waiting_count
from matches import engine
from matches.models import Match, Pace, SeatKind, Status
from matches.queries import clock, lobby, talk
from matches.queries.outcomes import result_note
from matches.queries.seats import SeatInfo, seat_infos
from matches.queries.tables import awaiting, matches_of
from matches.views.table import option_words, waiting_line
from rules.engine.game import Game, Mode


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """One open table of a list, as people read it."""

    table: lobby.OpenTable
    game: Game
    mode: Mode
    pace: str
    unusual: list[tuple[str, str]]
    people: list[SeatInfo]
    host: User | None


def open_entries(user: Any, found: Iterable[Match]) -> list[OpenEntry]:
    """Open tables as lines of a list for somebody."""
    matches = list(found)
    return [
        _open_entry(match, table)
        for match, table in zip(matches, lobby.shown_tables(user, matches), strict=True)
    ]


def _open_entry(match: Match, table: lobby.OpenTable) -> OpenEntry:
    game = engine.game_of(match)
    mode = game.modes[match.mode]
    taken = [seat for seat in table.seats if seat.kind != SeatKind.OPEN]
    return OpenEntry(
        table=table,
        game=game,
        mode=mode,
        pace=Pace(match.pace).label,
        unusual=[
            words
            for option, words in zip(mode.options, option_words(mode, match.options), strict=True)
            if option.slug in table.unusual
        ],
        people=taken,
        host=match.host,
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list of tables."""

    match: Match
    game: Game
    mode: str
    others: list[SeatInfo]
    note: str
    unread: int
    ended_unseen: bool


def entries(user: Any, found: Iterable[Match], news: talk.News) -> list[Entry]:
    """Matches as lines of a list for somebody, with what is new to them."""
    lines = []
    for match in found:
        game = engine.game_of(match)
        names = seat_infos(match, user)
        others = [info for info in names if not info.mine]
        note = _entry_note(match, names, getattr(user, "time_zone", None))
        mode, unread = game.modes[match.mode].name, news.unread.get(match.pk, 0)
        lines.append(Entry(match, game, mode, others, note, unread, match.pk in news.ended))
    return lines


def _entry_note(match: Match, seats: Sequence[SeatInfo], zone: str | None) -> str:
    if match.status == Status.OPEN:
        free = sum(seat.kind == SeatKind.OPEN for seat in seats)
        return f"{free} open seat{'s' if free > 1 else ''}"
    if match.status == Status.RUNNING:
        mine = next((seat for seat in seats if seat.mine), None)
        if mine is not None and mine.waiting:
            return "" if mine.deadline_at is None else clock.until(mine.deadline_at, zone)
        return waiting_line(seats)
    if note := engine.game_of(match).text.note(match.outcome or {}):
        return note
    return result_note(engine.mode_of(match), seats)


@login_required
@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    """My tables: those that wait for me first, the most urgent on top."""
    user: Any = request.user
    waiting = list(awaiting(user))
    awaited = {match.pk for match in waiting}
    kept = partial(lobby.is_invited, user=user)
    rest = [match for match in matches_of(user)[:200] if match.pk not in awaited]
    shown = partial(entries, user, news=talk.news_of(user))
    context = {
        "awaiting": shown(waiting),
        "running": shown(m for m in rest if m.status == Status.RUNNING),
        "open": shown(m for m in rest if m.status == Status.OPEN and not kept(m)),
        "invitations": open_entries(user, lobby.invitations(user)),
        "finished": shown([m for m in rest if m.status == Status.FINISHED][:40]),
        "offers": waiting_count(user),
        "asking": asking_count(user),
    }
    return render(request, "matches/mine.html", context)
