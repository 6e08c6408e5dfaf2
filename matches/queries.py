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
from accounts.prepared import Prepared
from matches import engine
from matches.bell import MatchUpdate
from matches.errors import NotAllowed, NotFinished, NotPossible, UnknownMatch
from matches.hours import Hours
from matches.models import (
    SECRETS,
    Match,
    MoveQuerySet,
    MoveRow,
    Seat,
    SeatKind,
    Source,
    Status,
    audience,
)
from matches.second_person import names_for_reader, told
from rules.engine.events import motions_of
from rules.engine.fairness import record
from rules.engine.game import Game
from rules.engine.moves import Prompt, move_to_json

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
    deck_name: str = ""
    bank_seconds: int | None = None
    late: bool = False
    stand_in: str = ""
    wants_cancel: bool = False
    username: str = ""
    is_guest: bool = False
    is_bot: bool = False


@dataclass(frozen=True)
class SeenEvent:
    """One event as its reader may know it; said only when somebody asks for its ``text``.

    ``ply`` counts the moves that the reader could see; in a replay it counts all. ``lead`` says
    that it was played for somebody whose time had run out; ``whole`` what that led to.
    """

    ply: int
    event: dict[str, Any]
    game: Game
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
            return f"{self.names[self.event['seat']]} takes back the last answer."
        if self.whole:
            return self.whole
        said = self.game.narrate(self.event, self.names) or ""
        return f"{self.lead}{said}" if said else ""

    @cached_property
    def parts(self) -> dict[str, Any]:
        """Who does something, and to whom: the seats, as far as the reader may know them."""
        if self.kind == engine.TAKEN_BACK:
            return {"by": self.event["seat"], "to": []}
        shape = self.game.events[self.kind].shape
        seats = {name: self.event.get(name) for name, one in shape.items() if one.shape == "seat"}
        by = seats.pop("seat", None)
        return {"by": by, "to": [seat for seat in seats.values() if seat is not None and seat >= 0]}

    @cached_property
    def motions(self) -> list[dict[str, Any]]:
        """Which cards it moves, from where to where."""
        if self.kind == engine.TAKEN_BACK:
            return []
        return motions_of(self.game.events[self.kind], self.event)


@dataclass(frozen=True, slots=True)
class EventGroup:
    """What happened in one ply, as far as the viewer may know it.

    ``ply`` counts the moves that the viewer could see.
    """

    ply: int
    seat: int | None
    source: str
    at: datetime | None
    events: list[dict[str, Any]]
    lines: list[str]


@dataclass(frozen=True, slots=True)
class TableOption:
    """One option of a prompt: words for the button, notation, and JSON to send.

    ``preview`` is what it would lead to, where the game can tell the asked seat.
    """

    label: str
    notation: str
    move: dict[str, Any]
    preview: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TablePrompt:
    """What a seat is asked; ``outlook`` is what could go where, as the rules say it."""

    id: int
    kind: str
    question: str
    options: list[TableOption]
    outlook: dict[str, Any]


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
    that was called off shows its seeds alone.
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
    """Give a match its seats, as a prefetch does, and each seat its person with the names alone.

    Each also says at how many other tables ``user`` is asked: see :func:`awaiting_count_at`.
    """
    seats = _seats_of_match.rows(match.pk, user.pk)
    for seat in seats:
        seat.match = match
        if seat.user_id is not None:
            own = [getattr(seat, f"own_{name}") for name in OWN_HOURS]
            seat.own_hours = Hours.stored(*own)
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


def listed() -> QuerySet[Match]:
    """Matches with their seats and without what is secret, as lists need them."""
    seats = Seat.objects.select_related("user", "invited").defer("deck").order_by("number")
    found = Match.objects.defer(*SECRETS, "opening")
    return found.prefetch_related(Prefetch("seats", seats))


def visible_matches(user: Viewer) -> QuerySet[Match]:
    """The matches that may be listed for somebody, newest first.

    Those that were called off, and open ones outside of the lobby, are listed for oneself alone.
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


def running_matches(user: User) -> QuerySet[Match]:
    """The running matches of somebody; those that wait for them first, the most urgent on top."""
    mine = Seat.objects.filter(match=OuterRef("pk"), user=user)
    found = listed().filter(Exists(mine), status=Status.RUNNING)
    asks = Exists(mine.filter(prompt__isnull=False))
    return found.annotate(asks=asks).order_by(
        "-asks", F("deadline_at").asc(nulls_last=True), "-moved_at", "pk"
    )


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
    """How many matches wait for somebody's move, and at how many tables a seat is kept for them."""

    matches: int
    invitations: int


def what_waits(user: Viewer) -> WaitsForYou:
    """The numbers of every page's header, in one query."""
    found = _what_waits.rows(user.pk) if user.pk is not None else []
    if not found:
        return WaitsForYou(0, 0)
    numbers = found[0].__dict__
    return WaitsForYou(numbers["asked"] or 0, numbers["kept"] or 0)


def _count(seats: QuerySet[Seat], whose: str) -> Subquery:
    counted = seats.order_by().values(whose).annotate(count=Count("pk"))
    return Subquery(counted.values("count"))


