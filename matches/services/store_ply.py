"""Storing one ply: the move's row, the snapshot, the clocks, the end; then announcing it.

Where seats answer unseen, no number and no clock may reveal how far another seat has come. Each
move is stored with the audiences it is hidden from (``MoveRow.hidden_from``): they don't count it,
get no live update and see no clock change. Nothing is announced before the commit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from core import db, outbox
from core.background import after_commit, enqueue
from matches import engine
from matches.clock import seat_clocks
from matches.clock.hours import ALWAYS, Hours
from matches.live import bell
from matches.models import Match, MoveRow, Seat, SeatKind, Source, Status, TimeControl, Unrated
from matches.queries import access, ratings
from matches.queries.updates import match_update
from matches.services import notices
from matches.services.standing_orders import carry_out
from matches.services.writing import compare_and_swap, one_write, write_silently
from rules.engine.events import Event

AT_ONCE = timedelta(seconds=1)
"""Within this time no move of a bot changes since when it is asked."""

FREE_MOVES = 2
"""A player who has made fewer moves than this has hardly begun: they may cancel alone, and their
concession changes no rating and earns no pack."""


@dataclass(frozen=True, slots=True)
class Played:
    """The receipt for a move; ``ply`` is its number as its seat counts the moves.

    ``repeated``: it had been stored before.
    """

    slug: str
    ply: int
    seat: int
    notation: str
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedAtTable(Played):
    """A receipt with the current match and table, for pages that show them."""

    match: Match = field(repr=False, compare=False)
    table: engine.Table = field(repr=False, compare=False)


def store_ply(
    match: Match,
    seats: Sequence[Seat],
    before: engine.Table,
    table: engine.Table,
    row: MoveRow,
    events: Sequence[Event],
    *,
    wake_bots: bool = True,
) -> PlayedAtTable:
    """Store one ply: the move's row, the new snapshot, the seats. Raises ``StaleWrite``.

    ``table`` is ``before`` after the move. ``match`` and ``seats`` are as read, and after a success
    as written.
    """
    row.events = engine.store_events(events)
    row.hidden_from = engine.hidden_from(before, table, row.seat, events)
    return store_row(match, seats, table, row, wake_bots=wake_bots)


def store_row(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    row: MoveRow,
    *,
    wake_bots: bool = True,
) -> PlayedAtTable:
    """Store a ply whose row already has its events and who it is hidden from."""
    now = timezone.now()
    were = {seat.pk: _changing(seat) for seat in seats}
    version = match.version
    # Whole milliseconds from the start: its archive is smaller, and no time changes with it.
    row.at = now.replace(microsecond=now.microsecond // 1000 * 1000)
    match.ply = row.ply
    if row.hidden_from:
        match.hidden_plies = with_hidden_ply(match.hidden_plies, row.hidden_from, len(seats))
    else:
        match.set_moved(now)
        for seat in seats:
            seat.wants_takeback = None  # not for hidden moves: it would reveal them
            seat.wants_draw = seat.wants_draw and seat.number == row.seat
    copy_table_to_rows(match, seats, table, now, row)
    if match.status == Status.FINISHED:
        match.unrated = match.unrated or _why_unrated(match, seats, row)
    ended = (
        {
            "status": match.status,
            "outcome": match.outcome,
            "reason": match.reason,
            "finished_at": match.finished_at,
        }
        if match.status == Status.FINISHED
        else {}
    )
    with one_write():
        compare_and_swap(
            match,
            version=version,
            ply=match.ply,
            hidden_plies=match.hidden_plies,
            moved_at=match.moved_at,
            active_at=match.active_at,
            state=match.state,
            deadline_at=match.deadline_at,
            clock_check_at=match.clock_check_at,
            bots_asked_at=match.bots_asked_at,
            unrated=match.unrated,
            **ended,
        )
        db.insert(row)
        changed = _write_changes(match, seats, were)
        ordered = carry_out.after_ply(match, seats, table, row)
        if changed:
            were_asked = {seat.number: were[seat.pk]["prompt"] is not None for seat in seats}
            notices.tell_turns(match, seats, were_asked, ordered)
            _retract_offers(match, seats, were)
        if match.status == Status.FINISHED and match.initial_position is None:
            announce_end(match, seats)
        announce(match, seats, changed, wake_bots=wake_bots, ordered=ordered)
    ply = match.visible_ply(row.seat)
    return PlayedAtTable(match.slug, ply, row.seat, row.notation, match=match, table=table)


def _retract_offers(
    match: Match, seats: Sequence[Seat], were: Mapping[int, Mapping[str, Any]]
) -> None:
    """Retract the notifications of offers that a move has ended."""
    if any(
        were[seat.pk]["wants_takeback"] is not None and seat.wants_takeback is None
        for seat in seats
    ):
        notices.retract_offer(match, "takeback")
    if any(were[seat.pk]["wants_draw"] and not seat.wants_draw for seat in seats):
        notices.retract_offer(match, "draw")


CHANGING = (
    "prompt",
    "deadline_at",
    "asked_at",
    "time_bank",
    "flag_fallen",
    "time_given_by",
    "substitute_bot",
    "rank",
    "result",
    "finished_at",
    "wants_takeback",
    "wants_draw",
)
"""The fields of a seat that a ply or the clock may change."""


def _changing(seat: Seat) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in CHANGING}


def write_seats(seats: Iterable[Seat]) -> None:
    """Store the :data:`CHANGING` fields of these seats in one query."""
    db.update(Seat, [({"id": seat.pk}, _changing(seat)) for seat in seats])


def _write_changes(
    match: Match, seats: Sequence[Seat], were: Mapping[int, Mapping[str, Any]]
) -> list[Seat]:
    """Store and return the seats that differ from what they ``were``."""
    changed = [seat for seat in seats if were[seat.pk] != _changing(seat)]
    if changed:
        write_seats(changed)
        notices.retract_late(
            match,
            [seat for seat in changed if were[seat.pk]["flag_fallen"] and not seat.flag_fallen],
        )
    return changed


def with_hidden_ply(counts: Sequence[int], mask: int, seats: int) -> list[int]:
    """The counts of hidden moves by audience after one more move with this mask."""
    return [
        count + (mask >> number & 1) for number, count in enumerate(counts or [0] * (seats + 1))
    ]


def _why_unrated(match: Match, seats: Sequence[Seat], last: MoveRow) -> str:
    """Why a match that ends with this row is not rated by the way it was played; else empty.

    Whoever signs up during a match is no longer a guest when it ends.
    """
    if ratings.has_guest(seats):
        return Unrated.GUEST
    if last.move is not None or seats[last.seat].user_id is None:
        return ""
    rows = MoveRow.objects.filter(match=match).exclude(ply__in=engine.taken_back(match))
    conceded = {last.seat, *rows.filter(move=None).values_list("seat", flat=True)}
    answers = Counter(rows.filter(prompt__isnull=False).values_list("seat", flat=True))
    return Unrated.EARLY if any(answers[seat] < FREE_MOVES for seat in conceded) else ""


def announce_end(match: Match, seats: Iterable[Seat]) -> None:
    """Announce the end in the outbox, in the transaction that ends the match."""
    assert match.finished_at is not None
    outbox.match_finished(
        match=match.slug,
        game=match.game,
        mode=match.mode,
        seats=[
            outbox.FinalSeat(
                user=seat.user_id,
                bot=seat.bot,
                rank=seat.rank,
                stayed=match.unrated != Unrated.EARLY and _stayed(match, seat),
            )
            for seat in seats
        ],
        at=match.finished_at,
    )


def _stayed(match: Match, seat: Seat) -> bool:
    """True if the seat's person played to the end: no concession, no bot, no move by the clock."""
    if seat.user_id is None:
        return True
    if seat.substitute_bot:
        return False
    moves = MoveRow.objects.filter(match=match, seat=seat.number).order_by("-ply")
    moves = moves.exclude(prompt=None, move__isnull=False)  # without takebacks
    last = moves.only("source", "prompt").first()
    return last is None or (last.prompt is not None and last.source != Source.CLOCK)


