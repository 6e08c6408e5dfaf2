"""All reads of matches that pages, the API and the streams share; constant query counts.

Who may see what is decided here once: :func:`access_match` says whether somebody may look at a
match at all, and everything shown of it goes through the engine's view for the one seat that looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce

from accounts.models import User
from accounts.notices.queries import Bell, count_in_header
from accounts.prepared import Prepared, filled_up
from matches import engine, lessons
from matches.bell import MatchUpdate
from matches.errors import NotAllowed, NotFinished, NotPossible, UnknownMatch
from matches.hours import Hours
from matches.models import (
    SECRETS,
    Match,
    MoveRow,
    Seat,
    SeatKind,
    Source,
    Status,
    audience,
)
from matches.names import bot_at_table
from matches.second_person import names_for_reader, told
from rules.engine.definition import GameDefinition
from rules.engine.events import motions_of
from rules.engine.fairness import record
from rules.engine.moves import Prompt, move_to_json, stands

Viewer = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat as everybody may see it; ``mine`` for the one who looks.

    ``deck_name`` is empty until the match is finished: a name tells much of what is in a deck.
    ``username`` is empty for bots of the game, open seats and people who have left; ``is_bot``
    says of a person's account that a program plays for it.
    """

    number: int
    kind: str
    name: str
    mine: bool
    waiting: bool
    deadline_at: datetime | None
    place: int | None
    result: str = ""
    deck_name: str = ""
    bank_seconds: int | None = None
    late: bool = False
    stand_in: str = ""
    wants_cancel: bool = False
    wants_back: bool = False
    wants_draw: bool = False
    vacant: bool = False
    passed_on: bool = False
    username: str = ""
    is_guest: bool = False
    is_bot: bool = False


@dataclass(frozen=True)
class SeenEvent:
    """One event as its reader may know it; said only when somebody asks for its ``text``.

    ``ply`` counts the moves that the reader could see; in a replay it counts all. ``lead`` says
    that it was played for somebody whose time had run out, or by a standing order; ``whole`` what
    that led to.
    """

    ply: int
    event: dict[str, Any]
    game: GameDefinition
    names: Sequence[str]
    lead: str = ""
    whole: str = ""

    @property
    def kind(self) -> str:
        return str(self.event["kind"])

    @property
    def turn(self) -> bool:
        """It begins a turn."""
        return self.kind != engine.TAKEN_BACK and self.game.events[self.kind].turn

    @cached_property
    def text(self) -> str:
        """Its line of the log; empty where there is nothing to say."""
        return told(self._sentence)

    @property
    def _sentence(self) -> str:
        if self.kind == engine.TAKEN_BACK:
            name = self.names[self.event["seat"]]
            if self.event.get("turn"):
                return f"All agree: back to the start of {name}’s turn. The match is not rated."
            return f"{name} takes back the last answer."
        if self.whole:
            return self.whole
        said = self.game.narrate(self.event, self.names) or ""
        return f"{self.lead}{said}" if said else ""

    @property
    def aimed_at(self) -> list[int]:
        """The seats to which its ``seat`` does something, as far as the reader may know them."""
        if self.kind == engine.TAKEN_BACK:
            return []
        shape = self.game.events[self.kind].shape
        others = [self.event.get(name) for name, one in shape.items() if one.shape == "seat"]
        return [one for one in others if one not in (None, self.event.get("seat")) and one >= 0]

    @cached_property
    def motions(self) -> list[dict[str, Any]]:
        """Which cards it moves, from where to where."""
        if self.kind == engine.TAKEN_BACK:
            return []
        return motions_of(self.game.events[self.kind], self.event)


@dataclass(frozen=True, slots=True)
class EventGroup:
    """What happened in one ply, as far as the viewer may know it.

    ``ply`` counts the moves that the viewer could see. ``by_order``: a standing order made it,
    which while the match runs only its own seat is told.
    """

    ply: int
    seat: int | None
    source: str
    at: datetime | None
    events: list[dict[str, Any]]
    lines: list[str]
    by_order: bool = False


@dataclass(frozen=True, slots=True)
class TableOption:
    """One option of a prompt: words for the button, notation, and JSON to send.

    ``preview`` is what it would lead to, where the game can tell the asked seat. ``stands``: it
    means the same each time, so that it can be ordered for good.
    """

    label: str
    notation: str
    move: dict[str, Any]
    preview: dict[str, Any] | None = None
    stands: bool = False


