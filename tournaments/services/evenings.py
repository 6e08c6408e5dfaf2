"""Live evenings: who is present, calls that end, and rounds by the clock."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from notices.kinds import Kind
from notices.services.notices import notify, retract
from tournaments.errors import NotNow, NotPossible
from tournaments.models import (
    Entry,
    EntryState,
    Round,
    State,
    Tournament,
)
from tournaments.queries.evening import why_not_now
from tournaments.queries.round_names import round_names
from tournaments.queries.standings import is_knockout
from tournaments.services import calls, rounds
from tournaments.services.announce import cancelled
from tournaments.services.locking import lock

MIN_PRESENT = 2
SWEPT_AT_ONCE = 50


@transaction.atomic
def confirm(*, tournament: Tournament, user: User) -> Entry:
    """Say that one is present for the next round; whoever was dropped as absent is back.

    The round is paired as soon as everyone has confirmed. Again changes nothing. Raises
    ``NotNow`` and ``NotPossible``.
    """
    locked = lock(tournament.pk)
    if not locked.is_evening:
        raise NotPossible("Players confirm their presence only at live evenings.")
    entry = Entry.objects.filter(tournament=locked, user=user).first()
    if entry is None or entry.state not in (EntryState.ENTERED, EntryState.DROPPED):
        raise NotPossible("You do not take part in this tournament.")
    why_not = why_not_now(locked, entry)
    if why_not:
        raise NotNow(why_not)
    number = calls.next_number(locked)
    back = entry.state == EntryState.DROPPED
    if entry.ready_for < number or back:
        entry.ready_for, entry.state, entry.absent = number, EntryState.ENTERED, False
        entry.why = "" if back else entry.why
        entry.save(update_fields=["ready_for", "state", "absent", "why"])
        retract(Kind.TOURNAMENT, key=calls.key_of(locked, number), people=[user.pk])
        calls.ring(locked)
    if locked.called_until is not None and not calls.awaited(locked).exists():
        end_call(locked)
    return entry


def end_call(locked: Tournament) -> None:
    """Drop those who have not confirmed, and pair the round."""
    number = calls.next_number(locked)
    name = round_names(locked).of(number)
    absent = list(calls.awaited(locked))
    for entry in absent:
        entry.state, entry.absent = EntryState.DROPPED, True
        entry.why = f"Absent at the call for {name}."
    Entry.objects.bulk_update(absent, ["state", "absent", "why"])
    retract(Kind.TOURNAMENT, key=calls.key_of(locked, number))
    locked.called_until = None
    locked.save(update_fields=["called_until"])
    playing = Entry.objects.filter(tournament=locked, state=EntryState.ENTERED).count()
    if number == 1 and playing < MIN_PRESENT:
        cancelled(locked, f"{'only one' if playing else 'no'} player was present.")
    elif calls.awaited(locked).exists():  # who takes an absent player's place in the final rounds
        calls.open_call(locked)
    else:
        rounds.pair(locked)
    back = (
        ""
        if locked.over or is_knockout(locked)
        else " Confirm on its page that you are here to come back."
    )
    notify(
        [entry.user_id for entry in absent if entry.user_id is not None],
        Kind.TOURNAMENT,
        text=f"You were absent at the call for {name} of {locked.title}.{back}"[:300],
        link=locked.get_absolute_url(),
        key=f"{locked.slug}:absent:{number}",
    )
    calls.ring(locked)


def keep_time(*, tournament_id: int) -> bool:
    """End a call or a round whose time is over; False where nothing is due."""
    now = timezone.now()
    with transaction.atomic():
        locked = lock(tournament_id)
        if (
            locked.state == State.RUNNING
            and locked.called_until is not None
            and locked.called_until <= now
        ):
            end_call(locked)
            return True
    due = Round.objects.filter(
        tournament=tournament_id, finished_at=None, deadline_at__lte=now
    ).values_list("pk", flat=True)
    return any(rounds.end_round_by_clock(round_id=pk) for pk in due)


def sweep() -> int:
    """End the calls that are due; how many."""
    due = Tournament.objects.filter(state=State.RUNNING, called_until__lte=timezone.now())
    return sum(
        keep_time(tournament_id=pk) for pk in due.values_list("pk", flat=True)[:SWEPT_AT_ONCE]
    )
