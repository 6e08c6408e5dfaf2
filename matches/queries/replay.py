"""A finished match after any ply, from any seat's eyes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.text import get_text_list

from accounts.models import Viewer
from matches import engine
from matches.errors import NotPossible
from matches.models import Match
from matches.moves import moves_of
from matches.queries import talk
from matches.queries.access import require_finished, seat_of
from matches.queries.click_targets import ClickTargets
from matches.queries.events import (
    RECENT,
    Row,
    SeenEvent,
    open_events,
    row_of,
    seen_events,
    start_row,
)
from matches.queries.lookback import LookBackShown, stored_look_back
from matches.queries.seats import SeatInfo, seat_infos
from matches.queries.second_person import names_with_reader
from matches.queries.table_page import turn_line
from rules.engine.game import Game, Mode


@dataclass(frozen=True, slots=True)
class ReplayState:
    """A finished match as ``seat`` saw it after ``ply`` of ``plies`` moves.

    ``events`` are those of the last plies, ``lines`` tell what happened in this one; ``row`` is all
    that is stored of it, and ``table`` the match as the engine has it.
    """

    match: Match
    table: engine.Table
    row: Row
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
    require_finished(match, "Replays are available after the match.")
    if not 0 <= ply <= match.ply:
        raise NotPossible(f"This match has {match.ply} moves; move {ply} does not exist.")
    if seat is not None and not 0 <= seat < len(seats):
        raise NotPossible(f"This match has {len(seats)} seats; seat {seat + 1} does not exist.")
    moves = moves_of(match)[:ply]
    table = engine.replay(match, seats, [(move.seat, move.move) for move in moves])
    infos = seat_infos(match, AnonymousUser())
    names = [info.name for info in infos]
    rows: list[Row] = [start_row(match), *map(row_of, moves)]
    events = [
        event for row in rows[-recent:] for event in seen_events(match, table, row, seat, names)
    ]
    return ReplayState(
        match=match,
        table=table,
        row=rows[-1],
        seat=seat,
        ply=ply,
        plies=match.ply,
        view=table.view(seat),
        events=events,
        lines=[event.text for event in events if event.text and event.ply == ply],
        seats=infos,
    )


def first_to_move(match: Match, ply: int) -> int:
    """The first seat that is asked after ``ply`` moves; seat 0 where none is."""
    waiting = replay_state(match, ply=ply, seat=None).view["waiting"]
    return min(waiting, default=0)


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A move that shows something, with all that came of it; ``pivotal``: a turning point.

    ``cards`` are the numbers of the cards that its text speaks of.
    """

    ply: int
    text: str
    pivotal: bool
    cards: list[int]


@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """A turn with its steps; it begins after ``ply``, and ``text`` is what that brought.

    The first one has no ``title`` where the match begins before its first turn.
    """

    ply: int
    title: str
    text: str
    steps: list[ReplayStep]


def replay_turns(
    match: Match, names: Sequence[str], commented: Container[int | None] = ()
) -> list[ReplayTurn]:
    """A finished match by turns, with the cards named that were hidden while it ran.

    ``names`` are as :func:`names_with_reader` gives them. A ply of which nobody saw anything is a
    step only if it is ``commented`` on.
    """
    require_finished(match)
    table = engine.load(match)
    rows = [start_row(match), *map(row_of, moves_of(match))]
    turns = [ReplayTurn(0, "", "", [])]
    for row in rows:
        before, turn, after = _around_turn(open_events(match, table, row, names))
        if row[0] and (before or row[0] in commented):
            pivotal = any(event.turning_point for event in before)
            cards = [card for event in before for card in event.cards]
            turns[-1].steps.append(ReplayStep(row[0], _text(before), pivotal, cards))
        if turn is not None:
            title = turn.text.removesuffix(".")
            turns.append(ReplayTurn(row[0], title, _text(after), []))
    if not turns[0].steps and len(turns) > 1:
        turns.pop(0)
    return turns


def _around_turn(
    events: Sequence[SeenEvent],
) -> tuple[list[SeenEvent], SeenEvent | None, list[SeenEvent]]:
    """Split the events of a ply: before a turn began in it, its beginning, and after it."""
    turn = next((event for event in events if event.turn), None)
    cut = len(events) if turn is None else events.index(turn)
    before = [event for event in events[:cut] if event.text]
    return before, turn, [event for event in events[cut + 1 :] if event.text]


def _text(events: Iterable[SeenEvent]) -> str:
    return " ".join(_sentences(events))


def _sentences(events: Iterable[SeenEvent]) -> list[str]:
    """Each sentence once, those that may decide the match first: what came of a move leads."""
    ordered = sorted(events, key=lambda event: not event.turning_point)
    return joined(dict.fromkeys(event.text for event in ordered if event.text))


MOVED = re.compile(r"(?P<card>[^.]+) goes (?P<where>to [^.]+\.)")


NAMED = 4
"""A sentence names so many cards that went to one pile; of a whole hand that would be a page."""