@dataclass(frozen=True, slots=True)
class TablePrompt:
    """What a seat is asked; ``outlook`` is what could go where, as the rules say it.

    ``window``: it is a chance that may be let pass, as all others until the seat is aimed at.
    """

    id: int
    kind: str
    question: str
    options: list[TableOption]
    outlook: dict[str, Any]
    window: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """A table as one viewer sees it.

    ``seat`` is None for a spectator, ``table`` and ``view`` are None before the start. ``ply``
    counts the moves that this viewer could see. ``may_take_back``: the viewer's last answer.
    """

    match: Match
    table: engine.Table | None
    seat: int | None
    ply: int
    view: dict[str, Any] | None
    prompt: TablePrompt | None
    seats: list[SeatInfo]
    may_take_back: bool = False


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


@dataclass(frozen=True, slots=True)
class Fairness:
    """What anybody needs to check the chance of a match.

    Seeds, decks and moves are None until it is over: they would tell what lies hidden. A match
    that was cancelled shows its seeds alone.
    """

    commitment: str
    client_seeds: list[tuple[int, str]]
    server_seed: str | None
    match_seed: str | None
    rules_version: str
    options: dict[str, Any]
    decks: list[Any] | None
    moves: list[tuple[int, int, str]] | None


# -- which matches --------------------------------------------------------------------------------


def access_match(user: Viewer, slug: str) -> Match:
    """The match, with its seats, if ``user`` may look at it.

    Raises ``UnknownMatch`` (404), or ``NotAllowed`` (403) for strangers at a private match. An
    open private match may be looked at by whoever has its link: that is how friends come in.
    """
    found = _match_of_slug.rows(slug)
    if not found:
        raise UnknownMatch("There is no match at this address. Is the link complete?")
    (match,) = found
    if match.status in (Status.RUNNING, Status.FINISHED):
        _set_seats(match, user)  # nobody is invited to it any more
    else:
        seats = Seat.objects.select_related("user", "invited").order_by("number")
        prefetch_related_objects([match], Prefetch("seats", seats))
    if match.private and match.status != Status.OPEN:
        people = {seat.user_id for seat in match.seats.all()} | {match.host_id}
        if user.pk is None or (user.pk not in people and not user.is_staff):
            raise NotAllowed("This match is private: only the people who play it may watch.")
    return match


NAMES = ("username", "is_active", "display_name", "is_guest", "is_bot")
"""All that is shown of the people at a table, in the order of the model's fields."""
OWN_HOURS = {"zone": "user__time_zone"} | {
    name: f"user__own_hours__{name}" for name in ("opens", "closes", "weekend", "away")
}
_match_of_slug = Prepared(
    lambda slug: Match.objects.filter(slug=slug).defer("server_seed", "bot_secret").order_by()
)
_seats_of_match = Prepared(
    lambda match_id, user_id: (
        Seat.objects.filter(match=match_id)
        .annotate(**{name: F(f"user__{name}") for name in NAMES})
        .annotate(**{f"own_{name}": F(path) for name, path in OWN_HOURS.items()})
        .annotate(asked_elsewhere=Coalesce(_asked_elsewhere(match_id, user_id), 0))
        .order_by("number")
    )
)


def _asked_elsewhere(match_id: int, user_id: int) -> Subquery:
    """At how many other tables this person is asked."""
    return _count(_asked_seats(user_id).exclude(match=match_id), "user")


def _set_seats(match: Match, user: Viewer) -> None:
    """Give a running or finished match its seats, and each seat the hours of its person.

    Each also says at how many other tables ``user`` is asked: see :func:`awaiting_count_at`.
    """
    seats = _seats_of_match.rows(match.pk, user.pk)
    for seat in seats:
        if seat.user_id is not None:
            own = [getattr(seat, f"own_{name}") for name in OWN_HOURS]
            seat.own_hours = Hours.stored(*own)
    _give_seats(match, seats)


def _give_seats(match: Match, seats: Sequence[Seat]) -> None:
    """The seats with the names of their people, as a prefetch does."""
    for seat in seats:
        seat.match = match
        if seat.user_id is not None:
            names = [getattr(seat, name) for name in NAMES]
            seat.user = User.from_db(match._state.db, ("id", *NAMES), (seat.user_id, *names))
    prefetched = Seat.objects.filter(match=match)
    prefetched._result_cache = [*seats]
    match._prefetched_objects_cache = {"seats": prefetched}  # type: ignore[attr-defined]


def seats_of(match: Match) -> list[Seat]:
    """The seats of a match as they are now, with their people's names and hours; one query."""
    _set_seats(match, AnonymousUser())
    return list(match.seats.all())


