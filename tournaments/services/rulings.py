"""Rulings of the organisers: results, byes, whole pairings. Each has a reason that all read."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from matches.services import cancelling
from notices.kinds import Kind
from notices.services.notices import notify
from tournaments.errors import NotNow, NotPossible
from tournaments.models import (
    Entry,
    EntryState,
    How,
    Pairing,
    PairingSeat,
    Round,
    Ruling,
    RulingKind,
    Stage,
    State,
    Structure,
    Tournament,
    name_of,
)
from tournaments.queries.access import entry_by_number, pairing_of, round_of
from tournaments.queries.round_names import round_names
from tournaments.services import rounds
from tournaments.services.announce import tell_players
from tournaments.services.locking import checked_reason, lock_as_organiser


@transaction.atomic
def set_result(
    *,
    tournament: Tournament,
    by: User,
    round_number: int,
    table: int,
    places: Sequence[int],
    reason: str,
) -> Pairing:
    """Decide a table, or decide it otherwise; ``places`` by seat, 1 is first, equal ones are level.

    A match that is being played there ends. In an elimination only while the next round is not
    paired. Raises ``NotAllowed``, ``NotNow``, ``NotPossible`` and ``UnknownTournament``.
    """
    locked = lock_as_organiser(tournament, by)
    why = checked_reason(reason)
    row = pairing_of(locked, round_number, table)
    _must_run(locked)
    seats = list(row.seats.select_related("entry__user").order_by("number"))
    if len(places) != len(seats) or any(not 1 <= place <= len(seats) for place in places):
        raise NotPossible(f"Enter a place from 1 to {len(seats)} for each of {len(seats)} players.")
    if min(places) != 1:
        raise NotPossible("One player must be first.")
    if len(seats) == 1:
        raise NotPossible("A bye has no other result.")
    if [seat.place for seat in seats] == list(places):
        return row
    if locked.is_ladder and row.round.finished_at is not None:
        raise NotNow("The places on the ladder have changed since. This result stays.")
    knockout = row.round.stage == Stage.CUT or locked.structure == Structure.ELIMINATION
    last = Round.objects.filter(tournament=locked).aggregate(last=Max("number"))["last"]
    if knockout and row.round.number != last:
        raise NotNow("The next round was paired from this result. Undo that pairing first.")
    before = _in_words(seats)
    rounds.decide(locked, row, places, How.RULING)
    after = _in_words(list(row.seats.select_related("entry__user").order_by("number")))
    Ruling.objects.create(
        tournament=locked, kind=RulingKind.RESULT, round_number=round_number, table_number=table,
        by=by, reason=why, before=before[:300], after=after[:300],
    )  # fmt: skip
    if row.match is not None:
        cancelling.end_for_event(slug=row.match.slug)
    _tell(locked, row, why)
    if row.round.finished_at is None:
        rounds.go_on(locked)
    else:
        rounds.write_standings(locked)
    return row


@transaction.atomic
def give_bye(*, tournament: Tournament, by: User, number: int, reason: str) -> Pairing:
    """Give a bye in the open round to somebody who sits at no table of it.

    Raises ``NotAllowed``, ``NotNow``, ``NotPossible`` and ``UnknownTournament``.
    """
    locked = lock_as_organiser(tournament, by)
    why = checked_reason(reason)
    entry = entry_by_number(locked, number)
    _must_run(locked)
    row = Round.objects.filter(tournament=locked, finished_at=None).first()
    if row is None:
        raise NotNow("No round is open.")
    fixed = (Structure.ELIMINATION, Structure.LEAGUE, Structure.LADDER)
    if row.stage == Stage.CUT or locked.structure in fixed:
        raise NotNow("Byes cannot be given in an elimination, a league or a ladder.")
    if entry.state != EntryState.ENTERED:
        raise NotPossible(f"{name_of(entry)} has dropped out. Reinstate them first.")
    earlier = PairingSeat.objects.filter(round=row, entry=entry).select_related("pairing").first()
    if earlier is not None:
        if earlier.pairing.how == How.BYE:
            return earlier.pairing
        raise NotPossible(f"{name_of(entry)} has a table in this round.")
    last = Pairing.objects.filter(round=row).aggregate(last=Max("number"))["last"] or 0
    pairing = Pairing.objects.create(
        round=row, number=last + 1, reason=why, how=How.BYE, decided_at=timezone.now()
    )
    PairingSeat.objects.create(
        pairing=pairing, round=row, entry=entry, number=0, place=1,
        points=rounds.points_of_a_bye(locked),
    )  # fmt: skip
    Ruling.objects.create(
        tournament=locked, kind=RulingKind.BYE, round_number=row.number, table_number=last + 1,
        entry=entry, by=by, reason=why, after=f"{name_of(entry)} has a bye.",
    )  # fmt: skip
    return pairing


@transaction.atomic
def take_back_pairing(
    *, tournament: Tournament, by: User, round_number: int, reason: str
) -> Tournament:
    """Take the newest round back before anybody has played in it; then results can be corrected,
    and it is paired anew with :func:`pair_again`. A round that is gone already changes nothing.

    Raises ``NotAllowed``, ``NotNow`` once a move was made there, and ``NotPossible``.
    """
    locked = lock_as_organiser(tournament, by)
    why = checked_reason(reason)
    _must_run(locked)
    if locked.is_league or locked.is_ladder:
        raise NotNow("A season is paired all at once, at its start.")
    row = Round.objects.filter(tournament=locked).order_by("-number").first()
    if row is None or row.number != round_number:
        if Ruling.objects.filter(
            tournament=locked, kind=RulingKind.TAKE_BACK, round_number=round_number
        ).exists():
            return locked
        round_of(locked, round_number)
        raise NotNow("Only the latest pairing can be undone.")
    tables = list(Pairing.objects.filter(round=row).select_related("match").order_by("number"))
    for table in tables:
        played = table.match is not None and table.match.ply > 0
        if played or (table.decided_at is not None and table.how != How.BYE):
            raise NotNow(f"Table {table.number} has started. Undo a pairing before its first move.")
    details = [
        {"table": table.number, "players": [name_of(seat.entry) for seat in
                                            table.seats.select_related("entry__user")]}
        for table in tables
    ]  # fmt: skip
    Ruling.objects.create(
        tournament=locked, kind=RulingKind.TAKE_BACK, round_number=round_number, by=by, reason=why,
        before=f"{len(tables)} tables, paired for the {_ordinal(row.attempt)} time.",
        details=details,
    )  # fmt: skip
    for table in tables:
        if table.match is not None:
            cancelling.end_for_event(slug=table.match.slug)
    row.delete()
    rounds.write_standings(locked)
    tell_players(
        locked,
        f"{round_names(locked).of(round_number)} of {locked.title}: the pairing was undone, and a "
        f"new one follows. {why}",
        key="paired-anew",
    )
    return locked


@transaction.atomic
def pair_again(*, tournament: Tournament, by: User) -> Tournament:
    """Pair the next round after a pairing was taken back. Where a round is open nothing changes.

    Raises ``NotAllowed`` and ``NotNow``.
    """
    locked = lock_as_organiser(tournament, by)
    _must_run(locked)
    if Round.objects.filter(tournament=locked, finished_at=None).exists():
        return locked
    if locked.called_until is not None:
        raise NotNow("The players are being called. The round is paired when the call ends.")
    number = Round.objects.filter(tournament=locked).count() + 1
    taken_back = Ruling.objects.filter(
        tournament=locked, kind=RulingKind.TAKE_BACK, round_number=number
    ).count()
    rounds.pair(locked, attempt=taken_back + 1)
    return locked


def _must_run(locked: Tournament) -> None:
    if locked.state != State.RUNNING:
        raise NotNow("Rulings are possible only while the tournament is running.")


def _in_words(seats: Sequence[PairingSeat]) -> str:
    if any(seat.place is None for seat in seats):
        return "Open."
    ranked = sorted(seats, key=lambda seat: (seat.place, seat.number))
    return ", ".join(f"{seat.place}. {name_of(seat.entry)}" for seat in ranked) + "."


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")


def _tell(locked: Tournament, row: Pairing, why: str) -> None:
    people = Entry.objects.filter(seats__pairing=row, user__isnull=False)
    name = round_names(locked).of_table(row.round.number, for_third=row.for_third)
    notify(
        [pk for pk in people.values_list("user", flat=True) if pk is not None],
        Kind.TOURNAMENT,
        text=f"{name} of {locked.title}: the organisers decided your match. {why}"[:300],
        link=locked.get_absolute_url(),
        key=f"{locked.slug}:ruling:{row.pk}",
    )
