"""Somebody's tables as lines of lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from accounts.models import User
from accounts.queries.friends import received_count
from collection.queries.trades import waiting_count
from matches import engine
from matches.models import Match, SeatKind, Status
from matches.queries import clock, lobby, talk
from matches.queries.open_tables import OpenEntry, open_entries
from matches.queries.outcomes import result_note
from matches.queries.seats import SeatInfo, seat_infos, waiting_line
from matches.queries.tables import awaiting, matches_of, with_seats
from rules.engine.game import Game

MAX_LISTED = 200
"""The running and the open tables of a person that their page lists, each."""

MAX_FINISHED = 40
"""The finished ones, the latest first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One table of a list, with what is new there."""

    match: Match
    game: Game
    mode: str
    others: list[SeatInfo]
    note: str
    unread: int
    ended_unseen: bool


@dataclass(frozen=True)
class MyTablesPage:
    """Somebody's tables by what is to be done; ``offers`` of trades and people ``asking`` to be
    friends are counted."""

    awaiting: list[Entry]
    running: list[Entry]
    open: list[Entry]
    invitations: list[OpenEntry]
    finished: list[Entry]
    offers: int
    asking: int


def my_tables(user: User) -> MyTablesPage:
    """All of somebody's tables; of those that wait for them the most urgent first."""
    waiting = list(awaiting(user))
    awaited = {match.pk for match in waiting}
    mine = matches_of(user)
    running, own_open, finished = with_seats(
        mine.filter(status=Status.RUNNING).order_by("-moved_at", "-pk")[:MAX_LISTED],
        mine.filter(status=Status.OPEN)[:MAX_LISTED],
        mine.filter(status=Status.FINISHED).order_by("-finished_at", "-pk")[:MAX_FINISHED],
    )
    listed = partial(entries, user, news=talk.news_of(user))
    return MyTablesPage(
        awaiting=listed(waiting),
        running=listed(match for match in running if match.pk not in awaited),
        open=listed(match for match in own_open if not lobby.is_invited(match, user)),
        invitations=open_entries(user, lobby.invitations(user)),
        finished=listed(finished),
        offers=waiting_count(user),
        asking=received_count(user),
    )


def entries(user: User, matches: Iterable[Match], news: talk.News) -> list[Entry]:
    """Matches as lines of a list for somebody, with what is new to them."""
    return [_entry(user, match, news) for match in matches]


def _entry(user: User, match: Match, news: talk.News) -> Entry:
    game = engine.game_of(match)
    seats = seat_infos(match, user)
    return Entry(
        match=match,
        game=game,
        mode=game.modes[match.mode].name,
        others=[seat for seat in seats if not seat.mine],
        note=_note(match, game, seats),
        unread=news.unread.get(match.pk, 0),
        ended_unseen=match.pk in news.ended,
    )


def _note(match: Match, game: Game, seats: Sequence[SeatInfo]) -> str:
    if match.status == Status.OPEN:
        free = sum(seat.kind == SeatKind.OPEN for seat in seats)
        return f"{free} open seat{'s' if free > 1 else ''}"
    if match.status == Status.RUNNING:
        mine = next((seat for seat in seats if seat.mine), None)
        if mine is not None and mine.waiting:
            return "" if mine.deadline_at is None else clock.until(mine.deadline_at)
        return waiting_line(seats)
    return game.text.note(match.outcome or {}) or result_note(engine.mode_of(match), seats)
