"""Cancelling a match: alone before one's second move, later by agreement, or by the clock."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from matches import engine
from matches.errors import NothingOffered, NotPossible
from matches.models import Match, MoveRow, Seat, StandingOrder, Status
from matches.services import ante, notices, store_ply
from matches.services.offers import Word, still_to_agree, store_words
from matches.services.setup import leave_match, stop_series
from matches.services.store_ply import FREE_MOVES
from matches.services.writing import (
    compare_and_swap,
    one_write,
    read_match,
    read_table,
    require_running,
    retried,
)

AGREED, EARLY, ABANDONED, EVENT = "agreed", "early", "abandoned", "event"
"""Reasons for cancelling a running match."""

CANCELLATION_REASONS = {
    AGREED: "All players agreed. No result.",
    EARLY: "A player cancelled it before their second move. No result.",
    ABANDONED: "Abandoned: no moves for ten days. No result.",
    EVENT: "Its tournament decided the result.",
}


@retried
def cancel_match(*, slug: str, user: User, word: Word = Word.OFFER) -> Match:
    """Cancel a match without a result, offer to, agree to an offer or decline it.

    Before their second move players may cancel alone. Later all who still play must agree.
    Declining clears all offers, one's own included.
    """
    agree = word != Word.DECLINE
    open_match = read_match(slug)
    if open_match.status == Status.OPEN and open_match.host_id == user.pk and agree:
        return leave_match(match=open_match, user=user)
    match, seats, seat, table = read_table(slug, user)
    if match.status == Status.CANCELLED and agree:
        return match
    require_running(match)
    if match.in_event:
        raise NotPossible("A tournament match cannot be cancelled. Concede, or offer a draw.")
    if word == Word.AGREE and not any(row.wants_cancel for row in seats):
        raise NothingOffered("There is no open offer to cancel this match.")
    if agree and may_cancel_alone(match, seat):
        cancel_running(match, seats, EARLY, by=seat)
        return match
    agreeing = [row for row in seats if agree and (row.wants_cancel or row is seat)]
    missing = still_to_agree(seats, table, agreeing) if agree else []
    if agree and not missing:
        cancel_running(match, seats, AGREED, by=seat)
        return match
    store_words(
        match, seats, {row: row in agreeing for row in seats}, missing, by=seat, offer="cancel"
    )
    return match


def may_cancel_alone(match: Match, seat: Seat) -> bool:
    """True while the seat's person may cancel without anyone's consent.

    Not after the first match of a series: who is behind could call it off.
    """
    if match.series_number is not None and match.series_number > 1:
        return False
    moves = MoveRow.objects.filter(match=match, seat=seat.number)
    return moves.exclude(ply__in=engine.taken_back(match)).count() < FREE_MOVES


@retried
def end_for_event(*, slug: str) -> None:
    """Cancel a running match that its event has decided. One that is over stays as it is.

    Of a series the match that is played now, and none follows.
    """
    match = read_match(slug)
    if match.series_id is not None:
        stop_series(match)  # first, as it waits for whoever is making the next match
        match = Match.objects.filter(series=match.series_id).latest("series_number")
    if match.status == Status.RUNNING:
        seats = list(match.seats.select_related("user").order_by("number"))
        cancel_running(match, seats, EVENT)


def cancel_running(
    match: Match, seats: Sequence[Seat], reason: str, *, by: Seat | None = None
) -> None:
    """Cancel a running match without a result or a rating.

    Everyone but ``by`` is notified; it is None for an abandoned match.
    """
    match.status, match.reason = Status.CANCELLED, reason
    match.deadline_at = match.clock_check_at = match.bots_asked_at = None
    match.rematch_of = None  # another one can be asked for
    for seat in seats:
        seat.prompt = seat.deadline_at = seat.asked_at = None
        seat.flag_fallen = False
    with one_write():
        compare_and_swap(
            match, status=match.status, reason=match.reason, deadline_at=None, clock_check_at=None,
            bots_asked_at=None, rematch_of=None,
        )  # fmt: skip
        store_ply.write_seats(seats)
        StandingOrder.objects.filter(match=match).delete()
        ante.release(match)
        stop_series(match)
        why = CANCELLATION_REASONS[reason]
        notices.tell_match_cancelled(match, seats, why, by=by, alone=reason == EARLY)
        store_ply.announce(match, seats)
