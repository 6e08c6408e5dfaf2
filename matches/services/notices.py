"""What the people of a table are told: that it begins, that they are asked, that it is over.

All of it is written in the transaction of what happened. Nobody is told of a table at which only
bots wait for them. What is told says nothing of how far others are who answer unseen: somebody's
row changes when they are asked themselves, or have answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from accounts.models import User
from core.models import MatchFinished
from matches import engine
from matches.models import (
    Match,
    MoveRow,
    Pace,
    Result,
    Seat,
    SeatKind,
    Source,
    StandingOrder,
    Status,
    Timeout,
)
from matches.queries.names import match_name
from notices.kinds import Kind
from notices.models import Notice
from notices.services import notices as notices_notices
from notices.services.notices import Turn, notify, retract

MOST_NAMES = 3


ORDER_PATIENCE = timedelta(seconds=30)
"""So long after a standing order should have answered nothing is sent about its question."""


def tell_turns(
    match: Match,
    seats: Sequence[Seat],
    asked_before: Mapping[int, bool],
    ordered: Mapping[int, datetime],
) -> None:
    """Who is asked now, where that is somebody else than before; ``asked_before`` by seat.

    ``ordered`` says when a standing order answers for a seat.
    """
    if not _among_people(seats):
        return
    turns = [
        Turn(
            seat.user_id,
            f"It is your turn at {_table(match, seats, seat.user_id)}.",
            is_asked=seat.prompt is not None,
            deadline=seat.deadline_at,
            earliest=ordered[seat.number] + ORDER_PATIENCE if seat.number in ordered else None,
        )
        for seat in seats
        if seat.user_id is not None and asked_before[seat.number] != (seat.prompt is not None)
    ]
    if turns:
        notices_notices.tell_turns(match.slug, turns, link=match.get_absolute_url())


def tell_start(match: Match, seats: Sequence[Seat], *, by: User | None) -> None:
    """That the match has begun, to all but the one who sat down last; and who is asked."""
    if not _among_people(seats):
        return
    assert match.started_at is not None
    for seat in seats:
        if seat.user_id is not None and (by is None or seat.user_id != by.pk):
            notify(
                [seat.user_id],
                Kind.TABLE_BEGAN,
                text=f"{_table(match, seats, seat.user_id)} has begun.",
                link=match.get_absolute_url(),
                match=match.slug,
                # At a live table it cannot wait.
                due=match.started_at if match.pace == Pace.LIVE else None,
            )
    tell_turns(match, seats, dict.fromkeys(range(len(seats)), False), {})


def tell_cancelled(match: Match, seats: Sequence[Seat], *, by: User | None) -> None:
    """That a table is cancelled before it began, to the others who sat there.

    ``by`` None: it has waited too long, which the host is told in other words.
    """
    known = match.host_id if by is None else by.pk
    others = [seat.user_id for seat in seats if seat.user_id != known]
    what = "Too few people came in time, so a table of yours is cancelled"
    if by is not None:
        what = f"{by} has cancelled a table of yours"
    notify(
        [pk for pk in others if pk is not None],
        Kind.MATCH_OVER,
        text=f"{what}: {match_name(match)}.",
        link=match.get_absolute_url(),
        match=match.slug,
    )


def tell_called_off(match: Match, seats: Sequence[Seat], why: str, *, by: Seat | None) -> None:
    """That a running match is cancelled, to all but the one whose word did it."""
    gone = (
        Kind.TABLE_BEGAN,
        Kind.YOUR_TURN,
        Kind.TIME_IS_RUNNING_OUT,
        Kind.ORDER_DROPPED,
        Kind.TABLE_NEEDS_YOU,
    )
    for kind in gone:
        retract(kind, match=match.slug)
    if not _among_people(seats):
        return
    for seat in seats:
        if seat.user_id is not None and seat is not by:
            notify(
                [seat.user_id],
                Kind.MATCH_OVER,
                text=f"{_table(match, seats, seat.user_id)} is cancelled. {why}",
                link=match.get_absolute_url(),
                match=match.slug,
            )


_OFFERED = {
    "cancel": "would like to cancel {table}. Agree, or play on.",
    "draw": "offers you a draw at {table}. Agree, or play on.",
    "back": "would like to go back to the start of a turn at {table}. Agree, or play on.",
}


def tell_offer(
    match: Match, seats: Sequence[Seat], asked: Sequence[Seat], *, by: Seat, offer: str
) -> None:
    """What somebody offers at a table, to those whose word is missing, and to nobody else."""
    tell_offer_gone(match, offer)
    for seat in asked:
        if seat.user_id is not None:
            words = _OFFERED[offer].format(table=_table(match, seats, seat.user_id))
            notify(
                [seat.user_id],
                Kind.TABLE_NEEDS_YOU,
                text=f"{by.user} {words}",
                link=match.get_absolute_url(),
                match=match.slug,
                key=offer,
            )


def tell_offer_gone(match: Match, offer: str) -> None:
    """That offer stands no longer: it was declined, taken back, or somebody has moved."""
    retract(Kind.TABLE_NEEDS_YOU, match=match.slug, key=offer)


def tell_passed_on(match: Match, seats: Sequence[Seat], what: str, *, but: int) -> None:
    """That a seat was given up or taken over, to the others who sit there."""
    for seat in seats:
        if seat.user_id is not None and seat.user_id != but:
            notify(
                [seat.user_id],
                Kind.TABLE_NEEDS_YOU,
                text=f"{what} at {match_name(match)}.",
                link=match.get_absolute_url(),
                match=match.slug,
                key="passed-on",
            )


def tell_order_ended(match: Match, seats: Sequence[Seat], order: StandingOrder, why: str) -> None:
    """That a standing order has ended by itself, to the one who gave it."""
    person = seats[order.seat].user_id
    if person is None:
        return
    notify(
        [person],
        Kind.ORDER_DROPPED,
        text=f"{_table(match, seats, person)}: your standing order “{order.words}”. {why}",
        link=match.get_absolute_url(),
        match=match.slug,
        key=str(order.pk),
    )


def tell_late(match: Match, seats: Sequence[Seat], seat: int, *, until: datetime | None) -> None:
    """That somebody's time is up; ``until`` they have lost the match, where they may lose it."""
    person = seats[seat].user_id
    if person is None:
        return
    left = f" Answer by {until:%H:%M} UTC on {until:%-d %B}, or you lose." if until else ""
    notify(
        [person],
        Kind.TIME_IS_RUNNING_OUT,
        text=f"Your time is up at {_table(match, seats, person)}.{left}",
        link=match.get_absolute_url(),
        match=match.slug,
        deadline=until,
    )


