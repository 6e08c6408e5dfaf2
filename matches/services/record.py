"""One write of a ply, and what every writer needs: to read, to compare and swap, to announce.

Every writer names the version of the match that it read: the engine computes on what was read,
outside any lock, and the write (a compare and swap) goes through only if nobody was faster. A
writer that was too late reads again; an answer stays good as long as its question is still asked,
so that seats which answer at the same time never stand in each other's way. Two unique constraints
(one move a ply, one move a prompt) keep the same promise a second time. Nobody is told anything
before the commit.

Where seats answer unseen, nobody may learn from a number or a clock how far another has come. So
each move is stored with whom it is hidden from (``MoveRow.hidden_from``): those do not count it,
hear no bell and see no clock changed by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.background import after_commit, enqueue
from accounts.models import User
from collection.services.packs import match_finished
from matches import bell, clock, engine, queries
from matches.errors import NotRunning, NotYourSeat, UnknownMatch
from matches.models import Match, MoveRow, Seat, SeatKind, Source, Status
from rules.engine.events import Event

ATTEMPTS = 20
"""How often a writer whose write was stale tries again."""


class StaleWrite(Exception):
    """Somebody else wrote to the match first; nothing was written."""


@dataclass(frozen=True, slots=True)
class Played:
    """The receipt for a move: where it stands in the match, as its seat counts the moves.

    ``match`` and ``table`` are how it stands now, for whoever shows it. ``repeated``: the move
    stood there before.
    """

    slug: str
    ply: int
    seat: int
    notation: str
    match: Match = field(repr=False, compare=False)
    table: engine.Table = field(repr=False, compare=False)
    repeated: bool = False


def store_ply(
    match: Match,
    seats: Sequence[Seat],
    before: engine.Table,
    table: engine.Table,
    row: MoveRow,
    events: Sequence[Event],
    *,
    wake_bots: bool = True,
) -> Played:
    """Store one ply: the move's row, the new snapshot, the seats. Raises ``StaleWrite``.

    ``table`` is ``before`` after the move. ``match`` and ``seats`` are what was read; after a
    success they hold what was written.
    """
    now = timezone.now()
    were = {seat.pk: (seat.prompt, seat.deadline_at, seat.place) for seat in seats}
    version = match.version
    row.events = engine.store_events(events)
    row.at = now
    row.hidden_from = engine.hidden_from(before, table, row.seat, events)
    match.ply = row.ply
    if row.hidden_from:
        match.hidden_plies = with_hidden_ply(match.hidden_plies, row.hidden_from, len(seats))
    else:
        match.moved_at = now
    copy_table_to_rows(match, seats, table, now, row)
    changed = [s for s in seats if were[s.pk] != (s.prompt, s.deadline_at, s.place)]
    try:
        with transaction.atomic():
            compare_and_swap(
                match,
                version=version,
                status=match.status,
                ply=match.ply,
                hidden_plies=match.hidden_plies,
                moved_at=match.moved_at,
                state=match.state,
                outcome=match.outcome,
                reason=match.reason,
                finished_at=match.finished_at,
                deadline_at=match.deadline_at,
            )
            row.save(force_insert=True)
            if changed:
                _write_seats(changed)
            if match.status == Status.FINISHED:
                match_finished(match=match.slug, game=match.game, people=_who_stayed(match, seats))
            announce(match, seats, changed, wake_bots=wake_bots)
    except IntegrityError as error:
        raise StaleWrite from error
    return Played(match.slug, match.visible_ply(row.seat), row.seat, row.notation, match, table)


def _write_seats(seats: Iterable[Seat]) -> None:
    """Store what a ply changes of seats, in one round trip.

    ``bulk_update`` would take longer to write its one statement than all else that a ply stores.
    """
    fields = {field.name: field for field in Seat._meta.concrete_fields}
    changed = [fields[name] for name in ("prompt", "deadline_at", "place")]
    values = ", ".join(f"{field.column} = %s" for field in changed)
    rows = [
        [
            field.get_db_prep_save(getattr(seat, field.attname), connection)
            for field in (*changed, fields["id"])
        ]
        for seat in seats
    ]
    with connection.cursor() as cursor:
        # Names from the model alone.
        cursor.executemany(f"UPDATE {Seat._meta.db_table} SET {values} WHERE id = %s", rows)  # noqa: S608


def with_hidden_ply(counts: Sequence[int], mask: int, seats: int) -> list[int]:
    """How many moves are hidden from each audience, with one more of this mask."""
    return [
        count + (mask >> number & 1) for number, count in enumerate(counts or [0] * (seats + 1))
    ]


def _who_stayed(match: Match, seats: Iterable[Seat]) -> list[int]:
    """The people who played to the end: none who conceded or left the last answer to the clock."""
    stayed = []
    for seat in seats:
        if seat.user_id is not None:
            moves = MoveRow.objects.filter(match=match, seat=seat.number).order_by("-ply")
            last = moves.only("source", "prompt").first()
            if last is None or (last.prompt is not None and last.source != Source.CLOCK):
                stayed.append(seat.user_id)
    return stayed


def compare_and_swap(match: Match, *, version: int | None = None, **fields: Any) -> None:
    """Write these fields if the match still has the version that was read; else `StaleWrite`."""
    read = match.version if version is None else version
    written = Match.objects.filter(pk=match.pk, version=read).update(version=read + 1, **fields)
    if not written:
        raise StaleWrite
    match.version = read + 1


def copy_table_to_rows(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    now: datetime,
    row: MoveRow | None = None,
) -> None:
    """Write on the rows what follows from the table: snapshot, who is asked, clocks, the end.

    Whom the last move leaves asked together with others gets the time of a whole turn for all that
    it will be asked until they are ready. An answer that is hidden from anybody then changes no
    clock: one that grew would show it.
    """
    match.state = engine.snapshot(table)
    people = sum(seat.kind == SeatKind.PERSON for seat in seats)
    turn, least = clock.TURN_TIMES[match.pace]
    others_waited = any(s.prompt is not None for s in seats if row is None or s.number != row.seat)
    together = len(table.prompts) > 1 and not others_waited
    for seat in seats:
        prompt = table.prompts.get(seat.number)
        if prompt is None or seat.kind != SeatKind.PERSON or people < 2:
            seat.deadline_at = None
        elif seat.deadline_at is None:
            seat.deadline_at = now + turn
        elif row is not None and seat.number == row.seat and row.source != Source.CLOCK:
            if together:
                seat.deadline_at = max(seat.deadline_at, now + turn)
            elif not row.hidden_from:
                seat.deadline_at = max(seat.deadline_at, now + least)
        seat.prompt = None if prompt is None else prompt.id
    match.deadline_at = min((s.deadline_at for s in seats if s.deadline_at), default=None)
    if table.outcome is not None:
        match.status = Status.FINISHED
        match.outcome = table.outcome.to_json()
        match.reason = table.outcome.reason
        match.finished_at = now
        better = 0
        for group in table.outcome.ranking:
            for number in group:
                seats[number].place = better + 1
            better += len(group)


def announce(
    match: Match,
    seats: Sequence[Seat],
    changed: Iterable[Seat] | None = None,
    *,
    wake_bots: bool = True,
) -> None:
    """After the commit: ring for the table and for the people of the changed seats; wake the bots.

    What is lost here (Redis away, a crash after the commit) is found again by the sweep and by the
    heartbeat of the streams; so nothing here may turn a stored move into an error.
    """
    rung_for = seats if changed is None else changed
    people = sorted({seat.user_id for seat in rung_for if seat.user_id is not None})
    bots = wake_bots and any(seat.bot and seat.prompt is not None for seat in seats)
    after_commit(_tell, match.pk, match.slug, queries.match_update(match, seats), people, bots)


def _tell(
    match_id: int, slug: str, update: bell.MatchUpdate, people: Sequence[int], bots: bool
) -> None:
    from matches.tasks import play_bots  # tasks call services, so not at the top

    bell.ring(slug, update, people)
    if bots:
        enqueue(play_bots, match_id)


def read(slug: str) -> Match:
    try:
        return Match.objects.get(slug=slug)
    except Match.DoesNotExist:
        raise UnknownMatch(f"There is no match “{slug[:20]}”.") from None


def read_table(slug: str, user: User) -> tuple[Match, list[Seat], Seat, engine.Table]:
    """All that an answer is decided by, read once: the match, its seats, the user's, the table.

    Raises what :func:`queries.access_match` does, ``NotYourSeat``, and ``NotRunning`` before the
    start.
    """
    match = queries.access_match(user, slug)
    seats = list(match.seats.all())
    seat = seat_of(seats, user)
    if match.state is None:
        require_running(match)
    return match, seats, seat, engine.load(match)


def seat_of(seats: Iterable[Seat], user: User) -> Seat:
    for seat in seats:
        if seat.user_id is not None and seat.user_id == user.pk:
            return seat
    raise NotYourSeat("You do not sit at this table, so you cannot play here.")


def require_running(match: Match) -> None:
    if match.status == Status.OPEN:
        raise NotRunning("The match has not started: a seat is still open.")
    if match.status == Status.CANCELLED:
        raise NotRunning("The match was cancelled before it started.")
    if match.status == Status.FINISHED:
        raise NotRunning("The match is over.")
