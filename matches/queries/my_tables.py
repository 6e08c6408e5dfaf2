"""Somebody's tables as lines of lists, searched and filtered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThanOrEqual, LessThan
from django.utils import timezone

from accounts.models import User
from accounts.queries.friends import received_count
from accounts.queries.people import named
from collection.queries.trades import waiting_count
from core.introductions import introductions
from matches import engine
from matches.errors import RulesChanged
from matches.models import Match, Seat, SeatKind, Status
from matches.moves import state_of
from matches.queries import clock, lobby, talk
from matches.queries.open_tables import OpenEntry, open_entries
from matches.queries.outcomes import result_note
from matches.queries.seats import SeatInfo, seat_infos, waiting_line
from matches.queries.tables import awaiting, ended_of, unfinished_of, with_seats
from rules.engine.game import Game

MAX_LISTED = 200
"""The running and the open tables of a person that their page lists, each."""

PAGE_SIZE = 40
"""The finished ones on a page, the latest first."""

MAX_SCORED = 20
"""The running tables, and the finished ones, of which the score is read: each costs its state."""

MAX_NAMED = 3
"""At larger tables only the reader's own score is said."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One table of a list, with what is new there.

    ``time_left`` is the time until the earliest deadline. ``score`` has how far the match is and
    what each seat has reached, where the game says so; ``picture`` is a static file, empty for
    games that bring none.
    """

    match: Match
    game: Game
    mode: str
    others: list[SeatInfo]
    note: str
    unread: int
    ended_unseen: bool
    moved_at: datetime | None = None
    time_left: str = ""
    score: Sequence[str] = ()
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which tables to list. ``opponent`` is a part of a name; the days are the reader's own."""

    opponent: str = ""
    game: str = ""
    mode: str = ""
    state: str = ""
    result: str = ""
    since: date | None = None
    until: date | None = None

    def __bool__(self) -> bool:
        return self != Filters()


@dataclass(frozen=True)
class MyTablesPage:
    """Somebody's tables by what is to be done; ``offers`` of trades and people ``asking`` to be
    friends are counted. ``older`` is the last match listed, if more have ended before it."""

    awaiting: list[Entry]
    running: list[Entry]
    open: list[Entry]
    invitations: list[OpenEntry]
    finished: list[Entry]
    older: str
    offers: int
    asking: int


def my_tables(user: User, filters: Filters | None = None, *, before: str = "") -> MyTablesPage:
    """A person's tables; of those that wait for them the most urgent first.

    ``before`` is the match after whose end the list of finished ones goes on, the latest first.
    """
    filters = filters or Filters()
    mine = _filtered(unfinished_of(user), user, filters)
    ended = _filtered(ended_of(user, after=_finished(before)), user, filters)
    turn = list(_filtered(awaiting(user), user, filters)) if _wants(filters, "turn") else []
    running, own_open, finished = with_seats(
        mine.filter(status=Status.RUNNING).order_by("-moved_at", "-pk")[:MAX_LISTED]
        if _wants(filters, "running")
        else mine.none(),
        mine.filter(status=Status.OPEN)[:MAX_LISTED] if _wants(filters, "open") else mine.none(),
        ended[: PAGE_SIZE + 1] if _wants(filters, "finished") else mine.none(),
    )
    running = [match for match in running if not _waits_for(match, user)]
    more, finished = len(finished) > PAGE_SIZE, finished[:PAGE_SIZE]
    states = _states([*[*turn, *running][:MAX_SCORED], *finished[:MAX_SCORED]])
    listed = partial(entries, user, news=talk.news_of(user), states=states)
    return MyTablesPage(
        awaiting=listed(turn),
        running=listed(running),
        open=listed(match for match in own_open if not lobby.is_invited(match, user)),
        invitations=[] if filters else open_entries(user, lobby.invitations(user)),
        finished=listed(finished),
        older=finished[-1].slug if more else "",
        offers=waiting_count(user),
        asking=received_count(user),
    )