def copy_table_to_rows(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    now: datetime,
    row: MoveRow | None = None,
) -> None:
    """Copy the state of the table to the rows: snapshot, prompts, clocks and the end."""
    match.state = engine.snapshot(table)
    check_at = match.clock_check_at
    _set_clocks(match, seats, table, now, row)
    # A later time waits until the check: see Match.clock_check_at.
    match.clock_check_at = min(filter(None, (check_at, match.clock_check_at)), default=None)
    for seat in seats:
        prompt = table.prompts.get(seat.number)
        seat.prompt = None if prompt is None else prompt.id
        if seat.vacant and table.state.is_out(seat.number):
            seat.substitute_bot = ""  # nothing is left to take over
    if table.outcome is not None:
        match.status = Status.FINISHED
        match.outcome = table.outcome.to_json()
        match.reason = table.outcome.reason
        match.finished_at, match.clock_check_at = now, None
        better_ranked, parties = 0, table.mode.parties(table.seats)
        for group in table.outcome.ranking:
            for number in group:
                seats[number].rank = better_ranked + 1
            better_ranked += len(group) * parties // table.seats
        for seat in seats:
            seat.result = engine.result_of(table, seat.number)
            seat.finished_at = now
    match.bots_asked_at = _bots_asked_at(match, seats, now)


def _bots_asked_at(match: Match, seats: Iterable[Seat], now: datetime) -> datetime | None:
    """Since when a bot is asked; a bot that moves within a second is asked since before."""
    if not bot_is_asked(seats):
        return None
    before = match.bots_asked_at
    return before if before is not None and now - before < AT_ONCE else now


def bot_is_asked(seats: Iterable[Seat]) -> bool:
    """True if a bot is to move, at its own seat or for somebody."""
    return any((seat.bot or seat.substitute_bot) and seat.prompt is not None for seat in seats)