def hours_of(user_id: int) -> Hours:
    """When a person's clocks run."""
    rows = User.objects.filter(pk=user_id)
    return Hours.stored(*rows.values_list(*(path[6:] for path in OWN_HOURS.values())).get())


def later_than(at: datetime, key: int, *, names: tuple[str, str] = ("finished_at", "pk")) -> Q:
    """Rows after a place in the order of a moment and a key.

    The moment is said once more by itself: an index goes straight to it.
    """
    moment, row = names
    later = Q(**{f"{moment}__gt": at}) | Q(**{moment: at, f"{row}__gt": key})
    return Q(**{f"{moment}__gte": at}) & later


def listed() -> QuerySet[Match]:
    """Matches with their seats and without what is secret, as lists need them."""
    seats = Seat.objects.select_related("user", "invited").defer("deck").order_by("number")
    found = Match.objects.defer(*SECRETS, "opening")
    return found.prefetch_related(Prefetch("seats", seats))


def visible_matches(user: Viewer) -> QuerySet[Match]:
    """The matches that may be listed for somebody, newest first.

    Those that were cancelled, and open ones outside of the lobby, are listed for oneself alone.
    """
    public = Q(private=False) & ~Q(status=Status.CANCELLED) & ~Q(status=Status.OPEN, listed=False)
    if user.pk is None:
        return listed().filter(public)
    own = Q(pk__in=Seat.objects.filter(user_id=user.pk).values("match")) | Q(host_id=user.pk)
    return listed().filter(public | own)


def matches_of(user: User) -> QuerySet[Match]:
    """The matches in which somebody sits or is invited, newest first."""
    seats = Seat.objects.filter(Q(user=user) | Q(invited=user))
    return listed().filter(Q(pk__in=seats.values("match")) | Q(host=user, status=Status.OPEN))


def awaiting(user: User) -> QuerySet[Match]:
    """The matches that wait for a move of this person, the most urgent first."""
    seats = Seat.objects.filter(user=user, prompt__isnull=False)
    found = listed().filter(status=Status.RUNNING, pk__in=seats.values("match"))
    return found.order_by(F("deadline_at").asc(nulls_last=True), "moved_at", "pk")


def _mine(user_id: int, **seats: Any) -> Exists:
    return Exists(Seat.objects.filter(match=OuterRef("pk"), user=user_id, **seats))


MOST_AT_ONCE = 4
"""So many tables the start page shows."""
_running = Prepared(
    lambda user_id: (
        Match.objects.filter(_mine(user_id), status=Status.RUNNING)
        .annotate(asks=_mine(user_id, prompt__isnull=False))
        .order_by("-asks", F("deadline_at").asc(nulls_last=True), "-moved_at", "pk")
        .defer(*SECRETS, "opening")[:MOST_AT_ONCE]
    )
)
_seats_of_running = Prepared(
    lambda *matches: (
        Seat.objects.filter(match__in=matches)
        .annotate(**{name: F(f"user__{name}") for name in NAMES})
        .defer("deck")
        .order_by("number")
    ),
    many=MOST_AT_ONCE,
)


def running_matches(user: User) -> list[Match]:
    """Running matches of somebody; those that wait for them first, the most urgent on top."""
    found: list[Match] = [*_running.rows(user.pk)]
    if found:
        keys = filled_up([match.pk for match in found], MOST_AT_ONCE)
        seats = _seats_of_running.rows(*keys)
        for match in found:
            _give_seats(match, [seat for seat in seats if seat.match_id == match.pk])
    return found


def awaiting_count_at(match: Match, user: Viewer) -> int:
    """How many matches wait for a move of this person, with one that was read for them.

    That one counts as its seats stand now, also after a move.
    """
    seats = match.seats.all()
    here = any(s.prompt is not None and s.user_id == user.pk is not None for s in seats)
    elsewhere: int = seats[0].asked_elsewhere  # type: ignore[attr-defined]
    return elsewhere + here


def _asked_seats(user_id: Any) -> QuerySet[Seat]:
    asked = Seat.objects.filter(user=user_id, prompt__isnull=False, match__status=Status.RUNNING)
    return asked.order_by()


def rematch_of(match: Match) -> Match | None:
    """The match that the same people have set up, or begun, after this one."""
    return Match.objects.filter(rematch_of=match).exclude(status=Status.CANCELLED).first()


