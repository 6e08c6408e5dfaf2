"""Open tables: what their hosts do with them, and what the sweep does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import structlog
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from matches import engine
from matches.errors import NotOpen, NotPossible
from matches.models import Match, Seat, SeatKind, Status
from matches.queries import lobby
from matches.services import ante, lobby_notices, setup
from matches.services.invitations import read_open_table
from matches.services.writing import compare_and_swap, one_write, read_match, retried
from rules.engine.errors import BadSetup

logger = structlog.get_logger(__name__)


@retried
def fill_seat(*, slug: str, host: User, seat: int, bot: str = "") -> Match:
    """Give an open or reserved seat to a bot; the last seat filled starts the match.

    An empty ``bot`` is the game's strongest. A seat that already has a bot keeps it.
    """
    match = read_match(slug)
    at_seat = match.seats.filter(number=seat).first()
    if match.host_id == host.pk and at_seat is not None and at_seat.kind == SeatKind.BOT:
        return match
    match, seats = read_open_table(slug, host)
    row = next((row for row in seats if row.number == seat and row.kind == SeatKind.OPEN), None)
    if row is None:
        raise NotOpen("That seat has been taken. Reload the table.")
    _fill(match, seats, [row], bot, by=host)
    return match


@retried
def list_table(*, slug: str, host: User, listed: bool) -> Match:
    """List an open table in the lobby, or remove it."""
    match, seats = read_open_table(slug, host)
    if listed and match.private:
        raise NotPossible("Private tables can’t be listed in the lobby. Share the link instead.")
    if match.listed == listed:
        return match
    with one_write():
        compare_and_swap(match, listed=listed)
        match.listed = True  # the lobby has to be told either way
        setup.announce_open(match, seats)
    match.listed = listed
    return match


def _fill(
    match: Match,
    seats: Sequence[Seat],
    free: Iterable[Seat],
    bot: str = "",
    by: User | None = None,
) -> None:
    game, mode = engine.find_mode(match.game, match.mode)
    if not game.bots:
        raise NotPossible("This game has no bots. Invite a player instead.")
    if mode.for_keeps(match.options):
        raise NotPossible(ante.NO_BOTS)
    bot = setup.checked_bot(game, match.mode, bot)
    free = list(free)
    invited = [row.invited_id for row in free if row.invited_id is not None]
    for row in free:
        row.kind, row.bot, row.invited = SeatKind.BOT, bot, None
        setup.set_deck(row, None)
    try:
        if mode.decks(match.options) == "own":
            ready = setup.ready_decks(game, mode, seats, match.options)
            for row in free:
                setup.set_deck(row, ready[row.number])
        with one_write():
            compare_and_swap(match)
            Seat.objects.bulk_update(free, (*setup.SEATING_FIELDS, "bot"))
            lobby_notices.retract_invitations(match, invited)
            setup.start_if_full(match, seats, by=by)
            setup.announce_open(match, seats, invited)
    except BadSetup as error:  # for example decks that may not meet
        raise NotPossible(str(error)) from error


# -- by itself ------------------------------------------------------------------------------------


@retried
def fill_with_bots(*, match_id: int, now: datetime | None = None) -> bool:
    """Fill a table with bots if its waiting time is over; False if there is nothing to do."""
    due = Match.objects.filter(
        pk=match_id, status=Status.OPEN, bots_join_at__lte=now or timezone.now()
    )
    match = due.first()
    if match is None:
        return False
    seats = list(match.seats.select_related("user"))
    try:
        _fill(match, seats, [row for row in seats if row.kind == SeatKind.OPEN])
    except NotPossible as error:  # the table stays open for people
        logger.warning("bots_cannot_sit_down", match=match.slug, error=str(error))
        Match.objects.filter(pk=match_id).update(bots_join_at=None)
        return False
    return True


@retried
def expire(*, match_id: int, now: datetime | None = None) -> bool:
    """Cancel a table that nobody has joined in time; False if there is nothing to do."""
    match = lobby.overdue_tables(now or timezone.now()).filter(pk=match_id).first()
    if match is None:
        return False
    seats = list(match.seats.select_related("user"))
    with one_write():
        compare_and_swap(match)
        setup.cancel_table(match, seats)
        lobby_notices.tell_expired(match)
    return True


def remind(*, match_id: int, now: datetime | None = None) -> bool:
    """Remind a host, once, of a table that has been open for long; False if not due."""
    now = now or timezone.now()
    with transaction.atomic():
        due = lobby.forgotten_tables(now).filter(pk=match_id)
        if not due.update(reminded_at=now):
            return False
        lobby_notices.tell_nobody_joined(Match.objects.get(pk=match_id), lobby.REMIND_AFTER.days)
    return True


class Swept(NamedTuple):
    """Numbers of tables: filled with bots, expired, and with a reminder to their host."""

    filled: int
    ended: int
    reminded: int


def sweep_open_tables(*, now: datetime | None = None, limit: int = 200) -> Swept:
    """Fill tables with bots, cancel expired ones and remind hosts, where due.

    Safe to run any number of times, also at once.
    """
    now = now or timezone.now()
    waiting = Match.objects.filter(status=Status.OPEN, bots_join_at__lte=now).order_by(
        "bots_join_at"
    )
    filled = sum(
        fill_with_bots(match_id=pk, now=now)
        for pk in list(waiting.values_list("pk", flat=True)[:limit])
    )
    overdue = list(lobby.overdue_tables(now).values_list("pk", flat=True)[:limit])
    ended = sum(expire(match_id=pk, now=now) for pk in overdue)
    forgotten = list(lobby.forgotten_tables(now).values_list("pk", flat=True)[:limit])
    reminded = sum(remind(match_id=pk, now=now) for pk in forgotten)
    return Swept(filled, ended, reminded)