def _wants(filters: Filters, state: str) -> bool:
    """True if tables of a state are listed; a result is a finished match's alone."""
    if filters.result and state != "finished":
        return False
    return filters.state in ("", state)


def _waits_for(match: Match, user: User) -> bool:
    return any(seat.user_id == user.pk and seat.prompt is not None for seat in match.seats.all())


def _filtered(matches: QuerySet[Match], user: User, filters: Filters) -> QuerySet[Match]:
    seats = Seat.objects.filter(match=OuterRef("pk"))
    if filters.game:
        matches = matches.filter(game=filters.game)
    if filters.mode:
        matches = matches.filter(mode=filters.mode)
    if filters.opponent:
        opponent = named(filters.opponent, "user__") | named(filters.opponent, "invited__")
        others = Q(user=None) | ~Q(user=user)
        matches = matches.filter(Exists(seats.filter(others, opponent)))
    if filters.result:
        matches = matches.filter(Exists(seats.filter(user=user, result=filters.result)))
    last_at = Coalesce("finished_at", "moved_at", "created_at")
    if filters.since:
        matches = matches.filter(GreaterThanOrEqual(last_at, _start_of(filters.since)))
    if filters.until:
        matches = matches.filter(LessThan(last_at, _start_of(filters.until + timedelta(days=1))))
    return matches


def _start_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _finished(slug: str) -> Match | None:
    rows = Match.objects.filter(slug=slug, status=Status.FINISHED).only("finished_at")
    return rows.first() if slug else None


def _states(matches: Iterable[Match]) -> dict[int, Any]:
    """The snapshots of these matches, in one query."""
    rows = Match.objects.filter(pk__in=[match.pk for match in matches]).select_related("archive")
    parts = ("slug", "status", "state", "archived", "archive__format", "archive__record")
    return {match.pk: state_of(match) for match in rows.only(*parts)}


def entries(
    user: User,
    matches: Iterable[Match],
    news: talk.News,
    states: Mapping[int, Any] | None = None,
) -> list[Entry]:
    """Matches as lines of a list for somebody, with what is new to them.

    Scores are said of those whose ``states`` are given.
    """
    pictures = {intro.slug: intro.picture for intro in introductions()}
    return [_entry(user, match, news, states or {}, pictures) for match in matches]


def _entry(
    user: User,
    match: Match,
    news: talk.News,
    states: Mapping[int, Any],
    pictures: Mapping[str, str],
) -> Entry:
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
        moved_at=match.finished_at or match.moved_at or match.started_at or match.created_at,
        time_left=_time_left(seats),
        score=_score(match, game, seats, states.get(match.pk)),
        picture=pictures.get(game.slug, ""),
    )


def _time_left(seats: Sequence[SeatInfo]) -> str:
    """The time until the reader's own deadline, else until the opponents' earliest one."""
    waiting = [seat for seat in seats if seat.waiting and seat.deadline_at]
    deadlines = [seat.deadline_at for seat in waiting if seat.mine] or [
        seat.deadline_at for seat in waiting
    ]
    if not deadlines:
        return ""
    left = min(filter(None, deadlines)) - timezone.now()
    return f"{clock.span(left)} left" if left > timedelta() else "out of time"


def _score(match: Match, game: Game, seats: Sequence[SeatInfo], state: Any) -> list[str]:
    """How far a match is and what each seat has reached, as the reader's seat sees it."""
    if not state:
        return []
    match.state = state
    try:
        table = engine.load(match)
    except RulesChanged:  # its own page says so
        return []
    view = table.view(next((seat.number for seat in seats if seat.mine), None))
    step = "" if match.finished else game.text.progress(view).step
    counted = seats if len(seats) <= MAX_NAMED else [seat for seat in seats if seat.mine]
    standings = [
        f"{'You' if seat.mine else seat.name}: {words}"
        for seat in counted
        if (words := game.text.standing(view, seat.number))
    ]
    return [step, *standings] if step else standings


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
