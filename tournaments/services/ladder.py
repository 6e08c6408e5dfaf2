"""Ladders: challenges, replies, what silence costs, and the end."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from notices.kinds import Kind
from notices.services.notices import notify
from tournaments.errors import NotNow, NotPossible, UnknownTournament
from tournaments.models import (
    LIVE_CHALLENGES,
    Challenge,
    ChallengeState,
    Entry,
    EntryState,
    Pairing,
    State,
    Tournament,
    name_of,
)
from tournaments.pairing import Table
from tournaments.queries.access import entry_by_number
from tournaments.services import ladder_places, rounds
from tournaments.services.locking import lock, lock_as_organiser

REACH = 3
"""So many places above oneself one may challenge."""
ANSWER = timedelta(days=3)
"""Whoever has not replied by then loses the place."""
AGAIN = timedelta(days=7)
"""So long after a challenge the same player cannot be challenged by the same one."""
SWEPT_AT_ONCE = 50


@transaction.atomic
def challenge(*, tournament: Tournament, user: User, number: int) -> Challenge:
    """Challenge the entry with this number, up to three places above; again returns the same.

    A bot accepts at once. Raises ``NotNow``, ``NotPossible`` and ``UnknownTournament``.
    """
    locked = _running(tournament)
    mine = _own(locked, user)
    other = entry_by_number(locked, number)
    same = _live(locked).filter(challenger=mine, challenged=other).first()
    if same is not None:
        return same
    _check(locked, mine, other)
    last = Challenge.objects.filter(tournament=locked).aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    row = Challenge.objects.create(
        tournament=locked, number=last + 1, challenger=mine, challenged=other,
        challenger_rank=mine.rank or 0, challenged_rank=other.rank or 0,
        made_at=now, answer_by=now + ANSWER,
    )  # fmt: skip
    if other.bot:
        _play(locked, row)
        return row
    _tell(
        locked, row, other,
        f"{name_of(mine)} challenges you for place {other.rank} of {locked.title}. Reply within "
        f"{ANSWER.days} days, or you lose the place.",
        deadline=row.answer_by,
    )  # fmt: skip
    return row


def _check(locked: Tournament, mine: Entry, other: Entry) -> None:
    if other.state != EntryState.ENTERED or other.rank is None:
        raise NotPossible(f"{name_of(other)} is not on the ladder.")
    if mine.rank is None or not mine.rank - REACH <= other.rank < mine.rank:
        raise NotPossible(f"You can challenge players up to {REACH} places above you.")
    live = _live(locked)
    if live.filter(Q(challenger=mine) | Q(challenged=mine)).exists():
        raise NotNow("You already have an open challenge. Finish it first.")
    if live.filter(Q(challenger=other) | Q(challenged=other)).exists():
        raise NotNow(f"{name_of(other)} already has an open challenge. Try again later.")
    earlier = Challenge.objects.filter(
        tournament=locked, challenger=mine, challenged=other, ended_at__gt=timezone.now() - AGAIN
    )
    if earlier.exists():
        raise NotNow(
            f"You challenged {name_of(other)} recently. Wait {AGAIN.days} days after the end of "
            "a challenge."
        )


@transaction.atomic
def accept(*, tournament: Tournament, user: User, number: int) -> Challenge:
    """Accept a challenge: a match is set up. Again changes nothing.

    Raises ``NotNow``, ``NotPossible`` and ``UnknownTournament``.
    """
    locked, row = _received(tournament, user, number)
    if row.state == ChallengeState.OPEN:
        _play(locked, row)
        _tell(locked, row, row.challenger, f"{name_of(row.challenged)} accepts your challenge in "
              f"{locked.title}.")  # fmt: skip
    elif row.state != ChallengeState.PLAYING:
        raise NotNow("This challenge is over.")
    return row


def _play(locked: Tournament, row: Challenge) -> None:
    players = (row.challenger.number, row.challenged.number)
    reason = (
        f"{name_of(row.challenger)} (place {row.challenger_rank}) challenges "
        f"{name_of(row.challenged)} (place {row.challenged_rank})."
    )
    row.pairing = rounds.open_table(locked, Table(players, reason[:300]))
    ladder_places.retract_request(row)
    row.state = ChallengeState.PLAYING
    row.save(update_fields=["pairing", "state"])


@transaction.atomic
def decline(*, tournament: Tournament, user: User, number: int) -> Challenge:
    """Decline a challenge, which costs the place. Again changes nothing.

    Raises ``NotNow``, ``NotPossible`` and ``UnknownTournament``.
    """
    locked, row = _received(tournament, user, number)
    if row.state == ChallengeState.OPEN:
        _forfeit(locked, row, ChallengeState.DECLINED)
    elif row.state != ChallengeState.DECLINED:
        raise NotNow("This challenge is accepted or over.")
    return row


def _forfeit(locked: Tournament, row: Challenge, state: ChallengeState) -> None:
    ladder_places.end(row, state)
    ladder_places.take_place(locked, row)
    why = "declined" if state == ChallengeState.DECLINED else "did not reply to"
    _tell(locked, row, row.challenger, f"{name_of(row.challenged)} {why} your challenge in "
          f"{locked.title}. You have their place.")  # fmt: skip
    if state == ChallengeState.EXPIRED:
        _tell(locked, row, row.challenged, f"You did not reply to {name_of(row.challenger)} in "
              f"{locked.title} and lost your place.")  # fmt: skip


@transaction.atomic
def withdraw(*, tournament: Tournament, user: User, number: int) -> Challenge:
    """Withdraw one's own challenge before it is accepted. Again changes nothing.

    Raises ``NotNow``, ``NotPossible`` and ``UnknownTournament``.
    """
    locked = _running(tournament)
    row = _by_number(locked, number)
    if row.challenger_id != _own(locked, user).pk:
        raise NotPossible("Only the challenger can withdraw a challenge.")
    if row.state == ChallengeState.OPEN:
        ladder_places.end(row, ChallengeState.WITHDRAWN)
        _tell(locked, row, row.challenged, f"{name_of(row.challenger)} withdraws their challenge "
              f"in {locked.title}.")  # fmt: skip
    elif row.state != ChallengeState.WITHDRAWN:
        raise NotNow("This challenge is accepted or over.")
    return row


@transaction.atomic
def close(*, tournament: Tournament, by: User) -> Tournament:
    """End a ladder: the places are final, and open challenges void. Again changes nothing.

    Raises ``NotAllowed``, ``NotNow`` while matches are played, and ``NotPossible``.
    """
    locked = lock_as_organiser(tournament, by)
    if not locked.is_ladder:
        raise NotPossible("Only a ladder is closed by hand.")
    if locked.over:
        return locked
    if locked.state != State.RUNNING:
        raise NotNow("The ladder has not started. Cancel it instead.")
    if Pairing.objects.filter(round__tournament=locked, decided_at=None).exists():
        raise NotNow("Matches are still in progress. Wait for them, or decide them first.")
    ladder_places.void_all(locked)
    rounds.finish(locked)
    return locked


def sweep() -> int:
    """Give the place to challengers who got no reply in time; how many."""
    due = Challenge.objects.filter(
        state=ChallengeState.OPEN, answer_by__lte=timezone.now(), tournament__state=State.RUNNING
    )
    done = 0
    for pk, tournament in due.values_list("pk", "tournament")[:SWEPT_AT_ONCE]:
        with transaction.atomic():
            locked = lock(tournament)
            row = _rows().filter(pk=pk, state=ChallengeState.OPEN).first()
            if row is not None and locked.state == State.RUNNING:
                _forfeit(locked, row, ChallengeState.EXPIRED)
                done += 1
    return done


def _rows() -> QuerySet[Challenge]:
    return Challenge.objects.select_related("challenger__user", "challenged__user")


def _live(locked: Tournament) -> QuerySet[Challenge]:
    return _rows().filter(tournament=locked, state__in=LIVE_CHALLENGES)


def _by_number(locked: Tournament, number: int) -> Challenge:
    row = _rows().filter(tournament=locked, number=number).first()
    if row is None:
        raise UnknownTournament("This ladder has no challenge with that number.")
    return row


def _received(tournament: Tournament, user: User, number: int) -> tuple[Tournament, Challenge]:
    locked = _running(tournament)
    row = _by_number(locked, number)
    if row.challenged_id != _own(locked, user).pk:
        raise NotPossible("Only the challenged player can reply.")
    return locked, row


def _running(tournament: Tournament) -> Tournament:
    locked = lock(tournament.pk)
    if not locked.is_ladder:
        raise NotPossible("Only ladders have challenges.")
    if locked.state != State.RUNNING:
        raise NotNow("The ladder is not open for challenges.")
    return locked


def _own(locked: Tournament, user: User) -> Entry:
    entry = Entry.objects.filter(tournament=locked, user=user).select_related("user").first()
    if entry is None or entry.state != EntryState.ENTERED:
        raise NotPossible("You are not on this ladder.")
    return entry


def _tell(
    locked: Tournament,
    row: Challenge,
    entry: Entry,
    text: str,
    deadline: datetime | None = None,
) -> None:
    if entry.user_id is not None:
        notify(
            [entry.user_id], Kind.TOURNAMENT, text=text[:300],
            link=f"{locked.get_absolute_url()}ladder/",
            key=f"{locked.slug}:challenge:{row.number}:{row.state}", deadline=deadline,
        )  # fmt: skip