def tell_in_time(match: Match, seats: Sequence[Seat]) -> None:
    """That somebody's time is up holds no longer: they have answered, or have more of it."""
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    if people:
        retract(Kind.TIME_IS_RUNNING_OUT, match=match.slug, people=people)


def tell_lost_by_time(match: Match, seats: Sequence[Seat], seat: int) -> None:
    """What was done as somebody's time had run out."""
    person = seats[seat].user_id
    if person is None:
        return
    done = {
        Timeout.FORFEIT: "you have lost",
        Timeout.BOT: "a bot plays for you until you take your seat back",
    }.get(Timeout(match.timeout), "your turn was played for you")
    notify(
        [person],
        Kind.LOST_BY_TIME,
        text=f"Your time ran out at {_table(match, seats, person)}: {done}.",
        link=match.get_absolute_url(),
        match=match.slug,
    )


def tell_end(finished: MatchFinished) -> None:
    """A finished match, read from the outbox: all are told but whoever ended it."""
    match = Match.objects.filter(slug=finished.match, status=Status.FINISHED).first()
    if match is None:
        return
    seats = list(match.seats.select_related("user"))
    if not _among_people(seats):
        return
    last = MoveRow.objects.filter(match=match).only("seat", "source").order_by("-ply").first()
    ended_by = last.seat if last is not None and last.source == Source.PERSON else None
    for seat in seats:
        if seat.user_id is not None and seat.number != ended_by:
            notify(
                [seat.user_id],
                Kind.MATCH_OVER,
                text=f"{_table(match, seats, seat.user_id)} is over{_result(match, seat, seats)}.",
                link=match.get_absolute_url(),
                match=match.slug,
            )
    for kind in (Kind.TABLE_BEGAN, Kind.YOUR_TURN, Kind.ORDER_DROPPED, Kind.TABLE_NEEDS_YOU):
        retract(kind, match=match.slug)


def deadlines(rows: Sequence[Notice]) -> dict[tuple[str, int], datetime | None]:
    """Until when those may take who are asked at these tables, by match and person."""
    asked = Seat.objects.filter(
        match__slug__in={row.match for row in rows},
        user__in={row.person_id for row in rows},
        prompt__isnull=False,
        match__status=Status.RUNNING,
    )
    return {
        (slug, person): deadline
        for slug, person, deadline in asked.values_list("match__slug", "user", "deadline_at")
    }


def _among_people(seats: Sequence[Seat]) -> bool:
    return sum(seat.kind == SeatKind.PERSON for seat in seats) >= 2


def _table(match: Match, seats: Sequence[Seat], person: int | None) -> str:
    """The match as somebody knows it who plays there: “Game (Mode) with Ann and Otto”."""
    others = [str(seat.user) for seat in seats if seat.user is not None and seat.user_id != person]
    name = match_name(match)
    return f"{name} with {_listed(others)}" if others else name


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMES:
        more = len(names) - MOST_NAMES + 1
        names = [*names[: MOST_NAMES - 1], f"{more} others"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _result(match: Match, seat: Seat, seats: Sequence[Seat]) -> str:
    if not seat.result:
        return ""
    if engine.mode_of(match).together:
        return ", and you have won together" if seat.result == Result.WON else ", and it is lost"
    if seat.result == Result.DRAWN:
        return ", and it is a draw"
    if seat.result == Result.WON:
        shared = sum(other.result == Result.WON for other in seats) > 1
        return ", and you share the win" if shared else ", and you have won"
    return f", and you came {seat.place}{_ORDINALS.get(seat.place or 0, 'th')}"


_ORDINALS = {2: "nd", 3: "rd"}
