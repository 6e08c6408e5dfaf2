"""One ply is stored: the move's row, the snapshot, the seats' clocks, the end; then it is told.

Where seats answer unseen, nobody may learn from a number or a clock how far another has come. So
each move is stored with whom it is hidden from (``MoveRow.hidden_from``): those do not count it,
hear no bell and see no clock changed by it. Nobody is told anything before the commit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from core import db, outbox
from core.background import after_commit, enqueue
from matches import engine
from matches.clock import seat_clocks
from matches.clock.hours import ALWAYS, Hours
from matches.live import bell
from matches.models import Match, MoveRow, Seat, SeatKind, Source, Status, TimeControl
from matches.queries import access
from matches.queries.updates import match_update
from matches.services import notices
from matches.services.standing_orders import carry_out
from matches.services.writing import compare_and_swap, one_write, write_silently
from rules.engine.events import Event


@dataclass(frozen=True, slots=True)
class Played:
    """The receipt for a move: where it stands in the match, as its seat counts the moves.

    ``repeated``: it stood there before.
    """

    slug: str
    ply: int
    seat: int
    notation: str
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedAtTable(Played):
    """A receipt with the match and its table as they stand now, for whoever shows them."""

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

    ``table`` is ``before`` after the move. ``match`` and ``seats`` are what was read; after a
    success they hold what was written.
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
    """The same, where the row says already what happened, and whom it is hidden from."""
    now = timezone.now()
    were = {seat.pk: _changing(seat) for seat in seats}
    version = match.version
    row.at = now
    match.ply = row.ply
    if row.hidden_from:
        match.hidden_plies = with_hidden_ply(match.hidden_plies, row.hidden_from, len(seats))
    else:
        match.moved_at = now
        for seat in seats:
            seat.wants_back = None  # a move that somebody does not see must not show here, either
            seat.wants_draw = seat.wants_draw and seat.number == row.seat
    copy_table_to_rows(match, seats, table, now, row)
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
            state=match.state,
            deadline_at=match.deadline_at,
            clock_check_at=match.clock_check_at,
            unrated=match.unrated,
            **ended,
        )
        db.insert(row)
        changed = _write_changes(match, seats, were)
        ordered = carry_out.after_ply(match, seats, table, row)
        if changed:
            were_asked = {seat.number: were[seat.pk]["prompt"] is not None for seat in seats}
            notices.tell_turns(match, seats, were_asked, ordered)
            _tell_offers_gone(match, seats, were)
        if match.status == Status.FINISHED and not match.lesson:
            announce_end(match, seats)
        announce(match, seats, changed, wake_bots=wake_bots, ordered=ordered)
    ply = match.visible_ply(row.seat)
    return PlayedAtTable(match.slug, ply, row.seat, row.notation, match=match, table=table)


def _tell_offers_gone(
    match: Match, seats: Sequence[Seat], were: Mapping[int, Mapping[str, Any]]
) -> None:
    """A move withdraws offers; who was asked is told so no more."""
    if any(were[seat.pk]["wants_back"] is not None and seat.wants_back is None for seat in seats):
        notices.tell_offer_gone(match, "back")
    if any(were[seat.pk]["wants_draw"] and not seat.wants_draw for seat in seats):
        notices.tell_offer_gone(match, "draw")


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
    "wants_back",
    "wants_draw",
)
"""What a ply, or the clock, may change of a seat."""


def _changing(seat: Seat) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in CHANGING}


def write_seats(seats: Iterable[Seat]) -> None:
    """Store what a ply changes of seats, in one round trip."""
    db.update(Seat, [({"id": seat.pk}, _changing(seat)) for seat in seats])


def _write_changes(
    match: Match, seats: Sequence[Seat], were: Mapping[int, Mapping[str, Any]]
) -> list[Seat]:
    """Store the seats that are not what they ``were``; gives these."""
    changed = [seat for seat in seats if were[seat.pk] != _changing(seat)]
    if changed:
        write_seats(changed)
        notices.tell_in_time(
            match,
            [seat for seat in changed if were[seat.pk]["flag_fallen"] and not seat.flag_fallen],
        )
    return changed


def with_hidden_ply(counts: Sequence[int], mask: int, seats: int) -> list[int]:
    """How many moves are hidden from each audience, with one more of this mask."""
    return [
        count + (mask >> number & 1) for number, count in enumerate(counts or [0] * (seats + 1))
    ]


def announce_end(match: Match, seats: Iterable[Seat]) -> None:
    """Write down, in the transaction that ends the match, that it has ended."""
    assert match.finished_at is not None
    outbox.match_finished(
        match=match.slug,
        game=match.game,
        mode=match.mode,
        seats=[
            outbox.FinalSeat(
                user=seat.user_id, bot=seat.bot, rank=seat.rank, stayed=_stayed(match, seat)
            )
            for seat in seats
        ],
        at=match.finished_at,
    )


def _stayed(match: Match, seat: Seat) -> bool:
    """It played to the end: it did not concede, nor leave its seat or last answer to others."""
    if seat.user_id is None:
        return True
    if seat.substitute_bot:
        return False
    moves = MoveRow.objects.filter(match=match, seat=seat.number).order_by("-ply")
    moves = moves.exclude(prompt=None, move__isnull=False)  # not what was taken back
    last = moves.only("source", "prompt").first()
    return last is None or (last.prompt is not None and last.source != Source.CLOCK)


def copy_table_to_rows(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    now: datetime,
    row: MoveRow | None = None,
) -> None:
    """Write on the rows what follows from the table: snapshot, who is asked, clocks, the end."""
    match.state = engine.snapshot(table)
    _set_clocks(match, seats, table, now, row)
    for seat in seats:
        prompt = table.prompts.get(seat.number)
        seat.prompt = None if prompt is None else prompt.id
        if seat.vacant and table.state.is_out(seat.number):
            seat.substitute_bot = ""  # there is nothing left to take over
    if table.outcome is not None:
        match.status = Status.FINISHED
        match.outcome = table.outcome.to_json()
        match.reason = table.outcome.reason
        match.finished_at = now
        better = 0
        for group in table.outcome.ranking:
            for number in group:
                seats[number].rank = better + 1
            better += len(group)
        for seat in seats:
            seat.result = engine.result_of(table, seat.number)


def _set_clocks(
    match: Match, seats: Sequence[Seat], table: engine.Table, now: datetime, row: MoveRow | None
) -> None:
    """What the move (None: the start) does to the clocks; the seats still hold who was asked."""
    before = clocks_of(match, seats, out=who_is_out(table))
    mover = None if row is None else row.seat
    back = row is not None and engine.back_to(row.move) is not None
    work_out = seat_clocks.after_taking_back if back else seat_clocks.after_move
    after = work_out(before, table.prompts.keys(), mover, clock=match.preset, now=now)
    set_clocks(match, seats, after, now)


def set_clocks(
    match: Match, seats: Sequence[Seat], clocks: Sequence[seat_clocks.SeatClock], now: datetime
) -> None:
    """Write the clocks on the rows, with what follows from them."""
    for seat, its in zip(seats, clocks, strict=True):
        if seat.asked_at != its.asked_at:
            seat.time_given_by = []
        seat.deadline_at, seat.asked_at, seat.time_bank = its.deadline, its.asked_at, its.time_bank
        seat.flag_fallen = its.flag_fallen
    match.deadline_at = seat_clocks.next_deadline(clocks)
    match.clock_check_at = seat_clocks.clock_check_at(clocks, match.preset, match.timeout)


def store_clocks(
    match: Match, seats: Sequence[Seat], clocks: Sequence[seat_clocks.SeatClock], now: datetime
) -> None:
    """Store clocks that may have changed without a move. Raises ``StaleWrite``.

    Where nothing has changed that anybody sees, the match is written all the same, so that a move
    reckoned by the old hours is reckoned once more; but no bell rings.
    """
    were = {seat.pk: _changing(seat) for seat in seats}
    deadline = match.deadline_at
    for seat, its in zip(seats, clocks, strict=True):
        if not its.kept:
            seat.substitute_bot = ""
    set_clocks(match, seats, clocks, now)
    with one_write():
        if match.deadline_at == deadline and all(were[s.pk] == _changing(s) for s in seats):
            write_silently(match, clock_check_at=match.clock_check_at)
            return
        compare_and_swap(match, deadline_at=match.deadline_at, clock_check_at=match.clock_check_at)
        _write_changes(match, seats, were)
        announce(match, seats)


def who_is_out(table: engine.Table) -> frozenset[int]:
    """The seats that play no more."""
    return frozenset(seat for seat in range(table.seats) if table.state.is_out(seat))


def clocks_of(
    match: Match, seats: Iterable[Seat], *, out: Collection[int] = frozenset()
) -> list[seat_clocks.SeatClock]:
    """The seats' clocks as they are stored."""
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
    """When the clock of a seat's person runs at this table.

    A live match goes on by day and night, and where nobody waits for those who are away it runs
    on for them.
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
    """After the commit: ring for the table and for the people of the changed seats; wake the bots,
    and the standing orders when they answer (``ordered``, by seat).

    What is lost here (Redis away, a crash after the commit) is found again by the sweep and by the
    heartbeat of the streams; so nothing here may turn a stored move into an error.
    """
    rung_for = seats if changed is None else changed
    people = sorted({seat.user_id for seat in rung_for if seat.user_id is not None})
    wakes = [*(ordered or {}).values()]
    if wake_bots and any(
        (seat.bot or seat.substitute_bot) and seat.prompt is not None for seat in seats
    ):
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
