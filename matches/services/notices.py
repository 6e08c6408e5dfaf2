"""Notifications about running matches: the start, turns, offers, time and the end.

All are written in the transaction of what happened. Nobody is notified of a match against bots
alone. Where seats answer unseen, notifications don't reveal how far others are: a person's row
changes only when they get a prompt themselves, or have answered it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta

from django.contrib.humanize.templatetags.humanize import ordinal
from django.urls import reverse
from django.utils.text import Truncator, get_text_list

from accounts.models import User
from core.models import MatchFinished
from matches import engine
from matches.models import (
    Match,
    MoveRow,
    Result,
    Seat,
    SeatKind,
    Source,
    StandingOrder,
    Status,
    TimeControl,
    Timeout,
)
from matches.queries.names import match_name
from matches.queries.series import series_from
from notices.kinds import Kind
from notices.models import Notice
from notices.services import notices as notices_notices
from notices.services.notices import Turn, notify, retract

MAX_NAMES = 3  # of opponents in one notification


ORDER_GRACE = timedelta(seconds=30)
"""No turn is announced until this long after a standing order should have answered."""


MAX_PLAN_WORDS = 80
"""Characters of a conditional move in a notification."""


def tell_turns(
    match: Match,
    seats: Sequence[Seat],
    asked_before: Mapping[int, bool],
    ordered: Mapping[int, datetime],
) -> None:
    """Tell the people whose turn began or ended; ``asked_before`` says who had a prompt, by seat.

    ``ordered``: when a standing order answers, by seat.
    """
    if not _among_people(seats):
        return
    turns = [
        Turn(
            seat.user_id,
            f"Your turn in {_table(match, seats, seat.user_id)}.",
            is_asked=seat.prompt is not None,
            deadline=seat.deadline_at,
            earliest=ordered[seat.number] + ORDER_GRACE if seat.number in ordered else None,
        )
        for seat in seats
        if seat.user_id is not None and asked_before[seat.number] != (seat.prompt is not None)
    ]
    if turns:
        notices_notices.tell_turns(match.slug, turns, link=match.get_absolute_url())


def tell_start(match: Match, seats: Sequence[Seat], *, by: User | None) -> None:
    """Tell everyone but ``by``, the last to join, of the start, and of their turn."""
    if not _among_people(seats):
        return
    assert match.started_at is not None
    for seat in seats:
        if seat.user_id is not None and (by is None or seat.user_id != by.pk):
            notify(
                [seat.user_id],
                Kind.TABLE_BEGAN,
                text=f"{_table(match, seats, seat.user_id)} has started.{_series(match, seat)}",
                link=match.get_absolute_url(),
                match=match.slug,
                # A live match can't wait.
                due=match.started_at if match.time_control == TimeControl.LIVE else None,
            )
    tell_turns(match, seats, dict.fromkeys(range(len(seats)), False), {})


def tell_table_cancelled(match: Match, seats: Sequence[Seat], *, by: User | None) -> None:
    """Tell the others at an open table that it was cancelled.

    ``by`` None: it expired, of which the host is told by :mod:`matches.services.lobby_notices`.
    """
    known = match.host_id if by is None else by.pk
    others = [seat.user_id for seat in seats if seat.user_id != known]
    happened = "Too few players joined in time, so your table was cancelled"
    if by is not None:
        happened = f"{by} cancelled a table that you had joined"
    notify(
        [pk for pk in others if pk is not None],
        Kind.MATCH_OVER,
        text=f"{happened}: {match_name(match)}.",
        link=match.get_absolute_url(),
        match=match.slug,
    )


def tell_match_cancelled(
    match: Match, seats: Sequence[Seat], why: str, *, by: Seat | None, alone: bool
) -> None:
    """Tell everyone but ``by`` that a running match was cancelled, and why.

    ``alone``: by its player, without asking the others.
    """
    outdated = (
        Kind.TABLE_BEGAN,
        Kind.YOUR_TURN,
        Kind.TIME_IS_RUNNING_OUT,
        Kind.ORDER_DROPPED,
        Kind.TABLE_NEEDS_YOU,
    )
    for kind in outdated:
        retract(kind, match=match.slug)
    if not _among_people(seats):
        return
    for seat in seats:
        if seat.user_id is not None and seat is not by:
            text = f"{_table(match, seats, seat.user_id)} was cancelled. {why}"
            if alone and by is not None:  # whose name is in that of the table, too
                name = match_name(match)
                text = f"{by.user} cancelled {name} before their second move. No result."
            notify(
                [seat.user_id],
                Kind.MATCH_OVER,
                text=text,
                link=match.get_absolute_url(),
                match=match.slug,
            )


_OFFERED = {
    "cancel": "offers to cancel {match}. Agree or decline.",
    "draw": "offers you a draw in {match}. Agree or decline.",
    "takeback": "requests a takeback in {match}. Agree or decline.",
}


def tell_offer(
    match: Match, seats: Sequence[Seat], missing: Sequence[Seat], *, by: Seat, offer: str
) -> None:
    """Tell the ``missing`` voters of an offer (``cancel``, ``draw``, ``takeback``)."""
    retract_offer(match, offer)
    for seat in missing:
        if seat.user_id is not None:
            words = _OFFERED[offer].format(match=match_name(match))
            notify(
                [seat.user_id],
                Kind.TABLE_NEEDS_YOU,
                text=f"{by.user} {words}",
                link=match.get_absolute_url(),
                match=match.slug,
                key=offer,
            )


def retract_offer(match: Match, offer: str) -> None:
    """Retract an offer that was declined or withdrawn, or ended by a move."""
    retract(Kind.TABLE_NEEDS_YOU, match=match.slug, key=offer)


def tell_replacement(match: Match, seats: Sequence[Seat], text: str, *, by: int) -> None:
    """Tell the others at a table that ``by`` left a seat or took it over."""
    for seat in seats:
        if seat.user_id is not None and seat.user_id != by:
            notify(
                [seat.user_id],
                Kind.TABLE_NEEDS_YOU,
                text=text,
                link=match.get_absolute_url(),
                match=match.slug,
                key="replacement",
            )


def tell_account_deleted(match: Match, user: User) -> None:
    """Tell the others at a table that plays on that a player's account was deleted."""
    if match.status == Status.RUNNING:
        seats = list(match.seats.select_related("user"))
        text = f"A player deleted their account and left {match_name(match)}. The match goes on."
        tell_replacement(match, seats, text, by=user.pk)


