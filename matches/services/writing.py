"""What every writer does: read, compute, compare and swap; and once more if somebody was faster.

Every writer names the version of the match that it read: the engine computes on what was read,
outside any lock, and the write (a compare and swap) goes through only if nobody was faster. A
writer that was too late reads again; an answer stays good as long as its question is still asked,
so that seats which answer at the same time never stand in each other's way. The unique constraints
(one move a ply, one move a prompt, one person a seat) keep the same promise a second time.
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

ATTEMPTS = 20
"""How often a writer begins anew before it gives up."""


class StaleWrite(Exception):
    """Somebody else wrote to the match first; nothing was written."""


def retried(write: Callable[Params, Result]) -> Callable[Params, Result]:
    """A writer that begins anew, with its reading, whenever its write was stale.

    So it has to read all that it computes on itself. Raises ``TooBusy`` in the end.
    """

    @wraps(write)
    def attempts(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        for _ in range(ATTEMPTS):
            try:
                return write(*args, **kwargs)
            except StaleWrite:
                continue
        raise TooBusy("The table is changing too fast at this moment. Please try again.")

    return attempts


@contextmanager
def one_write() -> Iterator[None]:
    """A transaction; what a constraint refuses in it was stored by somebody faster."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise StaleWrite from error


def compare_and_swap(match: Match, *, version: int | None = None, **fields: Any) -> None:
    """Write these fields if the match still is as it was read; else `StaleWrite`.

    That is by its version, and by what was written silently.
    """
    read = match.version if version is None else version
    found = {"id": match.pk, "version": read, "silent_writes": match.silent_writes}
    if not db.update(Match, [(found, {"version": read + 1, **fields})]):
        raise StaleWrite
    match.version = read + 1


def write_silently(match: Match, **fields: Any) -> None:
    """Write these fields, of which nobody sees anything, if the match still is as it was read.

    Whoever has read the match before must read it again, but no number that anybody sees moves.
    Raises ``StaleWrite``.
    """
    read = {"id": match.pk, "version": match.version, "silent_writes": match.silent_writes}
    if not db.update(Match, [(read, {"silent_writes": match.silent_writes + 1, **fields})]):
        raise StaleWrite
    match.silent_writes += 1


def lock(matches: QuerySet[Match]) -> None:
    """Keep all of these from other writers until the end of the transaction.

    Whoever writes to several tables at once begins with this. It takes them by their keys, and
    every writer takes a match before its seats, so that no two wait for each other.
    """
    list(matches.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))


def read_match(slug: str) -> Match:
    """The match as it is now, with all that a write needs."""
    try:
        return Match.objects.get(slug=slug)
    except Match.DoesNotExist:
        raise UnknownMatch(f"There is no match “{slug[:20]}”.") from None


def read_table(slug: str, user: User) -> tuple[Match, list[Seat], Seat, engine.Table]:
    """All that an answer is decided by, read once: the match, its seats, the user's, the table.

    Raises what ``queries.access_match`` does, ``NotYourSeat``, and ``NotRunning`` before the start.
    """
    match = access_match(user, slug)
    seats = list(match.seats.all())
    seat = seat_of(seats, user)
    if match.state is None:
        require_running(match)
    return match, seats, seat, engine.load(match)


def seat_of(seats: Iterable[Seat], user: User) -> Seat:
    """The person's seat; raises ``NotYourSeat``."""
    for seat in seats:
        if seat.user_id is not None and seat.user_id == user.pk:
            return seat
    raise NotYourSeat("You do not sit at this table, so you cannot play here.")


def require_running(match: Match) -> None:
    """Raises ``NotRunning``."""
    if match.status == Status.OPEN:
        raise NotRunning("The match has not started: a seat is still open.")
    if match.status == Status.CANCELLED:
        raise NotRunning("The match was cancelled.")
    if match.status == Status.FINISHED:
        raise NotRunning("The match is over.")
