"""Reserved seats: inviting, accepting, declining, withdrawing."""

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
    """Reserve an open seat for a person; without a number the first that is not reserved.

    Idempotent.
    """
    match, seats = read_open_table(slug, host)
    person = person_called(username)
    if person == host or any(row.user_id == person.pk for row in seats):
        raise NotPossible(f"{person} already sits at this table.")
    if any(row.invited_id == person.pk for row in seats):
        return match
    if person.pk in lobby.people_kept_apart(host):
        raise NotPossible(f"You can’t invite {person} to your tables.")
    free = [row for row in seats if row.kind == SeatKind.OPEN and row.invited_id is None]
    row = next((row for row in free if seat in (None, row.number)), None)
    if row is None:
        raise NotOpen("That seat has been taken. Reload the table.")
    with one_write():
        compare_and_swap(match)
        row.invited = person
        row.save(update_fields=("invited",))
        lobby_notices.tell_invited(match, [person.pk])
        setup.announce_open(match, seats)
    return match


@retried
def withdraw_invitation(*, slug: str, host: User, username: str) -> Match:
    """Withdraw an invitation. Idempotent."""
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
    """Take the seat that is reserved for a person. Idempotent.

    Raises ``NotInvited`` where there is none.
    """
    match = read_match(slug)
    if not match.seats.filter(user=user).exists():
        _require_invited(match, match.seats.all(), user)
    return setup.join_match(
        match=match, user=user, client_seed=client_seed, deck=deck, agrees=agrees
    )


@retried
def decline_invitation(*, slug: str, user: User) -> Match:
    """Decline the invitation to a reserved seat. Raises ``NotInvited`` where there is none."""
    match = read_match(slug)
    seats = list(match.seats.all())
    _end(match, seats, _require_invited(match, seats, user), declined_by=user)
    return match


def read_open_table(slug: str, host: User) -> tuple[Match, list[Seat]]:
    """An open table and its seats. Raises ``NotYourTable`` for anyone but its host."""
    match = read_match(slug)
    if match.host_id != host.pk:
        raise NotYourTable("Only the host of this table may do that.")
    if match.status != Status.OPEN:
        raise NotOpen(
            "This table was cancelled."
            if match.status == Status.CANCELLED
            else "The match has already started."
        )
    return match, list(match.seats.select_related("user", "invited"))


def person_called(username: str) -> User:
    """The person with this username; raises ``NotPossible`` if it is unknown."""
    person = find_person(username)
    if person is None:
        raise NotPossible(f"No user named “{username.strip()[:40]}”. Check the spelling.")
    return person


def _require_invited(match: Match, seats: Iterable[Seat], user: User) -> Seat:
    kept = (row for row in seats if row.kind == SeatKind.OPEN and row.invited_id == user.pk)
    row = next(kept, None)
    if row is None or match.status != Status.OPEN:
        raise NotInvited("You have no open invitation to this table.")
    return row


def _end(
    match: Match, seats: Sequence[Seat], row: Seat, *, declined_by: User | None = None
) -> None:
    """Open the seat again, without the deck that was prepared for the person (in a rematch)."""
    invited = [] if row.invited_id is None else [row.invited_id]
    with one_write():
        compare_and_swap(match)
        setup.free_seat(row)
        lobby_notices.retract_invitations(match, invited)
        if declined_by is not None:
            lobby_notices.tell_declined(match, declined_by)
        setup.announce_open(match, seats, invited)