def tell_order_ended(match: Match, seats: Sequence[Seat], order: StandingOrder, why: str) -> None:
    """Tell a person that one of their standing orders has stopped."""
    person = seats[order.seat].user_id
    if person is None:
        return
    order_kind = "auto-answer" if order.plan is None else "conditional move"
    name, words = _table(match, seats, person), _words_of(order)
    notify(
        [person],
        Kind.ORDER_DROPPED,
        text=f"{name}: your {order_kind} “{words}” has stopped. {why}",
        link=match.get_absolute_url(),
        match=match.slug,
        key=str(order.pk),
    )


def _words_of(order: StandingOrder) -> str:
    """Its words, cut where they are a long sentence: a notification has 300 characters."""
    return order.words if order.plan is None else Truncator(order.words).chars(MAX_PLAN_WORDS)


def tell_plan_unplayed(match: Match, seats: Sequence[Seat], order: StandingOrder, why: str) -> None:
    """Tell a person why a conditional move is over before all of it was played."""
    person = seats[order.seat].user_id
    if person is None:
        return
    name = _table(match, seats, person)
    end = "stopped after its first steps" if order.answered else "was not played"
    notify(
        [person],
        Kind.ORDER_DROPPED,
        text=f"{name}: your conditional move {end}. {why} “{_words_of(order)}”",
        link=match.get_absolute_url(),
        match=match.slug,
        key=str(order.pk),
    )


def tell_late(match: Match, seats: Sequence[Seat], seat: int, *, until: datetime | None) -> None:
    """Tell a person that they are out of time; at ``until``, if set, they lose the match."""
    person = seats[seat].user
    if person is None:
        return
    left = " Move now, or you lose the match." if until is not None else ""
    notify(
        [person.pk],
        Kind.TIME_IS_RUNNING_OUT,
        text=f"You are out of time in {_table(match, seats, person.pk)}.{left}",
        link=match.get_absolute_url(),
        match=match.slug,
        deadline=until,
    )


def tell_all_late(
    match: Match, seats: Sequence[Seat], late: Sequence[int], *, until: datetime
) -> None:
    """Tell these seats' people that everybody is out of time; at ``until`` it is cancelled."""
    forfeits = match.timeout == Timeout.FORFEIT
    rest = "If another player moves first, you lose; if" if forfeits else "If"
    people = [seat.user.pk for seat in seats if seat.number in late and seat.user is not None]
    notify(
        people,
        Kind.TIME_IS_RUNNING_OUT,
        text={
            person: f"Everyone is out of time in {_table(match, seats, person)}. {rest} nobody "
            "moves, the match is cancelled."
            for person in people
        },
        link=match.get_absolute_url(),
        match=match.slug,
        deadline=until,
    )


def tell_vacation(match: Match, seats: Sequence[Seat], seat: int, *, first: date) -> None:
    """Tell a person that their vacation began by itself, once for each stretch of days."""
    person = seats[seat].user_id
    if person is None:
        return
    notify(
        [person],
        Kind.TIME_IS_RUNNING_OUT,
        text=f"You were about to run out of time in {_table(match, seats, person)}, so your "
        f"vacation started automatically on {first:%-d %B %Y}. "
        "Vacation days are used until you move.",
        link=reverse("matches:own-clock"),
        key=f"vacation:{match.slug}",
    )