class WaitsForYou(NamedTuple):
    """How many matches wait for somebody's move, at how many tables a seat is kept for them, and
    how many trades they are offered."""

    matches: int
    invitations: int
    trades: int


def what_waits(bell: Bell) -> WaitsForYou:
    """The numbers of every page's header, which the bell's query counts."""
    names = ("asked", "kept", "trades")
    return WaitsForYou(*(bell.counts.get(name, 0) for name in names))


def _count(seats: QuerySet[Seat], whose: str) -> Subquery:
    counted = seats.order_by().values(whose).annotate(count=Count("pk"))
    return Subquery(counted.values("count"))


def _kept_for(user_id: int) -> QuerySet[Seat]:
    """The seats at open tables that are kept for somebody."""
    return Seat.objects.filter(invited=user_id, kind=SeatKind.OPEN, match__status=Status.OPEN)


count_in_header("asked", lambda user_id: _count(_asked_seats(user_id), "user"))
count_in_header("kept", lambda user_id: _count(_kept_for(user_id), "invited"))


# -- one match, as somebody sees it ---------------------------------------------------------------


def seat_of(match: Match, user: Viewer) -> int | None:
    """The number of the seat in which somebody sits, or None."""
    if user.pk is None:
        return None
    return next((s.number for s in match.seats.all() if s.user_id == user.pk), None)


def seat_names(match: Match) -> list[str]:
    """How the people and bots of a match are called, by seat; no two alike."""
    names: list[str] = []
    for seat in match.seats.all():
        if seat.kind == SeatKind.BOT:
            names.append(bot_at_table(match, seat.bot, names))
        elif seat.kind == SeatKind.OPEN:
            names.append("Open seat" if seat.invited is None else f"{seat.invited} (invited)")
        else:
            names.append(str(seat.user) if seat.user is not None else "Somebody who left")
    return [
        name if names.count(name) == 1 else f"{name} ({number})"
        for number, name in enumerate(names, start=1)
    ]


def seat_infos(match: Match, user: Viewer) -> list[SeatInfo]:
    """The seats of a match for a page or an answer of the API."""
    mine = seat_of(match, user)
    return [
        SeatInfo(
            number=seat.number,
            kind=seat.kind,
            name=name,
            mine=seat.number == mine,
            waiting=seat.prompt is not None,
            deadline_at=seat.deadline_at,
            place=seat.place,
            result=seat.result,
            deck_name=seat.deck_name if match.finished else "",
            bank_seconds=None if seat.bank is None else int(seat.bank.total_seconds()),
            late=seat.late,
            stand_in=seat.stand_in,
            wants_cancel=seat.wants_cancel,
            wants_back=seat.wants_back is not None,
            wants_draw=seat.wants_draw and mine is not None,
            vacant=seat.vacant,
            passed_on=seat.given_up_at is not None,
            **_account(seat.user),
        )
        for seat, name in zip(match.seats.all(), seat_names(match), strict=True)
    ]


def _account(user: User | None) -> dict[str, Any]:
    """What a seat says of its person besides the name."""
    if user is None or not user.is_active:
        return {}
    return {"username": user.username, "is_guest": user.is_guest, "is_bot": user.is_bot}


def table_state(match: Match, user: Viewer, table: engine.Table | None = None) -> TableState:
    """All that a table's page shows to ``user``; ``match`` comes from :func:`access_match`.

    ``table`` is the match as the engine plays it, where it has been loaded before.
    """
    seat = seat_of(match, user)
    infos = seat_infos(match, user)
    if match.state is None:
        return TableState(match, None, seat, 0, None, None, infos)
    if table is None:
        table = engine.load(match)
    asked = seat is not None and match.status != Status.CANCELLED
    prompt = table.prompts.get(seat) if asked and seat is not None else None
    return TableState(
        match=match,
        table=table,
        seat=seat,
        ply=match.visible_ply(seat),
        view=table.view(seat),
        prompt=None if prompt is None else _prompt(table, prompt, [info.name for info in infos]),
        seats=infos,
        may_take_back=seat is not None
        and table.can_undo(seat)
        and not lessons.is_guided(match, table),
    )


def _prompt(table: engine.Table, prompt: Prompt, names: Sequence[str]) -> TablePrompt:
    return TablePrompt(
        id=prompt.id,
        kind=prompt.kind,
        question=table.question(prompt, names),
        options=[
            TableOption(
                table.label(move, names),
                table.notation(move),
                move_to_json(move),
                table.preview(prompt, move),
                stands(move),
            )
            for move in prompt.options
        ],
        outlook=table.outlook(prompt),
        window=table.window(prompt) in prompt.options,
    )


