"""Seats that are kept for somebody: inviting, accepting, declining, taking back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accounts.models import User
from accounts.queries.people import find_person
from matches.errors import NotInvited, NotOpen, NotPossible, NotYourTable
from matches.models import Match, Seat, SeatKind, Status
from matches.queries import lobby
from matches.services import lobby_notices, setup
from matches.services.writing import compare_and_swap, one_write, read_match, retried
from rules.engine.legality import Decklist


@retried
def invite(*, slug: str, host: User, username: str, seat: int | None = None) -> Match:
    """Keep an open seat for somebody; without a number the first that is kept for nobody.

    Inviting somebody twice changes nothing.
    """
    match, seats = read_open_table(slug, host)
    person = person_called(username)
    if person == host or any(row.user_id == person.pk for row in seats):
        raise NotPossible(f"{person} sits at this table already.")
    if any(row.invited_id == person.pk for row in seats):
        return match
    if person.pk in lobby.people_kept_apart(host):
        raise NotPossible(f"{person} cannot be invited to your tables.")
    free = [row for row in seats if row.kind == SeatKind.OPEN and row.invited_id is None]
    row = next((row for row in free if seat in (None, row.number)), None)
    if row is None:
        raise NotOpen("That seat is not free any more. Please look at the table again.")
    with one_write():
        compare_and_swap(match)
        row.invited = person
        row.save(update_fields=("invited",))
        lobby_notices.tell_invited(match, [person.pk])
        setup.announce_open(match, seats)
    return match


@retried
def take_back_invitation(*, slug: str, host: User, username: str) -> Match:
    """Keep a seat for somebody no longer. Doing it twice changes nothing."""
    match, seats = read_open_table(slug, host)
    row = next((r for r in seats if r.invited and r.invited.username == username), None)
    if row is not None:
        _end(match, seats, row)
    return match


def accept_invitation(
    *,
    slug: str,
    user: User,
    client_seed: str = "",
    deck: str | Decklist | None = None,
    agrees: bool = False,
) -> Seat:
    """Sit down where a seat is kept for somebody; twice gives the same seat.

    Raises ``NotInvited`` where none is.
    """
    match = read_match(slug)
    if not match.seats.filter(user=user).exists():
        _require_invited(match, match.seats.all(), user)
    return setup.join_match(
        match=match, user=user, client_seed=client_seed, deck=deck, agrees=agrees
    )


@retried
def decline_invitation(*, slug: str, user: User) -> Match:
    """Let a seat go that is kept for somebody. Raises ``NotInvited`` where none is (any more)."""
    match = read_match(slug)
    seats = list(match.seats.all())
    _end(match, seats, _require_invited(match, seats, user), declined_by=user)
    return match


def read_open_table(slug: str, host: User) -> tuple[Match, list[Seat]]:
    """An open table and its seats, for its host alone."""
    match = read_match(slug)
    if match.host_id != host.pk:
        raise NotYourTable("Only the person who set this table up may do that.")
    if match.status != Status.OPEN:
        raise NotOpen(
            "This table was cancelled."
            if match.status == Status.CANCELLED
            else "The match has begun: all its seats are taken."
        )
    return match, list(match.seats.select_related("user", "invited"))


def person_called(username: str) -> User:
    """Whoever is to be invited by this username; raises ``NotPossible``."""
    person = find_person(username)
    if person is None:
        raise NotPossible(f"Nobody here is called “{username.strip()[:40]}”. Look at the spelling.")
    return person


def _require_invited(match: Match, seats: Iterable[Seat], user: User) -> Seat:
    kept = (row for row in seats if row.kind == SeatKind.OPEN and row.invited_id == user.pk)
    row = next(kept, None)
    if row is None or match.status != Status.OPEN:
        raise NotInvited("No seat is kept for you at this table, or not any more.")
    return row


def _end(
    match: Match, seats: Sequence[Seat], row: Seat, *, declined_by: User | None = None
) -> None:
    """The seat is open again. A deck that lay ready for somebody (a rematch) goes with them."""
    invited = [] if row.invited_id is None else [row.invited_id]
    with one_write():
        compare_and_swap(match)
        setup.free_seat(row)
        lobby_notices.tell_not_invited(match, invited)
        if declined_by is not None:
            lobby_notices.tell_declined(match, declined_by)
        setup.announce_open(match, seats, invited)
