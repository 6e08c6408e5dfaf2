"""A finished match after any ply, from any seat's eyes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import Viewer
from matches import engine
from matches.errors import NotPossible
from matches.models import Match
from matches.queries import talk
from matches.queries.access import require_finished, seat_of
from matches.queries.click_targets import ClickTargets
from matches.queries.events import RECENT, ROW, Row, SeenEvent, seen_events, start_row
from matches.queries.seats import SeatInfo, seat_infos, seat_names
from matches.queries.table_page import turn_line
from rules.engine.game import Game, Mode


@dataclass(frozen=True, slots=True)
class ReplayState:
    """A finished match as ``seat`` saw it after ``ply`` of ``plies`` moves.

    ``events`` are those of the last plies, ``lines`` tell what happened in this one.
    """

    match: Match
    seat: int | None
    ply: int
    plies: int
    view: dict[str, Any]
    events: list[SeenEvent]
    lines: list[str]
    seats: list[SeatInfo]


def replay_state(match: Match, *, ply: int, seat: int | None, recent: int = 1) -> ReplayState:
    """A finished match after ``ply`` moves, from any seat's eyes (None: a spectator's).

    What happened comes along for as many plies as are ``recent``.
    """
    seats = list(match.seats.all())
    require_finished(match, "A replay can be watched when the match is over.")
    if not 0 <= ply <= match.ply:
        raise NotPossible(f"This match has {match.ply} moves; there is no move {ply}.")
    if seat is not None and not 0 <= seat < len(seats):
        raise NotPossible(f"This match has {len(seats)} seats; there is no seat {seat + 1}.")
    moves = list(match.moves.filter(ply__lte=ply).order_by("ply").values_list("ply", *ROW, "move"))
    table = engine.replay(match, seats, [(move[1], move[-1]) for move in moves])
    infos = seat_infos(match, AnonymousUser())
    names = [info.name for info in infos]
    rows: list[Row] = [start_row(match), *(move[:-1] for move in moves)]
    events = [one for row in rows[-recent:] for one in seen_events(match, table, row, seat, names)]
    return ReplayState(
        match=match,
        seat=seat,
        ply=ply,
        plies=match.ply,
        view=table.view(seat),
        events=events,
        lines=[one.text for one in events if one.text and one.ply == ply],
        seats=infos,
    )


def replay_lines(match: Match, *, seat: int | None) -> list[tuple[int, str]]:
    """What happened in each ply of a finished match, in one line each, as a seat may know it."""
    require_finished(match)
    table, names = engine.load(match), seat_names(match)
    moves = match.moves.order_by("ply").values_list("ply", *ROW)
    found = []
    for row in moves:
        texts = [one.text for one in seen_events(match, table, row, seat, names) if one.text]
        found.append((row[0], texts[0] if texts else f"{names[row[1]]} moves."))
    return found


@dataclass(frozen=True)
class ReplayPage:
    """One moment of a finished match, as ``matches/replay.html`` and games' tables show it.

    ``seat_number`` is 0 for a spectator's eyes, else the seat's, from 1. ``moves`` are all of the
    match, by number; ``news`` and ``comments`` belong to this one, ``commented`` counts for each.
    """

    match: Match
    game: Game
    mode: Mode
    ply: int
    shown: int
    plies: int
    previous: int
    following: int
    seat_number: int
    seats: list[SeatInfo]
    names: list[str]
    view: dict[str, Any]
    picks: ClickTargets
    turn_line: str
    lines: list[str]
    events: list[dict[str, Any]]
    news: list[SeenEvent]
    moves: list[tuple[int, str]]
    comments: list[talk.Line]
    commented: dict[int | None, int]
    may_comment: bool
    silent: str


def replay_page(
    match: Match, user: Viewer, *, ply: int, seat_number: int, with_moves: bool
) -> ReplayPage:
    """A moment of a match that is over; ``with_moves`` also the list of all of them."""
    seat = seat_number - 1 if seat_number else None
    state = replay_state(match, ply=ply, seat=seat, recent=RECENT)
    game = engine.game_of(match)
    comments = talk.comments(match, user)
    return ReplayPage(
        match=match,
        game=game,
        mode=game.modes[match.mode],
        ply=ply,
        shown=ply,
        plies=state.plies,
        previous=max(ply - 1, 0),
        following=min(ply + 1, state.plies),
        seat_number=seat_number,
        seats=state.seats,
        names=[info.name for info in state.seats],
        view=state.view,
        picks=ClickTargets(),
        turn_line=turn_line(game.text, state.view, state.seats),
        lines=state.lines,
        events=[event.event for event in state.events],
        news=[event for event in state.events if event.ply == ply],
        moves=replay_lines(match, seat=seat) if with_moves else [],
        comments=[line for line in comments if line.ply == ply],
        commented=Counter(line.ply for line in comments),
        may_comment=seat_of(match, user) is not None,
        silent=talk.silence_of(match, user),
    )
