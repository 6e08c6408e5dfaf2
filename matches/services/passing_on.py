"""A seat that its person gives up for good, and whoever takes it over.

Only where the host said so before anybody sat down, at public tables where a bot keeps such a seat,
and where no deck of anybody's own lies in it (``docs/decisions/0021``). For the ratings the seat
stays with the one who gave it up, behind all that stayed; whoever takes it over plays for nothing.
"""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone

from accounts.models import User
from core.background import after_commit
from matches import engine
from matches.clock import seat_clocks
from matches.errors import NotOpen, NotPossible
from matches.live import bell
from matches.models import Match, Seat, StandingOrder
from matches.queries import lobby, ratings
from matches.queries.access import access_match, hours_of
from matches.queries.names import match_name
from matches.services import notices, store_ply
from matches.services.writing import one_write, read_table, require_running, retried
from notices.kinds import Kind
from notices.services.notices import retract

PERSONAL = (
    "user",
    "wants_cancel",
    "wants_takeback",
    "wants_draw",
    "resigned_seat_at",
    "resigned_by",
)
"""The fields of a seat that change when its person leaves."""


@retried
def give_up_seat(*, slug: str, user: User) -> Match:
    """Leave a seat for good: a bot plays until a replacement takes it over. It can't be undone.

    Raises ``NotPossible`` where the table allows no replacements, or no other person plays.
    """
    match, seats, seat, table = read_table(slug, user)
    require_running(match)
    if not match.allows_replacements:
        raise NotPossible("This table doesn’t allow replacements. You can concede instead.")
    out = store_ply.who_is_out(table)
    if seat.number in out:
        raise NotPossible("You have already been eliminated.")
    if not any(other.user_id not in (None, user.pk) for other in seats):
        raise NotPossible("No other person plays here. You can concede instead.")
    now = timezone.now()
    clocks = store_ply.clocks_of(match, seats, out=out)
    after = [seat_clocks.in_other_hands(c) if c.seat == seat.number else c for c in clocks]
    seat.substitute_bot = [*engine.game_of(match).bots][-1]
    seat.user, seat.wants_cancel, seat.wants_takeback, seat.wants_draw = None, False, None, False
    if seat.resigned_seat_at is None:
        seat.resigned_seat_at, seat.resigned_by = now, user
    with one_write():
        store_ply.store_clocks(match, seats, after, now)
        seat.save(update_fields=PERSONAL)
        StandingOrder.objects.filter(match=match, seat=seat.number).delete()
        for kind in (Kind.TABLE_BEGAN, Kind.YOUR_TURN, Kind.TIME_IS_RUNNING_OUT):
            retract(kind, match=match.slug, people=[user.pk])
        text = f"{user} left {match_name(match)}. A bot plays until a replacement joins."
        notices.tell_replacement(match, seats, text, by=user.pk)
        after_commit(bell.ring_lobby, listed=True, people=[user.pk])
    return match


@retried
def take_seat_over(*, slug: str, user: User, seat: int) -> Match:
    """Take over a seat whose person left, with a full time bank. Idempotent.

    Raises ``NotOpen`` if the seat is not free, ``NotPossible`` if this person may not take it.
    """
    match = access_match(user, slug)
    seats = list(match.seats.all())
    row = next((row for row in seats if row.number == seat), None)
    if row is not None and row.user_id == user.pk:
        return match
    require_running(match)
    if row is None or not (match.allows_replacements and row.vacant):
        raise NotOpen("That seat is not free. Another player may have taken it.")
    _require_may_take(match, seats, user)
    table = engine.load(match)
    now = timezone.now()
    row.user, row.own_hours = user, hours_of(user.pk)
    clocks = store_ply.clocks_of(match, seats, out=store_ply.who_is_out(table))
    back = replace(clocks[seat], kept=False)
    if match.preset is not None:
        back = replace(back, time_bank=match.preset.time_bank)
        back = seat_clocks.begun(back, now) if back.asked else back
    after = [back if clock.seat == seat else clock for clock in clocks]
    with one_write():
        store_ply.store_clocks(match, seats, after, now)
        row.save(update_fields=("user",))
        asked_before = {s.number: s.prompt is not None and s is not row for s in seats}
        notices.tell_turns(match, seats, asked_before, {})
        text = f"{user} has taken over a seat in {match_name(match)}."
        notices.tell_replacement(match, seats, text, by=user.pk)
        after_commit(bell.ring_lobby, listed=True, people=[user.pk])
    return match


def _require_may_take(match: Match, seats: list[Seat], user: User) -> None:
    if any(seat.user_id == user.pk for seat in seats):
        raise NotOpen("You already sit at this table.")
    if any(seat.resigned_by_id == user.pk for seat in seats):
        raise NotPossible("You left a seat at this table. You can’t come back.")
    if lobby.people_kept_apart(user) & {match.host_id, *(seat.user_id for seat in seats)}:
        raise NotOpen("You can’t join this table.")
    if outside := ratings.why_outside(match, ratings.ratings_of(user.pk)):
        raise NotPossible(outside)