def joined(sentences: Iterable[str]) -> list[str]:
    """Cards that go to one pile in a row share a sentence: “A, B and C go to the Discard Pile.”"""
    rows: list[str] = []
    for where, group in groupby(sentences, key=_destination):
        run = list(group)
        if where and len(run) > 1:
            cards = [sentence.removesuffix(f" goes {where}") for sentence in run]
            if len(cards) > NAMED + 1:
                cards[NAMED:] = [f"{len(cards) - NAMED} more cards"]
            run = [f"{get_text_list(cards, 'and')} go {where}"]
        rows += run
    return rows


def _destination(sentence: str) -> str:
    moved = MOVED.fullmatch(sentence)
    return moved["where"] if moved else ""


@dataclass(frozen=True)
class ReplayPage:
    """One moment of a finished match, as ``matches/replay.html`` and games' tables show it.

    ``seat_number`` is 0 for a spectator's eyes, else the seat's, from 1. ``turns`` are the whole
    match, ``moments`` the plies at which it can be looked at, of which this is number ``moment``;
    all are empty where the page has them already. ``lines``, ``news`` and ``comments`` belong to
    this ply, ``commented`` counts for each. ``playable``: the match can be played on from here.
    """

    match: Match
    game: Game
    mode: Mode
    ply: int
    shown: int
    plies: int
    turns: list[ReplayTurn]
    moments: list[int]
    moment: int
    seat_number: int
    seats: list[SeatInfo]
    names: list[str]
    view: dict[str, Any]
    picks: ClickTargets
    turn_line: str
    lines: list[str]
    events: list[dict[str, Any]]
    news: list[SeenEvent]
    comments: list[talk.Line]
    commented: dict[int | None, int]
    may_comment: bool
    silent: str
    playable: bool
    look_back: LookBackShown | None

    @property
    def ways(self) -> list[tuple[str, str, int | None]]:
        """The buttons to other moments: icon, words, and the ply that each leads to."""
        begins = [turn.ply for turn in self.turns]
        before = [moment for moment in self.moments if moment < self.ply]
        after = [moment for moment in self.moments if moment > self.ply]
        return [
            ("first", "Start", before[0] if before else None),
            ("previous-turn", "Previous turn", _last(ply for ply in begins if ply < self.ply)),
            ("previous", "Previous step", before[-1] if before else None),
            ("next", "Next step", after[0] if after else None),
            ("next-turn", "Next turn", next((ply for ply in begins if ply > self.ply), None)),
            ("last", "End", after[-1] if after else None),
        ]


def _last(plies: Iterable[int]) -> int | None:
    return max(plies, default=None)


def replay_page(
    match: Match, user: Viewer, *, ply: int, seat_number: int | None, with_turns: bool
) -> ReplayPage:
    """A moment of a match that is over; ``with_turns`` also the list of all of them.

    Without a ``seat_number`` the reader looks with their own eyes, or a spectator's.
    """
    own = seat_of(match, user)
    if seat_number is None:
        seat_number = 0 if own is None else own + 1
    seat = seat_number - 1 if seat_number else None
    names = names_with_reader(seat_infos(match, user))
    comments = talk.comments(match, user)
    commented = Counter(line.ply for line in comments)
    turns = replay_turns(match, names, commented) if with_turns else []
    moments = _moments(match, turns) if with_turns else []
    if ply <= match.ply:  # a move that showed nothing looks like the step before it
        ply = max((moment for moment in moments if moment <= ply), default=ply)
    state = replay_state(match, ply=ply, seat=seat, recent=RECENT)
    game = engine.game_of(match)
    return ReplayPage(
        match=match,
        game=game,
        mode=game.modes[match.mode],
        ply=ply,
        shown=ply,
        plies=state.plies,
        turns=turns,
        moments=moments,
        moment=sum(moment <= ply for moment in moments[1:]),
        seat_number=seat_number,
        seats=state.seats,
        names=[info.name for info in state.seats],
        view=state.view,
        picks=ClickTargets(),
        turn_line=turn_line(game.text, state.view, state.seats),
        lines=_lines(state, names),
        events=[event.event for event in state.events],
        news=[event for event in state.events if event.ply == ply],
        comments=[line for line in comments if line.ply == ply],
        commented=commented,
        may_comment=own is not None,
        silent=talk.silence_of(match, user),
        playable=state.view["outcome"] is None,
        look_back=stored_look_back(match, user, seat, here=ply),
    )


def _moments(match: Match, turns: Iterable[ReplayTurn]) -> list[int]:
    """The start, each step, each beginning of a turn, and the end."""
    plies = {0, match.ply}
    for turn in turns:
        plies |= {turn.ply, *(step.ply for step in turn.steps)}
    return sorted(plies)


def _lines(state: ReplayState, names: Sequence[str]) -> list[str]:
    """Narrate one ply, with the cards named that were hidden while the match ran.

    A turn that begins is told only where nothing else is: the header names it.
    """
    before, turn, after = _around_turn(open_events(state.match, state.table, state.row, names))
    return _sentences([*before, *after]) or ([] if turn is None else [turn.text])
