"""Cancelling a match: alone before one's second move, afterwards all together, or by the clock."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from matches import engine
from matches.errors import NotPossible
from matches.models import Match, MoveRow, Seat, StandingOrder, Status
from matches.services import ante, notices, store_ply
from matches.services.offers import still_to_agree, store_words
from matches.services.setup import leave_match
from matches.services.writing import (
    compare_and_swap,
    one_write,
    read_match,
    read_table,
    require_running,
    retried,
)

AGREED, EARLY, NOBODY_THERE, EVENT = "agreed", "early", "nobody-there", "event"
"""Why a match was cancelled that had begun."""

CALLED_OFF = {
    AGREED: "Everybody at the table agreed. Nobody has won or lost.",
    EARLY: "Somebody cancelled it at the very beginning. Nobody has won or lost.",
    NOBODY_THERE: "Nobody had come for ten days. Nobody has won or lost.",
    EVENT: "Its event has decided it without a last move.",
}
"""The same in words."""

FREE_MOVES = 2
"""Whoever has not yet made so many moves may cancel alone."""


@retried
def cancel_match(*, slug: str, user: User, agree: bool = True) -> Match:
    """Call a match off that nobody is to win, or say that one would; without ``agree`` decline.

    Before their second move anybody may do so alone. Afterwards it takes everybody who still
    plays. Declining clears what others have said, and one's own word.
    """
    open_match = read_match(slug)
    if open_match.status == Status.OPEN and open_match.host_id == user.pk and agree:
        return leave_match(match=open_match, user=user)
    match, seats, seat, table = read_table(slug, user)
    if match.status == Status.CANCELLED and agree:
        return match
    require_running(match)
    if match.in_event:
        raise NotPossible("A match of an event is not cancelled. Concede, or offer a draw.")
    if agree and may_cancel_alone(match, seat):
        call_off(match, seats, EARLY, by=seat)
        return match
    saying = [one for one in seats if agree and (one.wants_cancel or one is seat)]
    asked = still_to_agree(seats, table, saying) if agree else []
    if agree and not asked:
        call_off(match, seats, AGREED, by=seat)
        return match
    store_words(match, seats, {one: one in saying for one in seats}, asked, by=seat, offer="cancel")
    return match


def may_cancel_alone(match: Match, seat: Seat) -> bool:
    """Whether somebody at the table may still cancel without asking."""
    made = MoveRow.objects.filter(match=match, seat=seat.number)
    return made.exclude(ply__in=engine.taken_back(match)).count() < FREE_MOVES


@retried
def end_for_event(*, slug: str) -> None:
    """Cancel a running match that its event has decided. One that is over stays as it is."""
    match = read_match(slug)
    if match.status == Status.RUNNING:
        call_off(match, list(match.seats.select_related("user").order_by("number")), EVENT)


def call_off(match: Match, seats: Sequence[Seat], reason: str, *, by: Seat | None = None) -> None:
    """Cancel a running match: nobody has won or lost, and nothing is announced to be rated.

    ``by`` is whose word did it, None where nobody has come: all others are told.
    """
    match.status, match.reason = Status.CANCELLED, reason
    match.deadline_at = match.acts_at = None
    for seat in seats:
        seat.prompt = seat.deadline_at = seat.asked_at = None
        seat.late = False
    why = CALLED_OFF[reason]
    if reason == EARLY and by is not None:
        why = why.replace("Somebody", str(by.user))
    with one_write():
        compare_and_swap(
            match, status=match.status, reason=match.reason, deadline_at=None, acts_at=None
        )
        store_ply.write_seats(seats)
        StandingOrder.objects.filter(match=match).delete()
        ante.release(match)
        notices.tell_called_off(match, seats, why, by=by)
        store_ply.announce(match, seats)