_what_waits = Prepared(
    lambda user_id: (
        User.objects.filter(pk=user_id)
        .annotate(
            asked=_count(
                _asked_seats(OuterRef("pk")),
                "user",
            ),
            kept=_count(
                Seat.objects.filter(
                    invited=OuterRef("pk"), kind=SeatKind.OPEN, match__status=Status.OPEN
                ),
                "invited",
            ),
        )
        .only("pk")
        .order_by()
    )
)


# -- one match, as somebody sees it ---------------------------------------------------------------


def seat_of(match: Match, user: Viewer) -> int | None:
    """The number of the seat in which somebody sits, or None."""
    if user.pk is None:
        return None
    return next((s.number for s in match.seats.all() if s.user_id == user.pk), None)


def seat_names(match: Match) -> list[str]:
    """How the people and bots of a match are called, by seat; no two alike."""
    bots = engine.game_of(match).bots
    names: list[str] = []
    for seat in match.seats.all():
        if seat.kind == SeatKind.BOT:
            bot = bots.get(seat.bot)
            names.append(bot.name_at(match.slug, names) if bot else seat.bot)
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
            deck_name=seat.deck_name if match.finished else "",
            bank_seconds=None if seat.bank is None else int(seat.bank.total_seconds()),
            late=seat.late,
            stand_in=seat.stand_in,
            wants_cancel=seat.wants_cancel,
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
        may_take_back=seat is not None and table.can_undo(seat),
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
            )
            for move in prompt.options
        ],
        outlook=table.outlook(prompt),
    )


def event_groups(
    match: Match, seat: int | None, since: int = -1, limit: int | None = None
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
        seen = _seen(table, row, seat, names)
        events, lines = [one.event for one in seen], [one.text for one in seen if one.text]
        groups.append(EventGroup(*row[:4], events, lines))
    return groups


def events_since(state: TableState, since: int) -> list[SeenEvent]:
    """What happened after ply ``since`` (below 0: with the start) at a table that was read."""
    if state.table is None:
        return []
    names = names_for_reader(state.seats)
    rows = _rows(state.match, state.seat, since)
    return [one for row in rows for one in _seen(state.table, row, state.seat, names)]


def tally(state: TableState) -> dict[str, int]:
    """How often each kind of event happened, as far as everybody may know."""
    if state.table is None:
        return {}
    counted = _visible_moves(state.match, None).exclude(ply__in=engine.taken_back(state.match))
    moves = counted.values_list("ply", "seat", "source", "at", "prompt", "events")
    rows: list[Row] = [_start(state.match), *moves]
    return dict(Counter(one.kind for row in rows for one in _seen(state.table, row, None, ())))


TIME_RAN_OUT = "Time ran out: "

Row = tuple[int, int | None, str, datetime | None, int | None, Any]
"""Of a move: its number, seat, source and time, its question, and the stored events."""


def _rows(match: Match, seat: int | None, since: int, limit: int | None = None) -> list[Row]:
    """The plies visible to ``seat`` after one of them."""
    first = max(since, 0)
    end = None if limit is None else first + limit
    moves = _visible_moves(match, seat).values_list("seat", "source", "at", "prompt", "events")[
        first:end
    ]
    rows: list[Row] = [] if since >= 0 else [_start(match)]
    return rows + [(ply, *move) for ply, move in enumerate(moves, start=first + 1)]


def _start(match: Match) -> Row:
    return 0, None, "", match.started_at, None, match.opening


def _visible_moves(match: Match, seat: int | None) -> MoveQuerySet:
    """The moves visible to ``seat``, as far as the snapshot that was read.

    A move may have come in since.
    """
    return MoveRow.objects.filter(match=match, ply__lte=match.ply).visible_to(seat)


def _seen(table: engine.Table, row: Row, seat: int | None, names: Sequence[str]) -> list[SeenEvent]:
    """The events of one ply as one audience may know them."""
    ply, mover, source, _, prompt, events = row
    if events and events[0][0] == engine.TAKEN_BACK:
        kind, by = events[0]
        return [SeenEvent(ply, {"kind": kind, "seat": by}, table.game, names)]
    views = (table.event_view(event, seat) for event in engine.stored_events(events))
    late = source == Source.CLOCK
    seen = [
        SeenEvent(ply, view, table.game, names, lead=TIME_RAN_OUT if late else "")
        for view in views
        if view is not None
    ]
    if late and prompt is None and mover is not None and seen and names:
        # It has not given up, as the rules have it: it was late.
        seen[0] = replace(seen[0], whole=f"{TIME_RAN_OUT}{names[mover]} forfeits the match.")
    return seen


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
    moves = list(
        match.moves.filter(ply__lte=ply)
        .order_by("ply")
        .values_list("ply", "seat", "source", "at", "prompt", "events", "move")
    )
    table = engine.replay(match, seats, [(move[1], move[-1]) for move in moves])
    infos = seat_infos(match, AnonymousUser())
    names = [info.name for info in infos]
    rows: list[Row] = [_start(match), *(move[:6] for move in moves)]
    events = [one for row in rows[-recent:] for one in _seen(table, row, seat, names)]
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
    moves = match.moves.order_by("ply").values_list(
        "ply", "seat", "source", "at", "prompt", "events"
    )
    found = []
    for row in moves:
        texts = [one.text for one in _seen(table, row, seat, names) if one.text]
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
        raise NotFinished("This match was called off, so nobody has won it.")
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