def _set_clocks(
    match: Match, seats: Sequence[Seat], table: engine.Table, now: datetime, row: MoveRow | None
) -> None:
    """Set the clocks after a move (None: the start); the seats still hold the old prompts."""
    before = clocks_of(match, seats, out=who_is_out(table))
    mover = None if row is None else row.seat
    back = row is not None and engine.back_to(row.move) is not None
    work_out = seat_clocks.after_taking_back if back else seat_clocks.after_move
    after = work_out(before, table.prompts.keys(), mover, clock=match.preset, now=now)
    set_clocks(match, seats, after, now)


def set_clocks(
    match: Match, seats: Sequence[Seat], clocks: Sequence[seat_clocks.SeatClock], now: datetime
) -> None:
    """Copy the clocks to the rows, with the deadlines that follow from them."""
    for seat, clock in zip(seats, clocks, strict=True):
        if seat.asked_at != clock.asked_at:
            seat.time_given_by = []
        seat.deadline_at, seat.asked_at, seat.time_bank = (
            clock.deadline,
            clock.asked_at,
            clock.time_bank,
        )
        seat.flag_fallen = clock.flag_fallen
    match.deadline_at = seat_clocks.next_deadline(clocks)
    match.clock_check_at = seat_clocks.clock_check_at(clocks, match.preset, match.timeout)


def store_clocks(
    match: Match, seats: Sequence[Seat], clocks: Sequence[seat_clocks.SeatClock], now: datetime
) -> None:
    """Store clocks that may have changed without a move. Raises ``StaleWrite``.

    If nothing visible has changed the match is written silently, so that a move computed with the
    old hours is retried.
    """
    were = {seat.pk: _changing(seat) for seat in seats}
    deadline = match.deadline_at
    for seat, clock in zip(seats, clocks, strict=True):
        if not clock.kept:
            seat.substitute_bot = ""
    set_clocks(match, seats, clocks, now)
    match.bots_asked_at = (match.bots_asked_at or now) if bot_is_asked(seats) else None
    checks: dict[str, Any] = {
        "clock_check_at": match.clock_check_at,
        "bots_asked_at": match.bots_asked_at,
    }
    with one_write():
        if match.deadline_at == deadline and all(were[s.pk] == _changing(s) for s in seats):
            write_silently(match, **checks)
            return
        compare_and_swap(match, deadline_at=match.deadline_at, **checks)
        _write_changes(match, seats, were)
        announce(match, seats)


def who_is_out(table: engine.Table) -> frozenset[int]:
    """The seats that have been eliminated."""
    return frozenset(seat for seat in range(table.seats) if table.state.is_out(seat))


def clocks_of(
    match: Match, seats: Iterable[Seat], *, out: Collection[int] = frozenset()
) -> list[seat_clocks.SeatClock]:
    """The stored clocks of the seats."""
    return [
        seat_clocks.SeatClock(
            seat.number,
            seat.kind == SeatKind.PERSON,
            asked=seat.prompt is not None,
            deadline=seat.deadline_at,
            time_bank=seat.time_bank,
            asked_at=seat.asked_at,
            hours=hours_of(match, seat),
            kept=bool(seat.substitute_bot),
            flag_fallen=seat.flag_fallen,
            out=seat.number in out,
        )
        for seat in seats
    ]


def hours_of(match: Match, seat: Seat) -> Hours:
    """The hours in which the clock of a seat's person runs in this match.

    Live matches run around the clock, and vacation counts only where the match allows it.
    """
    if seat.user_id is None or match.time_control == TimeControl.LIVE:
        return ALWAYS
    if seat.own_hours is None:
        seat.own_hours = access.hours_of(seat.user_id)
    return seat.own_hours if match.pauses_when_away else replace(seat.own_hours, away=frozenset())


def announce(
    match: Match,
    seats: Sequence[Seat],
    changed: Iterable[Seat] | None = None,
    *,
    wake_bots: bool = True,
    ordered: Mapping[int, datetime] | None = None,
) -> None:
    """After the commit: send live updates for the table and to the people of the changed seats, and
    wake the bots and the standing orders (``ordered``: when each answers, by seat).

    Whatever is lost here (Redis down, a crash after the commit) is made up for by the sweep and the
    heartbeat of the streams, so nothing here may turn a stored move into an error.
    """
    notified = seats if changed is None else changed
    people = sorted({seat.user_id for seat in notified if seat.user_id is not None})
    wakes = [*(ordered or {}).values()]
    if wake_bots and bot_is_asked(seats):
        wakes.append(timezone.now())
    after_commit(_tell, match.pk, match.slug, match_update(match, seats), people, wakes)


def _tell(
    match_id: int,
    slug: str,
    update: bell.MatchUpdate,
    people: Sequence[int],
    wakes: Sequence[datetime],
) -> None:
    bell.ring(slug, update, people)
    for at in sorted(wakes):
        countdown = max(0.0, (at - timezone.now()).total_seconds())
        enqueue("matches.tasks.play_bots", match_id, countdown=countdown)