Row = tuple[int, int | None, str, datetime | None, int | None, Any, bool]
"""Of a move: its number, seat, source and time, its question, the stored events, whether a standing
order made it."""
ROW = ("seat", "source", "at", "prompt", "events", "by_order")
"""The same in the database, after the number."""
_EVERY_MOVE = 2**31 - 1
_visible_rows = Prepared(
    lambda match, ply, bit, first, most: (
        MoveRow.objects.filter(match=match, ply__lte=ply)
        .with_bit_clear(bit)
        .values_list(*ROW)[first : first + most]
    )
)


def event_groups(
    match: Match, seat: int | None, since: int = -1, limit: int = _EVERY_MOVE
) -> list[EventGroup]:
    """What happened after ply ``since`` as ``seat`` (None: a spectator) may know it.

    The start is ply 0: with ``since`` below that it comes first. A move of which the seat saw
    nothing is no ply here, so that none is missing where others answered unseen.
    """
    if match.state is None:
        return []
    table, names = engine.load(match), seat_names(match)
    groups = []
    for row in _rows(match, seat, since, limit):
        seen = _seen(match, table, row, seat, names)
        events, lines = [one.event for one in seen], [one.text for one in seen if one.text]
        groups.append(EventGroup(*row[:4], events, lines, _is_told_order(match, row, seat)))
    return groups


def events_since(state: TableState, since: int) -> list[SeenEvent]:
    """What happened after ply ``since`` (below 0: with the start) at a table that was read."""
    if state.table is None:
        return []
    names = names_for_reader(state.seats)
    rows = _rows(state.match, state.seat, since)
    return [one for row in rows for one in _seen(state.match, state.table, row, state.seat, names)]


def tally(state: TableState) -> dict[str, int]:
    """How often each kind of event happened, as far as everybody may know."""
    if state.table is None:
        return {}
    match = state.match
    made = MoveRow.objects.filter(match=match, ply__lte=match.ply).visible_to(None)
    counted = made.exclude(ply__in=engine.taken_back(match))
    moves = counted.values_list("ply", *ROW)
    rows: list[Row] = [_start(match), *moves]
    seen = (_seen(match, state.table, row, None, ()) for row in rows)
    return dict(Counter(one.kind for events in seen for one in events))


TIME_RAN_OUT = "Time ran out: "
BY_ORDER = "By standing order: "


def _rows(match: Match, seat: int | None, since: int, limit: int = _EVERY_MOVE) -> list[Row]:
    """The plies visible to ``seat`` after one of them, as far as the snapshot that was read.

    A move may have come in since.
    """
    first = max(since, 0)
    moves = _visible_rows.rows(match.pk, match.ply, 1 << audience(seat), first, limit)
    rows: list[Row] = [] if since >= 0 else [_start(match)]
    return rows + [(ply, *move) for ply, move in enumerate(moves, start=first + 1)]


def _start(match: Match) -> Row:
    return 0, None, "", match.started_at, None, match.opening, False


def _is_told_order(match: Match, row: Row, seat: int | None) -> bool:
    """Whether one audience is told that a standing order made this move.

    Others would learn from it what somebody means to do; afterwards everybody may know.
    """
    return row[-1] and (match.finished or (seat is not None and seat == row[1]))


def _seen(
    match: Match, table: engine.Table, row: Row, seat: int | None, names: Sequence[str]
) -> list[SeenEvent]:
    """The events of one ply as one audience may know them."""
    ply, mover, source, _, prompt, events, _ = row
    if events and events[0][0] == engine.TAKEN_BACK:
        kind, by = events[0]
        turn = {"turn": True} if len(events) > 1 else {}
        return [SeenEvent(ply, {"kind": kind, "seat": by, **turn}, table.game, names)]
    views = (table.event_view(event, seat) for event in engine.stored_events(events))
    late = source == Source.CLOCK
    lead = TIME_RAN_OUT if late else BY_ORDER if _is_told_order(match, row, seat) else ""
    seen = [
        SeenEvent(ply, view, table.game, names, lead=lead) for view in views if view is not None
    ]
    if late and prompt is None and mover is not None and seen and names:
        # It has not given up, as the rules have it: it was late.
        seen[0] = replace(seen[0], whole=f"{TIME_RAN_OUT}{names[mover]} forfeits the match.")
    return seen