def retract_late(match: Match, seats: Sequence[Seat]) -> None:
    """Retract that these seats' people are out of time: they have moved or got more time."""
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    if people:
        retract(Kind.TIME_IS_RUNNING_OUT, match=match.slug, people=people)


def tell_lost_by_time(match: Match, seats: Sequence[Seat], seat: int) -> None:
    """Tell a person that they ran out of time, and what followed."""
    person = seats[seat].user_id
    if person is None:
        return
    table = _table(match, seats, person)
    text = {
        Timeout.FORFEIT: f"You lost on time in {table}.",
        Timeout.BOT: f"You ran out of time in {table}. A bot plays for you until you return.",
        Timeout.TURN: f"You ran out of time in {table}. A default move was played for you.",
    }[Timeout(match.timeout)]
    notify(
        [person],
        Kind.LOST_BY_TIME,
        text=text,
        link=match.get_absolute_url(),
        match=match.slug,
    )


def tell_end(finished: MatchFinished) -> None:
    """Tell everyone but the player who ended it of a finished match; a subscriber of the outbox."""
    match = Match.objects.filter(slug=finished.match, status=Status.FINISHED).first()
    if match is None:
        return
    seats = list(match.seats.select_related("user"))
    if not _among_people(seats):
        return
    last = MoveRow.objects.filter(match=match).only("seat", "source").order_by("-ply").first()
    ended_by = last.seat if last is not None and last.source == Source.PERSON else None
    deleted = any(seat.number == ended_by and seat.user and seat.user.deleted_at for seat in seats)
    why = " A player deleted their account." if deleted else ""
    for seat in seats:
        if seat.user_id is not None and seat.number != ended_by:
            notify(
                [seat.user_id],
                Kind.MATCH_OVER,
                text=f"{_result(match, seat, seats)}.{why}{_series(match, seat)}",
                link=match.get_absolute_url(),
                match=match.slug,
            )
    for kind in (Kind.TABLE_BEGAN, Kind.YOUR_TURN, Kind.ORDER_DROPPED, Kind.TABLE_NEEDS_YOU):
        retract(kind, match=match.slug)


def deadlines(rows: Sequence[Notice]) -> dict[tuple[str, int], datetime | None]:
    """The deadlines of the people with a prompt in these matches, by match and person."""
    waiting = Seat.objects.filter(
        match__slug__in={row.match for row in rows},
        user__in={row.person_id for row in rows},
        prompt__isnull=False,
        match__status=Status.RUNNING,
    )
    return {
        (slug, person): deadline
        for slug, person, deadline in waiting.values_list("match__slug", "user", "deadline_at")
    }


def _among_people(seats: Sequence[Seat]) -> bool:
    return sum(seat.kind == SeatKind.PERSON for seat in seats) >= 2


def _table(match: Match, seats: Sequence[Seat], person: int | None) -> str:
    """The match as one of its players knows it: “Game (Mode) against Ann and Otto”."""
    others = [seat for seat in seats if seat.user is not None and seat.user_id != person]
    name, mode = match_name(match), engine.mode_of(match)
    own = next((seat.number for seat in seats if person and seat.user_id == person), None)
    partners: Collection[int] = ()
    if mode.together:
        partners = range(len(seats))
    elif own is not None:
        partners = mode.party(own, len(seats))
    for link, partner in (("with", True), ("against", False)):
        people = [str(seat.user) for seat in others if (seat.number in partners) == partner]
        if people:
            name += f" {link} {_listed(people)}"
    return name


def _listed(names: list[str]) -> str:
    if len(names) > MAX_NAMES:
        more = len(names) - MAX_NAMES + 1
        names = [*names[: MAX_NAMES - 1], f"{more} others"]
    return get_text_list(names, "and")


def _series(match: Match, seat: Seat) -> str:
    """“ Match 2 of a series, first to 2 wins. You lead the series 1–0.”; empty without a series."""
    series = series_from(match, seat.number)
    if series is None:
        return ""
    words = series.terms.words
    text = f" Match {series.number} of a series, {words[0].lower()}{words[1:]}."
    has_begun = seat.result or series.number > 1  # before that it is 0–0
    return f"{text} {series.line}" if has_begun else text


def _result(match: Match, seat: Seat, seats: Sequence[Seat]) -> str:
    """“You won Game (Mode) against Ann”: the result comes first, as subject lines are cut."""
    table = _table(match, seats, seat.user_id)
    if not seat.result:
        return f"{table} is over"
    if seat.result == Result.DRAWN:
        return f"You drew {table}"
    mode = engine.mode_of(match)
    together, parties = mode.together, mode.parties(len(seats))
    if seat.result == Result.WON:
        winners = {other.number for other in seats if other.result == Result.WON}
        shared = not together and winners != {*mode.party(seat.number, len(seats))}
        return f"You share the win in {table}" if shared else f"You won {table}"
    if together or parties == 2:
        return f"You lost {table}"
    return f"You finished {ordinal(seat.rank)} of {parties} in {table}"
