"""The protocol of every writer: read, compute, compare and swap; retry after a stale write.

A writer names the version of the match that it read. The engine computes outside any lock, and the
write (a compare and swap) succeeds only if nobody else wrote meanwhile; otherwise the writer reads
again. An answer stays valid as long as its prompt is open, so seats that answer at the same time
don't disturb each other. Unique constraints (one move per ply, per prompt, one person per seat)
guarantee it once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.models import User
from core import db
from matches import engine
from matches.errors import NotRunning, NotYourSeat, TooBusy, UnknownMatch
from matches.models import Match, Seat, Status
from matches.queries.access import access_match

Params = ParamSpec("Params")
Result = TypeVar("Result")

MAX_ATTEMPTS = 20
"""Attempts before a writer gives up with ``TooBusy``."""


class StaleWrite(Exception):
    """Another writer was faster; nothing was written."""


def retried(write: Callable[Params, Result]) -> Callable[Params, Result]:
    """Decorate a writer that is run again, reading included, after a stale write.

    The writer must read everything it computes on itself. Raises ``TooBusy`` in the end.
    """

    @wraps(write)
    def attempts(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        for _ in range(MAX_ATTEMPTS):
            try:
                return write(*args, **kwargs)
            except StaleWrite:
                continue
        raise TooBusy("The table is very busy right now. Try again.")

    return attempts


@contextmanager
def one_write() -> Iterator[None]:
    """A transaction in which a violated constraint counts as a stale write."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise StaleWrite from error


def compare_and_swap(match: Match, *, version: int | None = None, **fields: Any) -> None:
    """Write these fields if the match is unchanged since it was read; else ``StaleWrite``.

    Compares its version and its silent writes.
    """
    read = match.version if version is None else version
    unchanged = {"id": match.pk, "version": read, "silent_writes": match.silent_writes}
    if not db.update(Match, [(unchanged, {"version": read + 1, **fields})]):
        raise StaleWrite
    match.version = read + 1


def write_silently(match: Match, **fields: Any) -> None:
    """Write fields that nobody sees, if the match is unchanged since it was read.

    Other writers must read the match again, but no visible number changes. Raises ``StaleWrite``.
    """
    read = {"id": match.pk, "version": match.version, "silent_writes": match.silent_writes}
    if not db.update(Match, [(read, {"silent_writes": match.silent_writes + 1, **fields})]):
        raise StaleWrite
    match.silent_writes += 1


def lock(matches: QuerySet[Match]) -> None:
    """Lock these matches until the end of the transaction.

    For writers of several tables at once. Locks are taken in the order of the keys, and each match
    before its seats, so that there are no deadlocks.
    """
    list(matches.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))


def read_match(slug: str) -> Match:
    """The current match with all that a write needs. Raises ``UnknownMatch``."""
    try:
        return Match.objects.get(slug=slug)
    except Match.DoesNotExist:
        raise UnknownMatch(f"Match “{slug[:20]}” not found.") from None


def read_table(slug: str, user: User) -> tuple[Match, list[Seat], Seat, engine.Table]:
    """The match, its seats, the user's seat and the table, for a write by a player.

    Raises what ``queries.access_match`` does, ``NotYourSeat``, and ``NotRunning`` before the start.
    """
    match = access_match(user, slug)
    seats = list(match.seats.all())
    seat = seat_of(seats, user)
    if not match.begun:
        require_running(match)
    return match, seats, seat, engine.load(match)


def seat_of(seats: Iterable[Seat], user: User) -> Seat:
    """The person's seat; raises ``NotYourSeat``."""
    for seat in seats:
        if seat.user_id is not None and seat.user_id == user.pk:
            return seat
    raise NotYourSeat("You are not a player at this table.")


def require_running(match: Match) -> None:
    """Raise ``NotRunning`` unless the match is running."""
    if match.status == Status.OPEN:
        raise NotRunning("The match has not started yet.")
    if match.status == Status.CANCELLED:
        raise NotRunning("The match was cancelled.")
    if match.status == Status.FINISHED:
        raise NotRunning("The match is over.")