def who_left(match: Match, seats: Sequence[SeatInfo]) -> str:
    """“Ada resigned”, where that was the last thing in a match; else empty.

    By the rules something else decides then, as that nobody else is left; people ask what happened.
    """
    rows = MoveRow.objects.filter(match=match).order_by("-ply")
    seat, notation, source = rows.values_list("seat", "notation", "source").first() or (0, "", "")
    if notation != engine.CONCEDE:
        return ""
    name = "you" if seats[seat].mine else seats[seat].name
    return f"{name} ran out of time" if source == Source.CLOCK else f"{name} resigned"


def views_from(match: Match, *, seat: int | None, first: int, last: int) -> list[dict[str, Any]]:
    """What ``seat`` saw after each of the plies ``first`` to ``last``, as it counts them.

    All come from one replay, also while the match runs. The seat must be the viewer's own (or
    None): this is for looking again at what one has seen.
    """
    if first > last:
        return []
    rows = MoveRow.objects.filter(match=match, ply__lte=match.ply).order_by("ply")
    moves = list(rows.values_list("seat", "move", "hidden_from"))
    tables = engine.replayed(match, list(match.seats.all()), [move[:2] for move in moves])
    views: list[dict[str, Any]] = []
    ply = -1  # the start, which is hidden from nobody, is ply 0
    for table, mask in zip(tables, (0, *(mask for _, _, mask in moves)), strict=True):
        if mask & 1 << audience(seat):
            continue
        ply += 1
        if ply >= first:
            views.append(table.view(seat))
        if ply == last:
            break
    return views


# -- finished matches -----------------------------------------------------------------------------


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
    rows: list[Row] = [_start(match), *(move[:-1] for move in moves)]
    events = [one for row in rows[-recent:] for one in _seen(match, table, row, seat, names)]
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
        texts = [one.text for one in _seen(match, table, row, seat, names) if one.text]
        found.append((row[0], texts[0] if texts else f"{names[row[1]]} moves."))
    return found


def fairness(match: Match) -> Fairness:
    """What can be checked about the chance of a match, now (the commitment) or at the end (all)."""
    seats = list(match.seats.all())
    unsealed, finished = match.unsealed, match.finished
    return Fairness(
        commitment=match.commitment,
        client_seeds=engine.client_seeds(seats),
        server_seed=bytes(match.server_seed).hex() if unsealed else None,
        match_seed=engine.match_seed(match, seats).hex() if unsealed else None,
        rules_version=match.rules_version,
        options=match.options,
        decks=engine.decks_of(match, seats) if finished else None,
        moves=list(match.moves.order_by("ply").values_list("ply", "seat", "notation"))
        if finished
        else None,
    )


def fairness_record(match: Match) -> dict[str, Any]:
    """The record of a finished match that ``docs/verify.py`` reads; ``NotFinished`` before."""
    require_finished(match, "The record of a match can be had when the match is over.")
    if match.lesson:
        raise NotPossible("The table of a lesson is prepared, so there is no chance to check.")
    seats = list(match.seats.all())
    counted = match.moves.exclude(ply__in=engine.taken_back(match)).order_by("ply")
    moves = list(counted.values_list("events", "move", "notation"))
    events = [event for happened, _, _ in moves for event in happened]
    return record(
        engine.load(match),
        rules_version=match.rules_version,
        server_seed=bytes(match.server_seed),
        client_seeds=engine.client_seeds(seats),
        events=[*match.opening, *events],
        moves=[notation for _, move, notation in moves if move is not None],
    )


def require_finished(match: Match, detail: str = "The match is not over yet.") -> None:
    """Refuse what only a finished match shows."""
    if match.status == Status.CANCELLED:
        raise NotFinished("This match was cancelled, so nobody has won it.")
    if not match.finished:
        raise NotFinished(detail)


# -- for the streams ------------------------------------------------------------------------------


def match_update(match: Match, seats: Iterable[Seat]) -> MatchUpdate:
    """Where a match stands for each of those who listen."""
    people = {seat.user_id: match.hidden_ply_count(seat.number) for seat in seats if seat.user_id}
    return MatchUpdate(match.ply, match.version, match.hidden_ply_count(None), people)


def match_updates(slugs: Iterable[str]) -> dict[str, MatchUpdate]:
    """Where several matches stand."""
    seats = Prefetch("seats", Seat.objects.only("match", "number", "user"))
    found = Match.objects.filter(slug__in=slugs).only("slug", "ply", "version", "hidden_plies")
    return {
        match.slug: match_update(match, match.seats.all())
        for match in found.prefetch_related(seats)
    }
